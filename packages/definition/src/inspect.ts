// Graph

export type { DeadReason, DeadRoute } from "./inspect/dead-routes.js";
export { deadRoutes } from "./inspect/dead-routes.js";
// Difference
export type { Change, ChangeKind, ChangeSubject, Comparison } from "./inspect/diff.js";
export { compare, diff } from "./inspect/diff.js";
// Sentences
export { explain } from "./inspect/explain.js";
export type { Loop, LoopBound } from "./inspect/loops.js";
export { loops } from "./inspect/loops.js";
export type { LongestPath } from "./inspect/paths.js";
export { longestPath, reachable } from "./inspect/paths.js";
export type { RouteReference } from "./inspect/route-graph.js";
export type { VisitBound } from "./inspect/visits.js";
export { boundedVisits } from "./inspect/visits.js";
