import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { profiles, readDefinition, validate } from "../src/index.js";
import { findingsOf, type Loose, sample, valid } from "./sample.js";

const say = (...lines: string[]) => lines.sort();

describe("validate: the whole", () => {
  it("accepts a right definition without a finding and writes every default out [DEF-normalized]", () => {
    const outcome = validate(sample());
    if (!outcome.ok) throw new Error("refused");
    expect(outcome.findings).toEqual([]);
    expect(outcome.value.limits).toEqual({ maxActivations: 100_000, maxInternalTransitions: 1_000 });
    expect(outcome.value.actions["check-credit"]).toMatchObject({
      retry: {
        maxAttempts: 5,
        initialDelayMs: 1000,
        backoff: "exponential",
        maxDelayMs: 60_000,
        jitter: "none",
      },
      capabilities: [],
      deferred: false,
      cancellation: "none",
    });
    expect(valid((d) => delete d.nodes.done.output).nodes["done"]).toEqual({
      kind: "complete",
      output: null,
    });
  });

  it("is its own fixed point: validating what it returned changes nothing [DEF-normalized]", () => {
    const once = valid();
    const twice = validate(once);
    expect(twice.ok && twice.value).toEqual(once);
  });

  it("sorts what is a set [DEF-normalized]", () => {
    const sorted = valid((d) => {
      d.actions["check-credit"].capabilities = ["net", "db"];
    });
    expect(sorted.actions["check-credit"]?.capabilities).toEqual(["db", "net"]);
  });

  it("rejects another release before any other check [DEF-release]", () => {
    for (const swl of ["0.2", "1.0", 0.1, null]) {
      const codes = validate({ swl, nonsense: true }).findings.map((finding) => finding.code);
      expect(codes).toEqual(["definition.release"]);
    }
    const release = validate({ swl: "0.2", fn: () => 1 }).findings.map((finding) => finding.code);
    expect(release).toEqual(["definition.release"]);
    expect(validate({}).findings.map((finding) => finding.code)).toEqual(["definition.release"]);
    for (const value of [null, 1, "x", [], undefined, () => 1, new Date()]) {
      expect(validate(value).ok).toBe(false);
    }
  });

  it("finds everything in one pass [DEF-findings]", () => {
    const found = findingsOf((d) => {
      d.foo = 1;
      d.id = "1x";
      d.nodes.check.routes.ok = "nowhere";
      d.nodes.done.output = { $get: ["nodes", "nobody"] };
      d.actions["check-credit"].effect = "safe";
      d.limits = { maxActivations: 0 };
    });
    expect(found).toEqual(
      say(
        "error definition.unknown-member /foo",
        "error definition.id-grammar /id",
        "error definition.route-target /nodes/check/routes/ok",
        "error definition.unreachable /nodes/approve",
        "error definition.unreachable /nodes/done",
        "error mapping.path /nodes/done/output/$get/1",
        "error definition.value /actions/check-credit/effect",
        "error definition.value /limits/maxActivations",
      ),
    );
  });

  it("gives node, hint and the nearest place [DEF-findings]", () => {
    const text = JSON.stringify(sample(), null, 2)
      .replace('"parameters"', '"paramaters"')
      .replace('"denied"', '"deneid"');
    const outcome = readDefinition(text, { file: "order.json" });
    expect(outcome.findings).toMatchObject([
      {
        code: "definition.unknown-member",
        node: "check",
        hint: 'did you mean "parameters"?',
        place: { file: "order.json", line: 36, column: 7 },
      },
      { code: "definition.route-target", node: "check", hint: 'did you mean "denied"?' },
      { code: "definition.parameters-invalid", node: "check", place: { line: 25, column: 5 } },
    ]);
    const missing = readDefinition('{"swl":"0.1",\n"id":"a"}', { file: "m.json" });
    expect(missing.findings.every((finding) => finding.place?.file === "m.json")).toBe(true);
  });

  it("keeps extensions, labels and hints, and refuses other unknown members [DEF-members]", () => {
    const kept = valid((d) => {
      d["x-owner"] = { team: "a" };
      d.nodes.check["x-note"] = 1;
      d.hints = ["gpu"];
      d.meta = { title: "Order", labels: { check: "Check" }, layout: { rankdir: "LR" } };
    });
    expect(kept["x-owner"]).toEqual({ team: "a" });
    expect(kept.nodes["check"]).toMatchObject({ "x-note": 1 });
    expect(kept.meta?.labels).toEqual({ check: "Check" });
    expect(findingsOf((d) => (d.nodes.check.note = 1))).toEqual([
      "error definition.unknown-member /nodes/check/note",
    ]);
    expect(findingsOf((d) => (d.actions["check-credit"].binding = {}))).toEqual([
      "error definition.unknown-member /actions/check-credit/binding",
    ]);
  });

  it("refuses values that are no JSON, with their pointer [DEF-json-reader]", () => {
    expect(findingsOf((d) => (d.nodes.check.parameters.limit = 1n))).toEqual([
      "error json.not-json /nodes/check/parameters/limit",
    ]);
  });

  it("promotes warnings when strict [DEF-findings]", () => {
    const spoil = (d: Loose) => (d.nodes.approve.routes.failed = "denied");
    expect(findingsOf(spoil)).toEqual(["warning definition.route-dead /nodes/approve/routes/failed"]);
    expect(findingsOf(spoil, { strict: true })).toEqual([
      "error definition.route-dead /nodes/approve/routes/failed",
    ]);
  });

  it("treats hostile names as names [DEF-names]", () => {
    const definition = JSON.parse(
      JSON.stringify(sample()).replaceAll('"check"', '"__proto__"').replaceAll('"done"', '"constructor"'),
    );
    const outcome = validate(definition);
    if (!outcome.ok) throw new Error(JSON.stringify(outcome.findings));
    expect(Object.keys(outcome.value.nodes)).toEqual(["__proto__", "approve", "constructor", "denied"]);
    expect(findingsOf((d) => (d.start = "toString"))).toEqual(["error definition.start-unknown /start"]);
    expect(findingsOf((d) => (d.nodes.check.action = "valueOf"))).toEqual([
      "error definition.action-unknown /nodes/check/action",
    ]);
  });

  it("never throws, whatever it gets", () => {
    const paths = [
      "id",
      "requires",
      "dialects",
      "start",
      "nodes",
      "actions",
      "limits",
      "meta",
      "sensitive",
      "inputSchema",
    ];
    fc.assert(
      fc.property(fc.constantFrom(...paths), fc.anything(), fc.anything(), (path, value, inner) => {
        const definition = sample();
        definition[path] = value;
        definition.nodes = {
          ...definition.nodes,
          extra: inner,
          more: { kind: "activity", routes: inner, input: value },
        };
        const outcome = validate(definition);
        expect(outcome.ok || outcome.findings.length > 0).toBe(true);
      }),
    );
  });

  it("stays linear on large graphs and on many mistakes", () => {
    const size = 20_000;
    const nodes: Loose = { end: { kind: "complete" } };
    for (let index = 0; index < size; index++) {
      const input = { $get: ["nodes", `n${Math.max(0, index - 1)}`, "output"] };
      const routes = { ok: index + 1 < size ? `n${index + 1}` : "end", rejected: `n${index >> 1}` };
      nodes[`n${index}`] = {
        kind: "activity",
        action: "check-credit",
        input,
        parameters: { limit: 1 },
        routes,
      };
    }
    const definition = { ...sample(), nodes, start: "n0" };
    expect(validate(definition).findings).toMatchObject([{ code: "mapping.data-flow", node: "n0" }]);
    for (const id of Object.keys(nodes)) if (id !== "end") nodes[id].routes.ok = "nowhere";
    const broken = validate(definition);
    expect(broken.ok).toBe(false);
    expect(broken.findings).toHaveLength(10_000);
  });
});

