/**
 * A run as it is laid over its workflow: where it was, how often, which routes it took, where it stands. `overlayOf`
 * reads that from the portable view of a run; everything else of the view stays out of pictures.
 */
import { own } from "@swl/base";
import type { EdgeState, NodeState } from "./palette.js";

/** What to show of one run. Names that the definition does not have are ignored. */
export interface Overlay {
  /**
   * Edges taken, in order: the node that was left and the route it was left by. Absent when nobody knows; then routes
   * look as they do without a run.
   */
  readonly path?: readonly { readonly node: string; readonly route: string }[];
  readonly current: readonly string[];
  /** Nodes that stand at needs-intervention. */
  readonly parked: readonly string[];
  /** Where the run failed. */
  readonly failed: readonly string[];
  /** Where the run completed. */
  readonly completed?: readonly string[];
  /** Where the run was when it was canceled. */
  readonly canceled?: readonly string[];
  /** Visits by node. */
  readonly counts: { readonly [node: string]: number };
}

/** As much of the portable view of a run as a picture shows; a `ModelView` of `@swl/execution/model` is one. */
export interface RunView {
  readonly status: string;
  readonly positions: readonly { readonly node: string }[];
  /** `visit`: the last visit that was left; another number than `visits` while the node has not been left. */
  readonly nodes: { readonly [node: string]: { readonly visits: number; readonly visit: number | null } };
  readonly blockers: readonly { readonly kind: string; readonly node?: string }[];
}

type Path = NonNullable<Overlay["path"]>;

/** Where a run ended: at the node that it never left, else where its last route led. */
function lastOf({ nodes }: RunView, path: readonly { readonly target?: string }[]): readonly string[] {
  const entered = Object.entries(nodes).filter(([, { visits }]) => visits > 0);
  const kept = entered.filter(([, { visits, visit }]) => visit !== visits);
  if (kept.length > 0) return kept.map(([node]) => node);
  const target = path.at(-1)?.target;
  if (target !== undefined) return [target];
  return entered.length === 1 ? entered.map(([node]) => node) : [];
}

/**
 * The overlay of a run, from its view and, where there is one, its path: the edges of its history, oldest first.
 * Without the path counts and places are shown, and no route counts as taken.
 */
export function overlayOf(
  view: RunView,
  path?: readonly (Path[number] & { readonly target?: string })[],
): Overlay {
  const { status, positions, blockers, nodes } = view;
  const last = (word: string) => (status === word ? lastOf(view, path ?? []) : []);
  const parked = blockers.filter(({ kind }) => kind === "intervention");
  return {
    ...(path !== undefined && { path: path.map(({ node, route }) => ({ node, route })) }),
    current: positions.map(({ node }) => node),
    parked: parked.flatMap(({ node }) => (node === undefined ? [] : [node])),
    failed: last("failed"),
    completed: last("completed"),
    canceled: last("canceled"),
    counts: Object.fromEntries(Object.entries(nodes).map(([node, { visits }]) => [node, visits])),
  };
}

/** What an overlay says of one node or route. */
export interface Traces {
  stateOf(node: string): NodeState;
  visitsOf(node: string): number;
  edgeStateOf(node: string, route: string): EdgeState;
  /** How often a route was taken. */
  timesOf(node: string, route: string): number;
}

export function tracesOf(overlay: Overlay | undefined): Traces {
  const { path, counts = {} } = overlay ?? {};
  const taken = new Map<string, number>();
  for (const { node, route } of path ?? []) {
    const key = `${node} ${route}`;
    taken.set(key, (taken.get(key) ?? 0) + 1);
  }
  const states = new Map<string, NodeState>();
  const mark = (nodes: readonly string[] = [], state: NodeState) => {
    for (const node of nodes) states.set(node, state);
  };
  // What is marked later counts more.
  mark(
    Object.keys(counts).filter((node) => (own(counts, node) ?? 0) > 0),
    "visited",
  );
  mark(
    path?.map(({ node }) => node),
    "visited",
  );
  mark(overlay?.current, "current");
  mark(overlay?.completed, "completed");
  mark(overlay?.canceled, "canceled");
  mark(overlay?.failed, "failed");
  mark(overlay?.parked, "parked");
  const timesOf = (node: string, route: string) => taken.get(`${node} ${route}`) ?? 0;
  return {
    stateOf: (node) => (overlay === undefined ? "plain" : (states.get(node) ?? "untouched")),
    visitsOf: (node) => own(counts, node) ?? 0,
    edgeStateOf: (node, route) =>
      path === undefined ? "plain" : timesOf(node, route) > 0 ? "taken" : "untouched",
    timesOf,
  };
}
