import { SwlError } from "@swl/base";
import { defineWorkflow } from "@swl/definition";
import { afterEach, describe, expect, it } from "vitest";
import { createControl, type HostOptions } from "../src/index.js";
import { completed, core, Lab, mortal, oneStep, pause, slow, through, until } from "./lab.js";

let lab = new Lab();
afterEach(async () => {
  await lab.end();
  lab = new Lab();
});

const asking = defineWorkflow({
  id: "asking",
  start: "wait",
  actions: {},
  nodes: {
    wait: { kind: "await-signal", signal: "go", routes: { received: "done" } },
    done: { kind: "complete", output: { $get: ["from", "output"] } },
  },
});

const records = async (run: string): Promise<string[]> =>
  (await lab.store().read(run)).map(({ kind, document }) => {
    const event = (document as { event?: { type: string } }).event;
    return event === undefined ? kind : event.type;
  });

describe("an incarnation", () => {
  it("begins nothing that an earlier one committed [DUR-lease]", async () => {
    let held: (() => void) | undefined;
    let holding = true;
    const store = through(lab.store(), async (name, call) => {
      const answer = await call();
      if (holding && (name === "append" || name === "renewHolder")) {
        await new Promise<void>((resolve) => {
          const before = held;
          held = () => {
            before?.();
            resolve();
          };
        });
      }
      return answer;
    });
    const first = await lab.host(() => completed("first"), { store, lease: 1_000 });
    const starting = first.start(oneStep("unsafe"));
    const looking = lab.store();
    await until(async () => (await looking.list()).items.length === 1);
    await until(async () => (await looking.holders(1)).length === 0);
    const second = await lab.host(() => completed("second"));
    const [{ stream }] = (await lab.store().list()).items as unknown as [{ stream: string }];
    await until(async () => (await second.control.why(stream)).status === "needs-intervention");
    await second.control.resolve({ run: stream, requestId: "r", decision: "fail" });
    await second.close();
    holding = false;
    held?.();
    await starting;
    await pause(300);
    expect(lab.calls).toEqual([]);
  });

  it("of a host with a given name is another one each time", async () => {
    const life = mortal(lab.store());
    const first = await lab.host(() => new Promise(() => undefined), {
      store: life.store,
      holder: "worker-1",
      lease: 3_000,
    });
    const run = await first.start(oneStep("idempotent", { delay: 10 }));
    await until(() => lab.calls.length === 1);
    life.kill();
    const alone = { holder: "worker-1", exclusive: true };
    await expect(lab.host(() => completed(), alone)).rejects.toMatchObject({ code: "store.host-active" });
    const second = await lab.host(() => completed("again"), { ...alone, waitForLease: 60_000 });
    expect(await second.run(run.id).result({ timeout: 60_000 })).toEqual({
      status: "completed",
      output: "again",
    });
  });

  it("that is told to stop while it waits for another's lease leaves none of its own", async () => {
    const first = await lab.host(() => completed());
    const stop = new AbortController();
    let asked = 0;
    const store = through(lab.store(), (name, call) => {
      if (name === "openHolder") asked++;
      return call();
    });
    const waiting = lab.host(() => completed(), {
      ...{ store, exclusive: true, waitForLease: 3_600_000, signal: stop.signal },
    });
    await until(() => asked > 0);
    stop.abort();
    await expect(waiting).rejects.toMatchObject({ code: "host.stopped" });
    await first.close();
    // The store is nobody's: it is had at once.
    const next = await lab.host(() => completed(), { exclusive: true });
    expect(next.holder).not.toBe(first.holder);
    await expect(lab.host(() => completed(), { signal: stop.signal })).rejects.toMatchObject({
      code: "host.stopped",
    });
  });

  it("does not spin when the store says that the lease is lost", async () => {
    let leap = 0;
    lab = new Lab({ clock: () => Date.now() + leap });
    let appends = 0;
    const store = through(lab.store(), (name, call) => {
      if (name === "append") appends++;
      return call();
    });
    const host = await lab.host(() => completed(), { store, lease: 2_000 });
    leap = 60_000;
    const run = await host.start(oneStep("pure"));
    await run.result({ timeout: 60_000 });
    expect(appends).toBeLessThan(20);
  });
});

