/**
 * What a host tells of its commits, compared with the log: each attempt that the log says has ended is told once, by
 * whoever committed it, and nothing is told that the log does not say. Three observers that go by anything else than
 * accepted commits are caught by the same comparison.
 */
import type { Json } from "@swl/base";
import { type Invocation, type ProviderAnswer, remoteWorkers } from "@swl/invocation-control";
import type { LogRecord, Store } from "@swl/store-provider";
import { afterEach, describe, expect, it } from "vitest";
import { createRemoteWork, type HostObserver, type Observation } from "../src/index.js";
import { completed, core, Lab, mortal, oneStep, through, until } from "./lab.js";

let lab = new Lab();
afterEach(async () => {
  await lab.end();
  lab = new Lab();
});

const busy: ProviderAnswer = {
  kind: "failed",
  retryable: true,
  error: { code: "busy", message: "later", details: null },
};

const wordOf: { readonly [type: string]: string } = {
  result: "completed",
  failure: "failed",
  unknown: "unknown",
};

/** Attempts that ended, by the log alone, and the end of the run. */
function saidBy(records: readonly LogRecord[]): readonly string[] {
  const ended = new Set<string>();
  const said: string[] = [];
  for (const { document } of records) {
    const event = (document as { event?: { type: string; invocation?: string; attempt?: number } }).event;
    const word = event && wordOf[event.type];
    const name = `${event?.invocation}:${event?.attempt}`;
    if (word === undefined || ended.has(name)) continue;
    ended.add(name);
    said.push(`${name} ${word}`);
  }
  return said;
}

function told(observations: readonly Observation[], run: string): readonly string[] {
  return observations.flatMap((one) =>
    one.kind === "attempt" && one.run === run ? [`${one.invocation}:${one.attempt} ${one.answer}`] : [],
  );
}

function commitsOf(observations: readonly Observation[], run: string): number {
  return observations.filter((one) => one.kind === "commit" && one.run === run).length;
}

/** Problems, in words. */
function compared(
  records: readonly LogRecord[],
  observations: readonly Observation[],
  run: string,
): string[] {
  const wanted = [...saidBy(records)].sort();
  const had = [...told(observations, run)].sort();
  const ends = observations.filter((one) => one.kind === "ended" && one.run === run).length;
  const applied = records.filter(({ applies }) => applies).length;
  const commits = commitsOf(observations, run);
  return [
    ...(JSON.stringify(wanted) === JSON.stringify(had) ? [] : [`log ${wanted}; told ${had}`]),
    ...(ends === 1 ? [] : [`the end was told ${ends} times`]),
    ...(commits === applied ? [] : [`${applied} commits, told ${commits}`]),
  ];
}

/** Every third append is made and its answer lost. */
function forgetful(store: Store): Store {
  let appends = 0;
  return through(store, async (name, call) => {
    const answer = await call();
    if (name === "append" && ++appends % 3 === 0) throw new Error("the answer is lost");
    return answer;
  });
}

interface Story {
  readonly run: string;
  readonly calls: readonly Invocation[];
  readonly records: readonly LogRecord[];
  readonly appends: readonly Json[];
}

/** Begun by a host that dies in the first attempt, gone on with by two others that lose answers and fail once. */
async function rough(observe: HostObserver): Promise<Story> {
  const life = mortal(lab.store());
  const first = await lab.host(() => new Promise(() => undefined), {
    store: life.store,
    lease: 300,
    observe,
  });
  const { id } = await first.start(oneStep("idempotent", { delay: 10 }));
  await until(() => lab.calls.length === 1);
  life.kill();
  const appends: Json[] = [];
  for (let count = 0; count < 2; count++) {
    const store = through(forgetful(lab.store()), (name, call, given) => {
      if (name === "append") for (const item of given[0] as Json[]) appends.push(item);
      return call();
    });
    const answer = (call: Invocation) => (call.attempt === 2 ? busy : completed("done"));
    await lab.host(answer, { store, observe, holder: `heir-${count}` });
  }
  const reader = lab.store();
  await until(async () => (await reader.head(id))?.closed === true);
  // The commit is there before its answer: whoever made it hears of it a little later.
  await lab.end();
  return { run: id, calls: lab.calls, records: await reader.read(id), appends };
}

