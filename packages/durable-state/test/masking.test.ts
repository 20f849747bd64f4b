/**
 * A canary stands in every place that a definition can mark. Whatever is asked of the control plane, and whatever goes
 * wrong, it never comes out, unless somebody with the right asks for it.
 */
import type { Json } from "@swl/base";
import { isSwlError } from "@swl/base";
import { defineWorkflow } from "@swl/definition";
import type { ProviderAnswer } from "@swl/invocation-control";
import { afterEach, describe, expect, it } from "vitest";
import { createControl, type Host } from "../src/index.js";
import { core, Lab, until } from "./lab.js";

const canary = "canary-4711-0815";
const pin = 93_417;

const labs: Lab[] = [];

afterEach(async () => {
  for (const lab of labs.splice(0)) await lab.end();
});

const order = defineWorkflow({
  id: "order",
  sensitive: { input: ["/card"] },
  start: "work",
  actions: {
    work: {
      effect: "unsafe",
      outcomes: { ok: {} },
      sensitive: { input: ["/token"], outputs: { ok: ["/secret"] } },
    },
  },
  nodes: {
    work: {
      kind: "activity",
      action: "work",
      input: { token: { $get: ["input", "key"] }, flag: true },
      parameters: null,
      routes: { ok: "ask", failed: "gone" },
    },
    ask: {
      kind: "await-signal",
      signal: "go",
      sensitive: { payloads: { yes: ["/pin"] } },
      routes: { yes: "done", no: "refused" },
    },
    done: {
      kind: "complete",
      output: {
        of: { $get: ["nodes", "ask", "output"] },
        work: { $get: ["nodes", "work", "output"] },
        plain: "seen",
      },
    },
    gone: {
      kind: "fail",
      error: { code: "work.gone", message: "gone", details: { $get: ["nodes", "work", "output"] } },
    },
    refused: { kind: "fail", error: { code: "order.refused", message: { $get: ["input", "card"] } } },
  },
}) as unknown as Json;

const input = { card: canary, key: `key-${canary}`, note: "plain" } as Json;

interface Scene {
  readonly host: Host;
  readonly run: string;
  readonly log: string[];
}

async function scene(answer: (attempt: number) => ProviderAnswer): Promise<Scene> {
  const lab = new Lab();
  labs.push(lab);
  const log: string[] = [];
  const host = await lab.host((call) => answer(call.attempt), {
    log: (entry) => log.push(JSON.stringify(entry)),
  });
  const { id } = await host.start(order as never, { input: input as never });
  return { host, run: id, log };
}

/** Everything that can be asked about a run, as text; what is thrown too. */
async function told({ host, run }: Scene): Promise<string> {
  const { control } = host;
  const asked: Promise<unknown>[] = [
    control.status(run),
    control.why(run),
    control.history(run),
    control.path(run),
    control.list(),
    control.verify(run),
    control.result(run, { timeout: 5, whenParked: "throw" }),
    control.signal({ run, messageId: "x", name: "go", outcome: "maybe", payload: { pin: canary } }),
    control.dryRun("signal", { run, messageId: "y", name: "go", outcome: "yes", payload: { pin: canary } }),
    control.dryRun("resolve", { run, requestId: "z", decision: "retry" }),
    control.dryRun("cancel", { run, requestId: "c" }),
    control.dryRun("redrive", { run, requestId: "d" }),
    control.dryRun("start", { definition: order, input }),
    control.redrive({ run, requestId: "r" }),
  ];
  const said = await Promise.allSettled(asked);
  return said
    .map((one) => {
      if (one.status === "fulfilled") return JSON.stringify(one.value);
      return isSwlError(one.reason)
        ? JSON.stringify(one.reason) + String(one.reason.stack)
        : String(one.reason);
    })
    .join("\n");
}

function expectSilent(text: string): void {
  expect(text).not.toContain(canary);
  expect(text).not.toContain(String(pin));
}

const given = (output: Json): ProviderAnswer => ({ kind: "completed", outcome: "ok", output });