describe("a run that is being created", () => {
  it("is not judged by what others read of it before the answer is here", async () => {
    const host = await lab.host(
      async () => {
        await pause(50);
        return completed();
      },
      { store: slow(lab.store(), 200) },
    );
    const starting = host.start(oneStep("idempotent"));
    await until(async () => (await lab.store().list()).items.length === 1);
    const [{ stream }] = (await lab.store().list()).items as unknown as [{ stream: string }];
    await host.control.signal({ run: stream, messageId: "m", name: "early" }, { wait: 0 });
    const run = await starting;
    await run.result({ timeout: 60_000 });
    expect(lab.calls).toHaveLength(1);
    expect(await records(run.id)).not.toContain("unknown");
  });
});

describe("close", () => {
  it("during a start leaves an attempt that never began to be claimed by the next host", async () => {
    let release: () => void = () => undefined;
    const closing = new Promise<void>((resolve) => (release = resolve));
    const store = through(lab.store(), async (name, call) => {
      const answer = await call();
      if (name === "append") await closing;
      return answer;
    });
    const first = await lab.host(() => completed("first"), { store });
    const starting = first.start(oneStep("unsafe"));
    await until(async () => (await lab.store().list()).items.length === 1);
    const closed = first.close({ drain: 10 });
    release();
    const run = await starting;
    await closed;
    expect(lab.calls).toEqual([]);
    const second = await lab.host(() => completed("second"));
    expect(await second.run(run.id).result({ timeout: 60_000 })).toEqual({
      status: "completed",
      output: "second",
    });
    expect(await records(run.id)).not.toContain("unknown");
  });

  it("ends what waits for a result, by name [DUR-drain]", async () => {
    const host = await lab.host(() => new Promise(() => undefined));
    const run = await host.start(oneStep("idempotent"));
    await until(() => lab.calls.length === 1);
    const waits = [run.result(), host.control.result(run.id), run.result({ whenParked: "throw" })];
    const ends = Promise.allSettled(waits);
    await host.close({ drain: 0 });
    const stopped = { status: "rejected", reason: { code: "host.stopped" } };
    expect(await ends).toMatchObject([stopped, stopped, stopped]);
    await expect(run.result()).rejects.toMatchObject({ code: "host.stopped" });
    await expect(host.start(oneStep("pure"))).rejects.toMatchObject({ code: "host.stopped" });
    // The run is in the store, and whoever serves it next says how it ended.
    const next = await lab.host(() => completed("next"));
    expect(await next.run(run.id).result({ timeout: 60_000 })).toMatchObject({ output: "next" });
  });

  it("is what the end of a block does to a host that it uses [DUR-drain]", async () => {
    const store = lab.store();
    let answer: (value: unknown) => void = () => undefined;
    let id = "";
    {
      await using host = await lab.host(() => new Promise((resolve) => (answer = resolve)), { store });
      ({ id } = await host.start(oneStep("unsafe")));
      await until(() => lab.calls.length === 1);
      expect(await store.holders(9)).toHaveLength(1);
      answer(completed("at the last moment"));
    }
    // Drained: the attempt under way was waited for, and no lease is left to run out.
    expect(await store.holders(9)).toEqual([]);
    expect((await store.head(id))?.facets["status"]).toBe("completed");
  });

  for (const name of ["unapplied", "queues", "closeHolder"]) {
    it(`ends although the store never answers ${name}`, async () => {
      const life = { hung: false };
      const host = await lab.host(() => completed(), {
        store: through(lab.store(), (call, real) =>
          life.hung && call === name ? new Promise(() => undefined) : real(),
        ),
      });
      life.hung = true;
      await pause(30);
      await host.close({ drain: 10 });
    });
  }
});

