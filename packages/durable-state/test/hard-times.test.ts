/**
 * What a host meets that nobody wanted: bindings gone after a restart, a store that takes nothing any more, options out
 * of range, crowds of signals and of cancels, a definition at its limit. Coded, explained, and over when its cause is.
 */
import { isSwlError, SwlError } from "@swl/base";
import type { Definition } from "@swl/definition";
import type { Store } from "@swl/store-provider";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createControl, createHost, type HostOptions } from "../src/index.js";
import { completed, core, Lab, oneStep, pause, through, until } from "./lab.js";

const full = Boolean(process.env["SWL_FULL"]);
let lab: Lab;
beforeEach(() => {
  lab = new Lab();
});
afterEach(() => lab.end());

const waiting = (nodes: object = {}): Definition =>
  ({
    swl: "0.1",
    id: "waiting",
    requires: ["core", "buffered-signals"],
    dialects: { numbers: "binary64", expressions: "minimal" },
    start: "wait",
    nodes: {
      wait: { kind: "await-signal", signal: "go", routes: { received: "done" } },
      done: { kind: "complete", output: { $get: ["from", "output"] } },
      ...nodes,
    },
    actions: {},
    limits: { maxActivations: 100_000, maxInternalTransitions: 1_000, maxBufferedSignals: 64 },
  }) as unknown as Definition;

describe("a binding that is gone after a restart", () => {
  it("leaves the run as it is and is named; with it the run goes on [DUR-pinning]", async () => {
    const first = await lab.host(() => new Promise(() => undefined), { lease: 300 });
    const { id } = await first.start(oneStep("idempotent", { delay: 10 }));
    await until(() => lab.calls.length === 1);
    await first.close({ drain: 0 });
    const nothing = { id: "lab", has: () => false, invoke: async () => completed() };
    const bare = await lab.host(() => completed(), { bindings: nothing });
    const need = "it needs a host or worker that serves action work by provider lab and has room for it.";
    const blocker = async () =>
      (await bare.control.why(id)).blockers.find(({ message }) => message.endsWith(need));
    expect(await until(async () => (await blocker()) !== undefined)).toBe(true);
    const waits = { kind: "host", code: "host.waiting", options: ["cancel", "start a worker on this store"] };
    expect(await blocker()).toMatchObject(waits);
    // Others than the host that lacks it are told the same.
    const beside = createControl({ store: lab.store(), models: [core] });
    expect((await beside.why(id)).blockers).toEqual((await bare.control.why(id)).blockers);
    expect(lab.calls).toHaveLength(1);
    const able = await lab.host(() => completed("there again"));
    expect(await able.run(id).result({ timeout: 60_000 })).toMatchObject({ output: "there again" });
  });
});

describe.each(["store.unavailable", "store.unauthorized"] as const)(
  "a store that answers %s to every append",
  (code) => {
    it("is said so by name, loses nothing that was accepted, and is used again when it takes them", async () => {
      let readOnly = false;
      const over = (store: Store): Store =>
        through(store, async (name, call) => {
          if (readOnly && name === "append") throw new SwlError(code, "Nothing is written now.");
          return call();
        });
      let answer: (value: unknown) => void = () => undefined;
      const host = await lab.host(() => new Promise((resolve) => (answer = resolve)), {
        store: over(lab.store()),
      });
      const run = await host.start(oneStep("unsafe"));
      const { id: other } = await host.start(waiting());
      await until(() => lab.calls.length === 1);
      readOnly = true;
      answer(completed("kept"));
      const refused = await host.control
        .signal({ run: other, messageId: "m", name: "go", payload: 1 }, { wait: 100 })
        .then((said) => ("code" in said ? said.code : said.kind))
        .catch((error: unknown) => (isSwlError(error) ? error.code : String(error)));
      expect(refused).toBe(code);
      await pause(100);
      readOnly = false;
      expect(await run.result({ timeout: 60_000 })).toMatchObject({ status: "completed", output: "kept" });
      await host.control.signal({ run: other, messageId: "m", name: "go", payload: 1 }, { wait: 60_000 });
      expect(await host.run(other).result({ timeout: 60_000 })).toMatchObject({ output: 1 });
      expect(lab.calls).toHaveLength(1);
    });
  },
);