describe("a marked value", () => {
  it("is in no answer about a run that completed, nor in the host's log [INV-masking]", async () => {
    const world = await scene(() => given({ secret: { pin, on: true }, copy: `was ${canary}`, open: 12 }));
    await until(async () => (await world.host.control.why(world.run)).status === "waiting");
    expectSilent(await told(world));
    const { control } = world.host;
    await control.signal({
      run: world.run,
      messageId: "m",
      name: "go",
      outcome: "yes",
      payload: { pin: canary, of: 1 },
    });
    const result = await control.result(world.run, { timeout: 60_000 });
    expect(result).toEqual({
      status: "completed",
      output: {
        of: { pin: "[masked]", of: 1 },
        work: { secret: "[masked]", copy: "was [masked]", open: 12 },
        plain: "seen",
      },
    });
    expectSilent((await told(world)) + world.log.join());
  });

  it("is shown to who asks for it and has the right, and kept from others [INV-masking]", async () => {
    const { host, run } = await scene(() => given({ secret: pin }));
    await until(async () => (await host.control.why(run)).status === "waiting");
    await host.control.signal({ run, messageId: "m", name: "go", outcome: "yes", payload: { pin: canary } });
    const whole = await host.run(run).result({ timeout: 60_000 });
    expect(JSON.stringify(whole)).toContain(canary);
    expect(await host.control.result(run, { reveal: true })).toEqual(whole);
    const shy = host.control.as(({ reveal }) => !reveal);
    await expect(shy.result(run, { reveal: true })).rejects.toMatchObject({ code: "request.unauthorized" });
    expectSilent(JSON.stringify(await shy.result(run)));
  });

  it("is in no error, wherever a provider or a definition puts it [INV-masking]", async () => {
    const failed = await scene(() => ({
      kind: "failed",
      retryable: false,
      error: {
        code: "card.bad",
        message: `card ${canary} of ${pin}`,
        details: { card: canary, key: `key-${canary}` },
      },
    }));
    await until(async () => (await failed.host.control.status(failed.run)).closed);
    const text = (await told(failed)).replaceAll(String(pin), "");
    expectSilent(text + failed.log.join());
    expect(text).toContain("[masked]");

    const unknown = await scene(() => ({ kind: "unknown", reason: "crash", message: `lost with ${canary}` }));
    await until(async () => (await unknown.host.control.why(unknown.run)).status === "needs-intervention");
    expectSilent((await told(unknown)) + unknown.log.join());

    const refused = await scene(() => given({}));
    await until(async () => (await refused.host.control.why(refused.run)).status === "waiting");
    await refused.host.control.signal({ run: refused.run, messageId: "n", name: "go", outcome: "no" });
    expect(await refused.host.control.result(refused.run, { timeout: 60_000 })).toMatchObject({
      error: { code: "order.refused", message: "[masked]" },
    });
    expectSilent((await told(refused)) + refused.log.join());
  });

  it("of a request that was refused or only tried is masked in its own answer alone [INV-masking]", async () => {
    const world = await scene(() => given({ open: 12 }));
    const { control } = world.host;
    await until(async () => (await control.why(world.run)).status === "waiting");
    const before = [await control.status(world.run), await control.why(world.run)];
    // Words that stand in what is shown of the run.
    const words = { name: "go", payload: { pin: ["waits for signal", "ask"] } };
    await control.dryRun("signal", { run: world.run, messageId: "y", outcome: "yes", ...words });
    const refused = await control.signal({ run: world.run, messageId: "x", outcome: "maybe", ...words });
    expect(refused.kind).toBe("refused");
    const [status, why] = [await control.status(world.run), await control.why(world.run)];
    expect(why).toEqual(before[1]);
    expect({ ...status, view: { ...status.view, time: 0 } }).toEqual({
      ...before[0],
      view: { ...(before[0] as typeof status).view, time: 0 },
    });
  });

  it("is in no evidence of a parked run [INV-masking]", async () => {
    const world = await scene(() => ({ kind: "completed", outcome: "other", output: { secret: canary } }));
    await until(async () => (await world.host.control.why(world.run)).status === "needs-intervention");
    expectSilent((await told(world)) + world.log.join());
  });

  it("stays masked in a redriven run, and where another process asks [INV-masking]", async () => {
    const lab = new Lab();
    labs.push(lab);
    const host = await lab.host(() => given({ secret: canary }));
    const { id: run } = await host.start(order as never, { input: input as never });
    await until(async () => (await host.control.why(run)).status === "waiting");
    await host.control.signal({ run, messageId: "n", name: "go", outcome: "no" });
    await host.control.result(run, { timeout: 60_000 });
    const again = (await host.control.redrive({ run, requestId: "r" })).run;
    const elsewhere = createControl({ store: lab.store(), models: [core] });
    await elsewhere.signal({ run: again, messageId: "n", name: "go", outcome: "yes", payload: { pin } });
    const result = await elsewhere.result(again, { timeout: 60_000 });
    expect(result).toMatchObject({ output: { of: { pin: "[masked]" }, work: { secret: "[masked]" } } });
    expectSilent(JSON.stringify([result, await elsewhere.history(again), await elsewhere.status(again)]));
  });
});
