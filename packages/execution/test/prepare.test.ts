import { type Json, setOwn } from "@swl/base";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { core } from "../src/index.js";
import { activity, contract, definition, done, one, prepared } from "./helpers.js";

const requires = ["core", "buffered-signals", "expressions-jsonlogic", "timers", "tracked-updates"];
const timed = (nodes: Parameters<typeof definition>[0]) => definition(nodes, {}, { requires });

function refused(source: Json): readonly string[] {
  const made = core.prepare(source);
  return made.ok ? [] : made.findings.map((finding) => `${finding.code} ${finding.pointer}`);
}

const limits = { maxActivations: 100, maxInternalTransitions: 100 };
const choice = {
  kind: "choice",
  cases: [{ when: true, outcome: "go" }],
  otherwise: "go",
  routes: { go: "done" },
};
const waiter = { kind: "await-signal", signal: "go", routes: { go: "done" } };

describe("prepare", () => {
  it("says what a run pins [EXE-prepare]", () => {
    const source = one("idempotent", { version: "3", capabilities: ["card"], timeouts: { attemptMs: 500 } });
    const requirements = core.requirements(prepared(source));
    expect(requirements.workflow).toBe("sample");
    expect(requirements.profiles).toEqual(["core"]);
    expect(requirements.definition).toMatch(/^sha256:[0-9a-f]{64}$/);
    expect(requirements.actions).toEqual([
      {
        action: "work",
        version: "3",
        contract: expect.stringMatching(/^sha256:[0-9a-f]{64}$/),
        effect: "idempotent",
        capabilities: ["card"],
        attemptMs: 500,
      },
    ]);
  });

  it.each([
    [
      "a profile",
      { ...one("pure"), requires: ["core", "parallel"] },
      "definition.profile-unsupported /requires/1",
    ],
    [
      "an expression dialect that nobody knows",
      { ...one("pure"), dialects: { expressions: "eval" } },
      "model.unsupported /dialects/expressions",
    ],
    [
      "an expression dialect",
      { ...one("pure"), dialects: { expressions: "jsonlogic" } },
      "definition.profile-missing /dialects/expressions",
    ],
    ["marks that are none", { ...one("pure"), sensitive: [] }, "definition.invalid /sensitive"],
    ["a later release", { ...one("pure"), swl: "0.2" }, "model.unsupported /swl"],
    ["reconcilable work", one("reconcilable"), "definition.profile-missing /actions/work/effect"],
    ["deferred work", one("pure", { deferred: true }), "definition.profile-missing /actions/work/deferred"],
    [
      "cancelable work",
      one("pure", { cancellation: "requestable" }),
      "definition.profile-missing /actions/work/cancellation",
    ],
    [
      "marked outputs that are no list",
      one("pure", { sensitive: { outputs: { ok: "/card" } } }),
      "definition.invalid /actions/work/sensitive/outputs/ok",
    ],
    [
      "a timer",
      definition({ pause: { kind: "await-timer", after: "PT1S", routes: { elapsed: "done" } }, done }, {}),
      "definition.profile-missing /nodes/pause/kind",
    ],
    ["a choice", definition({ pick: choice, done }, {}), "definition.profile-missing /nodes/pick/kind"],
    [
      "a buffer",
      { ...one("pure"), limits: { ...limits, maxBufferedSignals: 1 } },
      "definition.profile-missing /limits/maxBufferedSignals",
    ],
    [
      "a deadline",
      definition({ wait: { ...waiter, deadline: { after: "PT1S", outcome: "go" } }, done }, {}),
      "definition.profile-missing /nodes/wait/deadline",
    ],
  ])("refuses %s by name [EXE-prepare]", (_, source, expected) => {
    expect(refused(source as Json)).toEqual([expected]);
  });

  it.each([
    ["no object", [] as Json, ""],
    ["no nodes", { ...one("pure"), nodes: [] }, "/nodes"],
    ["a start that is not there", { ...one("pure"), start: "nowhere" }, "/start"],
    [
      "an action that is not there",
      definition({ work: activity({ ok: "done" }), done }, {}),
      "/nodes/work/action",
    ],
    [
      "an outcome without route",
      definition({ work: activity({ ok: "done" }), done }, { work: contract("pure") }),
      "/nodes/work/routes",
    ],
    ["a route into nothing", one("pure", {}, { failed: "nowhere" }), "/nodes/work/routes/failed"],
    [
      "limits without exhausted",
      definition(
        { work: activity({ ok: "done", rejected: "done" }, { loopLimits: { ok: 1 } }), done },
        { work: contract("pure") },
      ),
      "/nodes/work/routes",
    ],
    ["an unknown effect", one("magic"), "/actions/work/effect"],
    ["a missing retry policy", one("pure", { retry: null }), "/actions/work/retry"],
    [
      "no attempts",
      one("pure", {
        retry: { maxAttempts: 0, initialDelayMs: 1, backoff: "fixed", maxDelayMs: 1, jitter: "none" },
      }),
      "/actions/work/retry/maxAttempts",
    ],
    [
      "a mapping without meaning",
      definition({ done: { kind: "complete", output: { $sum: [] } } }, {}),
      "/nodes/done/output",
    ],
    [
      "parameters against their schema",
      definition(
        { work: activity({ ok: "done", rejected: "done" }), done },
        { work: contract("pure", { parametersSchema: { type: "string" } }) },
      ),
      "/nodes/work/parameters",
    ],
    [
      "a damaged limit",
      { ...one("pure"), limits: { maxActivations: -1, maxInternalTransitions: 1 } },
      "/limits/maxActivations",
    ],
    [
      "a damaged capacity",
      { ...one("pure"), requires, limits: { ...limits, maxBufferedSignals: 1_001 } },
      "/limits/maxBufferedSignals",
    ],
    [
      "two times at once",
      timed({
        pause: { kind: "await-timer", after: "PT1S", until: "PT1S", routes: { elapsed: "done" } },
        done,
      }),
      "/nodes/pause",
    ],
    [
      "a timer that leads nowhere",
      timed({ pause: { kind: "await-timer", after: "PT1S", routes: { later: "done" } }, done }),
      "/nodes/pause/routes",
    ],
    [
      "a deadline that is not routed",
      timed({ wait: { ...waiter, deadline: { after: "PT1S", outcome: "late" } }, done }),
      "/nodes/wait/deadline/outcome",
    ],
    ["a choice without cases", timed({ pick: { ...choice, cases: [] }, done }), "/nodes/pick/cases"],
    [
      "a choice without otherwise",
      timed({ pick: { ...choice, otherwise: 1 }, done }),
      "/nodes/pick/otherwise",
    ],
    [
      "a rule that is none",
      timed({ pick: { ...choice, cases: [{ when: { sum: [] }, outcome: "go" }] }, done }),
      "/nodes/pick/cases/0/when/sum",
    ],
    [
      "a case that is not routed",
      timed({ pick: { ...choice, cases: [{ when: true, outcome: "up" }] }, done }),
      "/nodes/pick/cases/0/outcome",
    ],
  ])("turns %s into a finding with its place [EXE-prepare]", (_, source, pointer) => {
    expect(refused(source)).toEqual([`definition.invalid ${pointer}`]);
  });

  it("refuses a semantics number that it does not read [EXE-prepare]", () => {
    const made = core.prepare(one("pure"), 2);
    expect(made.ok).toBe(false);
    expect(made.findings.map((finding) => finding.code)).toEqual(["model.unsupported"]);
    expect(core.prepare(one("pure"), 1).ok).toBe(true);
  });

  it("takes any JSON without throwing [EXE-prepare]", () => {
    fc.assert(fc.property(fc.jsonValue(), (value) => !core.prepare(value as Json).ok));
  });

  it("takes any damage to a definition without throwing [EXE-prepare]", () => {
    const source = definition(
      {
        work: activity({ ok: "wait", rejected: "pause", exhausted: "pick" }, { loopLimits: { ok: 2 } }),
        wait: {
          ...waiter,
          payloads: { go: { type: "object" } },
          deadline: { until: { $get: ["input"] }, outcome: "go" },
        },
        pause: { kind: "await-timer", after: "PT1S", routes: { elapsed: "stop" } },
        pick: { ...choice, cases: [{ when: { "==": [{ var: "input" }, 1] }, outcome: "go" }] },
        stop: { kind: "fail", error: { code: "x", message: "stop", details: {} } },
        done,
      },
      { work: contract("idempotent", { timeouts: { operationMs: 1 }, limits: { maxInputBytes: 10 } }) },
      { requires, limits: { ...limits, maxBufferedSignals: 3 } },
    );
    const places = placesOf(source);
    fc.assert(
      fc.property(fc.constantFrom(...places), fc.jsonValue(), (place, value) => {
        const made = core.prepare(damaged(source, place, value as Json));
        expect(made.ok || made.findings.length > 0).toBe(true);
      }),
      { numRuns: 500 },
    );
  });

  it("takes nesting beyond the stack without throwing [EXE-prepare]", () => {
    let deep: Json = 1;
    for (let level = 0; level < 100_000; level++) deep = [deep];
    expect(refused({ ...one("pure"), "x-deep": deep }).length).toBeLessThanOrEqual(1);
    expect(refused(definition({ done: { kind: "complete", output: deep } }, {}))).toHaveLength(1);
  });
});

function placesOf(value: Json, path: readonly string[] = []): (readonly string[])[] {
  if (typeof value !== "object" || value === null) return [path];
  return [path, ...Object.entries(value).flatMap(([key, inner]) => placesOf(inner as Json, [...path, key]))];
}

function damaged(value: Json, [key, ...rest]: readonly string[], by: Json): Json {
  if (key === undefined) return by;
  const copy: { [key: string]: Json } = { ...(value as { readonly [key: string]: Json }) };
  setOwn(copy, key, damaged(copy[key] as Json, rest, by));
  return Array.isArray(value) ? (Object.values(copy) as Json) : copy;
}