describe("a store that refuses a host its right for one append", () => {
  it("sets no run aside for that: the commit is made when the right is there again", async () => {
    let refusals = 0;
    const store = through(lab.store(), (name, call) => {
      if (name !== "append" || lab.calls.length === 0 || refusals++ > 0) return call();
      return Promise.reject(new SwlError("store.unauthorized", "Nothing is written now."));
    });
    const host = await lab.host(() => completed("kept"), { store });
    const run = await host.start(oneStep("unsafe"));
    expect(await run.result({ timeout: 60_000 })).toMatchObject({ status: "completed", output: "kept" });
    expect(refusals).toBeGreaterThan(0);
    expect(lab.calls).toHaveLength(1);
  });
});

describe("an option out of its range", () => {
  const wrong: readonly (readonly [string, Partial<HostOptions>])[] = [
    ["lease", { lease: 99 }],
    ["lease", { lease: Number.NaN }],
    ["poll", { poll: 0 }],
    ["idlePoll", { poll: 50, idlePoll: 49 }],
    ["grace", { grace: -1 }],
    ["askFor", { askFor: 604_800_001 }],
    ["waitForLease", { exclusive: true, waitForLease: 3_600_001 }],
    ["waitForLease", { waitForLease: 10 }],
    ["retention.closedRuns", { retention: { closedRuns: 0 } }],
    ["concurrency.total", { concurrency: { total: 0 } }],
    ["concurrency.actions.pay", { concurrency: { actions: { pay: 1.5 } } }],
    ["concurrency.providers.lab", { concurrency: { providers: { lab: -1 } } }],
    ["holder", { holder: "with space" }],
    ["models", { models: [] }],
    ["models", { models: undefined as never }],
    ["store", { store: undefined as never }],
    ["store", { store: {} as never }],
    ["bindings", { bindings: undefined as never }],
    ["bindings", { bindings: [{ provider: {} }] as never }],
    ["grants", { grants: "pay" as never }],
    ["log", { log: "console" as never }],
    ["newId", { newId: () => "short" }],
    ["random", { random: 0.5 as never }],
    ["random", { random: () => Number.NaN }],
    ["random", { random: () => 1 }],
    ["models", { models: [{}] as never }],
    ["models", { models: [null] as never }],
    ["models", { models: [{ ...core, transition: undefined }] as never }],
    ["bindings", { bindings: { id: "lab", has: () => true } as never }],
    ["clock", { clock: {} as never }],
    ["retention", { retention: null as never }],
    ["retention.closedRuns", { retention: {} as never }],
    ["exclusive", { exclusive: "no" as never }],
    ["adoptEvidence", { adoptEvidence: "no" as never }],
    ["observe", { observe: 5 as never }],
    ["observe", { observe: { observed: () => undefined, starting: 5 } as never }],
    ["signal", { signal: {} as never }],
    ["concurrency", { concurrency: 5 as never }],
    ["concurrency.actions", { concurrency: { actions: 5 as never } }],
    ["concurrency.actions.pay", { concurrency: { actions: { pay: "5" as never } } }],
    ["concurrency.providers", { concurrency: { providers: [5] as never } }],
    ["holder", { holder: 5 as never }],
    ["lease", { lease: "10s" as never }],
  ];
  it.each(wrong)("%s is refused by name, and nothing is opened", async (name, option) => {
    const store = lab.store();
    const provider = { id: "lab", has: () => true, invoke: async () => completed() };
    const opening = createHost({ models: [core], bindings: provider, store, ...option });
    const error = await opening.catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: "host.option-invalid" });
    expect((error as Error).message).toContain(name);
    expect(await store.holders(10)).toEqual([]);
  });

  it.each([
    ["leese", "lease", { leese: 5_000 }],
    ['concurrency."totl"', "concurrency.total", { concurrency: { totl: 5 } }],
    ['retention."closedRun"', "retention.closedRuns", { retention: { closedRun: 5 } }],
  ])("%s is refused, and %s named as what was meant", async (wrong, meant, option) => {
    const opening = lab.host(() => completed(), option as never);
    const hint = `did you mean ${meant}?`;
    await expect(opening).rejects.toMatchObject({ code: "host.option-invalid", hint });
    await expect(opening).rejects.toThrow(wrong);
    // What is not given may stand there.
    expect((await lab.host(() => completed(), { leese: undefined } as never)).holder).toMatch(/^host-/);
  });

  it("none at all are refused with what is needed at least", async () => {
    for (const nothing of [undefined, null, "store"] as never[]) {
      const opening = createHost(nothing);
      await expect(opening).rejects.toMatchObject({ code: "host.option-invalid" });
      await expect(opening).rejects.toThrow("at least store, models, bindings");
    }
  });

  it.each([
    ["at least store, models", undefined],
    ["store is missing", {}],
    ["models is missing", { models: undefined }],
    ["models is no list of execution models", { models: [null] }],
    ["models is no list of execution models", { models: [{}] }],
    ["clock is no clock", { clock: {} }],
    ["poll is no number", { poll: "25" }],
    ["authorize is no function", { authorize: true }],
    ["bindings", { bindings: [] }],
  ])("of a control plane is refused: %s", (message, option) => {
    const complete = { store: lab.store(), models: [core] };
    const whole = option !== undefined && Object.keys(option).length > 0;
    const given = whole ? { ...complete, ...option } : option;
    let thrown: unknown;
    try {
      createControl(given as never);
    } catch (error) {
      thrown = error;
    }
    expect(thrown).toMatchObject({ code: "host.option-invalid" });
    expect((thrown as Error).message).toContain(message);
  });

  it("given by chance later counts as none: the host goes on looking", async () => {
    let asked = 0;
    const host = await lab.host(() => completed(), { random: () => (++asked === 1 ? 0.5 : Number.NaN) });
    await until(() => asked > 3);
    const control = createControl({ store: lab.store(), models: [core] });
    const { run } = await control.start({ definition: oneStep("pure") as never });
    expect(await host.run(run).result({ timeout: 60_000 })).toMatchObject({ status: "completed" });
  });

  it.each([Number.NaN, -1, "soon" as never])(
    "a wait of %s is refused before anything is written",
    async (wait) => {
      const host = await lab.host(() => completed());
      const run = await host.start(waiting());
      const before = await lab.store().head(run.id);
      const refused = { code: "request.invalid" };
      const signal = { run: run.id, messageId: "m", name: "go" };
      await expect(host.control.signal(signal, { wait })).rejects.toMatchObject(refused);
      const again = { definition: waiting() };
      await expect(host.control.start(again, { wait })).rejects.toMatchObject(refused);
      await expect(run.result({ timeout: wait })).rejects.toMatchObject(refused);
      await expect(host.control.result(run.id, { timeout: wait })).rejects.toMatchObject(refused);
      expect(await lab.store().head(run.id)).toEqual(before);
      expect((await lab.store().stats()).streams.open).toBe(1);
      await expect(host.close({ drain: wait })).rejects.toMatchObject({ code: "host.option-invalid" });
      // It was not closed: it serves.
      expect((await host.start(oneStep("pure"))).id).not.toBe(run.id);
      expect(() => createControl({ store: lab.store(), models: [core], poll: wait })).toThrow("poll");
    },
  );
});

