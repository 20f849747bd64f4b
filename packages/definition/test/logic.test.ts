import type { Json } from "@swl/base";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  compileLogic,
  isTruthy,
  logicFindings,
  logicOperators,
  maxLogicDepth,
  maxLogicSteps,
} from "../src/logic.js";
import type { MappingContext } from "../src/mappings.js";

const ofData = (rule: Json, data: Json = null) => compileLogic(rule).apply(data);
const answerOf = (rule: Json, data: Json = null) => {
  const answer = ofData(rule, data);
  return answer.ok ? answer.value : answer.code;
};
const problems = (rule: Json) => logicFindings(rule).map(({ code, pointer }) => `${code} ${pointer}`);

const context: MappingContext = {
  input: { amount: 250, "a.b": 1, list: [1, 2, 3] },
  node: (id) => (id === "check" ? { outcome: "ok", output: { score: 7 }, visit: 2 } : undefined),
  nodeIds: () => ["check"],
  from: null,
  run: { id: "r1", definition: "sha256:0" },
};
const inContext = (rule: Json) => {
  const answer = compileLogic(rule).evaluate(context);
  return answer.ok ? answer.value : answer.code;
};

describe("the context of a rule", () => {
  it("has input, nodes, from and run; a missing path is null [EXE-logic-context]", () => {
    expect(inContext({ var: "input.amount" })).toBe(250);
    expect(inContext({ var: "input.list.1" })).toBe(2);
    expect(inContext({ val: ["input", "a.b"] })).toBe(1);
    expect(inContext({ var: "nodes.check.output.score" })).toBe(7);
    expect(inContext({ var: "nodes.check" })).toEqual({ outcome: "ok", output: { score: 7 }, visit: 2 });
    expect(inContext({ var: "run.id" })).toBe("r1");
    expect(inContext({ var: "from" })).toBe(null);
    expect(inContext({ var: "" })).toEqual({
      input: context.input,
      nodes: { check: { outcome: "ok", output: { score: 7 }, visit: 2 } },
      from: null,
      run: context.run,
    });
    for (const path of [
      "from.output",
      "nodes.ship.output",
      "inputs",
      "input.amount.x",
      "input.list.length",
    ]) {
      expect(inContext({ var: path })).toBe(null);
      expect(inContext({ var: [path, "else"] })).toBe("else");
    }
    expect(answerOf({ var: ["a", "else"] }, { a: null })).toBe(null);
    expect(inContext({ missing: ["input.amount", "nodes.ship"] })).toEqual(["nodes.ship"]);
  });

  it("is own properties only [EXE-logic-context]", () => {
    for (const name of ["__proto__", "constructor", "toString", "hasOwnProperty", "length"]) {
      expect(inContext({ var: `input.${name}` })).toBe(null);
      expect(inContext({ var: `nodes.${name}` })).toBe(null);
      expect(inContext({ var: name })).toBe(null);
      expect(answerOf({ val: [name] }, "text")).toBe(null);
      expect(answerOf({ val: name }, JSON.parse(`{"${name}": 1}`))).toBe(1);
    }
    expect(problems({ constructor: [1] })).toEqual(["logic.operator /constructor"]);
    expect(problems(JSON.parse('{"__proto__": [1]}'))).toEqual(["logic.operator /__proto__"]);
  });

  it("is one item inside an operator that goes over a list [EXE-logic-context]", () => {
    const list = [{ n: 1 }, { n: 2 }];
    expect(answerOf({ map: [{ var: "list" }, { var: "n" }] }, { list, n: 9 })).toEqual([1, 2]);
    expect(
      compileLogic({ some: [{ var: "input.list" }, { "==": [{ var: "nodes.x" }, { var: "" }] }] }).reads,
    ).toEqual([{ path: ["input", "list"], pointer: "/some/0/var" }]);
  });
});