const choice = (cases: Loose) => ({ kind: "choice", cases, otherwise: "a", routes: { a: "denied" } });

describe("validate: names, profiles, dialects", () => {
  it("holds IDs and outcomes to their grammar [DEF-names]", () => {
    expect(findingsOf((d) => (d.nodes["a b"] = { kind: "complete" }))).toContain(
      "error definition.id-grammar /nodes/a b",
    );
    expect(findingsOf((d) => (d.id = "x".repeat(65)))).toEqual(["error definition.id-grammar /id"]);
    const outcomes = (name: string) =>
      findingsOf((d) => {
        d.actions["check-credit"].outcomes[name] = {};
        d.nodes.check.routes[name] = "denied";
      });
    expect(outcomes("Bad")).toContain("error definition.outcome-grammar /actions/check-credit/outcomes/Bad");
    expect(outcomes("failed")).toEqual([
      "error definition.outcome-reserved /actions/check-credit/outcomes/failed",
    ]);
    expect(outcomes("exhausted")).toContain(
      "error definition.outcome-reserved /actions/check-credit/outcomes/exhausted",
    );
    expect(outcomes("late-2")).toEqual([]);
  });

  it("refuses unknown and unsupported profiles by name, and constructs of profiles not listed [DEF-requires]", () => {
    expect(findingsOf((d) => (d.requires = ["core", "magic"]))).toEqual([
      "error definition.profile-unknown /requires/1",
    ]);
    for (const { name } of profiles.filter((profile) => !profile.built)) {
      expect(findingsOf((d) => d.requires.push(name))).toEqual([
        "error definition.profile-unsupported /requires/1",
      ]);
    }
    expect(findingsOf(() => {}, { supported: [] })).toEqual([
      "error definition.profile-unsupported /requires/0",
    ]);
    expect(findingsOf((d) => (d.requires = []))).toEqual(["error definition.profile-missing /requires"]);
    expect(findingsOf((d) => delete d.requires)).toEqual(["error definition.missing-member "]);
    const constructs: [string, (d: Loose) => void][] = [
      ["/nodes/approve/deadline", (d) => (d.nodes.approve.deadline = { after: "P1D", outcome: "again" })],
      ["/actions/check-credit/deferred", (d) => (d.actions["check-credit"].deferred = true)],
      ["/actions/check-credit/cancellation", (d) => (d.actions["check-credit"].cancellation = "requestable")],
      ["/actions/check-credit/effect", (d) => (d.actions["check-credit"].effect = "reconcilable")],
      [
        "/limits/maxBufferedSignals",
        (d) => {
          d.limits = { maxBufferedSignals: 9 };
        },
      ],
      ["/dialects/expressions", (d) => (d.dialects.expressions = "jsonlogic")],
      [
        "/nodes/done/kind",
        (d) => (d.nodes.done = { kind: "await-timer", after: "P1D", routes: { elapsed: "denied" } }),
      ],
      ["/nodes/done/kind", (d) => (d.nodes.done = choice([{ when: true, outcome: "a" }]))],
    ];
    for (const [pointer, spoil] of constructs) {
      expect(findingsOf(spoil)).toEqual([`error definition.profile-missing ${pointer}`]);
    }
  });

  it("says how many early signals a run keeps exactly where it keeps any [DEF-buffer]", () => {
    expect(valid((d) => d.requires.push("buffered-signals")).limits.maxBufferedSignals).toBe(64);
    const said = valid((d) => {
      d.requires.push("buffered-signals");
      d.limits = { maxBufferedSignals: 1_000 };
    });
    expect(said.limits.maxBufferedSignals).toBe(1_000);
    expect(Object.hasOwn(valid().limits, "maxBufferedSignals")).toBe(false);
    for (const capacity of [0, 1_001, 1.5]) {
      const spoil = (d: Loose) => {
        d.requires.push("buffered-signals");
        d.limits = { maxBufferedSignals: capacity };
      };
      expect(findingsOf(spoil)).toEqual(["error definition.value /limits/maxBufferedSignals"]);
    }
  });

  it("takes rules in their own dialect only [DEF-dialects]", () => {
    const spoil = (expressions: string) => (d: Loose) => {
      d.requires.push("expressions-jsonlogic");
      d.dialects.expressions = expressions;
      d.nodes.done = choice([{ when: true, outcome: "a" }]);
    };
    expect(findingsOf(spoil("jsonlogic"))).toEqual([]);
    expect(findingsOf(spoil("minimal"))).toEqual(["error definition.dialect /dialects/expressions"]);
  });

  it("wants dialects declared [DEF-dialects]", () => {
    expect(findingsOf((d) => delete d.dialects)).toEqual(["error definition.missing-member "]);
    expect(findingsOf((d) => delete d.dialects.numbers)).toEqual([
      "error definition.missing-member /dialects",
    ]);
    expect(findingsOf((d) => delete d.dialects.schema)).toEqual(["error definition.dialect /dialects"]);
    expect(findingsOf((d) => (d.dialects.schema = "http://json-schema.org/draft-07/schema#"))).toEqual([
      "error definition.dialect /dialects/schema",
    ]);
    expect(findingsOf((d) => (d.dialects.numbers = "decimal"))).toEqual([
      "error definition.dialect /dialects/numbers",
    ]);
  });

  it("keeps every number of an int53 definition an integer [DEF-json-numbers]", () => {
    const spoil = (limit: number) => (d: Loose) => {
      d.dialects.numbers = "int53";
      d.nodes.done.output = { limit };
    };
    expect(findingsOf(spoil(3))).toEqual([]);
    expect(findingsOf(spoil(0.5))).toEqual(["error json.number-range /nodes/done/output/limit"]);
    const text = JSON.stringify(sample()).replace("binary64", "int53").replace("100", "1e2");
    expect(readDefinition(text, { file: "f" }).findings).toMatchObject([
      { code: "json.number-range", place: { file: "f" } },
    ]);
  });

  it("holds limits to their ranges [DEF-ranges]", () => {
    for (const value of [0, -1, 1.5, 10_000_001, "5", null]) {
      expect(findingsOf((d) => (d.limits = { maxActivations: value }))).toHaveLength(1);
    }
    expect(valid((d) => (d.limits = { maxNodeVisits: 7 })).limits).toEqual({
      maxActivations: 100_000,
      maxNodeVisits: 7,
      maxInternalTransitions: 1_000,
    });
    expect(findingsOf((d) => (d.version = ""))).toEqual(["error definition.value /version"]);
    expect(findingsOf((d) => (d.version = 1))).toEqual(["error definition.type /version"]);
    expect(findingsOf((d) => (d.sensitive = { input: ["card"] }))).toEqual([
      "error definition.value /sensitive/input/0",
    ]);
    expect(findingsOf((d) => (d.sensitive = { input: ["/card", "/card"] }))).toEqual([
      "error definition.value /sensitive/input/1",
    ]);
  });
});