describe("a rejection that user code leaves behind", () => {
  it("of a provider that throws later changes nothing of what it answered", async () => {
    const left: unknown[] = [];
    const heard = (reason: unknown): void => void left.push(reason);
    const before = process.listeners("unhandledRejection");
    process.removeAllListeners("unhandledRejection");
    process.on("unhandledRejection", heard);
    try {
      const host = await lab.host(() => {
        void Promise.reject(new TypeError("nobody waits for this"));
        return completed("answered");
      });
      const run = await host.start(oneStep("unsafe"));
      expect(await run.result({ timeout: 60_000 })).toMatchObject({ output: "answered" });
      await until(() => left.length === 1);
      expect(left).toHaveLength(1);
      expect(await (await host.start(oneStep("pure"))).result({ timeout: 60_000 })).toMatchObject({
        output: "answered",
      });
    } finally {
      process.off("unhandledRejection", heard);
      for (const listener of before) process.on("unhandledRejection", listener);
    }
  });
});

describe("a log that rejects", () => {
  it("is told of nothing and changes nothing", async () => {
    const left: unknown[] = [];
    const heard = (reason: unknown): void => void left.push(reason);
    process.prependListener("unhandledRejection", heard);
    try {
      const log = (async () => {
        throw new TypeError("the disk is full");
      }) as never;
      const host = await lab.host(() => completed("done"), { log });
      const run = await host.start(oneStep("unsafe"));
      expect(await run.result({ timeout: 60_000 })).toMatchObject({ output: "done" });
      await pause(20);
      expect(left).toEqual([]);
    } finally {
      process.off("unhandledRejection", heard);
    }
  });
});

