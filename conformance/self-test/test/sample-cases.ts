/** Small cases in memory, one a phase, which the reference subject passes: the ground that broken subjects fail on. */
import type { Json } from "@swl/base";
import type { Case, CaseMetadata } from "@swl/conformance";

const encoder = new TextEncoder();

export const definition = {
  swl: "0.1",
  id: "sample",
  requires: ["core"],
  dialects: { numbers: "binary64", expressions: "minimal" },
  start: "work",
  nodes: {
    work: {
      kind: "activity",
      action: "work",
      input: { $get: ["input"] },
      parameters: null,
      routes: { ok: "done", again: "work", exhausted: "given-up" },
      loopLimits: { again: 1 },
    },
    done: { kind: "complete", output: { $get: ["from", "output"] } },
    "given-up": { kind: "fail", error: { code: "given.up", message: "tried twice" } },
  },
  actions: {
    work: {
      outcomes: { ok: {}, again: {} },
      effect: "unsafe",
      retry: {
        maxAttempts: 1,
        initialDelayMs: 1_000,
        backoff: "exponential",
        maxDelayMs: 60_000,
        jitter: "none",
      },
    },
  },
  limits: { maxActivations: 100_000, maxInternalTransitions: 1_000 },
} as const;

/** A case with its files in memory. */
export function sampleCase(
  metadata: Partial<CaseMetadata> & Pick<CaseMetadata, "phase" | "verdict">,
  files: { readonly [name: string]: Json | string },
): Case {
  const texts = new Map(
    Object.entries(files).map(([name, file]) => [
      name,
      typeof file === "string" ? file : JSON.stringify(file),
    ]),
  );
  return {
    id: `definition/${metadata.phase}-${metadata.verdict}`,
    title: "a sample",
    rules: ["CNF-verdicts"],
    requires: ["definition"],
    input: { file: "input.json" },
    folder: "",
    read: (name) => encoder.encode(texts.get(name) ?? ""),
    ...metadata,
  };
}

export const readAccept = sampleCase(
  { phase: "read", verdict: "accept", requires: ["base"], expect: "expected.json" },
  { "input.json": '{"a": [1, -0]}', "expected.json": { a: [1, 0] } },
);

export const readReject = sampleCase(
  { phase: "read", verdict: "reject", requires: ["base"], codes: ["json.duplicate-key"] },
  { "input.json": '{"a": 1, "a": 2}' },
);

export const validateAccept = sampleCase(
  { phase: "validate", verdict: "accept" },
  { "input.json": definition as unknown as Json },
);

export const validateReject = sampleCase(
  { phase: "validate", verdict: "reject", codes: ["definition.start-unknown"] },
  { "input.json": { ...definition, start: "nowhere" } as unknown as Json },
);

const invocation = "r1/work#1";
export const startEvent = { type: "start", run: "r1", input: { n: 1 } };
export const resultEvent = { type: "result", invocation, attempt: 1, outcome: "ok", output: { n: 2 } };

/** Start, work, end. Commands and ends are named; the rest of each step is not compared. */
export const traceAccept = sampleCase(
  {
    id: "execution/sample",
    phase: "transition",
    verdict: "accept",
    shows: "acts",
    requires: ["core"],
    input: { file: "input.json" },
    expect: "expected.json",
  },
  {
    "input.json": definition as unknown as Json,
    "events.json": [startEvent, resultEvent],
    "expected.json": [
      {
        effect: { kind: "applied" },
        diagnostics: [],
        commands: [
          {
            kind: "invoke",
            activation: "work#1",
            invocation,
            action: "work",
            attempt: 1,
            delay: 0,
            input: { n: 1 },
            parameters: null,
            idempotencyKey: "r1/work/1",
          },
        ],
      },
      {
        effect: { kind: "applied" },
        diagnostics: [],
        disposition: { kind: "closed", status: "completed", output: { n: 2 } },
      },
    ],
  },
);

/** No host that keeps its contract delivers a result before the start. */
export const traceReject = sampleCase(
  {
    id: "execution/sample-impossible",
    phase: "transition",
    verdict: "reject",
    shows: "must-not-act",
    requires: ["core"],
    codes: ["model.event-impossible"],
  },
  { "input.json": definition as unknown as Json, "events.json": [resultEvent] },
);

export const sampleCases: readonly Case[] = [
  readAccept,
  readReject,
  validateAccept,
  validateReject,
  traceAccept,
  traceReject,
];
