/** Small random workflows, and what runs of them can do, found by trying everything. */
import fc from "fast-check";
import { type Definition, definitionDefaults } from "../src/index.js";

export interface SmallNode {
  /** Outcome → target and loop limit (0: none). Outcomes are o0, o1, … */
  readonly routes: readonly { readonly target: number; readonly limit: number }[];
  readonly failed: number | undefined;
  readonly exhausted: number;
  readonly waits: boolean;
}

export const smallNodes: fc.Arbitrary<readonly SmallNode[]> = fc.integer({ min: 1, max: 5 }).chain((size) => {
  const target = fc.nat({ max: size - 1 });
  const route = fc.record({ target, limit: fc.constantFrom(0, 1, 2) });
  const node = fc.record({
    routes: fc.array(route, { maxLength: 3 }),
    failed: fc.option(target, { nil: undefined, freq: 4 }),
    exhausted: target,
    waits: fc.boolean(),
  });
  return fc.array(node, { minLength: size, maxLength: size });
});

/** A node without routes ends the workflow. */
export function workflow(nodes: readonly SmallNode[]): Definition {
  const actions: { [id: string]: unknown } = {};
  const said = nodes.map((node, index) => {
    if (node.routes.length === 0) return [`n${index}`, { kind: "complete", output: null }];
    const routes: { [outcome: string]: string } = {};
    const loopLimits: { [outcome: string]: number } = {};
    node.routes.forEach(({ target, limit }, at) => {
      routes[`o${at}`] = `n${target}`;
      if (limit > 0) loopLimits[`o${at}`] = limit;
    });
    if (node.failed !== undefined) routes["failed"] = `n${node.failed}`;
    const limited = Object.keys(loopLimits).length > 0;
    if (limited) routes["exhausted"] = `n${node.exhausted}`;
    const rest = { routes, ...(limited && { loopLimits }) };
    if (node.waits) return [`n${index}`, { kind: "await-signal", signal: "s", ...rest }];
    const outcomes = Object.fromEntries(node.routes.map((_, at) => [`o${at}`, {}]));
    actions[`a${index}`] = { outcomes, effect: "unsafe" };
    return [`n${index}`, { kind: "activity", action: `a${index}`, input: null, parameters: null, ...rest }];
  });
  return {
    ...definitionDefaults,
    id: "small",
    start: "n0",
    nodes: Object.fromEntries(said),
    actions,
    limits: { maxActivations: 100_000, maxInternalTransitions: 1_000 },
  } as unknown as Definition;
}

export interface Tried {
  /** By node ID: visits at most; infinite where a run may go round for ever. */
  readonly visits: ReadonlyMap<string, number>;
  /** `node outcome` of every route that some run takes. */
  readonly taken: ReadonlySet<string>;
}

type Streak = readonly [string, number] | null;
interface State {
  readonly node: string;
  readonly streaks: { readonly [node: string]: Streak };
}

/** Every state that a run can come to: where it stands, and each node's streak (EXE-loop-limit). */
export function tryAll(definition: Definition): Tried {
  const taken = new Set<string>();
  const next = new Map<string, readonly string[]>();
  const states = new Map<string, State>();
  const first: State = { node: definition.start, streaks: {} };
  const open = [first];
  states.set(JSON.stringify(first), first);
  for (let state = open.pop(); state; state = open.pop()) {
    const keys: string[] = [];
    for (const [route, after] of steps(definition, state)) {
      taken.add(`${state.node} ${route}`);
      const key = JSON.stringify(after);
      keys.push(key);
      if (states.has(key)) continue;
      states.set(key, after);
      open.push(after);
    }
    next.set(JSON.stringify(state), keys);
  }
  const visits = new Map<string, number>();
  for (const id of Object.keys(definition.nodes)) {
    visits.set(
      id,
      most(JSON.stringify(first), next, (key) => states.get(key)!.node === id),
    );
  }
  return { visits, taken };
}

function steps(definition: Definition, { node: id, streaks }: State): (readonly [string, State])[] {
  const node = definition.nodes[id]!;
  if (node.kind !== "activity" && node.kind !== "await-signal") return [];
  const outcomes = Object.keys(node.routes).filter(
    (outcome) => outcome !== "exhausted" && (outcome !== "failed" || node.kind === "activity"),
  );
  return outcomes.map((outcome) => {
    const limit = node.loopLimits?.[outcome];
    const before = streaks[id] ?? null;
    const count = before?.[0] === outcome ? before[1] + 1 : 1;
    const over = limit !== undefined && count > limit;
    const streak: Streak = limit === undefined || over ? null : [outcome, count];
    const route = over ? "exhausted" : outcome;
    const sorted = Object.entries({ ...streaks, [id]: streak }).sort();
    return [route, { node: node.routes[route]!, streaks: Object.fromEntries(sorted) }];
  });
}

/** The most marked states on one way; infinite when a marked state can be come to again. */
function most(
  first: string,
  next: ReadonlyMap<string, readonly string[]>,
  marked: (key: string) => boolean,
): number {
  const reach = (from: readonly string[]) => {
    const seen = new Set<string>();
    const open = [...from];
    for (let key = open.pop(); key !== undefined; key = open.pop()) {
      if (seen.has(key)) continue;
      seen.add(key);
      open.push(...next.get(key)!);
    }
    return seen;
  };
  const all = reach([first]);
  const wanted = [...all].filter(marked);
  if (wanted.some((key) => reach(next.get(key)!).has(key))) return Number.POSITIVE_INFINITY;
  // Without a way back the marked states are ordered by what they lead to.
  const leads = new Map(
    wanted.map((key) => [key, wanted.filter((to) => to !== key && reach([key]).has(to))]),
  );
  const depth = new Map<string, number>();
  const measure = (key: string): number => {
    const known = depth.get(key);
    if (known !== undefined) return known;
    const found = 1 + Math.max(0, ...leads.get(key)!.map(measure));
    depth.set(key, found);
    return found;
  };
  return Math.max(0, ...wanted.map(measure));
}
