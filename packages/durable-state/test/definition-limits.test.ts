/**
 * Every limit of a definition, as a host meets it: at the limit a run of it goes to its end, one step beyond the start
 * is refused with the place of what is too much, and nothing is stored. Whoever validates says the same, so that no
 * host takes what no author could write.
 */
import type { Json, JsonObject } from "@swl/base";
import { isSwlError } from "@swl/base";
import { type Definition, validate } from "@swl/definition";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Host } from "../src/index.js";
import { completed, Lab, until } from "./lab.js";

let lab: Lab;
beforeEach(() => {
  lab = new Lab();
});
afterEach(() => lab.end());

const year = 31_536_000_000;
const schema = "https://json-schema.org/draft/2020-12/schema";
const retry = { maxAttempts: 1, initialDelayMs: 0, backoff: "fixed", maxDelayMs: 0, jitter: "none" };
const contract = { effect: "pure", outcomes: { ok: {} }, retry, capabilities: [] };
const work = { kind: "activity", action: "work", input: null, parameters: null, routes: { ok: "done" } };
const wait = { kind: "await-signal", signal: "go", routes: { received: "done" } };
const choice = (count: number) => ({
  kind: "choice",
  cases: Array.from({ length: count }, () => ({ when: false, outcome: "yes" })),
  otherwise: "no",
  routes: { yes: "done", no: "done" },
});

const sample = (parts: {
  readonly node?: object;
  readonly action?: object;
  readonly limits?: object;
  readonly id?: string;
  readonly name?: string;
}): JsonObject => ({
  swl: "0.1",
  id: parts.id ?? "limits",
  requires: ["buffered-signals", "core", "expressions-jsonlogic", "timers"],
  dialects: { schema, numbers: "binary64", expressions: "jsonlogic" },
  start: parts.name ?? "first",
  nodes: {
    [parts.name ?? "first"]: (parts.node ?? work) as Json,
    done: { kind: "complete", output: null },
  },
  actions: { work: { ...contract, ...parts.action } as unknown as Json },
  limits: { maxActivations: 100_000, maxInternalTransitions: 1_000, ...parts.limits },
});

const limits = (some: object): object => ({ limits: some });
const policy = (some: object): object => ({ action: { retry: { ...retry, ...some } } });
const named = (count: number, value: (name: string) => unknown): object =>
  Object.fromEntries(Array.from({ length: count }, (_, n) => [`o${n}`, value(`o${n}`)]));
const loop = (ok: number): object => ({
  node: { ...work, routes: { ok: "done", exhausted: "done" }, loopLimits: { ok } },
});
/** Rules inside each other, so many levels. */
const rule = (levels: number): unknown => (levels === 0 ? true : { "!": rule(levels - 1) });
const nested = (levels: number): unknown => (levels === 0 ? null : [nested(levels - 1)]);

type Limit = readonly [name: string, most: number, of: (value: number) => object, pointer: string];

