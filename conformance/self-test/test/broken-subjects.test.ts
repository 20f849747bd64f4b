/**
 * The kit tested against subjects that are broken on purpose: each one passes for an implementation at first sight,
 * and each is caught by what the test names.
 */
import type { Diagnostic, Json, Outcome } from "@swl/base";
import { type Case, type CaseResult, runCases, runRefusals, type Subject, summaryOf } from "@swl/conformance";
import type { AcceptedEvent, ExecutionModel, StateDocument, Transition } from "@swl/execution/model";
import { describe, expect, it } from "vitest";
import { swl } from "../src/subject.js";
import {
  readReject,
  sampleCase,
  sampleCases,
  traceAccept,
  traceReject,
  validateAccept,
  validateReject,
} from "./sample-cases.js";

const model = swl.model!;

async function only(item: Case, subject: Subject): Promise<CaseResult> {
  const [result] = await runCases([item], subject);
  return result!;
}

/** The reasons for which a subject fails a case; the reference subject passes it. */
async function reasons(item: Case, subject: Subject): Promise<string> {
  expect(await only(item, swl)).toMatchObject({ result: "passed" });
  const { result, reasons, against } = await only(item, subject);
  expect([result, against]).toEqual(["failed", true]);
  return (reasons ?? []).join("\n");
}

function withModel(changes: Partial<ExecutionModel>): Subject {
  return { ...swl, name: "broken engine", model: { ...model, ...changes } };
}

type Step = Exclude<Transition<unknown>, { readonly error: unknown }>;

/** An engine whose steps are changed after the fact. */
function altered(change: (step: Step, event: AcceptedEvent) => Transition<unknown>): Subject {
  return withModel({
    transition(prepared, state, event) {
      const step = model.transition(prepared, state, event);
      return "error" in step ? step : change(step, event);
    },
  });
}

function changingFindings(change: (finding: Diagnostic) => unknown): Subject {
  const broken = (answer: Outcome<Json>): Outcome<Json> => ({
    ...answer,
    findings: answer.findings.map((finding) => change(finding) as Diagnostic),
  });
  return {
    ...swl,
    readJson: async (source, options) => broken(await swl.readJson!(source, options)),
    validateDefinition: async (source, options) => broken(await swl.validateDefinition!(source, options)),
  };
}

describe("the reference subject", () => {
  it("passes what the broken ones fail", async () => {
    const results = await runCases(sampleCases, swl);
    expect(results.map(({ reasons }) => reasons)).toEqual(sampleCases.map(() => undefined));
    expect(summaryOf(results)).toMatchObject({ ok: true, counts: { passed: sampleCases.length } });
  });
});

describe("a broken reader or validator", () => {
  const acceptsAll: Subject = {
    ...swl,
    name: "accepts everything",
    readJson: () => ({ ok: true, value: null, findings: [] }),
    validateDefinition: () => ({ ok: true, value: {}, findings: [] }),
  };

  it("is caught when it accepts everything [CNF-verdicts]", async () => {
    expect(await reasons(readReject, acceptsAll)).toBe("expected json.duplicate-key, found acceptance");
    expect(await reasons(validateReject, acceptsAll)).toMatch(/found acceptance/);
  });

  it("is caught when it refuses everything [CNF-verdicts]", async () => {
    const refuse = (name: string): Outcome<Json> => ({
      ok: false,
      findings: [
        {
          code: "definition.invalid",
          severity: "error",
          message: "no",
          pointer: "",
          place: { file: name, line: 1, column: 1 },
        },
      ],
    });
    const refusesAll: Subject = { ...swl, validateDefinition: ({ name }) => refuse(name) };
    expect(await reasons(validateAccept, refusesAll)).toMatch(
      /expected acceptance, found definition.invalid/,
    );
    expect(await reasons(validateReject, refusesAll)).toMatch(/expected definition.start-unknown, found/);
  });

  it("is caught when it takes profiles that it does not claim [CNF-absent-means-no]", async () => {
    const sound = await runRefusals(swl);
    expect(sound.length).toBeGreaterThanOrEqual(10);
    expect(summaryOf(sound)).toMatchObject({ ok: true });
    const lax = withModel({
      prepare: (definition) => model.prepare({ ...(definition as object), requires: ["core"] }),
    });
    const results = await runRefusals({ ...acceptsAll, model: lax.model! });
    expect(results.every(({ result }) => result === "failed")).toBe(true);
  });

  it("is caught when it claims what it does not offer [CNF-claims]", async () => {
    const { validateDefinition: _, ...claimsOnly } = swl;
    expect(await reasons(validateAccept, claimsOnly)).toBe(
      "claims definition, but offers no validateDefinition",
    );
    const honest = { ...claimsOnly, claims: ["base", "core"] };
    expect(await only(validateAccept, honest)).toEqual({
      case: validateAccept.id,
      result: "not-claimed",
      reasons: ["needs definition"],
      against: false,
    });
  });

  it("is caught when its errors lack places [CNF-finding-shape]", async () => {
    const unplaced = changingFindings(({ place: _, ...finding }) => finding);
    expect(await reasons(readReject, unplaced)).toBe("json.duplicate-key: no place");
    expect(await reasons(validateReject, unplaced)).toMatch(/no place/);
  });

  it("is caught when its findings are of a shape of its own [CNF-finding-shape]", async () => {
    const shapes: readonly (readonly [RegExp, (finding: Diagnostic) => unknown])[] = [
      [/dup is no code of the closed list/, (finding) => ({ ...finding, code: "dup" })],
      [/severity is error or warning/, (finding) => ({ ...finding, severity: "fatal" })],
      [/without a stack/, (finding) => ({ ...finding, message: "no\n    at parse (parse.ts:1:1)" })],
      [/pointer is a JSON Pointer/, (finding) => ({ ...finding, pointer: "a.b" })],
      [/counted from 1/, (finding) => ({ ...finding, place: { file: "x", line: 0, column: 1 } })],
      [/stack is no member/, (finding) => ({ ...finding, stack: "at parse" })],
    ];
    for (const [problem, change] of shapes) {
      expect(await reasons(readReject, changingFindings(change))).toMatch(problem);
    }
  });

  it("is caught when it throws instead of answering [CNF-error-shape]", async () => {
    const throws: Subject = {
      ...swl,
      readJson() {
        throw new Error("Unexpected token");
      },
      validateDefinition: () => Promise.reject("text"),
    };
    expect(await only(readReject, throws)).toMatchObject({
      result: "errored",
      against: true,
      reasons: [/Unexpected token/, /carries the brand/].map((text) => expect.stringMatching(text)),
    });
    expect(await only(validateAccept, throws)).toMatchObject({ result: "errored", against: true });
  });

  it("is caught when its answer is no outcome [CNF-verdicts]", async () => {
    const open = sampleCase(
      { phase: "read", verdict: "unspecified", requires: ["base"] },
      { "input.json": "1" },
    );
    expect(await reasons(open, { ...swl, readJson: () => 1 as never })).toBe("the answer is no outcome");
    const silent: Subject = { ...swl, readJson: () => ({ ok: false, findings: [] }) };
    expect(await reasons(readReject, silent)).toMatch(/a refusal names no error/);
  });

  it("is caught when what it read differs from the golden [CNF-goldens]", async () => {
    const rounding: Subject = { ...swl, readJson: () => ({ ok: true, value: { a: [1, 1] }, findings: [] }) };
    const [accept] = sampleCases;
    expect(await reasons(accept!, rounding)).toBe("differs from expected.json at /a/1: expected 0, found 1");
  });
});

