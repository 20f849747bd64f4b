import { type Definition, defineWorkflow, definitionDefaults, validate } from "@swl/definition";
import type { ExecutionModel } from "@swl/execution/model";
import { describe, expect, it } from "vitest";
import type { HostLogEntry } from "../src/index.js";
import { completed, core, Lab, oneStep, until } from "./lab.js";

/** An engine that executes more than any host serves. */
const ahead: ExecutionModel = {
  ...(core as ExecutionModel),
  requirements: (prepared) => {
    const known = (core as ExecutionModel).requirements(prepared);
    return { ...known, profiles: [...known.profiles, "state-export"] };
  },
};

it("refuses by name, before a run exists, what the engine executes and the host does not serve [DEF-requires]", async () => {
  const lab = new Lab();
  const host = await lab.host(() => null, { models: [ahead] });
  await expect(host.start(oneStep("pure"))).rejects.toMatchObject({
    code: "definition.invalid",
    findings: [{ code: "definition.profile-unsupported", pointer: "/requires" }],
  });
  expect(lab.calls).toEqual([]);
  expect((await host.control.list()).items).toEqual([]);
  await lab.end();
});

it("only looks at a run that an abler host began, and names the profile [DEF-requires]", async () => {
  const lab = new Lab();
  const able = await lab.host(() => null);
  const nodes = {
    ask: { kind: "await-signal", signal: "go", routes: { go: "done" } },
    done: { kind: "complete" },
  } as const;
  const { id } = await able.start(defineWorkflow({ id: "paused", start: "ask", nodes }));
  await lab.end();
  const said: HostLogEntry[] = [];
  const host = await lab.host(() => null, { models: [ahead], log: (entry) => said.push(entry) });
  await host.control.signal({ run: id, messageId: "m1", name: "go" }, { wait: 0 });
  const named = () =>
    said.some(({ code, message }) => code === "host.model-unknown" && message.includes("state-export"));
  expect(await until(named)).toBe(true);
  expect(await host.control.status(id)).toMatchObject({ status: "waiting", unapplied: 1 });
  await lab.end();
});

const waits = (id: string, node: { readonly routes: object }, requires: readonly string[]): object => ({
  swl: "0.1",
  id,
  requires: ["core", ...requires],
  dialects: { numbers: "binary64", expressions: "jsonlogic" },
  start: "wait",
  nodes: {
    wait: node,
    done: { kind: "complete", output: { $get: ["from", "outcome"] } },
    ...(Object.values(node.routes).includes("other") && { other: { kind: "complete", output: "other" } }),
  },
});

function normalized(definition: object): Definition {
  const outcome = validate(definition);
  if (!outcome.ok) throw new TypeError(JSON.stringify(outcome.findings));
  return outcome.value;
}

const jsonlogic = "expressions-jsonlogic";

describe("the profile timers", () => {
  it("fires a timer, and a deadline that nobody met [EXE-timer] [EXE-await-deadline]", async () => {
    const lab = new Lab();
    const host = await lab.host(() => null);
    const timer = { kind: "await-timer", after: "PT0.05S", routes: { elapsed: "done" } };
    const one = await host.start(normalized(waits("rest", timer, [jsonlogic, "timers"])));
    expect(await one.result({ timeout: 60_000 })).toEqual({ status: "completed", output: "elapsed" });
    const deadline = { after: "PT0.05S", outcome: "late" };
    const signal = { kind: "await-signal", signal: "go", routes: { late: "done", go: "other" }, deadline };
    const two = await host.start(normalized(waits("ask", signal, [jsonlogic, "timers"])));
    expect(await two.result({ timeout: 60_000 })).toEqual({ status: "completed", output: "late" });
    await lab.end();
  });

  it("fires when the host that armed it is gone, and never once the signal came [EXE-await-deadline]", async () => {
    const lab = new Lab();
    const first = await lab.host(() => null);
    const timer = { kind: "await-timer", after: "PT0.3S", routes: { elapsed: "done" } };
    const { id } = await first.start(normalized(waits("rest", timer, [jsonlogic, "timers"])));
    const deadline = { after: "PT0.3S", outcome: "late" };
    const signal = { kind: "await-signal", signal: "go", routes: { late: "done", go: "other" }, deadline };
    const met = await first.start(normalized(waits("ask", signal, [jsonlogic, "timers"])));
    expect(
      await first.control.signal({ run: met.id, messageId: "m1", name: "go", outcome: "go" }),
    ).toMatchObject({
      kind: "applied",
    });
    await lab.end();
    const second = await lab.host(() => null);
    expect(await second.run(id).result({ timeout: 60_000 })).toEqual({
      status: "completed",
      output: "elapsed",
    });
    expect(await second.run(met.id).result({ timeout: 60_000 })).toEqual({
      status: "completed",
      output: "other",
    });
    await lab.end();
  });
});

describe("the profile buffered-signals", () => {
  const early = normalized({
    ...definitionDefaults,
    id: "early",
    requires: ["core", "buffered-signals"],
    limits: { maxBufferedSignals: 1 },
    start: "work",
    nodes: {
      work: { kind: "activity", action: "work", routes: { ok: "wait" } },
      wait: { kind: "await-signal", signal: "go", routes: { go: "done" } },
      done: { kind: "complete", output: { $get: ["from", "output"] } },
    },
    actions: { work: { outcomes: { ok: {} }, effect: "pure" } },
  });

  it("keeps an early signal through a change of hosts, and tells when it is full [EXE-buffer]", async () => {
    const lab = new Lab();
    const first = await lab.host(() => new Promise(() => undefined));
    const { id } = await first.start(early);
    expect(await until(() => lab.calls.length === 1)).toBe(true);
    const send = (messageId: string) =>
      first.control.signal({ run: id, messageId, name: "go", outcome: "go", payload: messageId });
    expect(await send("m1")).toMatchObject({ kind: "applied", effect: "buffered" });
    expect(await send("m2")).toMatchObject({ kind: "refused", code: "signal.buffer-full" });
    await lab.end();
    const second = await lab.host(() => completed());
    expect(await second.run(id).result({ timeout: 60_000 })).toEqual({ status: "completed", output: "m1" });
    await lab.end();
  });
});

describe("the profile expressions-jsonlogic", () => {
  it("chooses by data [EXE-choice]", async () => {
    const lab = new Lab();
    const host = await lab.host(() => null);
    const cases = [{ when: { ">": [{ var: "input.amount" }, 100] }, outcome: "big" }];
    const choice = { kind: "choice", cases, otherwise: "small", routes: { big: "done", small: "other" } };
    const definition = normalized(waits("size", choice, [jsonlogic]));
    const run = async (amount: number) => (await host.start(definition, { input: { amount } })).result();
    expect(await run(101)).toEqual({ status: "completed", output: "big" });
    expect(await run(100)).toEqual({ status: "completed", output: "other" });
    await lab.end();
  });
});
