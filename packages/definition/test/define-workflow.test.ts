import { isSwlError } from "@swl/base";
import { describe, expect, expectTypeOf, it } from "vitest";
import { type Definition, defineWorkflow, definitionDigest, readDefinition } from "../src/index.js";

const actions = {
  charge: { effect: "unsafe", outcomes: { ok: {}, declined: {} } },
  ship: { effect: "idempotent", outcomes: { ok: {} } },
} as const;

function order(): Definition {
  return defineWorkflow({
    id: "order",
    start: "charge",
    actions,
    nodes: {
      charge: {
        kind: "activity",
        action: "charge",
        routes: { ok: "ship", declined: "refused", failed: "refused" },
      },
      ship: {
        kind: "activity",
        action: "ship",
        routes: { ok: "done", exhausted: "refused" },
        loopLimits: { ok: 3 },
      },
      done: { kind: "complete" },
      refused: { kind: "fail", error: { code: "order.refused", message: "refused" } },
    },
  });
}

describe("defineWorkflow", () => {
  it("returns the normalized definition that a file with the same content gives", () => {
    const built = order();
    expectTypeOf(built).toEqualTypeOf<Definition>();
    expect(built.requires).toEqual(["core"]);
    const read = readDefinition(JSON.stringify(built), { file: "f" });
    expect(read.ok && definitionDigest(read.value)).toBe(definitionDigest(built));
  });

  it("throws definition.invalid with every finding for what types cannot see", () => {
    try {
      defineWorkflow({ id: "x", start: "a", nodes: { a: { kind: "complete" }, b: { kind: "complete" } } });
    } catch (error) {
      if (!isSwlError(error)) throw error;
      expect(error.code).toBe("definition.invalid");
      expect(error.findings?.map((finding) => finding.code)).toEqual(["definition.unreachable"]);
      return;
    }
    throw new Error("accepted");
  });

  it("refuses wrong routes, targets, actions and limits when it is compiled", () => {
    const done = { kind: "complete" } as const;
    const attempts: (() => Definition)[] = [
      () =>
        defineWorkflow({
          id: "x",
          start: "a",
          actions,
          // @ts-expect-error the route of "declined" is missing
          nodes: { a: { kind: "activity", action: "charge", routes: { ok: "done" } }, done },
        }),
      () =>
        defineWorkflow({
          id: "x",
          start: "a",
          actions,
          // @ts-expect-error "okay" is no outcome of the action
          nodes: { a: { kind: "activity", action: "ship", routes: { ok: "done", okay: "done" } }, done },
        }),
      () =>
        defineWorkflow({
          id: "x",
          start: "a",
          actions,
          // @ts-expect-error there is no node "nowhere"
          nodes: { a: { kind: "activity", action: "ship", routes: { ok: "nowhere" } }, done },
        }),
      () =>
        defineWorkflow({
          id: "x",
          start: "a",
          actions,
          // @ts-expect-error there is no action "refund"
          nodes: { a: { kind: "activity", action: "refund", routes: { ok: "done" } }, done },
        }),
      () =>
        defineWorkflow({
          id: "x",
          start: "a",
          actions,
          // @ts-expect-error "exhausted" needs loop limits
          nodes: { a: { kind: "activity", action: "ship", routes: { ok: "done", exhausted: "done" } }, done },
        }),
      () =>
        defineWorkflow({
          id: "x",
          // @ts-expect-error there is no node to start at
          start: "z",
          actions,
          nodes: { a: { kind: "activity", action: "ship", routes: { ok: "done" } }, done },
        }),
    ];
    for (const attempt of attempts) expect(attempt).toThrow(/definition\.|is not valid/);
  });
});
