/**
 * Two engines over random traces: this one and one in another language, which were written from the same text. And the
 * harness itself: engines with one small mistake each are told from one without, and what tells them is made small.
 */
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { isJsonObject, type Json, type JsonObject } from "@swl/base";
import { runCases, runRefusals } from "@swl/conformance";
import { bundledCases, readCases } from "@swl/conformance/cases";
import { stdioSubject } from "@swl/conformance/stdio";
import { cellsOf, readTable } from "@swl/conformance/table";
import { core } from "@swl/execution";
import type { ExecutionModel, ModelView, Transition } from "@swl/execution/model";
import { describe, expect, it } from "vitest";
import { differenceBetween, engineOf } from "../src/differential/engines.js";
import type { Example } from "../src/differential/minimize.js";
import { exampleOf, runDifferential, told } from "../src/differential/run.js";

const model = core as unknown as ExecutionModel;
const engine = engineOf(model);
const file = (path: string) => fileURLToPath(new URL(path, import.meta.url));

type Step = Exclude<Transition<unknown>, { readonly error: unknown }>;

function misspoken(change: (step: Step) => Step): Partial<ExecutionModel> {
  return {
    transition(prepared, state, event) {
      const step = model.transition(prepared, state, event);
      return "error" in step ? step : change(step);
    },
  };
}

function misviewed(change: (view: ModelView) => ModelView): Partial<ExecutionModel> {
  return { view: (prepared, state) => change(model.view(prepared, state)) };
}

/** Copies as one does without thinking of `__proto__`. */
function carelessCopy(object: JsonObject): JsonObject {
  const copy: { [key: string]: Json } = {};
  for (const key of Object.keys(object)) copy[key] = object[key]!;
  return copy;
}

const mistakes: { readonly [name: string]: Partial<ExecutionModel> } = {
  "retries at once": misspoken((step) => ({
    ...step,
    commands: step.commands.map((command) =>
      command.kind === "invoke" ? { ...command, delay: 0 } : command,
    ),
  })),
  "never clears a deadline": misspoken((step) => ({
    ...step,
    commands: step.commands.filter(({ kind }) => kind !== "clear-deadline"),
  })),
  "tells a limit late": misspoken((step) => ({
    ...step,
    diagnostics: step.diagnostics.filter(({ code }) => code !== "limit.near"),
  })),
  "loses a node that is called as a prototype is": misviewed((view) => ({
    ...view,
    nodes: carelessCopy(view.nodes as unknown as JsonObject) as unknown as ModelView["nodes"],
  })),
  "offers a cancel where one is recorded": misviewed((view) => ({
    ...view,
    blockers: view.blockers.map((blocker) =>
      blocker.kind === "intervention" && view.cancel !== null
        ? { ...blocker, options: [...blocker.options, "cancel"] }
        : blocker,
    ),
  })),
  "lists outcomes as they are authored, backwards": misviewed((view) => ({
    ...view,
    blockers: view.blockers.map((blocker) =>
      blocker.signal === undefined
        ? blocker
        : { ...blocker, signal: { ...blocker.signal, outcomes: [...blocker.signal.outcomes].reverse() } },
    ),
  })),
  "hashes what is only for people": {
    prepare: (definition) => model.prepare(carelessly(definition)),
  },
  "takes another generation for the armed one": {
    transition: (prepared, state, event) =>
      model.transition(prepared, state, event.type === "deadline" ? { ...event, generation: 1 } : event),
  },
  "reads a missing outcome as the first one": {
    transition: (prepared, state, event) =>
      model.transition(
        prepared,
        state,
        event.type === "signal" && event.outcome === undefined ? { ...event, outcome: "ok" } : event,
      ),
  },
  "lets run time fall": {
    transition(prepared, state, event) {
      const time = state === undefined ? 0 : model.view(prepared, state).time;
      return model.transition(prepared, state, { ...event, at: Math.max(event.at, time + 1) });
    },
  },
  "throws at a terminal run": {
    transition(prepared, state, event) {
      if (state !== undefined && model.disposition(state).kind === "closed") throw new RangeError("closed");
      return model.transition(prepared, state, event);
    },
  },
};

/** The members that presentation extends by stay in what is hashed. */
function carelessly(definition: Json): Json {
  if (!isJsonObject(definition) || !Object.hasOwn(definition, "x-note")) return definition;
  return { ...definition, id: `${String(definition["id"])}x` };
}

describe("the generator", () => {
  it("gives the same example for the same seed, and another one for another", () => {
    const [one, same, other] = [7, 7, 8].map((seed) => exampleOf(model, { seed }, 3));
    expect(same).toEqual(one);
    expect(other).not.toEqual(one);
  });
});

/** Rows that are about other profiles than those that both engines claim. */
const others: ReadonlySet<string> = new Set(["accepted-declared", "completion", "inspected", "update"]);

/** The cells that an example goes through, impossible events included: each of them stands at the end of a trace. */
function cellsOfExample({ definition, events }: Example): readonly string[] {
  const prepared = core.prepare(definition);
  const told = engine.trace(definition, events);
  if (!prepared.ok || told instanceof Promise || !told.ok) throw new TypeError("an example that is refused");
  const possible = events.filter((_, index) => !Object.hasOwn(told.value[index]!, "error"));
  const trails = events.flatMap((event, index) =>
    Object.hasOwn(told.value[index]!, "error")
      ? [[...events.slice(0, index).filter((one) => possible.includes(one)), event]]
      : [],
  );
  const cells = [possible, ...trails].flatMap((trail) => cellsOf(core, prepared.value, definition, trail));
  return cells.flatMap(({ events: rows, status, effect }) =>
    rows.map((row) => `${row} in ${status}: ${effect}`),
  );
}

