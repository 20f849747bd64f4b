import { describe, expect, it } from "vitest";
import { validate } from "../src/index.js";
import { deadRoutes } from "../src/inspect.js";
import { findingsOf, type Loose, sample, valid } from "./sample.js";

const big = { when: { ">": [{ var: "input.amount" }, 100] }, outcome: "big" };
const right = {
  kind: "choice",
  cases: [big],
  otherwise: "small",
  routes: { big: "denied", small: "end" },
};

const withChoice = (members: object) => (definition: Loose) => {
  definition.requires.push("expressions-jsonlogic");
  definition.dialects.expressions = "jsonlogic";
  definition.nodes.done = { ...right, ...members };
  definition.nodes.end = { kind: "complete" };
};
const choice = (members: object) => findingsOf(withChoice(members));

describe("validate: choice", () => {
  it("has cases in order, an outcome otherwise, and exactly their routes [DEF-choice]", () => {
    expect(choice({})).toEqual([]);
    const twice = [big, { when: { var: "nodes.check.output.urgent" }, outcome: "big" }];
    expect(choice({ cases: twice })).toEqual([]);
    expect(choice({ otherwise: "big", routes: { big: "end" } })).toEqual([]);
    expect(choice({ routes: { big: "denied", small: "end", late: "end" } })).toEqual([
      "error definition.route-undeclared /nodes/done/routes/late",
    ]);
    expect(choice({ routes: { small: "end" } })).toEqual([
      "error definition.route-missing /nodes/done/routes",
    ]);
    expect(choice({ cases: [] })).toContain("error definition.value /nodes/done/cases");
    expect(choice({ cases: undefined })).toEqual(["error json.not-json /nodes/done/cases"]);
    expect(choice({ cases: Array(257).fill(big) })).toContain("error definition.value /nodes/done/cases");
    expect(choice({ cases: { big } })).toEqual(["error definition.type /nodes/done/cases"]);
    expect(choice({ cases: [{ outcome: "big" }] })).toEqual([
      "error definition.missing-member /nodes/done/cases/0",
    ]);
    expect(choice({ cases: [{ ...big, so: 1 }] })).toEqual([
      "error definition.unknown-member /nodes/done/cases/0/so",
    ]);
    expect(choice({ loopLimits: { big: 1 } })).toEqual([
      "error definition.unknown-member /nodes/done/loopLimits",
    ]);
    const silent: Loose = sample();
    withChoice({})(silent);
    delete silent.nodes.done.otherwise;
    expect(validate(silent).findings.map(({ code, pointer }) => [code, pointer])).toEqual([
      ["definition.missing-member", "/nodes/done"],
    ]);
  });

  it("has no reserved outcome [DEF-choice]", () => {
    expect(choice({ otherwise: "failed", routes: { big: "denied", failed: "end" } })).toEqual([
      "error definition.outcome-reserved /nodes/done/otherwise",
    ]);
    const cases = [{ when: true, outcome: "exhausted" }];
    expect(choice({ cases, routes: { exhausted: "denied", small: "end" } })).toEqual([
      "error definition.outcome-reserved /nodes/done/cases/0/outcome",
    ]);
    expect(choice({ otherwise: "Small" })).toEqual([
      "error definition.outcome-grammar /nodes/done/otherwise",
    ]);
  });

  it("places what is wrong with a rule inside it [DEF-logic]", () => {
    const cases = [{ when: { and: [{ matches: ["a", "b"] }, { "<": [1] }] }, outcome: "big" }];
    expect(choice({ cases })).toEqual([
      "error logic.arguments /nodes/done/cases/0/when/and/1/<",
      "error logic.operator /nodes/done/cases/0/when/and/0/matches",
    ]);
  });

  it("warns of what is null in every run, and of nothing that a rule may ask [DEF-data-flow]", () => {
    const reads = (...paths: string[]) =>
      choice({ cases: [{ when: { or: paths.map((path) => ({ var: path })) }, outcome: "big" }] });
    expect(reads("nodes.denied.output", "nodes.approve", "from.output.x", "input.nothing", "run.id")).toEqual(
      [],
    );
    expect(reads("nodes.chek.output", "inputs.order")).toEqual([
      "warning mapping.data-flow /nodes/done/cases/0/when/or/0/var",
      "warning mapping.data-flow /nodes/done/cases/0/when/or/1/var",
    ]);
  });
});

describe("deadRoutes of a choice", () => {
  it("are those that cases without operators rule out", () => {
    const dead = (cases: Loose, routes = right.routes) =>
      deadRoutes(valid(withChoice({ cases, routes })))
        .filter(({ node }) => node === "done")
        .map(({ outcome, reason }) => [outcome, reason]);
    expect(dead([big])).toEqual([]);
    expect(dead([{ when: false, outcome: "big" }])).toEqual([["big", "never-chosen"]]);
    expect(dead([{ when: {}, outcome: "big" }])).toEqual([["small", "never-chosen"]]);
    expect(dead([{ when: [], outcome: "big" }, big])).toEqual([]);
  });
});