describe("the operators", () => {
  it("are these [DEF-logic-operators]", () => {
    expect([...logicOperators].sort()).toEqual(
      "! !! != !== % * + - / < <= == === > >= ?: all and cat filter if in map max merge min missing missing_some none or reduce some substr val var".split(
        " ",
      ),
    );
  });

  it("look at no more than they need [DEF-logic-operators]", () => {
    const boom = { "+": "no number" };
    expect(answerOf({ if: [true, 1, boom] })).toBe(1);
    expect(answerOf({ if: [false, boom, 2] })).toBe(2);
    expect(answerOf({ and: [0, boom] })).toBe(0);
    expect(answerOf({ or: [1, boom] })).toBe(1);
    expect(answerOf({ "<": [2, 1, boom] })).toBe(false);
    expect(answerOf({ "==": [2, 1, boom] })).toBe(false);
    expect(answerOf({ some: [[1, "x"], { "+": { var: "" } }] })).toBe(true);
    expect(answerOf({ "+": [1, boom] })).toBe("logic.not-a-number");
  });

  it("take no number out of what has none, and no text out of what holds others [EXE-logic-values]", () => {
    for (const value of ["a", "0x10", "1_000", " 1", "Infinity", "NaN", "01", "1.", ".5", "1e999", [], {}]) {
      expect(answerOf({ "+": [{ var: "" }, 1] }, value as Json)).toBe("logic.not-a-number");
    }
    expect(answerOf({ "*": [1e308, 10] })).toBe("logic.not-a-number");
    expect(Object.is(answerOf({ "*": [0, -1] }), 0)).toBe(true);
    expect(answerOf({ "%": [5, 0] })).toBe("logic.not-a-number");
    expect(answerOf({ "%": [-5, 3] })).toBe(-2);
    expect(answerOf({ max: [1, "3", true] })).toBe(3);
    expect(answerOf({ cat: ["a", [1]] })).toBe("logic.arguments");
    expect(answerOf({ cat: [1e21, 0.1, null, true] })).toBe("1e+210.1true");
  });

  it("compare texts by UTF-16 units, and nothing that is missing with a text [EXE-logic-values]", () => {
    expect(answerOf({ "<": ["\u{1f600}", "\uffff"] })).toBe(true);
    expect(answerOf({ "<": ["10", "9"] })).toBe(true);
    expect(answerOf({ "<": ["10", 9] })).toBe(false);
    expect(answerOf({ "==": [{ var: "x" }, "shipped"] })).toBe(false);
    expect(answerOf({ "!=": [{ var: "x" }, ""] })).toBe(true);
    expect(answerOf({ "==": [{ var: "x" }, null] })).toBe(true);
    expect(answerOf({ "==": [{ var: "x" }, []] })).toBe(false);
    expect(answerOf({ "===": [[1], [1]] })).toBe("logic.not-a-number");
    expect(answerOf({ "===": [{}, []] })).toBe(false);
    expect(answerOf({ "<": [{ var: "x" }, "a"] })).toBe("logic.not-a-number");
  });

  it("cut texts between characters [EXE-logic-values]", () => {
    expect(answerOf({ substr: ["a\u{1f600}b", 1, 1] })).toBe("\u{1f600}");
    expect(answerOf({ substr: ["abc", -9] })).toBe("abc");
    expect(answerOf({ substr: ["abc", 9] })).toBe("");
    expect(answerOf({ substr: ["abc", 2, -2] })).toBe("");
    expect(answerOf({ substr: ["abc", 0.5] })).toBe("logic.arguments");
  });

  it("find what is in a text as the language does", () => {
    const letters = fc.stringMatching(/^[ab]{0,200}$/);
    fc.assert(
      fc.property(letters, letters, (hay, needle) => {
        expect(answerOf({ in: [needle, hay] })).toBe(hay.includes(needle));
      }),
    );
    const found = `${"ab".repeat(60)}${"aab".repeat(40)}`;
    const long = `a${"aab".repeat(30)}`;
    expect(answerOf({ in: [long, found] })).toBe(found.includes(long));
    expect(answerOf({ in: ["baab".repeat(20), "aab".repeat(100)] })).toBe(false);
  });
});

describe("what counts as true", () => {
  it("is everything but null, false, 0, the empty text and the empty list [EXE-logic-values]", () => {
    expect([null, false, 0, "", []].map((value) => isTruthy(value as Json))).toEqual(Array(5).fill(false));
    expect([true, 1, -1, "0", "false", [0], {}].map((value) => isTruthy(value as Json))).toEqual(
      Array(7).fill(true),
    );
  });
});

describe("logicFindings", () => {
  it("names every unknown operator and every wrong count, with its place [DEF-logic-operators]", () => {
    expect(problems({ and: [{ equals: [1, 2] }, { "<": [1] }, { if: true }, { "!": [] }] })).toEqual([
      "logic.operator /and/0/equals",
      "logic.arguments /and/1/<",
      "logic.arguments /and/2/if",
      "logic.arguments /and/3/!",
    ]);
    expect(logicFindings({ fliter: [1] })[0]?.message).toContain('did you mean "filter"?');
    expect(problems({ "==": [1, 1], and: [true] })).toEqual(["logic.operator "]);
    expect(problems({ map: [{ var: "x" }, null] })).toEqual(["logic.arguments /map"]);
    expect(problems({ "!=": [1, 2, 3] })).toEqual(["logic.arguments /!="]);
    expect(problems({ "a/b": 1 })).toEqual(["logic.operator /a~1b"]);
    expect(() => compileLogic({ log: 1 })).toThrow(expect.objectContaining({ code: "logic.operator" }));
  });

  it("bounds how deep a rule is [DEF-logic-limits]", () => {
    let rule: Json = true;
    for (let level = 0; level < maxLogicDepth; level++) rule = { "!": rule };
    expect(problems(rule)).toEqual([]);
    expect(ofData(rule)).toMatchObject({ ok: true });
    expect(problems({ "!": rule })).toEqual([`logic.too-deep ${"/!".repeat(maxLogicDepth)}`]);
  });
});

