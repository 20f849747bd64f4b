import type { Json } from "@swl/base";
import { describe, expect, it } from "vitest";
import type { CoreState } from "../src/draft.js";
import { core, maxCallEvidence, maxRunEvidence } from "../src/index.js";
import type { AcceptedEvent, EventBody } from "../src/model.js";
import {
  activity,
  cancel,
  contract,
  deadline,
  definition,
  done,
  failure,
  frozen,
  one,
  prepared,
  Run,
  resolve,
  result,
  start,
  unknown,
  withdrawn,
} from "./helpers.js";

const adopt = (run: Run) => (run.disposition.kind === "parked" ? run.disposition.adopt : "not parked");

describe("transition", () => {
  it("changes nothing that it was given [EXE-transition]", () => {
    const ready = prepared(one("unsafe"));
    const event = (position: number, body: object) =>
      frozen({ id: `e${position}`, position, at: position, ...body }) as AcceptedEvent;
    const first = core.transition(ready, undefined, event(1, start()));
    if ("error" in first) throw new TypeError(first.error.message);
    const before = JSON.stringify(core.toJSON(first.state));
    frozen(first.state.head);
    const branches = [result("work#1"), failure("work#1"), unknown("work#1"), cancel, result("work#1")];
    const ends = branches.map((body) => core.transition(ready, first.state, event(2, body)));
    expect(ends.map((end) => ("error" in end ? "error" : end.state.head.status))).toEqual([
      "completed",
      "running",
      "needs-intervention",
      "canceling",
      "completed",
    ]);
    expect(JSON.stringify(core.toJSON(first.state))).toBe(before);
    expect(ends[4]).toEqual(ends[0]);
  });

  it("answers an event that it cannot read instead of throwing [EXE-transition]", () => {
    const ready = prepared(one("pure"));
    const broken = [
      { type: "explode", id: "e", position: 1, at: 0 },
      { ...start(), id: "e", position: "1", at: 0 },
      { ...start(), id: "e", position: 1, at: Number.NaN },
      { type: "start", run: "", input: null, id: "e", position: 1, at: 0 },
      { type: "start", run: "é", input: null, id: "e", position: 1, at: 0 },
      { type: "start", run: "r".repeat(55), input: null, id: "e", position: 1, at: 0 },
      { type: "constructor", id: "e", position: 1, at: 0 },
      { ...start(), type: ["start"], id: "e", position: 1, at: 0 },
      { ...start(), type: { toString: 1 }, id: "e", position: 1, at: 0 },
    ];
    for (const event of broken) {
      const step = core.transition(ready, undefined, event as unknown as AcceptedEvent);
      expect("error" in step && step.error.code).toBe("model.event-impossible");
    }
  });

  it("refuses attempts that were never authorized [EXE-transition]", () => {
    const run = new Run(one("idempotent"));
    run.send(start());
    for (const body of [
      result("work#1", 2),
      result("work#2"),
      result("done#1"),
      result("absent#1"),
      result("work#1", 0),
      { ...result("work#1"), invocation: "r2/work#1" },
    ]) {
      const step = run.attempt(body as never);
      expect("error" in step && step.error.code).toBe("model.event-impossible");
    }
  });

  it("does not serve a state of another definition [EXE-transition]", () => {
    const run = new Run(one("unsafe"));
    const { state } = run.send(start());
    const other = prepared(definition({ done }, {}));
    const step = core.transition(other, state, { ...result("work#1"), id: "e2", position: 2, at: 0 });
    expect("error" in step && step.error.code).toBe("model.event-impossible");
  });

  it("names only the slots that it wrote [EXE-state]", () => {
    const nodes = {
      first: activity({ ok: "second", rejected: "done" }),
      second: activity({ ok: "done", rejected: "done" }),
      done,
    };
    const run = new Run(definition(nodes, { work: contract("pure") }));
    expect([...run.send(start()).changes.slots.keys()].sort()).toEqual(["input", "node:first"]);
    expect([...run.send(result("first#1")).changes.slots.keys()].sort()).toEqual([
      "node:first",
      "node:second",
    ]);
    expect([...run.send(failure("second#1")).changes.slots.keys()]).toEqual([]);
  });

  it("treats keys of users as data", () => {
    const input = JSON.parse('{"__proto__":{"n":1},"constructor":2}') as Json;
    const nodes = { done: { kind: "complete", output: { $get: ["input", "__proto__", "n"] } } };
    const run = new Run(definition(nodes, {}));
    run.send(start(input));
    expect(run.disposition).toMatchObject({ kind: "closed", output: 1 });
    expect(new Run(definition(nodes, {})).send(start({})).state.head.status).toBe("failed");
  });

  it("gives an unknown of an older attempt no weight [EXE-evidence]", () => {
    const run = new Run(one("idempotent"));
    run.send(start());
    run.send(failure("work#1"));
    expect(run.send(unknown("work#1", 1)).effect).toMatchObject({ kind: "none", code: "event.stale" });
    expect(run.view.status).toBe("running");
  });

  it("derives jitter inside the delay, the same every time [EXE-retry-delay]", () => {
    const policy = {
      maxAttempts: 9,
      initialDelayMs: 400,
      backoff: "fixed",
      maxDelayMs: 60_000,
      jitter: "full",
    };
    const delays = () => {
      const run = new Run(one("pure", { retry: policy }));
      run.send(start());
      return [1, 2, 3, 4, 5].map((attempt) => {
        const [command] = run.send(failure("work#1", attempt)).commands;
        return command?.kind === "invoke" ? command.delay : -1;
      });
    };
    expect(delays()).toEqual(delays());
    expect(new Set(delays()).size).toBeGreaterThan(1);
    for (const delay of delays()) expect(delay >= 0 && delay <= 400 && Number.isInteger(delay)).toBe(true);
  });

  it("keeps a delay of nothing at nothing, however many attempts [EXE-retry-delay]", () => {
    const policy = {
      maxAttempts: 1_000,
      initialDelayMs: 0,
      backoff: "exponential",
      maxDelayMs: 10,
      jitter: "none",
    };
    const run = new Run(one("pure", { retry: policy }));
    run.send(start());
    for (let attempt = 1; attempt < 1_000; attempt++) {
      expect(run.send(failure("work#1", attempt)).commands[0]).toMatchObject({ delay: 0 });
    }
  });

  it("keeps keys within 128 characters for the longest names [EXE-start]", () => {
    const node = "n".repeat(64);
    const nodes = { [node]: activity({ ok: "done", rejected: "done" }), done };
    const run = new Run(definition(nodes, { work: contract("pure") }));
    const [command] = run.send({ type: "start", run: "r".repeat(54), input: null }).commands;
    const key = command?.kind === "invoke" ? command.idempotencyKey : "";
    expect(key.length + "0000000".length).toBeLessThanOrEqual(128);
  });
});

