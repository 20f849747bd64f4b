import { isSwlError, type Json } from "@swl/base";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { CoreState } from "../src/draft.js";
import { core } from "../src/index.js";
import type { StateDocument } from "../src/model.js";
import { cancel, one, Run, result, start, unknown } from "./helpers.js";

function document(...bodies: Parameters<Run["send"]>[0][]): StateDocument {
  const run = new Run(one("unsafe", { timeouts: { operationMs: 1_000 } }));
  for (const body of bodies) run.send(body);
  return core.toJSON(run.state as CoreState);
}

function codeOf(work: () => unknown): string {
  try {
    work();
    return "accepted";
  } catch (thrown) {
    return isSwlError(thrown) ? thrown.code : "another error";
  }
}

const parked = document(start(), unknown("work#1"), result("work#1"));

describe("fromJSON", () => {
  it.each([
    ["running", document(start())],
    ["parked", parked],
    ["canceling", document(start(), cancel)],
    ["completed", document(start(), result("work#1"))],
    ["canceled", document(cancel)],
  ])("reads back a state that is %s [EXE-state]", (_, written) => {
    expect(core.toJSON(core.fromJSON(JSON.parse(JSON.stringify(written)) as StateDocument))).toEqual(written);
  });

  it.each([
    ["no document", null],
    ["no head", { slots: {} }],
    ["a later version", { ...parked, head: { ...(parked.head as object), v: 2 } }],
    ["a member too many", { ...parked, head: { ...(parked.head as object), extra: 1 } }],
    ["a parked run without invocation", { ...parked, head: { ...(parked.head as object), call: null } }],
    ["a waiting run without wait", { ...parked, head: { ...(parked.head as object), status: "waiting" } }],
    ["a completed run that stands", { ...parked, head: { ...(parked.head as object), status: "completed" } }],
    ["evidence that is gone", { ...parked, slots: { ...parked.slots, "evidence:3": undefined } }],
    ["a node that is gone", { head: parked.head, slots: {} }],
    ["a slot of another kind", { ...parked, slots: { ...parked.slots, "secret:1": 1 } }],
    ["a damaged slot", { ...parked, slots: { ...parked.slots, "node:work": { visits: "1" } } }],
  ])("refuses %s [EXE-state]", (_, damaged) => {
    const text = JSON.stringify(damaged);
    expect(codeOf(() => core.fromJSON(JSON.parse(text) as StateDocument))).toBe("model.state-invalid");
  });

  it("throws nothing but its own error for any JSON [EXE-state]", () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (head, slots) => {
        expect(codeOf(() => core.fromJSON({ head, slots } as StateDocument))).toBe("model.state-invalid");
      }),
    );
  });

  it("throws nothing but its own error for any damaged head [EXE-state]", () => {
    const head = parked.head as { readonly [key: string]: Json };
    fc.assert(
      fc.property(fc.constantFrom(...Object.keys(head)), fc.jsonValue(), (key, value) => {
        const damaged = { ...parked, head: { ...head, [key]: value as Json } };
        expect(["accepted", "model.state-invalid"]).toContain(codeOf(() => core.fromJSON(damaged)));
      }),
    );
  });
});