describe("a result that is awaited", () => {
  it("is awaited no longer when its signal is aborted, and the run is as it was", async () => {
    let answer: (value: unknown) => void = () => undefined;
    const host = await lab.host(() => new Promise((resolve) => (answer = resolve)));
    const run = await host.start(oneStep("unsafe"));
    await until(() => lab.calls.length === 1);
    const stop = new AbortController();
    const reason = new Error("nobody asks any more");
    const waits = run.result({ signal: stop.signal }).catch((error: unknown) => error);
    const patient = run.result({ timeout: 60_000 });
    stop.abort(reason);
    expect(await waits).toBe(reason);
    await expect(run.result({ signal: stop.signal })).rejects.toBe(reason);
    answer(completed("there"));
    expect(await patient).toEqual({ status: "completed", output: "there" });
    // What is known is said whoever has given up.
    expect(await run.result({ signal: stop.signal })).toMatchObject({ output: "there" });
  });
});

describe("what a host cannot serve", () => {
  it("is a run of semantics that its model does not read: left as it is, and the need is said [DUR-pinning]", async () => {
    const first = await lab.host(() => completed());
    const { id } = await first.start(asking);
    await until(async () => (await first.control.why(id)).status === "waiting");
    await first.close();
    const beside = createControl({ store: lab.store(), models: [core] });
    await beside.signal({ run: id, messageId: "m", name: "go", payload: "there" }, { wait: 0 });
    const before = await lab.store().read(id);
    const { writes } = core.semantics;
    const newer = { ...core, semantics: { writes: writes + 1, reads: [writes + 1] } };
    const said: (string | undefined)[] = [];
    const log: HostOptions["log"] = ({ code, run }) => void (run === id && said.push(code));
    const other = await lab.host(() => completed("never"), { models: [newer], log });
    await until(() => said.length > 0);
    await pause(100);
    expect(said).toEqual(["host.model-unknown"]);
    const message = `The run needs model ${core.id}, semantics ${writes}.`;
    const blocker = { kind: "host", code: "host.model-unknown", message, options: ["terminate"] };
    expect(await other.control.why(id)).toMatchObject({ summary: message, blockers: [blocker] });
    expect(await lab.store().read(id)).toEqual(before);
    expect((await lab.store().load(id))?.hold).toBe(undefined);
    // One that has both: the number says which of them serves the run.
    const able = await lab.host(() => completed("there"), { models: [newer, core] });
    expect(await able.run(id).result({ timeout: 60_000 })).toMatchObject({ output: "there" });
  });

  it("is given back, and goes on once the definition is there", async () => {
    const first = await lab.host(() => ({
      kind: "failed",
      retryable: true,
      error: { code: "busy", message: "", details: null },
    }));
    const run = await first.start(oneStep("unsafe", { delay: 300 }));
    await until(() => lab.calls.length === 1);
    await first.close();
    let missing = true;
    let loads = 0;
    const second = await lab.host(() => completed("second"), {
      store: through(lab.store(), (name, call) => {
        if (name === "load") loads++;
        return missing && name === "blob" ? Promise.resolve(undefined) : call();
      }),
    });
    await pause(600);
    const isNamed = async () => {
      const [blocker] = (await second.control.why(run.id)).blockers;
      return blocker !== undefined && "code" in blocker && blocker.code === "host.definition-missing";
    };
    expect(await until(isNamed)).toBe(true);
    expect(loads).toBeLessThan(10);
    missing = false;
    expect(await second.run(run.id).result({ timeout: 60_000 })).toEqual({
      status: "completed",
      output: "second",
    });
    expect(await records(run.id)).not.toContain("unknown");
  });

  it("is left to others soon, and later each time it comes back [DUR-pinning]", async () => {
    const first = await lab.host(() => ({
      kind: "failed",
      retryable: true,
      error: { code: "busy", message: "", details: null },
    }));
    const run = await first.start(oneStep("unsafe", { delay: 50 }));
    await until(() => lab.calls.length === 1);
    await first.close();
    const delays: unknown[] = [];
    const store = through(lab.store(), (name, call, given) => {
      if (name === "unclaim") delays.push((given[2] as { readonly delay: number }).delay);
      return name === "blob" ? Promise.resolve(undefined) : call();
    });
    await lab.host(() => completed("never"), { store });
    expect(await until(() => delays.length >= 3)).toBe(true);
    expect(delays.slice(0, 3)).toEqual([100, 200, 400]);
    const able = await lab.host(() => completed("able"));
    expect(await able.run(run.id).result({ timeout: 60_000 })).toMatchObject({ output: "able" });
  });

  it("does not fill the log with one notice a look while the store fails", async () => {
    let failing = false;
    const store = through(lab.store(), (name, call) => {
      if (!failing || name !== "append") return call();
      return Promise.reject(new SwlError("store.unavailable", "away", { details: { retry: "same" } }));
    });
    const host = await lab.host(() => new Promise(() => undefined), { store, poll: 2 });
    const run = await host.start(oneStep("pure", { operationMs: 100 }));
    failing = true;
    await pause(500);
    failing = false;
    await run.result({ timeout: 60_000 });
    expect((await records(run.id)).filter((kind) => kind === "deadline")).toHaveLength(1);
  });

  it("does not hold a slot: an attempt that its deadline gave up is told to stop", async () => {
    const host = await lab.host(
      (_call, signal) =>
        new Promise((resolve) => signal.addEventListener("abort", () => resolve(completed()))),
      { concurrency: { total: 1 } },
    );
    const first = await host.start(oneStep("pure", { operationMs: 50 }));
    await first.result({ timeout: 60_000 });
    await host.start(oneStep("pure"));
    expect(await until(() => lab.calls.length === 2)).toBe(true);
  });

  it("is a log that throws: the host goes on", async () => {
    let failures = 0;
    const store = through(lab.store(), (name, call) => {
      if (name !== "append" || failures++ > 0) return call();
      return Promise.reject(new SwlError("store.unavailable", "away", { details: { retry: "same" } }));
    });
    const host = await lab.host(() => completed(), {
      store,
      log: () => {
        throw new Error("log");
      },
    });
    const run = await host.start(oneStep("pure"));
    expect((await run.result({ timeout: 60_000 })).status).toBe("completed");
  });
});