describe("the examples", () => {
  it("go through every cell of the transition table that both engines claim", () => {
    const table = readTable(
      JSON.parse(readFileSync(file("../../table/transition-table.json"), "utf8")) as Json,
    );
    if (!table.ok) throw new TypeError("the table cannot be read");
    const passed = new Set<string>();
    for (let sequence = 0; sequence < 3_000; sequence++)
      for (const cell of cellsOfExample(exampleOf(model, { seed: 1 }, sequence))) passed.add(cell);
    const missed = table.value.cells
      .filter(({ event, status, check }) => check === undefined && status !== "R-a" && !others.has(event))
      .filter(({ event, status }) => event !== "cancel-acknowledged" || (status !== "N" && status !== "C"))
      .map(({ event, status, expect }) => `${event} in ${status}: ${expect}`)
      .filter((cell) => !passed.has(cell));
    expect(missed).toEqual([]);
  });
});

describe("a differential run", () => {
  it("finds no difference between this engine and itself behind stdio", async () => {
    const subject = await stdioSubject({
      command: process.execPath,
      args: [file("../src/stdio-engine.mjs")],
    });
    const { difference, events } = await runDifferential(model, [engine, subject], {
      seed: 11,
      sequences: 200,
    });
    await subject.close();
    expect(difference === undefined ? undefined : told(difference)).toBeUndefined();
    expect(events).toBeGreaterThan(1_000);
  });

  it.each(Object.entries(mistakes))(
    "finds an engine that %s, and makes the example small",
    async (_, mistake) => {
      const broken = engineOf({ ...model, ...mistake });
      const { difference } = await runDifferential(model, [engine, broken], { seed: 5, sequences: 2_000 });
      expect(difference?.difference).toMatch(/^event |^one says/);
      expect(difference!.events.length).toBeLessThanOrEqual(6);
      expect(Object.keys(difference!.definition["nodes"] as JsonObject).length).toBeLessThanOrEqual(3);
    },
  );
});

const python = file("../../subjects/python/swl_engine.py");
const without =
  spawnSync("python3", ["--version"]).status === 0 ? "" : " (skipped: this machine has no python3)";
const contract = {
  outcomes: { ok: {} },
  effect: "pure",
  retry: { maxAttempts: 1, initialDelayMs: 0, backoff: "fixed", maxDelayMs: 0, jitter: "none" },
  capabilities: [],
  deferred: false,
  cancellation: "none",
};
const full = Boolean(process.env["SWL_FULL"]);

describe("the second engine", () => {
  it.skipIf(without !== "")(`passes every case of what it claims${without}`, async () => {
    const subject = await stdioSubject({ command: "python3", args: [python], timeoutMs: 120_000 });
    const read = readCases(bundledCases);
    const results = [
      ...(await runCases(read.ok ? read.value : [], subject)),
      ...(await runRefusals(subject)),
    ];
    await subject.close();
    expect(results.filter(({ against }) => against)).toEqual([]);
    expect(results.filter(({ result }) => result === "passed").length).toBeGreaterThan(200);
  });

  // No file of a case can be nested so deeply.
  it.skipIf(without !== "")(
    `agrees on what is too deep for a mapping [DEF-mapping-paths]${without}`,
    async () => {
      const subject = await stdioSubject({ command: "python3", args: [python] });
      const take = { ...contract, inputSchema: { type: "string" } };
      const get = { $get: ["input"] };
      const step = (input: Json, failed: string) => ({
        ...{ kind: "activity", action: "take", input, parameters: null },
        routes: { ok: "done", failed },
      });
      const definition = {
        ...{ swl: "0.1", id: "deep", requires: ["core"], start: "fits" },
        dialects: {
          ...{ schema: "https://json-schema.org/draft/2020-12/schema", numbers: "binary64" },
          expressions: "minimal",
        },
        nodes: {
          fits: step([get], "not"),
          not: step({ a: [get] }, "done"),
          done: { kind: "complete", output: { $get: ["from", "output", "code"] } },
        },
        actions: { take },
        limits: { maxActivations: 10, maxInternalTransitions: 10 },
      };
      const input = Array.from({ length: 999 }).reduce<Json>((inner) => [inner], 1);
      const start = { type: "start", id: "e1", position: 1, at: 0, run: "r1", input } as const;
      const difference = await differenceBetween([engine, subject], definition, [start]);
      await subject.close();
      expect(difference).toBeUndefined();
      const said = engine.trace(definition, [start]);
      const codes = { diagnostics: [{ code: "input.invalid" }, { code: "mapping.too-deep" }] };
      expect(said).toMatchObject({ value: [codes] });
    },
  );

  it.skipIf(without !== "")(
    `agrees with this one on every random trace${without}`,
    async () => {
      const subject = await stdioSubject({
        command: "python3",
        args: [file("../../subjects/python/swl_engine.py")],
      });
      expect([...subject.claims].sort()).toEqual(
        expect.arrayContaining(["buffered-signals", "core", "timers"]),
      );
      const options = { seed: full ? 2 : 1, sequences: full ? 200_000 : 5_000 };
      const { difference } = await runDifferential(model, [engine, subject], options);
      await subject.close();
      expect(difference === undefined ? "none" : told(difference)).toBe("none");
    },
    full ? 7_200_000 : 180_000,
  );
});