/** The claims of the definition, then what DEF-ranges and DEF-names say beside them. */
const ranges: readonly Limit[] = [
  ["maxActivations", 10_000_000, (n) => limits({ maxActivations: n }), "/limits/maxActivations"],
  ["maxNodeVisits", 10_000_000, (n) => limits({ maxNodeVisits: n }), "/limits/maxNodeVisits"],
  [
    "maxInternalTransitions",
    100_000,
    (n) => limits({ maxInternalTransitions: n }),
    "/limits/maxInternalTransitions",
  ],
  ["maxBufferedSignals", 1_000, (n) => limits({ maxBufferedSignals: n }), "/limits/maxBufferedSignals"],
  ["maxLoopLimit", 10_000_000, loop, "/nodes/first/loopLimits/ok"],
  ["maxAttempts", 1_000, (n) => policy({ maxAttempts: n }), "/actions/work/retry/maxAttempts"],
  ["initialDelayMs", year, (n) => policy({ initialDelayMs: n }), "/actions/work/retry/initialDelayMs"],
  ["maxDelayMs", year, (n) => policy({ maxDelayMs: n }), "/actions/work/retry/maxDelayMs"],
  [
    "attemptMs",
    year,
    (attemptMs) => ({ action: { timeouts: { attemptMs } } }),
    "/actions/work/timeouts/attemptMs",
  ],
  [
    "operationMs",
    year,
    (operationMs) => ({ action: { timeouts: { operationMs } } }),
    "/actions/work/timeouts/operationMs",
  ],
  [
    "maxInputBytes",
    2 ** 30,
    (maxInputBytes) => ({ action: { limits: { maxInputBytes } } }),
    "/actions/work/limits/maxInputBytes",
  ],
  [
    "maxOutputBytes",
    2 ** 30,
    (maxOutputBytes) => ({ action: { limits: { maxOutputBytes } } }),
    "/actions/work/limits/maxOutputBytes",
  ],
  [
    "maxOutcomes of an action",
    256,
    (n) => ({
      action: { outcomes: { ok: {}, ...named(n - 1, () => ({})) } },
      node: { ...work, routes: { ok: "done", ...named(n - 1, () => "done") } },
    }),
    "/actions/work/outcomes",
  ],
  [
    "maxOutcomes of a waiting node",
    256,
    (n) => ({ node: { ...wait, routes: { received: "done", ...named(n - 1, () => "done") } } }),
    "/nodes/first/routes",
  ],
  ["maxCases", 256, (n) => ({ node: choice(n) }), "/nodes/first/cases"],
  [
    "maxLogicDepth",
    64,
    (n) => ({ node: { ...choice(0), cases: [{ when: rule(n), outcome: "yes" }] } }),
    `/nodes/first/cases/0/when${"/!".repeat(64)}`,
  ],
  [
    "maxDurationMs",
    36_500,
    (days) => ({
      node: {
        ...wait,
        deadline: { after: `P${days}D`, outcome: "late" },
        routes: { received: "done", late: "done" },
      },
    }),
    "/nodes/first/deadline/after",
  ],
  [
    "maxPatternLength",
    1_000,
    (n) => ({ action: { inputSchema: { anyOf: [{ type: "null" }, { pattern: "a".repeat(n) }] } } }),
    "/actions/work/inputSchema/anyOf/1/pattern",
  ],
  ["characters of a workflow's ID", 64, (n) => ({ id: "w".repeat(n) }), "/id"],
  ["characters of a node's ID", 64, (n) => ({ name: "n".repeat(n) }), `/nodes/${"n".repeat(65)}`],
  [
    "characters of a signal's name",
    64,
    (n) => ({ node: { ...wait, signal: "s".repeat(n) } }),
    "/nodes/first/signal",
  ],
  [
    "characters of an outcome",
    64,
    (n) => ({ node: { ...wait, routes: { received: "done", ["o".repeat(n)]: "done" } } }),
    `/nodes/first/routes/${"o".repeat(65)}`,
  ],
];

async function finished(host: Host, definition: Definition): Promise<string> {
  const run = await host.start(definition);
  const node = Object.values(definition.nodes)[0];
  if (node?.kind === "await-signal") {
    const signal = { run: run.id, messageId: "m", name: node.signal, outcome: "received" };
    await host.control.signal(signal, { wait: 60_000 });
  }
  return (await run.result({ timeout: 60_000 })).status;
}

async function refusal(
  starting: Promise<unknown>,
): Promise<{ readonly code?: string; readonly at?: unknown }> {
  const thrown = await starting.catch((error: unknown) => error);
  if (!isSwlError(thrown)) return {};
  return { code: thrown.code, at: (thrown.findings ?? []).map(({ pointer }) => pointer) };
}

const nothing = { streams: { open: 0, held: 0, closed: 0 }, work: { waiting: 0, claimed: 0 }, dues: 0 };

describe("a limit of a definition", () => {
  it.each(ranges)(
    "%s: runs at %i; one more is refused, and nothing is stored [EXE-prepare]",
    async (_, most, of, pointer) => {
      const host = await lab.host(() => completed());
      const beyond = sample(of(most + 1));
      const said = validate(beyond);
      expect(said.findings.map((finding) => finding.pointer)).toContain(pointer);
      expect(await refusal(host.start(beyond))).toEqual({ code: "definition.invalid", at: [pointer] });
      expect(await lab.store().stats()).toMatchObject({ ...nothing, blobs: 0 });
      const allowed = validate(sample(of(most)));
      expect(allowed.ok ? [] : allowed.findings).toEqual([]);
      expect(await finished(host, (allowed as { readonly value: Definition }).value)).toBe("completed");
    },
  );
});

