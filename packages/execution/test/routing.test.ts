import type { Json } from "@swl/base";
import { describe, expect, it } from "vitest";
import type { CoreState } from "../src/draft.js";
import { core } from "../src/index.js";
import { instantText } from "../src/instant-text.js";
import type { StateDocument } from "../src/model.js";
import {
  activity,
  cancel,
  contract,
  deadline,
  definition,
  done,
  Run,
  result,
  signal,
  start,
  update,
} from "./helpers.js";

type Nodes = Parameters<typeof definition>[0];

const requires = ["core", "buffered-signals", "expressions-jsonlogic", "timers", "tracked-updates"];
const profiled = (nodes: Nodes, actions: Nodes = {}, more: Nodes = {}) =>
  new Run(definition(nodes, actions, { requires, ...more }));

const waiter = { kind: "await-signal", signal: "go", routes: { go: "done" } };
const work = activity({ ok: "wait", rejected: "done" });
const actions = { work: contract("pure") };
const limits = { maxActivations: 100, maxInternalTransitions: 100, maxBufferedSignals: 5 };

describe("a buffer", () => {
  it("reads one slot for each signal it takes or drops, never the others [EXE-buffer-taken]", () => {
    const run = profiled({ work, wait: waiter, done }, actions, { limits });
    run.send(start());
    for (const outcome of ["odd", "go", "go"])
      expect(run.send(signal("go", outcome)).effect.kind).toBe("buffered");
    const { changes, diagnostics } = run.send(result("work#1"));
    const touched = [...changes.slots].filter(([key]) => key.startsWith("signal:"));
    expect(touched).toEqual([
      ["signal:go#1", undefined],
      ["signal:go#2", undefined],
    ]);
    expect(diagnostics.map(({ code }) => code)).toEqual(["signal.dropped", "signal.unmatched"]);
    expect(run.view.buffer).toEqual([{ signal: "go", count: 1 }]);
  });

  it("tells that it fills once each time it does [EXE-buffer-capacity]", () => {
    const run = profiled({ work, wait: { ...waiter, routes: { go: "work" } }, done }, actions, { limits });
    run.send(start());
    const codes = () => run.send(signal("go")).diagnostics.map(({ code }) => code);
    expect([codes(), codes(), codes(), codes(), codes()]).toEqual([[], [], [], ["limit.near"], []]);
    expect(run.view.counters.near).toEqual(["maxBufferedSignals"]);
    expect(codes()).toEqual(["signal.buffer-full"]);
    run.send(result("work#1"));
    run.send(result("work#2"));
    expect(run.view.counters.near).toEqual([]);
    expect(codes()).toEqual(["limit.near"]);
  });

  it("shows no payload in any view [EXE-view]", () => {
    const run = profiled({ work, wait: waiter, done }, actions);
    run.send(signal("go", "go", "payload-of-the-sender"));
    run.send(start());
    expect(JSON.stringify([run.view, run.disposition])).not.toContain("payload-of-the-sender");
  });
});

describe("a state with waits and kept signals", () => {
  const nodes = { wait: { ...waiter, deadline: { after: "PT1H", outcome: "go" } }, other: waiter, done };
  const written = () => {
    const run = profiled(nodes);
    run.send(signal("go", "odd"));
    run.send(signal("go", "odd"));
    return run;
  };
  const state = (run: Run) => core.toJSON(run.state as CoreState);
  const kept = state(written());
  const waiting = (() => {
    const run = written();
    run.send(start());
    return state(run);
  })();
  const head = (document: StateDocument) => document.head as { readonly [key: string]: Json };
  const wait = head(waiting)["wait"] as { readonly [key: string]: Json };

  it.each([
    ["kept signals", kept],
    ["a deadline", waiting],
  ])("is read back with %s [EXE-state]", (_, document) => {
    expect(core.toJSON(core.fromJSON(JSON.parse(JSON.stringify(document)) as StateDocument))).toEqual(
      document,
    );
  });

  it.each([
    ["a kept signal that is gone", { ...kept, slots: { "signal:go#1": kept.slots["signal:go#1"] } }],
    ["a kept signal that nothing counts", { ...kept, head: { ...head(kept), buffer: [] } }],
    ["a damaged kept signal", { ...kept, slots: { ...kept.slots, "signal:go#2": { payload: 1 } } }],
    [
      "a name that is counted twice",
      {
        ...kept,
        head: {
          ...head(kept),
          buffer: [
            { signal: "go", first: 1, count: 1 },
            { signal: "go", first: 2, count: 1 },
          ],
        },
      },
    ],
    [
      "a name without a signal",
      { ...kept, head: { ...head(kept), buffer: [{ signal: "go", first: 1, count: 0 }] } },
    ],
    [
      "a wait for nothing",
      { ...waiting, head: { ...head(waiting), wait: { ...wait, signal: null, outcomes: [] } } },
    ],
    [
      "a timer of a signal",
      {
        ...waiting,
        head: {
          ...head(waiting),
          wait: { ...wait, deadline: { ...(wait["deadline"] as object), kind: "timer" } },
        },
      },
    ],
  ])("is refused with %s [EXE-state]", (_, damaged) => {
    const text = JSON.stringify(damaged);
    expect(() => core.fromJSON(JSON.parse(text) as StateDocument)).toThrow(/state of a run is damaged/);
  });
});