describe("evidence", () => {
  it("is bounded for an open invocation [EXE-evidence]", () => {
    const run = new Run(
      one("unsafe", {
        retry: { maxAttempts: 1, initialDelayMs: 0, backoff: "fixed", maxDelayMs: 0, jitter: "none" },
      }),
    );
    run.send(start());
    run.send(unknown("work#1"));
    for (let count = 0; count < maxCallEvidence + 3; count++) run.send(failure("work#1"));
    expect(run.state?.head.call?.evidence).toHaveLength(maxCallEvidence);
    run.send(resolve("work#1", "retry"));
    expect(run.send(failure("work#1", 1)).effect).toMatchObject({
      message: expect.stringContaining("not kept"),
    });
    run.send(unknown("work#1", 2));
    run.send(result("work#1", 2));
    expect(run.state?.head.call?.evidence).toHaveLength(maxCallEvidence);
    expect(adopt(run)).toMatchObject({ decision: "complete" });
  });

  it("is bounded for settled invocations [EXE-evidence]", () => {
    const nodes = {
      first: activity({ ok: "second", rejected: "done" }),
      second: activity({ ok: "done", rejected: "done" }),
      done,
    };
    const run = new Run(definition(nodes, { work: contract("pure") }));
    run.send(start());
    run.send(result("first#1"));
    for (let count = 0; count < maxRunEvidence + 5; count++) run.send(result("first#1"));
    expect(run.state?.head.evidence).toBe(maxRunEvidence);
    expect(run.state?.slots.size).toBe(maxRunEvidence + 3);
  });

  it("offers a retryable failure as fail once the run is to be canceled [EXE-evidence-adoption]", () => {
    const run = new Run(one("unsafe"));
    run.send(start());
    run.send(unknown("work#1"));
    run.send(failure("work#1"));
    expect(adopt(run)).toMatchObject({ decision: "retry" });
    run.send(cancel);
    expect(adopt(run)).toMatchObject({ decision: "fail", fromEvidence: 3 });
    run.send(resolve("work#1", "fail", { fromEvidence: 3 }));
    expect(run.view.status).toBe("canceled");
  });

  it("offers a withdrawal to nobody once the run is to be canceled [EXE-evidence-adoption]", () => {
    const run = new Run(one("unsafe"));
    run.send(start());
    run.send(unknown("work#1"));
    run.send(withdrawn("work#1"));
    run.send(cancel);
    expect(adopt(run)).toBeUndefined();
  });

  it.each([
    ["pure", "canceled"],
    ["idempotent", "needs-intervention"],
  ])(
    "leaves a doubt open at an unclaimed deadline while canceling: %s is %s [EXE-canceling]",
    (effect, status) => {
      const run = new Run(one(effect, { timeouts: { operationMs: 1_000 } }));
      run.send(start());
      run.send(unknown("work#1"));
      run.send(cancel);
      run.send({ ...deadline("operation", "work#1"), unclaimed: true } as EventBody);
      expect(run.view.status).toBe(status);
    },
  );

  it("cannot be borrowed from another invocation [EXE-resolve-evidence]", () => {
    const nodes = { work: activity({ ok: "work", rejected: "done" }), done };
    const run = new Run(definition(nodes, { work: contract("unsafe") }));
    run.send(start());
    run.send(unknown("work#1"));
    run.send(result("work#1"));
    run.send(resolve("work#1", "complete", { fromEvidence: 3 }));
    run.send(unknown("work#2"));
    const step = run.send(resolve("work#2", "complete", { fromEvidence: 3 }));
    expect(step.effect).toMatchObject({ code: "resolve.evidence-unknown", refuse: true });
  });
});

describe("cost", () => {
  it("does not grow with the age of the run: a change is two slots and a bounded head [EXE-state]", () => {
    const nodes = {
      ping: activity({ ok: "pong", rejected: "done" }),
      pong: activity({ ok: "ping", rejected: "done" }),
      done,
    };
    const run = new Run(definition(nodes, { work: contract("pure") }));
    run.send(start());
    let size = 0;
    for (let visit = 1; visit <= 500; visit++) {
      for (const node of ["ping", "pong"]) {
        const { changes } = run.send(result(`${node}#${visit}`));
        expect(changes.slots.size).toBe(2);
        if (visit === 100) size = JSON.stringify(changes.head).length;
        if (visit === 500) expect(JSON.stringify(changes.head).length).toBeLessThan(size + 20);
      }
    }
    expect((run.state as CoreState).slots.size).toBe(3);
  });
});