describe("a host that closes while its store fails for a moment", () => {
  it("gives back what it claimed and did not begin, so that nothing of it counts as begun [DUR-drain]", async () => {
    let failing = 0;
    let claimed = 0;
    let claims: () => void = () => undefined;
    const claimedOne = new Promise<void>((resolve) => (claims = resolve));
    const store = through(lab.store(), async (name, call) => {
      if (name === "unclaim" && failing-- > 0) throw new SwlError("store.unavailable", "Not now.");
      const answer = await call();
      if (name === "claim" && (answer as readonly unknown[]).length > 0) {
        claimed++;
        claims();
        await closing;
      }
      return answer;
    });
    let closes: () => void = () => undefined;
    const closing = new Promise<void>((resolve) => (closes = resolve));
    const busy = { kind: "failed", retryable: true, error: { code: "busy", message: "", details: null } };
    const host = await lab.host(() => busy, { store });
    const { id } = await host.start(oneStep("unsafe", { delay: 20 }));
    await claimedOne;
    // The claim's answer is on its way when the host is told to close.
    failing = 3;
    const closed = host.close({ drain: 2_000 });
    closes();
    await closed;
    expect(claimed).toBe(1);
    const { work } = (await lab.store().load(id))!;
    expect(work.map(({ holder }) => holder)).toEqual([undefined]);
    expect(await lab.store().abandoned(10)).toEqual([]);
    const second = await lab.host(() => completed("done"));
    expect(await second.run(id).result({ timeout: 60_000 })).toMatchObject({ output: "done" });
  });
});
