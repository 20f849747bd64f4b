/** Operations at their bounds: handles, evidence, lists, and what a state says of them. */
import type { Json } from "@swl/base";
import { describe, expect, it } from "vitest";
import { core, maxCallEvidence, maxHandle, maxUnsettled } from "../src/index.js";
import type { StateDocument } from "../src/model.js";
import {
  accepted,
  activity,
  cancel,
  completion,
  contract,
  definition,
  done,
  failure,
  inspected,
  one,
  Run,
  resolve,
  result,
  start,
  unknown,
  withdrawn,
} from "./helpers.js";

const requires = ["cancellation-acks", "core", "deferred-actions", "reconciliation"];

function running(effect: string, more: { readonly [member: string]: Json } = {}): Run {
  const run = new Run({ ...one(effect, { deferred: true, ...more }), requires });
  run.send(start());
  return run;
}

describe("a handle", () => {
  it("has at most 1,024 characters and is never empty [EXE-deferred]", () => {
    const longest = "h".repeat(maxHandle);
    for (const handle of ["", `${longest}h`, 7]) {
      const step = running("pure").attempt(accepted("work#1", 1, handle as string));
      expect("error" in step && step.error.code).toBe("model.event-impossible");
    }
    const run = running("pure");
    run.send(accepted("work#1", 1, longest));
    expect(run.view.outstanding[0]).toMatchObject({ phase: "accepted", handle: longest });
  });

  it("is named in the blocker, cut and quoted [EXE-disposition]", () => {
    const run = running("pure");
    run.send(accepted("work#1", 1, `op"${"x".repeat(200)}`));
    const message = run.view.blockers[0]?.message ?? "";
    expect(message).toContain('waiting for a completion of operation "op\\"xxx');
    expect(message.length).toBeLessThan(200);
  });
});

describe("evidence of operations", () => {
  it("is bounded, however many completions are sent [EXE-evidence]", () => {
    const run = running("idempotent");
    run.send(failure("work#1"));
    for (let n = 0; n < 40; n++) run.send(completion("work#1", `op-${n}`));
    expect(run.state?.head.call?.evidence).toHaveLength(maxCallEvidence);
    expect(run.state?.slots.size).toBeLessThan(maxCallEvidence + 5);
  });

  it("that was kept before the parking is not offered after it, nor when an offer is void [EXE-evidence-adoption]", () => {
    const run = running("unsafe");
    run.send(accepted("work#1", 1, "op-1"));
    run.send(accepted("work#1", 1, "op-2"));
    run.send(inspected("work#1", 1, "not-found"));
    expect(run.disposition).not.toHaveProperty("adopt");
    run.send(withdrawn("work#1"));
    expect(run.disposition).toMatchObject({ adopt: { decision: "retry" } });
    run.send(cancel);
    expect(run.disposition).not.toHaveProperty("adopt");
    run.send(resolve("work#1", "reattach", { fromEvidence: 3 }));
    expect(run.view).toMatchObject({ status: "canceling", outstanding: [{ handle: "op-2" }] });
  });

  it("makes room for what would settle the invocation [EXE-evidence-adoption]", () => {
    const run = running("unsafe", { outcomes: { ok: { outputSchema: { type: "null" } }, rejected: {} } });
    run.send(unknown("work#1"));
    const broken = { outcome: "ok", output: 1 };
    for (let n = 0; n < 40; n++) run.send(completion("work#1", "op-1", broken));
    expect(run.state?.head.call?.evidence).toHaveLength(maxCallEvidence);
    run.send(completion("work#1"));
    expect(run.disposition).toMatchObject({ adopt: { decision: "complete", fromEvidence: run.position } });
    for (let n = 0; n < 40; n++) run.send(completion("work#1"));
    expect(run.state?.slots.size).toBeLessThan(maxCallEvidence + 5);
  });
});