describe("the budget of an evaluation", () => {
  const list = Array.from({ length: 1_000 }, (_, index) => index);
  const over = (rule: Json): Json => ({ map: [{ var: "" }, rule] });

  it("ends every hostile rule, and says where [EXE-choice]", () => {
    const nested: Json = {
      map: [list, { map: [list, { map: [list, { map: [list, { "+": [1, 1] }] }] }] }],
    };
    expect(ofData(nested)).toMatchObject({ ok: false, code: "logic.too-costly" });
    const texts: Json = {
      reduce: [list, { cat: [{ var: "accumulator" }, { var: "accumulator" }] }, "x".repeat(64)],
    };
    expect(ofData(texts)).toMatchObject({ code: "logic.too-costly", pointer: "/reduce/1/cat" });
    const lists: Json = { reduce: [list, { merge: [{ var: "accumulator" }, { var: "accumulator" }] }, [1]] };
    expect(ofData(lists)).toMatchObject({ code: "logic.too-costly", pointer: "/reduce/1/merge" });
    const same = "y".repeat(1_000_000);
    const equal = over({ in: [{ var: "t" }, { var: "l" }] });
    const items = Array.from({ length: 1_000 }, () => ({ t: same, l: Array(1_000).fill(same) }));
    expect(ofData(equal, items)).toMatchObject({ code: "logic.too-costly" });
    const search = over({ in: [{ var: "n" }, { var: "h" }] });
    const hay = Array.from({ length: 1_000 }, () => ({
      n: `b${"a".repeat(99_999)}`,
      h: "a".repeat(200_000),
    }));
    expect(ofData(search, hay)).toMatchObject({ code: "logic.too-costly" });
  });

  it("is counted alike each time, and can be made smaller [EXE-choice]", () => {
    const logic = compileLogic(over({ "+": [{ var: "" }, 1] }));
    const first = logic.apply(list);
    expect(first).toMatchObject({ ok: true });
    expect(logic.apply(list)).toEqual(first);
    if (!first.ok) return;
    expect(logic.apply(list, { maxSteps: first.steps })).toEqual(first);
    expect(logic.apply(list, { maxSteps: first.steps - 1 })).toMatchObject({ code: "logic.too-costly" });
    expect(first.steps).toBeLessThan(maxLogicSteps);
  });

  it("holds for any rule and any data, and nothing is thrown or changed [DEF-logic]", () => {
    const { rule } = fc.letrec<{ rule: Json }>((tie) => ({
      rule: fc.oneof(
        { maxDepth: 5 },
        fc.constantFrom<Json>(null, true, 0, 1, "", "a", "1.5", [], {}, { var: "" }, { var: "a.0" }),
        fc.array(tie("rule"), { maxLength: 3 }),
        fc
          .tuple(fc.constantFrom(...logicOperators), fc.array(tie("rule"), { maxLength: 3 }))
          .map(([name, args]): Json => ({ [name]: args })),
      ),
    }));
    fc.assert(
      fc.property(rule, fc.jsonValue({ maxDepth: 3 }), (made, data) => {
        const before = JSON.stringify([made, data]);
        if (logicFindings(made).length > 0) return;
        const answer = compileLogic(made).apply(data as Json, { maxSteps: 10_000 });
        expect(answer.ok ? answer.steps <= 10_000 : answer.code.startsWith("logic.")).toBe(true);
        expect(JSON.stringify([made, data])).toBe(before);
      }),
    );
  });

  it("has no value that is larger than it can be written out [DEF-logic]", () => {
    const list: Json = Array.from({ length: 2_000 }, () => 1);
    const doubled = { reduce: [{ var: "" }, [{ var: "accumulator" }, { var: "accumulator" }], [1]] };
    expect(ofData(doubled, list)).toMatchObject({ code: "logic.too-costly", pointer: "" });
    expect(ofData({ "!!": [doubled] }, list)).toMatchObject({ ok: true, value: true });
    expect(ofData(doubled, [1, 1])).toMatchObject({ ok: true });
  });

  it("lists at most 10,000 problems", () => {
    const many = Array.from({ length: 20_000 }, () => ({ nope: 1 }));
    expect(logicFindings({ and: many })).toHaveLength(10_000);
  });
});
