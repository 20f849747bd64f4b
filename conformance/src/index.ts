// Cases

export type { Area, Case, CaseInput, CaseMetadata, CaseOptions, Phase, Verdict } from "./case.js";
export { areas, phases, verdicts } from "./case.js";

// Claims

export { checkAssembly } from "./assembly.js";

// Subjects

export type { Answer, SourceFile, Subject } from "./subject.js";

// Running

export type { KnownFailures } from "./known-failures.js";
export { readKnownFailures } from "./known-failures.js";
export { refusalCases, runRefusals } from "./refusals.js";
export type { CaseResult, ResultKind, RunOptions } from "./run.js";
export { runCases } from "./run.js";

// Reports

export type { ReportOptions, Summary } from "./report.js";
export { reportLines, summaryOf } from "./report.js";

// Shapes

export { codePageProblems } from "./code-pages.js";
export type { FindingDemand } from "./finding-shape.js";
export { errorProblems, findingProblems } from "./finding-shape.js";

// Traces

export { firstDifference } from "./compare.js";
export type { Trace, TraceStep } from "./trace.js";
export { portableStep, sameStep, stampedEvents, traceOf } from "./trace.js";

// Providers

export type { ProviderCheck, ProviderHarness } from "./provider-checks.js";
export { providerChecks } from "./provider-checks.js";

// Hosts

export { controlChecks } from "./host/control-checks.js";
export type {
  CheckClock,
  CheckTime,
  CrashPoint,
  CrashScenario,
  CrashSetting,
  Effect,
  HostCheck,
  HostHarness,
  HostSetting,
  HostStorage,
  HostUnderTest,
  Mortal,
  Outside,
  World,
} from "./host/index.js";
export {
  crashPoints,
  crashProblems,
  crashScenarios,
  EffectLedger,
  hostChecks,
  mandatoryChecks,
  mortal,
  recoveryPoints,
  through,
} from "./host/index.js";

// A second subject for hosts and stores

export type { ForkJoin, ForkJoinState } from "./models/fork-join.js";
export { forkJoin } from "./models/fork-join.js";
