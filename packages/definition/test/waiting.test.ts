import { describe, expect, it } from "vitest";
import { findingsOf, type Loose, valid } from "./sample.js";

const timers = (change: (definition: Loose) => void) => (definition: Loose) => {
  definition.requires.push("timers");
  definition.nodes.done = { kind: "await-timer", after: "PT30S", routes: { elapsed: "end" } };
  definition.nodes.end = { kind: "complete" };
  change(definition);
};

const timer = (members: object) =>
  findingsOf(timers((d) => (d.nodes.done = { kind: "await-timer", routes: { elapsed: "end" }, ...members })));

describe("validate: await-timer", () => {
  it("waits for exactly one time, written out or from data [DEF-timer]", () => {
    expect(timer({ after: "PT30S" })).toEqual([]);
    expect(timer({ until: "2030-01-31T08:00:00Z" })).toEqual([]);
    expect(timer({ after: { $get: ["input", "order"] } })).toEqual([]);
    expect(timer({ until: { $literal: "2030-01-31T08:00:00+01:00" } })).toEqual([]);
    expect(timer({})).toEqual(["error definition.missing-member /nodes/done"]);
    expect(timer({ after: "PT1S", until: "2030-01-31T08:00:00Z" })).toEqual([
      "error definition.value /nodes/done",
    ]);
  });

  it("refuses a text that is no time, and what can yield none [DEF-duration] [DEF-instant]", () => {
    expect(timer({ after: "P1M" })).toEqual(["error time.duration /nodes/done/after"]);
    expect(timer({ after: { $literal: "30s" } })).toEqual(["error time.duration /nodes/done/after"]);
    expect(timer({ until: "tomorrow" })).toEqual(["error time.instant /nodes/done/until"]);
    expect(timer({ until: "PT1S" })).toEqual(["error time.instant /nodes/done/until"]);
    expect(timer({ after: 30 })).toEqual(["error definition.type /nodes/done/after"]);
    expect(timer({ after: null })).toEqual(["error definition.type /nodes/done/after"]);
    expect(timer({ after: { seconds: 30 } })).toEqual(["error definition.type /nodes/done/after"]);
    expect(timer({ after: { $got: ["input"] } })).toContain("error mapping.operator /nodes/done/after");
    expect(timer({ after: { $get: ["nodes", "chek", "output"] } })).toEqual([
      "error mapping.path /nodes/done/after/$get/1",
    ]);
  });

  it("has nothing in its output for others to read [DEF-data-flow]", () => {
    const reads = (...path: string[]) =>
      findingsOf(timers((d) => (d.nodes.end.output = { $get: ["nodes", "done", "output", ...path] })));
    expect(reads()).toEqual([]);
    expect(reads("at")).toEqual(["warning mapping.data-flow /nodes/end/output/$get/3"]);
  });

  it("routes elapsed and nothing else [DEF-timer]", () => {
    const routed = (routes: object) => timer({ after: "PT1S", routes });
    expect(routed({ elapsed: "end", failed: "denied" })).toEqual([
      "error definition.route-undeclared /nodes/done/routes/failed",
    ]);
    expect(routed({ elapsed: "end", exhausted: "denied" })).toEqual([
      "error definition.route-undeclared /nodes/done/routes/exhausted",
    ]);
    expect(routed({ ok: "end" })).toEqual([
      "error definition.route-missing /nodes/done/routes",
      "error definition.route-undeclared /nodes/done/routes/ok",
    ]);
    expect(timer({ after: "PT1S", loopLimits: { elapsed: 1 } })).toEqual([
      "error definition.unknown-member /nodes/done/loopLimits",
    ]);
    expect(routed({ elapsed: "nobody" })).toContain(
      "error definition.route-target /nodes/done/routes/elapsed",
    );
  });
});

const deadline = (said: unknown, change: (definition: Loose) => void = () => {}) =>
  findingsOf((d) => {
    d.requires.push("timers");
    d.nodes.approve.deadline = said;
    change(d);
  });

describe("validate: a deadline", () => {
  it("has one time and an outcome that is routed [DEF-deadline]", () => {
    expect(deadline({ after: "P2D", outcome: "again" })).toEqual([]);
    expect(deadline({ until: { $get: ["input", "order"] }, outcome: "approved" })).toEqual([]);
    expect(deadline({ outcome: "again" })).toEqual([
      "error definition.missing-member /nodes/approve/deadline",
    ]);
    expect(deadline({ after: "P2D", until: "2030-01-31T08:00:00Z", outcome: "again" })).toEqual([
      "error definition.value /nodes/approve/deadline",
    ]);
    expect(deadline({ after: "P2D" })).toEqual(["error definition.missing-member /nodes/approve/deadline"]);
    expect(deadline({ after: "2 days", outcome: "again" })).toEqual([
      "error time.duration /nodes/approve/deadline/after",
    ]);
    expect(deadline({ after: "P2D", outcome: "expired" })).toEqual([
      "error definition.route-missing /nodes/approve/deadline/outcome",
    ]);
    expect(deadline({ after: "P2D", outcome: "Again" })).toEqual([
      "error definition.outcome-grammar /nodes/approve/deadline/outcome",
    ]);
    expect(deadline("P2D")).toEqual(["error definition.type /nodes/approve/deadline"]);
    expect(deadline({ after: "P2D", outcome: "again", x: 1 })).toEqual([
      "error definition.unknown-member /nodes/approve/deadline/x",
    ]);
  });

  it("takes no reserved route [DEF-deadline]", () => {
    for (const outcome of ["exhausted", "failed"]) {
      const found = deadline({ after: "P2D", outcome }, (d) => (d.nodes.approve.routes.failed = "denied"));
      expect(found).toContain("error definition.outcome-reserved /nodes/approve/deadline/outcome");
    }
  });

  it("is kept as it was written [DEF-normalized]", () => {
    const said = { after: "PT48H", outcome: "again" };
    const { approve } = valid((d) => {
      d.requires.push("timers");
      d.nodes.approve.deadline = said;
    }).nodes;
    expect(approve).toMatchObject({ deadline: said });
  });
});