describe("what is told of attempts and commits", () => {
  it("is what the log says, once, over lost answers and a takeover [DUR-observed-once]", async () => {
    const observations: Observation[] = [];
    const { run, records } = await rough({ observed: (one) => observations.push(one) });
    expect(saidBy(records).map((said) => said.slice(said.lastIndexOf(":") + 1))).toEqual([
      "1 unknown",
      "2 failed",
      "3 completed",
    ]);
    expect(compared(records, observations, run)).toEqual([]);
    const attempts = observations.filter((one) => one.kind === "attempt");
    expect(attempts.map(({ begunKnown }) => begunKnown)).toEqual([false, true, true]);
    for (const { begun, ended } of attempts) {
      expect(begun).toBeGreaterThan(1_500_000_000_000);
      expect(ended).toBeGreaterThanOrEqual(begun);
    }
    expect(attempts.map(({ reason, error, outcome }) => reason ?? error ?? outcome)).toEqual([
      "lease-lost",
      "busy",
      "ok",
    ]);
  });

  it("differs where it is told when an attempt begins, by its provider [DUR-observed-once]", async () => {
    const told: Observation[] = [];
    const { run, records, calls } = await rough({
      observed: (one) => void (one.kind === "attempt" || told.push(one)),
    });
    for (const call of calls) told.push(attempt(run, call.invocation, call.attempt, "completed"));
    expect(compared(records, told, run)).not.toEqual([]);
  });

  it("differs where it is told as soon as a commit is sent [DUR-observed-once]", async () => {
    const told: Observation[] = [];
    const { run, records, appends } = await rough({
      observed: (one) => void (one.kind === "ended" && told.push(one)),
    });
    for (const item of appends as unknown as { records: LogRecord[]; applies?: boolean; stream: string }[]) {
      if (item.applies) told.push({ kind: "commit", run, workflow: "one", visits: 0, waited: [] });
      for (const said of saidBy(item.records)) {
        const [name = "", word = ""] = said.split(" ");
        const cut = name.lastIndexOf(":");
        told.push(attempt(run, name.slice(0, cut), Number(name.slice(cut + 1)), word as "failed"));
      }
    }
    expect(compared(records, told, run)).not.toEqual([]);
  });
});

describe("what a remote worker settles", () => {
  it("is told where it is committed, once, also when it is settled again [DUR-observed-once]", async () => {
    const observations: Observation[] = [];
    const observe: HostObserver = { observed: (one) => observations.push(one) };
    const store = lab.store();
    const bindings = remoteWorkers({ actions: ["work"] });
    const host = await lab.host(() => completed(), { store, bindings, observe });
    const run = await host.start(oneStep("unsafe"));
    const work = createRemoteWork({ store, models: [core], observe });
    const [task] = await work.claim({ worker: "w1", actions: ["work"], wait: 60_000 });
    const settled = { run: run.id, task: task!.task, answer: completed("far") };
    expect(await work.settle("w1", [settled])).toMatchObject([{ kind: "applied", repeated: false }]);
    expect(await work.settle("w1", [settled])).toMatchObject([{ kind: "applied", repeated: true }]);
    expect((await run.result({ timeout: 60_000 })).status).toBe("completed");
    expect(compared(await store.read(run.id), observations, run.id)).toEqual([]);
    expect(observations.find(({ kind }) => kind === "attempt")).toMatchObject({ begunKnown: false });
  });
});

function attempt(
  run: string,
  invocation: string,
  number: number,
  answer: "completed" | "failed",
): Observation {
  const times = { begun: 0, begunKnown: true, ended: 0 };
  const of = { run, workflow: "one", activation: "work#1", invocation, action: "work", attempt: number };
  return { kind: "attempt", ...of, effect: "idempotent", answer, ...times };
}

