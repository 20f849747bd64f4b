/** Accepted work, and crashes before and after its handle is committed. */
import type { ProviderAnswer } from "@swl/invocation-control";
import { afterEach, describe, expect, it } from "vitest";
import { mortal, pause, until } from "./lab.js";
import { accepted, completion, endWorlds, short, World, waiting, workflow } from "./operations-lab.js";

afterEach(endWorlds);

describe("accepted work", () => {
  it("is waited for, ends its claim, and is completed under its handle [DUR-accepted]", async () => {
    const world = new World();
    const host = await world.host({});
    const { id } = await host.start(workflow("unsafe"));
    expect(await waiting(host, id, "accepted")).toBe(true);
    const state = await world.store().load(id);
    expect(state?.owner).toBeUndefined();
    expect(state?.work).toEqual([]);
    await world.append(id, completion(id, "op-1", "paid"));
    expect(await host.run(id).result({ timeout: 60_000 })).toEqual({ status: "completed", output: "paid" });
    expect(world.invoked).toEqual([1]);
  });

  it("is not begun again after a crash, and completes when it was completed while no host ran [DUR-accepted]", async () => {
    const world = new World();
    const life = mortal(world.store());
    const first = await world.host({}, { store: life.store, lease: short });
    const { id } = await first.start(workflow("unsafe"));
    expect(await waiting(first, id, "accepted")).toBe(true);
    life.kill();
    await world.append(id, completion(id, "op-1", "paid"));
    await pause(400);
    const second = await world.host({});
    expect(await second.run(id).result({ timeout: 60_000 })).toEqual({ status: "completed", output: "paid" });
    expect(world.invoked).toEqual([1]);
  });

  it("of a host that died before it could commit the handle is adopted when the host returns [DUR-accepted]", async () => {
    const world = new World();
    const life = mortal(world.store());
    const first = await world.host(
      {
        invoke: () => {
          life.stall();
          return accepted();
        },
      },
      { store: life.store, lease: short },
    );
    const { id } = await first.start(workflow("unsafe"));
    await until(() => world.invoked.length === 1);
    await pause(500);
    const second = await world.host({});
    expect(await waiting(second, id, "unknown-result")).toBe(true);
    life.resume();
    expect(await waiting(second, id, "accepted")).toBe(true);
    await world.append(id, completion(id, "op-1", "paid"));
    expect(await second.run(id).result({ timeout: 60_000 })).toEqual({ status: "completed", output: "paid" });
    expect(world.invoked).toEqual([1]);
  });

  it("may be completed before its handle is committed [DUR-completion]", async () => {
    const world = new World();
    let answer: () => void = () => undefined;
    const invoke = () => new Promise<ProviderAnswer>((resolve) => (answer = () => resolve(accepted())));
    const host = await world.host({ invoke });
    const { id } = await host.start(workflow("unsafe"));
    await until(() => world.invoked.length === 1);
    await world.append(id, completion(id, "op-1", "early"));
    expect(await host.run(id).result({ timeout: 60_000 })).toEqual({ status: "completed", output: "early" });
    answer();
    await pause(50);
    expect(world.invoked).toEqual([1]);
  });

  it("with a handle that no state can keep is no answer [DUR-accepted]", async () => {
    const world = new World();
    const host = await world.host({ invoke: () => accepted("x".repeat(1_025)) });
    const { id } = await host.start(workflow("unsafe"));
    expect(await waiting(host, id, "unknown-result")).toBe(true);
  });

  it("takes the work of an attempt that never began with it when it is completed [DUR-completion]", async () => {
    const world = new World();
    const busy = { code: "busy", message: "busy", details: null };
    const invoke = (attempt: number): ProviderAnswer =>
      attempt === 1 ? { kind: "unknown", reason: "crash" } : { kind: "failed", error: busy, retryable: true };
    const retry = {
      maxAttempts: 3,
      initialDelayMs: 600_000,
      maxDelayMs: 600_000,
      backoff: "fixed",
      jitter: "none",
    };
    const host = await world.host({ invoke });
    const { id } = await host.start(workflow("idempotent", { retry }));
    expect(await until(async () => (await world.store().load(id))?.work.length === 1)).toBe(true);
    await world.append(id, completion(id, undefined, "done"));
    expect(await host.run(id).result({ timeout: 60_000 })).toEqual({ status: "completed", output: "done" });
    expect(await world.typesOf(id)).toEqual(["start", "unknown", "completion"]);
  });

  it("that this run never had harms nobody [DUR-completion]", async () => {
    const world = new World();
    const host = await world.host({});
    const { id } = await host.start(workflow("unsafe"));
    expect(await waiting(host, id, "accepted")).toBe(true);
    await world.append(id, { ...completion(id, "op-9", 1), invocation: `${id}/work#7` });
    await world.append(id, completion(id, "op-1", "paid"));
    expect(await host.run(id).result({ timeout: 60_000 })).toEqual({ status: "completed", output: "paid" });
  });

  it("is unknown at the operation deadline, also when that came while no host ran [DUR-accepted]", async () => {
    const world = new World();
    const life = mortal(world.store());
    const first = await world.host({}, { store: life.store, lease: short });
    const { id } = await first.start(workflow("unsafe", { timeouts: { operationMs: 300 } }));
    expect(await waiting(first, id, "accepted")).toBe(true);
    life.kill();
    await pause(500);
    const second = await world.host({});
    expect(await waiting(second, id, "unknown-result")).toBe(true);
  });
});
