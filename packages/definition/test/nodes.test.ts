import { describe, expect, it } from "vitest";
import { validate } from "../src/index.js";
import { compileSchema } from "../src/schema-check.js";
import { findingsOf, type Loose, sample, valid } from "./sample.js";

describe("validate: nodes", () => {
  it("knows four kinds in core [DEF-node-kinds]", () => {
    expect(findingsOf((d) => (d.nodes.done.kind = "complet"))).toEqual([
      "error definition.value /nodes/done/kind",
    ]);
    expect(findingsOf((d) => delete d.nodes.done.kind)).toEqual([
      "error definition.missing-member /nodes/done",
    ]);
    expect(findingsOf((d) => (d.nodes.done = 7))).toEqual(["error definition.type /nodes/done"]);
    expect(findingsOf((d) => (d.nodes.done.routes = {}))).toEqual([
      "error definition.unknown-member /nodes/done/routes",
    ]);
    expect(findingsOf((d) => (d.nodes.denied.routes = { ok: "done" }))).toEqual([
      "error definition.unknown-member /nodes/denied/routes",
    ]);
    expect(findingsOf((d) => delete d.nodes.approve.signal)).toEqual([
      "error definition.missing-member /nodes/approve",
    ]);
    expect(findingsOf((d) => (d.nodes.approve.signal = "a b"))).toEqual([
      "error definition.value /nodes/approve/signal",
    ]);
    expect(findingsOf((d) => (d.nodes.denied.error.code = "No"))).toEqual([
      "error definition.value /nodes/denied/error/code",
    ]);
    expect(findingsOf((d) => delete d.nodes.denied.error)).toEqual([
      "error definition.missing-member /nodes/denied",
    ]);
  });

  it("routes exactly what can come out of an activity [DEF-routes-complete]", () => {
    expect(findingsOf((d) => delete d.nodes.check.routes.rejected)).toEqual([
      "error definition.route-missing /nodes/check/routes",
    ]);
    expect(findingsOf((d) => (d.nodes.check.routes.late = "denied"))).toEqual([
      "error definition.route-undeclared /nodes/check/routes/late",
    ]);
    expect(findingsOf((d) => delete d.nodes.check.routes.failed)).toEqual([]);
    expect(findingsOf((d) => delete d.nodes.check.routes)).toContain(
      "error definition.missing-member /nodes/check",
    );
    expect(findingsOf((d) => (d.nodes.check.routes.ok = 7))).toContain(
      "error definition.type /nodes/check/routes/ok",
    );
    expect(findingsOf((d) => (d.nodes.check.routes.Ok = "done"))).toContain(
      "error definition.outcome-grammar /nodes/check/routes/Ok",
    );
  });

  it("warns of an action that no node uses, with the near name [DEF-action-used]", () => {
    const unused = (name: string): Loose => {
      const definition = sample();
      definition.actions[name] = { outcomes: { ok: {} }, effect: "idempotent" };
      return definition;
    };
    expect(validate(unused("chek"))).toMatchObject({
      ok: true,
      findings: [
        {
          code: "definition.action-unused",
          severity: "warning",
          pointer: "/actions/chek",
          hint: 'did you mean "check"?',
        },
      ],
    });
    expect(validate(unused("chek"), { strict: true }).ok).toBe(false);
    expect(validate(unused("elsewhere")).findings[0]).not.toHaveProperty("hint");
  });

  it("says nothing of a reserved outcome but that it is reserved, and no near name for what is right", () => {
    expect(findingsOf((d) => (d.actions["check-credit"].outcomes.failed = {}))).toEqual([
      "error definition.outcome-reserved /actions/check-credit/outcomes/failed",
    ]);
    const limited = sample();
    limited.nodes.approve.loopLimits.exhausted = 3;
    const [finding] = validate(limited).findings;
    expect(finding).toMatchObject({
      code: "definition.loop-limit",
      pointer: "/nodes/approve/loopLimits/exhausted",
    });
    expect(finding).not.toHaveProperty("hint");
  });

  it("accepts no parameters whose check alone takes more steps than a check has [DEF-parameters]", () => {
    const doubling = (levels: number): Loose => {
      const definition = sample();
      const $defs: Loose = { [`d${levels}`]: true };
      for (let level = 0; level < levels; level++) {
        const next = { $ref: `#/$defs/d${level + 1}` };
        $defs[`d${level}`] = { allOf: [next, next] };
      }
      definition.actions["check-credit"].parametersSchema = { $ref: "#/$defs/d0", $defs };
      return definition;
    };
    for (let levels = 10; levels < 24; levels++) {
      const definition = doubling(levels);
      const alone = compileSchema(definition.actions["check-credit"].parametersSchema);
      const accepted = validate(definition).ok;
      expect([levels, accepted && alone.check(null).length > 0]).toEqual([levels, false]);
      if (!accepted) return;
    }
    throw new TypeError("every one was accepted");
  });

  it("counts routes that are too many, and does not miss any [DEF-ranges]", () => {
    expect(
      findingsOf((d) => {
        for (let index = 0; index < 257; index++) d.nodes.approve.routes[`o${index}`] = "done";
      }),
    ).toEqual(["error definition.value /nodes/approve/routes"]);
  });

  it("shows what an author wrote as text that steers nothing", () => {
    const name = `\u202e\u009b\u001b[2J${"😀".repeat(100)}`;
    const definition = sample();
    definition.start = name;
    definition.nodes.approve.routes[name] = name;
    definition.nodes.check.input = { $get: [name] };
    for (const { message, hint } of validate(definition).findings) {
      // biome-ignore lint/suspicious/noControlCharactersInRegex: that is the point
      expect(`${message}${hint}`).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202e]|\p{Surrogate}/u);
    }
    expect(validate(definition).findings.length).toBeGreaterThan(2);
  });

  it("wants an action that exists [DEF-routes-complete]", () => {
    expect(findingsOf((d) => (d.nodes.check.action = "chek-credit"))).toEqual([
      "error definition.action-unknown /nodes/check/action",
    ]);
    const spoiled = { ...sample(), actions: undefined };
    delete spoiled.actions;
    expect(validate(spoiled).findings.map((finding) => finding.code)).toEqual(["definition.action-unknown"]);
  });

  it("gives a waiting node at least one route, and payloads to routed outcomes only [DEF-await-signal]", () => {
    expect(
      findingsOf((d) => {
        d.nodes.approve.routes = {};
        delete d.nodes.approve.loopLimits;
        delete d.nodes.approve.payloads;
      }),
    ).toContain("error definition.route-missing /nodes/approve/routes");
    expect(findingsOf((d) => (d.nodes.approve.payloads.other = {}))).toEqual([
      "error definition.route-undeclared /nodes/approve/payloads/other",
    ]);
    expect(findingsOf((d) => (d.nodes.approve.sensitive = { payloads: { approved: ["/pin"] } }))).toEqual([]);
    expect(findingsOf((d) => (d.nodes.approve.sensitive = { payloads: { aproved: ["/pin"] } }))).toEqual([
      "error definition.value /nodes/approve/sensitive/payloads/aproved",
    ]);
  });

  it("routes exhausted exactly when there are loop limits [DEF-exhausted-route]", () => {
    expect(findingsOf((d) => delete d.nodes.approve.loopLimits)).toEqual([
      "error definition.exhausted-route /nodes/approve/routes/exhausted",
    ]);
    expect(findingsOf((d) => delete d.nodes.approve.routes.exhausted)).toEqual([
      "error definition.exhausted-route /nodes/approve/loopLimits",
    ]);
  });

  it("limits routed outcomes by positive integers [DEF-loop-limits]", () => {
    const limits = (value: Loose) => findingsOf((d) => (d.nodes.approve.loopLimits = value));
    expect(limits({ again: 1 })).toEqual([]);
    expect(limits({})).toEqual(["error definition.loop-limit /nodes/approve/loopLimits"]);
    expect(limits({ again: 0 })).toEqual(["error definition.loop-limit /nodes/approve/loopLimits/again"]);
    expect(limits({ again: "2" })).toEqual(["error definition.loop-limit /nodes/approve/loopLimits/again"]);
    expect(limits({ never: 2 })).toEqual(["error definition.loop-limit /nodes/approve/loopLimits/never"]);
    expect(limits({ exhausted: 2 })).toEqual([
      "error definition.loop-limit /nodes/approve/loopLimits/exhausted",
    ]);
    expect(
      findingsOf((d) => {
        d.nodes.check.routes.exhausted = "denied";
        d.nodes.check.loopLimits = { failed: 3 };
      }),
    ).toEqual([]);
  });

  it("finds nodes that cannot be reached and nodes that cannot end [DEF-reachable] [DEF-terminal-path]", () => {
    expect(findingsOf((d) => (d.nodes.island = { kind: "complete" }))).toEqual([
      "error definition.unreachable /nodes/island",
    ]);
    const trap = { kind: "await-signal", signal: "s", routes: { received: "trap" } };
    expect(
      findingsOf((d) => {
        d.nodes.trap = trap;
        d.nodes.check.routes.failed = "trap";
      }),
    ).toEqual(["error definition.no-terminal /nodes/trap"]);
    expect(
      findingsOf((d) => {
        d.nodes = { trap };
        d.start = "trap";
        d.actions = {};
      }),
    ).toEqual(["error definition.no-terminal /nodes"]);
    expect(findingsOf((d) => (d.nodes = {}))).toContain("error definition.value /nodes");
    expect(findingsOf((d) => (d.start = "chekc"))).toEqual(["error definition.start-unknown /start"]);
  });
});