describe("a time", () => {
  const after = { $get: ["input", "after"] };
  const nodes = {
    wait: { ...waiter, routes: { go: "done", late: "done" }, deadline: { after, outcome: "late" } },
    done,
  };

  it("is counted from run time, which stamps behind it do not turn back [EXE-await-deadline]", () => {
    const first = { ...waiter, routes: { go: "wait" } };
    const run = profiled({ first, ...nodes });
    run.send(start({ after: "PT1M" }), 10_000);
    const { commands } = run.send(signal("go"), 4_000);
    expect(commands).toEqual([
      { kind: "set-deadline", deadline: "await", key: "await:wait#1", generation: 1, at: 70_000 },
    ]);
  });

  it("that is one fires once, whatever its stamp [EXE-stale-deadline]", () => {
    const run = profiled({ ...nodes, done: { ...waiter, signal: "end", routes: { go: "end" } }, end: done });
    run.send(start({ after: "PT1H" }), 0);
    expect(run.send(deadline("await", "wait#1"), 1).commands).toEqual([]);
    expect(run.view.nodes["wait"]?.outcome).toBe("late");
    expect(run.send(deadline("await", "wait#1"), 2).effect).toMatchObject({
      kind: "none",
      code: "event.stale",
    });
  });

  it.each([["P1M"], [60], [null], ["PT"]])("that is none (%j) fails the run [EXE-duration]", (value) => {
    const run = profiled(nodes);
    const { commands } = run.send(start({ after: value }));
    expect(commands).toMatchObject([{ kind: "end", status: "failed", error: { code: "time.duration" } }]);
  });

  it("is said to people as an instant", () => {
    const texts = [0, 951_782_400_000, 1_709_251_199_999, 4_107_542_400_000, 253_402_300_799_999].map(
      instantText,
    );
    expect(texts).toEqual([
      "1970-01-01T00:00:00.000Z",
      "2000-02-29T00:00:00.000Z",
      "2024-02-29T23:59:59.999Z",
      "2100-03-01T00:00:00.000Z",
      "9999-12-31T23:59:59.999Z",
    ]);
    expect(instantText(-1.5)).toBe("-1.5 ms after 1970");
  });
});

describe("an update", () => {
  it("is refused by name where the profile is not required [EXE-update]", () => {
    const run = new Run(definition({ wait: waiter, done }, {}));
    run.send(start());
    expect(run.send(update("go")).effect).toMatchObject({ code: "definition.profile-missing", refuse: true });
    expect(run.view.status).toBe("waiting");
  });
});

describe("choices", () => {
  const over = { $get: ["input"] };

  it("of one event share one budget [EXE-choice]", () => {
    const heavy = {
      ">": [{ reduce: [{ var: "input" }, { "+": [{ var: "current" }, { var: "accumulator" }] }, 0] }, -1],
    };
    const choice = { kind: "choice", cases: [{ when: heavy, outcome: "again" }], otherwise: "stop" };
    const run = profiled({
      pick: { ...choice, routes: { again: "pick", stop: "done" } },
      done: { ...done, output: over },
    });
    const { commands } = run.send(start(Array.from({ length: 40_000 }, (_, index) => index)));
    expect(commands).toMatchObject([{ status: "failed", error: { code: "logic.too-costly" } }]);
    expect(run.view.nodes["pick"]!.visits).toBeGreaterThan(1);
  });

  it("end a run that is canceled meanwhile like any node [EXE-cancel]", () => {
    const choice = {
      kind: "choice",
      cases: [{ when: true, outcome: "on" }],
      otherwise: "on",
      routes: { on: "wait" },
    };
    const run = profiled({
      pick: choice,
      wait: { ...waiter, deadline: { after: "PT1H", outcome: "go" } },
      done,
    });
    run.send(start());
    expect(run.send(cancel).commands).toEqual([
      { kind: "clear-deadline", key: "await:wait#1" },
      { kind: "end", status: "canceled" },
    ]);
  });
});