describe("unsettled operations", () => {
  it("are listed up to a bound, the newest of them [EXE-unsettled]", () => {
    const run = running("idempotent", { timeouts: { operationMs: 1_000 } });
    for (let n = 1; n <= maxUnsettled + 20; n++) {
      run.send(accepted("work#1", n, `op-${n}`));
      const key = "operation:work#1";
      run.send({ type: "deadline", kind: "operation", key, generation: n });
      run.send(resolve("work#1", "retry"));
    }
    const { unsettled = [] } = run.view;
    expect(unsettled).toHaveLength(maxUnsettled);
    expect(unsettled.at(-1)?.handle).toBe(`op-${maxUnsettled + 20}`);
    expect(unsettled[0]?.handle).toBe("op-21");
  });

  it("are of one invocation each: the same handle of another is another operation [EXE-unsettled]", () => {
    const nodes = { work: activity({ ok: "work", rejected: "done" }), done };
    const work = contract("idempotent", { deferred: true });
    const run = new Run(definition(nodes, { work }, { requires }));
    run.send(start());
    run.send(result("work#1"));
    run.send(unknown("work#2"));
    run.send(result("work#2", 2));
    run.send(accepted("work#2", 1));
    run.send(completion("work#1"));
    expect(run.view.unsettled).toMatchObject([{ invocation: "r1/work#2", handle: "op-1" }]);
    run.send(completion("work#2"));
    expect(run.view.unsettled).toBeUndefined();
  });
});

describe("a question", () => {
  it("is in force until it is answered, and replaced by the last one [EXE-reconcile]", () => {
    const run = running("reconcilable", { timeouts: { operationMs: 1_000 } });
    run.send(unknown("work#1"));
    run.send(inspected("work#1", 1, "running"), 500);
    expect(run.view.outstanding[0]).toMatchObject({ kind: "inspect", attempt: 1, at: 2_000 });
    const key = "operation:work#1";
    run.send({ type: "deadline", kind: "operation", key, generation: 1 }, 1_000);
    expect(run.view.outstanding).toEqual([
      { kind: "inspect", invocation: "r1/work#1", attempt: 1, at: 1_000 },
    ]);
  });

  it("is said to be what the run waits for [EXE-disposition]", () => {
    const run = running("reconcilable");
    run.send(unknown("work#1"));
    expect(run.view.blockers[0]).toMatchObject({ kind: "invocation", reason: "inspecting" });
    expect(run.view.blockers[0]?.message).toContain("its provider is asked what became of it");
  });
});

describe("a state with an operation", () => {
  function document(): StateDocument {
    const run = running("reconcilable", { cancellation: "requestable" });
    run.send(unknown("work#1"));
    run.send(accepted("work#1"));
    run.send(cancel);
    return JSON.parse(JSON.stringify(core.toJSON(run.state!))) as StateDocument;
  }

  it("is read back as it was [EXE-state]", () => {
    const written = document();
    expect(core.toJSON(core.fromJSON(written))).toEqual(written);
  });

  it.each([
    ["an endless handle", { handle: "h".repeat(maxHandle + 1) }],
    ["a handle that is not declared", { deferred: false }],
    ["a question without a time", { inspect: { asked: 1, last: false } }],
    ["a half acknowledgement", { cancel: { at: 1 } }],
    ["a member too many", { more: 1 }],
  ])("is refused with %s [EXE-state]", (_, change) => {
    const { head, slots } = document() as unknown as { head: { call: { operation: object } }; slots: never };
    Object.assign(head.call.operation, change);
    expect(() => core.fromJSON({ head: head as never, slots })).toThrow(/damaged/);
  });

  it("is refused with a list of unsettled operations that is none [EXE-state]", () => {
    const { head, slots } = document();
    for (const unsettled of [{}, [{ handle: "h" }], Array(maxUnsettled + 1).fill(null)]) {
      expect(() => core.fromJSON({ head, slots: { ...slots, unsettled } })).toThrow(/damaged/);
    }
  });
});