describe("validate: contracts", () => {
  const contract = (value: Loose) => findingsOf((d) => Object.assign(d.actions["check-credit"], value));

  it("wants outcomes and an effect [DEF-contract]", () => {
    expect(findingsOf((d) => delete d.actions["check-credit"].effect)).toEqual([
      "error definition.missing-member /actions/check-credit",
    ]);
    expect(findingsOf((d) => delete d.actions["check-credit"].outcomes)).toEqual([
      "error definition.missing-member /actions/check-credit",
    ]);
    expect(contract({ outcomes: {} })).toEqual(["error definition.value /actions/check-credit/outcomes"]);
    expect(contract({ effect: "safe" })).toEqual(["error definition.value /actions/check-credit/effect"]);
    expect(contract({ timeouts: { attemptMs: 0 } })).toEqual([
      "error definition.value /actions/check-credit/timeouts/attemptMs",
    ]);
    expect(contract({ limits: { maxInputBytes: "1k" } })).toEqual([
      "error definition.type /actions/check-credit/limits/maxInputBytes",
    ]);
    expect(contract({ capabilities: ["net", "net"] })).toEqual([
      "error definition.value /actions/check-credit/capabilities/1",
    ]);
    expect(contract({ sensitive: { outputs: { ok: ["/pan"] }, input: ["/pan"] } })).toEqual([]);
    expect(contract({ sensitive: { outputs: { okay: ["/pan"] } } })).toEqual([
      "error definition.value /actions/check-credit/sensitive/outputs/okay",
    ]);
  });

  it("counts the first attempt, so that zero attempts are refused [DEF-retry]", () => {
    expect(contract({ retry: { maxAttempts: 0 } })).toEqual([
      "error definition.value /actions/check-credit/retry/maxAttempts",
    ]);
    expect(contract({ retry: { attempts: 3 } })).toEqual([
      "error definition.unknown-member /actions/check-credit/retry/attempts",
    ]);
    const attempts = (effect: string) =>
      valid((d) => (d.actions["check-credit"].effect = effect)).actions["check-credit"];
    expect(attempts("pure")?.retry.maxAttempts).toBe(5);
    expect(attempts("idempotent")?.retry.maxAttempts).toBe(5);
    expect(attempts("unsafe")?.retry.maxAttempts).toBe(1);
    const partial = valid((d) => (d.actions["check-credit"].retry = { maxAttempts: 2, jitter: "full" }));
    expect(partial.actions["check-credit"]?.retry).toEqual({
      maxAttempts: 2,
      initialDelayMs: 1000,
      backoff: "exponential",
      maxDelayMs: 60_000,
      jitter: "full",
    });
  });

  it("takes onExhausted for idempotent actions only [DEF-contract]", () => {
    expect(contract({ onExhausted: "fail" })).toEqual([
      "error definition.value /actions/check-credit/onExhausted",
    ]);
    const said = (value: Loose) =>
      valid((d) => Object.assign(d.actions["check-credit"], { effect: "idempotent", ...value })).actions[
        "check-credit"
      ];
    expect(said({})?.onExhausted).toBe("park");
    expect(said({ onExhausted: "fail" })?.onExhausted).toBe("fail");
  });

  it("checks static parameters against the contract [DEF-parameters]", () => {
    expect(findingsOf((d) => (d.nodes.check.parameters = { limit: "x", more: 1 }))).toEqual([
      "error definition.parameters-invalid /nodes/check/parameters/limit",
      "error definition.parameters-invalid /nodes/check/parameters/more",
    ]);
    expect(findingsOf((d) => delete d.nodes.check.parameters)).toEqual([
      "error definition.parameters-invalid /nodes/check/parameters",
    ]);
  });

  it("checks schemas by form and fetches nothing [DEF-schema-valid]", () => {
    const schema = (inputSchema: Loose) =>
      findingsOf((d) => (d.actions["check-credit"].inputSchema = inputSchema));
    const at = "error definition.schema-invalid /actions/check-credit/inputSchema";
    expect(schema({ type: "strin" })).toEqual([`${at}/type`]);
    expect(schema({ properties: { a: { pattern: "(" } } })).toEqual([`${at}/properties/a/pattern`]);
    expect(schema({ $ref: "https://example.com/s.json" })).toEqual([`${at}/$ref`]);
    expect(schema({ $schema: "http://json-schema.org/draft-07/schema#" })).toEqual([`${at}/$schema`]);
    expect(schema({ $dynamicRef: "#a" })).toEqual([`${at}/$dynamicRef`]);
    expect(schema(7)).toEqual([at]);
    expect(schema({ $ref: "#/$defs/a", $defs: { a: { type: "string" } } })).toEqual([]);
  });
});