describe("a crowd", () => {
  const signals = full ? 10_000 : 1_000;
  it(`of ${signals} signals to one run is answered one by one, and what is too much is told so [EXE-buffer]`, async () => {
    const host = await lab.host(() => completed());
    const { id } = await host.start(
      waiting({
        wait: { kind: "await-signal", signal: "last", routes: { received: "again" } },
        again: { kind: "await-signal", signal: "go", routes: { received: "done" } },
      }),
    );
    const kept: number[] = [];
    const refused: number[] = [];
    for (let begin = 0; begin < signals; begin += 500) {
      const asked = Array.from({ length: 500 }, async (_, index) => {
        const n = begin + index;
        const sent = { run: id, messageId: `m${n}`, name: "go", payload: n };
        const answer = await host.control.signal(sent, { wait: 60_000 });
        if ("effect" in answer && answer.effect === "buffered") kept.push(n);
        if ("code" in answer && answer.code === "signal.buffer-full") refused.push(n);
      });
      await Promise.all(asked);
    }
    expect(kept).toHaveLength(64);
    expect(refused).toHaveLength(signals - 64);
    const { unapplied } = await host.control.status(id);
    expect(unapplied).toBe(0);
    await host.control.signal({ run: id, messageId: "end", name: "last", payload: "end" }, { wait: 60_000 });
    const { status, output } = (await host.run(id).result({ timeout: 60_000 })) as {
      status: string;
      output: number;
    };
    expect(status).toBe("completed");
    // The first of those that were kept.
    expect(kept).toContain(output);
  }, 300_000);

  const runs = full ? 100_000 : 1_000;
  it(`of ${runs} runs that are canceled at once leaves nothing to do [DUR-withdraw]`, async () => {
    const host = await lab.host(() => ({
      kind: "failed",
      retryable: true,
      error: { code: "busy", message: "Try again.", details: null },
    }));
    const ids: string[] = [];
    const definition = oneStep("idempotent", { delay: 3_600_000 });
    for (let begin = 0; begin < runs; begin += 1_000) {
      const starting = Array.from({ length: Math.min(1_000, runs - begin) }, () => host.start(definition));
      ids.push(...(await Promise.all(starting)).map(({ id }) => id));
    }
    await until(() => lab.calls.length === runs, 60_000);
    const canceling = ids.map((run) => host.control.cancel({ run, requestId: "all" }, { wait: 0 }));
    for (const answer of await Promise.all(canceling)) expect(["accepted", "applied"]).toContain(answer.kind);
    const store = lab.store();
    await until(async () => (await store.stats()).streams.open === 0, full ? 600_000 : 30_000);
    const { streams, work, dues } = await store.stats();
    expect({ streams, work, dues }).toEqual({
      streams: { open: 0, held: 0, closed: runs },
      work: { waiting: 0, claimed: 0 },
      dues: 0,
    });
    expect(lab.calls).toHaveLength(runs);
  }, 900_000);
});

describe("a definition at its own limit", () => {
  const retry = { maxAttempts: 1, initialDelayMs: 0, backoff: "fixed", maxDelayMs: 0, jitter: "none" };
  const chain = (count: number, maxActivations: number): Definition => {
    const nodes: Record<string, object> = {};
    for (let index = 1; index <= count; index++) {
      const routes = { ok: index === count ? "done" : `n${index + 1}` };
      nodes[`n${index}`] = { kind: "activity", action: "work", input: null, parameters: null, routes };
    }
    const plain = waiting() as unknown as { readonly nodes: { readonly done: object } };
    const actions = { work: { effect: "pure", outcomes: { ok: {} }, retry } };
    const limits = { maxActivations, maxInternalTransitions: 1_000 };
    const { done } = plain.nodes;
    return { ...plain, start: "n1", nodes: { ...nodes, done }, actions, limits } as unknown as Definition;
  };

  it("runs through 1,000 steps to its end, and one activation fewer is a failure by name", async () => {
    const host = await lab.host(() => completed());
    const run = await host.start(chain(1_000, 1_001));
    expect(await run.result({ timeout: 60_000 })).toMatchObject({ status: "completed" });
    expect(lab.calls).toHaveLength(1_000);
    const short = await host.start(chain(10, 9));
    const error = { code: expect.stringMatching(/^limit[.]/) };
    expect(await short.result({ timeout: 60_000 })).toMatchObject({ status: "failed", error });
  }, 90_000);
});