describe("an observer that fails", () => {
  const failing: HostObserver = {
    observed: () => {
      throw new Error("the observer is broken");
    },
    starting: () => {
      throw new Error("so is this");
    },
  };
  const rejecting = { observed: async () => Promise.reject(new Error("later")) } as unknown as HostObserver;
  const babbling: HostObserver = {
    observed: () => undefined,
    starting: () => ({ traceparent: "no trace at all", committed: () => undefined }),
  };

  it("changes nothing of a run [DUR-observer-harmless]", async () => {
    const logs: string[] = [];
    for (const observe of [undefined, failing, rejecting, babbling]) {
      const host = await lab.host(() => completed("ok"), observe && { observe });
      const run = await host.start(oneStep("unsafe"));
      expect(await run.result({ timeout: 60_000 })).toEqual({ status: "completed", output: "ok" });
      const records = await lab.store().read(run.id);
      logs.push(records.map(({ kind, document }) => `${kind} ${Object.keys(document as object)}`).join());
      expect(records[0]?.document).not.toHaveProperty("trace");
      await host.close();
    }
    expect(new Set(logs).size).toBe(1);
  });

  it("would be noticed: one that the host trusts ends a run otherwise [DUR-observer-harmless]", async () => {
    // The broken subject: the same calls without the guard, made where the host makes them.
    const trusted = through(lab.store(), async (name, call) => {
      const answer = await call();
      if (name === "append") failing.observed({ kind: "batch", items: 1, milliseconds: 0 });
      return answer;
    });
    const host = await lab.host(() => completed("ok"), { store: trusted });
    const ended = host
      .start(oneStep("unsafe"))
      .then((run) => run.result({ timeout: 500 }))
      .catch((error: { code: string }) => error.code);
    expect(await ended).not.toEqual({ status: "completed", output: "ok" });
  });
});

describe("counts", () => {
  it("tell attempts under way, batches, and runs that park with their effect class", async () => {
    const seen: Observation[] = [];
    const host = await lab.host(
      (call) => (call.attempt === 1 ? Promise.reject(new Error("gone")) : completed()),
      {
        observe: { observed: (one) => seen.push(one) },
      },
    );
    const run = await host.start(oneStep("unsafe"));
    await until(() => seen.some(({ kind }) => kind === "parked"));
    expect(seen.find(({ kind }) => kind === "parked")).toMatchObject({
      run: run.id,
      action: "work",
      effect: "unsafe",
      reason: "unknown-result",
    });
    await host.control.resolve({
      run: run.id,
      requestId: "r",
      invocation: `${run.id}/work#1`,
      decision: "retry",
    });
    expect((await run.result({ timeout: 60_000 })).status).toBe("completed");
    const changes = seen.flatMap((one) => (one.kind === "under-way" ? [one.change] : []));
    expect(changes.reduce<number>((sum, change) => sum + change, 0)).toBe(0);
    expect(changes).toHaveLength(4);
    expect(seen.filter(({ kind }) => kind === "parked")).toHaveLength(1);
    expect(seen.some((one) => one.kind === "batch" && one.items > 0 && one.milliseconds >= 0)).toBe(true);
    // The resolution was somebody else's event: how long it waited is told.
    expect(seen.some((one) => one.kind === "commit" && one.waited.length === 1)).toBe(true);
    const visits = seen.flatMap((one) => (one.kind === "commit" ? [one.visits] : []));
    expect(visits.reduce((sum, count) => sum + count, 0)).toBe(1);
    expect(seen.filter(({ kind }) => kind === "claim")).toEqual([]);
  });

  it("tell a claim once, with how long its work could have been had, and nothing of one that is refused", async () => {
    const seen: Observation[] = [];
    let early = 0;
    const store = through(lab.store(), async (name, call) => {
      if (name === "claim" && early++ === 0) throw new Error("not now");
      return call();
    });
    const observe: HostObserver = { observed: (one) => seen.push(one) };
    const answer = (call: Invocation) => (call.attempt === 1 ? busy : completed());
    const host = await lab.host(answer, { store, observe });
    const run = await host.start(oneStep("idempotent", { delay: 30 }));
    expect((await run.result({ timeout: 60_000 })).status).toBe("completed");
    expect(early).toBeGreaterThan(1);
    expect(seen.filter(({ kind }) => kind === "claim")).toEqual([
      { kind: "claim", action: "work", lag: expect.any(Number) },
    ]);
    const lag = seen.flatMap((one) => (one.kind === "claim" ? [one.lag] : []));
    expect(Math.min(...lag)).toBeGreaterThanOrEqual(0);
  });
});