describe("validate: mappings", () => {
  const output = (value: Loose) => findingsOf((d) => (d.nodes.done.output = value));

  it("knows two operators, each alone in its object [DEF-mapping-operators]", () => {
    expect(output({ $literal: { $get: ["x"], $other: 1 } })).toEqual([]);
    expect(output({ a: [{ $got: 1 }] })).toEqual(["error mapping.operator /nodes/done/output/a/0"]);
    expect(output({ $get: ["input"], other: 1 })).toEqual(["error mapping.operator /nodes/done/output"]);
    expect(output({ $get: ["input"], $literal: 1 })).toEqual(["error mapping.operator /nodes/done/output"]);
  });

  it("wants paths with a root and plain segments [DEF-mapping-paths]", () => {
    for (const path of ["input", [], ["inputs"], ["input", -1], ["input", 1.5], ["input", null], {}]) {
      expect(output({ $get: path })).toEqual(["error mapping.path /nodes/done/output/$get"]);
    }
    expect(output({ $get: ["input", "order", 0] })).not.toContain(
      "error mapping.path /nodes/done/output/$get",
    );
  });

  it("wants a text as the message of a fail node [DEF-node-kinds]", () => {
    const message = (value: Loose) => findingsOf((d) => (d.nodes.denied.error.message = value));
    expect(message({ $get: ["run", "id"] })).toEqual([]);
    expect(message({ $literal: "x" })).toEqual([]);
    for (const value of [7, null, ["x"], {}, { $literal: 7 }]) {
      expect(message(value)).toEqual(["error definition.type /nodes/denied/error/message"]);
    }
  });

  it("refuses nodes that do not exist and warns about what may be missing [DEF-data-flow]", () => {
    expect(output({ $get: ["nodes", "chek", "output"] })).toEqual([
      "error mapping.path /nodes/done/output/$get/1",
    ]);
    expect(output({ $get: ["nodes", 0] })).toEqual(["error mapping.path /nodes/done/output/$get/1"]);
    const flow = "warning mapping.data-flow";
    expect(output({ $get: ["nodes", "denied", "output"] })).toEqual([`${flow} /nodes/done/output/$get/1`]);
    expect(output({ $get: ["nodes", "check", "result"] })).toEqual([`${flow} /nodes/done/output/$get/2`]);
    expect(output({ $get: ["run", "time"] })).toEqual([`${flow} /nodes/done/output/$get/1`]);
    expect(output({ $get: ["from", "outcome"] })).toEqual([]);
    expect(output({ $get: ["input", "order", "id"] })).toEqual([`${flow} /nodes/done/output/$get/2`]);
    expect(findingsOf((d) => (d.nodes.check.input = { $get: ["from", "output"] }))).toEqual([
      `${flow} /nodes/check/input/$get`,
    ]);
    expect(findingsOf((d) => (d.nodes.check.input = { $get: ["nodes", "check", "output"] }))).toEqual([
      `${flow} /nodes/check/input/$get/1`,
    ]);
    expect(
      findingsOf((d) => (d.nodes.denied.error.details = { $get: ["nodes", "approve", "output"] })),
    ).toEqual([`${flow} /nodes/denied/error/details/$get/1`]);
    const closed = { type: "object", properties: { a: true }, additionalProperties: false };
    const reads = (segment: string) =>
      findingsOf((d) => {
        d.actions["check-credit"].outcomes = {
          ok: { outputSchema: closed },
          rejected: { outputSchema: closed },
        };
        delete d.nodes.check.routes.failed;
        d.nodes.done.output = { $get: ["nodes", "check", "output", segment] };
      });
    expect(reads("a")).toEqual([]);
    expect(reads("b")).toEqual([`${flow} /nodes/done/output/$get/3`]);
  });
});