const again = { ...work, routes: { ok: "done", again: "first" } };
const repeatable = { outcomes: { ok: {}, again: {} } };
const echo = { ...work, input: { $get: ["input"] } };
const choices = (count: number): Definition => {
  const between = (next: string) => ({ kind: "choice", cases: [], otherwise: "no", routes: { no: next } });
  const whole = sample({ limits: { maxInternalTransitions: 4 } });
  const nodes: Record<string, unknown> = { done: { kind: "complete", output: null } };
  for (let n = 1; n <= count; n++) {
    const next = n === count ? "done" : `c${n + 1}`;
    nodes[`c${n}`] = { ...between(next), cases: [{ when: false, outcome: "no" }] };
  }
  return { ...whole, start: "c1", nodes } as unknown as Definition;
};
/** Over a list of lists. */
const quadratic = { all: [{ var: "input" }, { all: [{ var: "" }, { "==": [1, 1] }] }] };
const square = (side: number): Json => Array(side).fill(Array(side).fill(0));
/** Checks that double with every level. */
const doubling = (levels: number): object => ({
  $defs: Object.fromEntries(
    Array.from({ length: levels + 1 }, (_, n) => {
      const $ref = `#/$defs/l${n + 1}`;
      return [`l${n}`, n === levels ? true : { allOf: [{ $ref }, { $ref }] }];
    }),
  ),
  $ref: "#/$defs/l0",
});

interface Play {
  readonly name: string;
  readonly most: number;
  readonly of: (value: number) => JsonObject | Definition;
  readonly input?: (value: number) => Json;
  /** Of the attempt with this number, counted from 1. */
  readonly answer?: (attempt: number, value: number) => unknown;
  readonly beyond: string;
}

const failed = { kind: "failed", retryable: true, error: { code: "busy", message: "Again.", details: null } };
const until4 = (attempt: number, value: number) => ({
  ...completed(),
  outcome: attempt < value ? "again" : "ok",
});

/** What a limit does to a run: with so much it completes, with one more it fails, or does not begin, by this name. */
const plays: readonly Play[] = [
  {
    name: "activations",
    most: 4,
    of: () => sample({ node: again, action: repeatable, limits: { maxActivations: 5 } }),
    answer: until4,
    beyond: "limit.activations",
  },
  {
    name: "visits of a node",
    most: 4,
    of: () => sample({ node: again, action: repeatable, limits: { maxNodeVisits: 4 } }),
    answer: until4,
    beyond: "limit.node-visits",
  },
  { name: "nodes entered for one event", most: 3, of: choices, beyond: "limit.internal-transitions" },
  {
    name: "attempts",
    most: 3,
    of: () => sample(policy({ maxAttempts: 3 })),
    answer: (attempt, value) => (attempt < value ? failed : completed()),
    beyond: "busy",
  },
  {
    name: "bytes of an input",
    most: 100,
    of: () => sample({ node: echo, action: { limits: { maxInputBytes: 100 } } }),
    input: (value) => "x".repeat(value - 2),
    beyond: "input.invalid",
  },
  {
    name: "bytes of an output",
    most: 100,
    of: () => sample({ action: { limits: { maxOutputBytes: 100 } } }),
    answer: (_, value) => completed("x".repeat(value - 2)),
    beyond: "output.invalid",
  },
  {
    name: "characters that a pattern goes over",
    most: 1_000_000,
    of: () => ({ ...sample({}), inputSchema: { type: "string", pattern: "^x" } }),
    input: (value) => "x".repeat(value),
    beyond: "input.invalid",
  },
];

async function outcomeOf(host: Host, definition: JsonObject | Definition, input: Json): Promise<string> {
  const allowed = validate(definition);
  expect(allowed.ok ? [] : allowed.findings).toEqual([]);
  const { value } = allowed as { readonly value: Definition };
  const run = await host.start(value, { input }).catch((error: unknown) => error);
  if (isSwlError(run)) return run.code;
  const result = await (run as Awaited<ReturnType<Host["start"]>>).result({ timeout: 60_000 });
  return result.status === "failed" ? result.error.code : result.status;
}

