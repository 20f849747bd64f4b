/** Questions and requests to stop, and crashes while they are under way. */
import type { CancelAnswer, InspectAnswer } from "@swl/invocation-control";
import { afterEach, describe, expect, it } from "vitest";
import { completed, mortal, pause, through, until } from "./lab.js";
import { completion, endWorlds, short, unknown, World, waiting, workflow } from "./operations-lab.js";

afterEach(endWorlds);

describe("a question", () => {
  const found: InspectAnswer = { kind: "completed", outcome: "ok", output: "found" };

  it("is put by idempotency key after an unknown result, and its answer settles the work [DUR-inspect]", async () => {
    const world = new World();
    const host = await world.host({ invoke: () => unknown, inspect: () => found });
    const run = await host.start(workflow("reconcilable"));
    expect(await run.result({ timeout: 60_000 })).toEqual({ status: "completed", output: "found" });
    expect(world.inspected).toEqual([
      {
        run: run.id,
        activation: "work#1",
        invocation: `${run.id}/work#1`,
        action: "work",
        attempt: 1,
        idempotencyKey: `${run.id}/work/1`,
      },
    ]);
    expect(world.invoked).toEqual([1]);
  });

  it("is put again by the next host when the one that asked dies [DUR-inspect]", async () => {
    const world = new World();
    const life = mortal(world.store());
    const first = await world.host(
      { invoke: () => unknown, inspect: () => new Promise(() => undefined) },
      { store: life.store, lease: short },
    );
    const { id } = await first.start(workflow("reconcilable"));
    expect(await until(() => world.inspected.length === 1)).toBe(true);
    life.kill();
    const second = await world.host({ inspect: () => found });
    expect(await second.run(id).result({ timeout: 60_000 })).toEqual({
      status: "completed",
      output: "found",
    });
    expect(world.invoked).toEqual([1]);
  });

  it("is put again when the provider cannot be asked, and parks where it does not know [DUR-inspect]", async () => {
    const world = new World();
    const inspect = () => {
      if (world.inspected.length === 1) throw new TypeError("no route");
      return { kind: "unknown" } as const;
    };
    const host = await world.host({ invoke: () => unknown, inspect });
    const { id } = await host.start(workflow("reconcilable"));
    expect(await waiting(host, id, "inspecting")).toBe(true);
    expect(await waiting(host, id, "unknown-result")).toBe(true);
    expect(world.inspected.length).toBe(2);
    expect(await world.typesOf(id)).toEqual(["start", "unknown", "inspected"]);
  });

  it("is given up when the provider could not be asked for long enough [DUR-inspect]", async () => {
    const world = new World();
    const inspect = () => Promise.reject(new TypeError("no route"));
    const host = await world.host({ invoke: () => unknown, inspect }, { askFor: 950 });
    const { id } = await host.start(workflow("reconcilable"));
    expect(await waiting(host, id, "unknown-result")).toBe(true);
    expect(world.inspected.length).toBe(2);
  });

  it("begins the next attempt where nothing was begun, and asks again while it runs [DUR-inspect]", async () => {
    const world = new World();
    const answers: InspectAnswer[] = [{ kind: "running" }, { kind: "not-found" }];
    const retry = { maxAttempts: 2, initialDelayMs: 20, maxDelayMs: 20, backoff: "fixed", jitter: "none" };
    const host = await world.host({
      invoke: (attempt) => (attempt === 1 ? unknown : completed("second")),
      inspect: () => answers.shift() ?? { kind: "unknown" },
    });
    const run = await host.start(workflow("reconcilable", { retry }));
    expect(await run.result({ timeout: 60_000 })).toEqual({ status: "completed", output: "second" });
    expect(world.invoked).toEqual([1, 2]);
    expect(await world.typesOf(run.id)).toEqual(["start", "unknown", "inspected", "inspected", "result"]);
  });

  it("to a provider that cannot be asked parks the work [DUR-inspect]", async () => {
    const world = new World();
    const host = await world.host({ invoke: () => unknown });
    const { id } = await host.start(workflow("reconcilable"));
    expect(await waiting(host, id, "unknown-result")).toBe(true);
  });

  it("that was answered otherwise meanwhile is not waited for [DUR-inspect]", async () => {
    const world = new World();
    let answer: (said: InspectAnswer) => void = () => undefined;
    const host = await world.host({
      invoke: () => unknown,
      inspect: () => new Promise((resolve) => (answer = resolve)),
    });
    const { id } = await host.start(workflow("reconcilable"));
    expect(await until(() => world.inspected.length === 1)).toBe(true);
    await world.append(id, completion(id, undefined, "told"));
    expect(await host.run(id).result({ timeout: 60_000 })).toEqual({ status: "completed", output: "told" });
    answer({ kind: "not-found" });
    await pause(50);
    expect(await world.typesOf(id)).toEqual(["start", "unknown", "completion"]);
  });
});

