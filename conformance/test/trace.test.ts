/** Steps that are the same without their sentences, told without making the portable forms. */
import type { JsonObject } from "@swl/base";
import { describe, expect, it } from "vitest";
import { firstDifference, portableStep, sameStep } from "../src/index.js";

const step: JsonObject = {
  effect: { kind: "none", code: "event.stale", message: "late", refuse: false },
  commands: [{ kind: "invoke", input: { code: "output.invalid", message: "mine", details: null } }],
  diagnostics: [{ code: "event.stale", severity: "warning", message: "late", pointer: "" }],
  disposition: {
    kind: "closed",
    error: { code: "card.declined", message: "no money", details: { message: 1 } },
  },
  view: { blockers: [{ kind: "start", message: "not started", since: 0 }] },
};

/** The step with another text at a place. */
function changed(from: string, to: string): JsonObject {
  return JSON.parse(JSON.stringify(step).replace(from, to)) as JsonObject;
}

describe("two steps", () => {
  it.each([
    ["a sentence of the engine", '"late"', '"too late"', true],
    ["the sentence of a blocker", '"not started"', '"none"', true],
    ["the sentence of an error that is data", '"mine"', '"yours"', true],
    ["what a diagnostic says beside its code", '"warning"', '"error"', true],
    ["the words of a provider", '"no money"', '"no"', false],
    ["a member of data that is called message", '"message":1', '"message":2', false],
    ["a member that only one has", '"since":0', '"since":0,"node":null', false],
    ["a list that is longer", '"commands":[', '"commands":[{"kind":"end"},', false],
    ["a code", '"event.stale"', '"event.evidence"', false],
  ])("differing in %s are told as their portable forms are [CNF-trace-form]", (_, from, to, same) => {
    const other = changed(from, to);
    expect(other).not.toEqual(step);
    expect(sameStep(step, other)).toBe(same);
    expect(sameStep(other, step)).toBe(same);
    expect(firstDifference(portableStep(step), portableStep(other)) === undefined).toBe(same);
  });

  it("are the same when one lacks what is undefined in the other", () => {
    expect(sameStep({ ...step, view: { cancel: undefined } } as never, { ...step, view: {} })).toBe(true);
  });
});