describe("a run at a limit of its definition", () => {
  it.each(plays)("goes to its end with $most $name, and not with one more [EXE-limits]", async (play) => {
    for (const [value, expected] of [
      [play.most, "completed"],
      [play.most + 1, play.beyond],
    ] as const) {
      const before = lab.calls.length;
      const host = await lab.host(() => play.answer?.(lab.calls.length - before, value) ?? completed());
      expect(await outcomeOf(host, play.of(value), play.input?.(value) ?? null)).toBe(expected);
      await host.close({ drain: 10 });
    }
  });

  it("takes the route exhausted after as many turns as a loop may have [EXE-loop-limit]", async () => {
    const loops = { ...again, routes: { ...again.routes, exhausted: "done" }, loopLimits: { again: 3 } };
    const host = await lab.host(() => ({ ...completed(), outcome: "again" }));
    expect(await outcomeOf(host, sample({ node: loops, action: repeatable }), null)).toBe("completed");
    expect(lab.calls).toHaveLength(4);
  });

  it("takes as many steps of a rule as it may, and no more", async () => {
    const host = await lab.host(() => completed());
    const definition = {
      ...sample({ node: { ...choice(0), cases: [{ when: quadratic, outcome: "yes" }] } }),
      actions: {},
    };
    expect(await outcomeOf(host, definition, square(200))).toBe("completed");
    expect(await outcomeOf(host, definition, square(800))).toBe("logic.too-costly");
  });

  it("does not begin where the check of its input takes more steps than it may", async () => {
    const host = await lab.host(() => completed());
    expect(await outcomeOf(host, { ...sample({}), inputSchema: doubling(14) as Json }, null)).toBe(
      "completed",
    );
    const { streams, blobs } = await lab.store().stats();
    expect(await outcomeOf(host, { ...sample({}), inputSchema: doubling(24) as Json }, null)).toBe(
      "input.invalid",
    );
    expect(await lab.store().stats()).toMatchObject({ streams, blobs });
  });

  it("fails where a mapping makes more values than it may", async () => {
    const host = await lab.host(() => completed());
    const copies = Array(2_501).fill({ $get: ["input"] });
    const definition = sample({ node: { ...work, input: copies } });
    expect(await outcomeOf(host, definition, Array(4_000).fill(0))).toBe("mapping.too-large");
    expect(lab.calls).toHaveLength(0);
  });
});

describe("a document of a definition or a run", () => {
  const deep = (levels: number) => sample({ node: { ...work, parameters: nested(levels) as Json } });

  it("has at most 128 levels: deeper, nothing is stored", async () => {
    const host = await lab.host(() => completed());
    expect(await outcomeOf(host, deep(125), null)).toBe("completed");
    expect(await refusal(host.start(deep(126)))).toMatchObject({ code: "definition.invalid" });
    expect((await lab.store().stats()).streams.closed).toBe(1);
  });

  it("has at most as many bytes as the store keeps: of a longer one nothing is stored", async () => {
    const bytes = (count: number) => sample({ node: { ...work, parameters: "x".repeat(count) } });
    const overhead = JSON.stringify(bytes(0)).length;
    const small = new Lab({ limits: { documentBytes: 4_096 } });
    try {
      const host = await small.host(() => completed());
      expect(await refusal(host.start(bytes(4_097 - overhead)))).toMatchObject({ code: "store.quota" });
      const long = "x".repeat(4_096);
      expect(await refusal(host.start(bytes(0), { input: long }))).toMatchObject({ code: "store.quota" });
      expect(await small.store().stats()).toMatchObject({ ...nothing, blobs: 0 });
      const run = await host.start(bytes(4_096 - overhead));
      expect((await run.result({ timeout: 60_000 })).status).toBe("completed");
    } finally {
      await small.end();
    }
  });

  it("is set aside by name where a run grows beyond it, and its operator is told what can be done", async () => {
    const small = new Lab({ limits: { documentBytes: 4_096 } });
    try {
      const host = await small.host(() => completed("x".repeat(1_000)));
      const whole = sample({});
      const output = Array(5).fill({ $get: ["from", "output"] });
      const nodes = { ...(whole["nodes"] as JsonObject), done: { kind: "complete", output } };
      const { id } = await host.start({ ...whole, nodes });
      expect(await until(async () => (await host.control.status(id)).status === "quarantined")).toBe(true);
      const { summary, blockers } = await host.control.why(id);
      expect(summary).toContain("4096");
      expect(blockers[0]).toMatchObject({ options: ["release", "terminate"] });
    } finally {
      await small.end();
    }
  });
});