describe("a request to stop", () => {
  it("reaches the provider with the handle; its acknowledgement settles nothing [DUR-cancel-request]", async () => {
    const world = new World();
    const host = await world.host({ cancel: () => ({ kind: "acknowledged" }) });
    const { id } = await host.start(workflow("unsafe"));
    expect(await waiting(host, id, "accepted")).toBe(true);
    await host.control.cancel({ run: id, requestId: "x" });
    expect(
      await until(async () => {
        const { blockers } = await host.control.why(id);
        return blockers.some((one) => "acknowledged" in one);
      }),
    ).toBe(true);
    expect(world.canceled).toMatchObject([{ handle: "op-1", attempt: 1, idempotencyKey: `${id}/work/1` }]);
    expect((await host.control.status(id)).view?.status).toBe("canceling");
    await world.append(id, completion(id, "op-1", "done all the same"));
    expect(await host.run(id).result({ timeout: 60_000 })).toMatchObject({ status: "canceled" });
    expect(world.canceled.length).toBe(1);
  });

  it("survives the host that should have sent it, and is sent to no provider that cannot stop [DUR-cancel-request]", async () => {
    const world = new World();
    const life = mortal(world.store());
    const first = await world.host(
      { cancel: () => new Promise(() => undefined) },
      { store: life.store, lease: short },
    );
    const { id } = await first.start(workflow("unsafe"));
    expect(await waiting(first, id, "accepted")).toBe(true);
    life.kill();
    await world.append(id, { type: "cancel", requestId: "x" });
    const second = await world.host({ cancel: () => ({ kind: "acknowledged" }) });
    expect(await until(() => world.canceled.length === 1)).toBe(true);
    expect(world.canceled[0]).toMatchObject({ handle: "op-1" });
    await world.append(id, completion(id, "op-1", null));
    expect(await second.run(id).result({ timeout: 60_000 })).toMatchObject({ status: "canceled" });
    expect(world.invoked).toEqual([1]);
  });

  it("is sent again while the provider cannot be told, and not where it cannot stop [DUR-cancel-request]", async () => {
    const world = new World();
    const answers: CancelAnswer[] = [{ kind: "unavailable" }, { kind: "unsupported" }];
    const host = await world.host({ cancel: () => answers.shift() ?? { kind: "acknowledged" } });
    const { id } = await host.start(workflow("unsafe"));
    expect(await waiting(host, id, "accepted")).toBe(true);
    await host.control.cancel({ run: id, requestId: "x" });
    expect(await until(async () => world.canceled.length === 2)).toBe(true);
    expect(await until(async () => (await world.store().load(id))?.work.length === 0)).toBe(true);
    await pause(100);
    expect(world.canceled.length).toBe(2);
    expect(await world.typesOf(id)).toEqual(["start", "accepted", "cancel"]);
  });

  it("does not wait for the slot that its own work holds [DUR-cancel-request]", async () => {
    const world = new World();
    let stop: () => void = () => undefined;
    const host = await world.host(
      {
        invoke: () => new Promise((resolve) => (stop = () => resolve(completed("stopped")))),
        cancel: () => {
          stop();
          return { kind: "acknowledged" };
        },
      },
      { concurrency: { total: 1 } },
    );
    const { id } = await host.start(workflow("unsafe"));
    await until(() => world.invoked.length === 1);
    await host.control.cancel({ run: id, requestId: "x" });
    expect(await host.run(id).result({ timeout: 60_000 })).toMatchObject({ status: "canceled" });
  });
});

describe("the store that fails while a question is under way", () => {
  it("loses neither the question nor its answer [DUR-inspect]", async () => {
    const world = new World();
    let failures = 0;
    const flaky = through(world.store(), async (name, call) => {
      const answer = await call();
      if (name === "claim" && (answer as readonly unknown[]).length > 0 && failures++ === 0) {
        throw new Error("the answer was lost");
      }
      return answer;
    });
    const found: InspectAnswer = { kind: "completed", outcome: "ok", output: "found" };
    const host = await world.host({ invoke: () => unknown, inspect: () => found }, { store: flaky });
    const run = await host.start(workflow("reconcilable"));
    expect(await run.result({ timeout: 60_000 })).toEqual({ status: "completed", output: "found" });
    expect(failures).toBeGreaterThan(0);
  });
});
