/**
 * Sorts of scenarios: what there is besides hosts, stores and runs, and which runs are drawn for it. A seed's sort is
 * given by its number, so that any stretch of seeds has all of them in the same shares.
 */
import type { Random } from "../differential/random.ts";
import { type WorkflowName, workflowNames } from "./workflows.ts";

/**
 * `plain`: hosts alone. `remote`: workers pull some of the work. `held`: some runs make the engine fail and are set
 * aside. `kept`: runs fail and are redriven, those that are over are removed. `crowd`: several operators at once, also
 * in bulk. `all`: everything together.
 */
export const sorts = ["plain", "remote", "held", "kept", "crowd", "all"] as const;

export type Sort = (typeof sorts)[number];

const shares: readonly Sort[] = [
  "plain",
  "remote",
  "plain",
  "held",
  "plain",
  "kept",
  "plain",
  "crowd",
  "remote",
  "all",
];

export const sortOf = (seed: number): Sort => shares[seed % shares.length]!;

export const flaws = ["throws", "refuses", "unreadable", "undisposed", "unseen"] as const;

/**
 * How the engine fails: it throws, says that what happened cannot be, cannot read the state that it wrote, cannot say
 * where a run stands, or cannot show it (which no run needs to go on).
 */
export type Flaw = (typeof flaws)[number];

/** What operators do to many runs in one go. */
export interface Sweep {
  /** Milliseconds since the beginning. */
  readonly at: number;
  /** Every run of the workflow that is open, or that has failed. */
  readonly operation: "cancel" | "redrive";
  readonly workflow: WorkflowName;
  /** Runs that one call looks at. */
  readonly limit: number;
}

/** Times in milliseconds since the beginning, if nothing else is said. */
export interface Surroundings {
  readonly sort: Sort;
  /** The same schedule over another store. */
  readonly store: "memory" | "sqlite";
  /** Processes that pull work; servers that hand it to them are two. */
  readonly workers: number;
  /** People who decide, release and redrive, each for himself. */
  readonly operators: number;
  readonly sweeps: readonly Sweep[];
  readonly flaw: Flaw;
  /** When the engine has been mended; absent: never, and what it cannot do stays set aside or is terminated. */
  readonly mended: number | undefined;
  /** When what failed works. */
  readonly repaired: number;
  /** Milliseconds after its end when a run is removed; absent: never. */
  readonly retention: number | undefined;
}

const own: { readonly [sort in Sort]: readonly WorkflowName[] } = {
  plain: [],
  remote: ["far", "near", "classes_far"],
  held: ["flawed"],
  kept: ["failing"],
  crowd: ["flawed", "failing", "unsafe", "deferred"],
  all: ["far", "near", "classes_far", "flawed", "failing"],
};

const others = workflowNames.filter((name) => !Object.values(own).flat().includes(name));

/** What is drawn for the runs of a sort: its own half of the time. */
export function workflowsOf(sort: Sort, random: Random): readonly WorkflowName[] {
  return sort !== "plain" && random.oneIn(2) ? own[sort] : plainWorkflows;
}

/** Runs that need nothing but hosts. */
export const plainWorkflows: readonly WorkflowName[] = [
  ...new Set<WorkflowName>([...others, "unsafe", "deferred"]),
];

export function surroundingsOf(sort: Sort, random: Random, workflows: readonly WorkflowName[]): Surroundings {
  const has = (...these: readonly Sort[]): boolean => sort === "all" || these.includes(sort);
  const store = random.oneIn(16) ? "sqlite" : "memory";
  const workers = has("remote") ? 2 + random.int(2) : 0;
  const operators = has("crowd") ? 2 + random.int(2) : has("held", "kept") ? 1 + random.int(2) : 1;
  const sweep = (): Sweep => {
    const at = random.int(2_500);
    const limit = random.oneIn(2) ? 1 : 2 + random.int(2);
    return random.oneIn(3)
      ? { at, limit, operation: "redrive", workflow: "failing" }
      : { at, limit, operation: "cancel", workflow: random.pick(workflows) };
  };
  const sweeps = has("crowd") ? Array.from({ length: 1 + random.int(4) }, sweep) : [];
  const flaw = random.pick(flaws);
  const mended = random.oneIn(4) ? undefined : 300 + random.int(4_000);
  const repaired = random.int(3_000);
  const retention = has("kept") ? 600 + random.int(random.oneIn(2) ? 600 : 5_000) : undefined;
  return { sort, store, workers, operators, sweeps, flaw, mended, repaired, retention };
}