describe("a broken engine", () => {
  it("is caught when it authorizes another command [CNF-trace-form]", async () => {
    const eager = altered((step) => ({
      ...step,
      commands: step.commands.map((command) => ({ ...command, delay: 5 })),
    }));
    expect(await reasons(traceAccept, eager)).toBe(
      "step 1 differs at /commands/0/delay: expected 0, found 5",
    );
    const lazy = altered((step) => ({ ...step, commands: [] }));
    expect(await reasons(traceAccept, lazy)).toMatch(/step 1 differs at \/commands\/0/);
  });

  it("is not blamed for its own sentences [CNF-trace-form]", async () => {
    const wordy = altered((step) => ({
      ...step,
      diagnostics: step.diagnostics.map((finding) => ({ ...finding, message: "in other words" })),
    }));
    expect(await only(traceAccept, wordy)).toMatchObject({ result: "passed" });
  });

  it("is caught when it takes what is impossible [CNF-verdicts]", async () => {
    const tolerant = withModel({
      transition(prepared, state, event) {
        const step = model.transition(prepared, state, event);
        if (!("error" in step)) return step;
        return model.transition(prepared, undefined, { ...event, type: "start", run: "r1", input: null });
      },
    });
    expect(await reasons(traceReject, tolerant)).toMatch(/expected model.event-impossible, found acceptance/);
  });

  it("is caught when a change is not in its changes [CNF-state-probes]", async () => {
    const forgetful = altered((step) => ({ ...step, changes: { ...step.changes, slots: new Map() } }));
    expect(await reasons(traceAccept, forgetful)).toMatch(/its changes do not rebuild the state at \/slots/);
  });

  it("is caught when it applies an event twice [CNF-state-probes]", async () => {
    // Without the memory of the last position a duplicate looks like a new event.
    const doubling = withModel({
      transition: (prepared, state, event) =>
        model.transition(prepared, event.type === "start" ? undefined : state, event),
    });
    expect(await reasons(traceAccept, doubling)).toMatch(/the same event again authorizes commands/);
  });

  it("is caught when its portable form loses something [CNF-state-probes]", async () => {
    const lossy = withModel({
      fromJSON(document: StateDocument) {
        const { input: _, ...slots } = document.slots as { [key: string]: Json };
        return model.fromJSON({ ...document, slots });
      },
    });
    const { result, against } = await only(traceAccept, lossy);
    expect([["failed", "errored"].includes(result), against]).toEqual([true, true]);
  });

  it("is caught when it changes the state it was given [CNF-state-probes]", async () => {
    interface Box {
      seen: number;
      readonly state: unknown;
    }
    const boxed = withModel({
      transition(prepared, state, event) {
        const box = state as Box | undefined;
        if (box) box.seen++;
        const step = model.transition(prepared, box?.state, event);
        return "error" in step ? step : { ...step, state: { seen: 0, state: step.state } };
      },
      disposition: (state) => model.disposition((state as Box).state),
      view: (prepared, state) => model.view(prepared, (state as Box).state),
      toJSON(state) {
        const { slots, head } = model.toJSON((state as Box).state);
        return { head, slots: (state as Box).seen > 0 ? { ...slots, seen: 1 } : slots };
      },
      fromJSON: (document) => ({ seen: 0, state: model.fromJSON(document) }),
    });
    expect(await reasons(traceAccept, boxed)).toMatch(/a transition changed the state it was given/);
  });

  it("is caught when it throws on an event [CNF-error-shape]", async () => {
    const throwing = withModel({
      transition() {
        throw new TypeError("undefined is not a function");
      },
    });
    expect(await only(traceAccept, throwing)).toMatchObject({ result: "errored", against: true });
  });
});
