/** One commit of one run, worked out from several events. */
import type { ExecutionModel, InvokeCommand, Transition } from "@swl/execution/model";
import { describe, expect, it } from "vitest";
import type { LoadedRun } from "../src/loaded-run.js";
import { portionsOf } from "../src/portions.js";
import { propose } from "../src/proposal.js";

const invoke = { kind: "invoke", invocation: "r/left#2", attempt: 1, action: "left", delay: 0 };

/** A result asks for the next attempt of its branch, a failure ends the whole run and takes nothing back. */
const model = {
  transition: (_prepared: unknown, _state: unknown, { type }: { readonly type: string }) =>
    ({
      state: type === "failure" ? "failed" : "open",
      commands: type === "result" ? [invoke as unknown as InvokeCommand] : [],
      changes: { head: null, slots: [] },
      effect: { kind: "applied" },
      edges: [],
    }) as unknown as Transition<unknown>,
  disposition: (state: unknown) =>
    state === "failed" ? { kind: "closed", status: "failed" } : { kind: "open", blockers: [] },
  outstanding: () => [],
} as unknown as ExecutionModel;

const run = {
  ...{ id: "r", state: "open", head: null, position: 3, owner: "h", unapplied: [], facets: {} },
  ...{ work: new Map(), dues: new Map(), boundLate: false },
  created: { actions: {}, bindings: {} },
  served: { model, prepared: null },
} as unknown as LoadedRun;

const context = {
  ...{ commit: "c", holder: "h", stamp: 0, adoptEvidence: false, newEventId: () => "e" },
  ...{ reserve: () => true, keepsOwnership: false, ownsStream: true, isUnbegun: () => false },
  documentBytes: 16_777_216,
};

const settled = (type: "result" | "failure") => ({
  event: { type, invocation: `r/${type}`, attempt: 1 } as never,
});

describe("a commit that ends its run", () => {
  it("begins nothing that an event before asked for [DUR-dispatch-after-commit]", () => {
    const alone = propose(run, [settled("result")], context);
    expect("begin" in alone && alone.begin.length).toBe(1);
    const both = propose(run, [settled("result"), settled("failure")], context);
    expect(both).toMatchObject({ begin: [], newWork: [], item: { close: true, owner: null } });
  });
});

describe("a commit whose model fails late", () => {
  it("has reserved nothing [DUR-quarantine]", () => {
    const ask = { kind: "inspect", invocation: "r/left#1", attempt: 1, action: "left", delay: 0 };
    const failing = {
      ...model,
      transition: () => ({
        ...model.transition(null, "open", { type: "result" } as never),
        commands: [invoke, ask],
      }),
      outstanding: () => {
        throw new TypeError("words of the engine");
      },
    } as unknown as ExecutionModel;
    const reserved: string[] = [];
    const reserve = (action: string) => reserved.push(action) > 0;
    const served = { model: failing, prepared: null } as unknown as LoadedRun["served"];
    expect(() => propose({ ...run, served }, [settled("result")], { ...context, reserve })).toThrow(
      TypeError,
    );
    expect(reserved).toEqual([]);
  });
});

describe("the answers of a long backlog", () => {
  it("are divided among documents, in order, and none is lost [DUR-accepted-order]", () => {
    const answers = Array.from({ length: 1_000 }, (_, n) => ({
      ...({ position: n, effect: "none", code: "event.stale" } as const),
      ...(n < 32 && { message: "x".repeat(200) }),
    }));
    expect(portionsOf([], 10)).toEqual([]);
    expect(portionsOf(answers.slice(0, 3), 1_000_000)).toEqual([answers.slice(0, 3)]);
    for (const most of [1, 250, 4_000, 1_000_000]) {
      const portions = portionsOf(answers, most);
      expect(portions.flat()).toEqual(answers);
      const tooLong = portions.filter((one) => one.length > 1 && JSON.stringify(one).length > most + 1);
      expect(tooLong).toEqual([]);
    }
    expect(portionsOf(answers, 4_000).length).toBeLessThan(30);
    expect(portionsOf(answers, 1_000_000)).toHaveLength(1);
  });
});
