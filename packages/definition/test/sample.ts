/** One small workflow that is right in every respect, and a way to spoil a copy of it. */
import { type Definition, validate } from "../src/index.js";

// biome-ignore lint/suspicious/noExplicitAny: spoiling a definition needs every shape
export type Loose = any;

export function sample(): Loose {
  return {
    swl: "0.1",
    id: "order",
    requires: ["core"],
    dialects: {
      schema: "https://json-schema.org/draft/2020-12/schema",
      numbers: "binary64",
      expressions: "minimal",
    },
    inputSchema: { type: "object", required: ["order"], properties: { order: { type: "string" } } },
    start: "check",
    nodes: {
      check: {
        kind: "activity",
        action: "check-credit",
        input: { order: { $get: ["input", "order"] } },
        parameters: { limit: 100 },
        routes: { ok: "approve", rejected: "denied", failed: "denied" },
      },
      approve: {
        kind: "await-signal",
        signal: "approval",
        routes: { approved: "done", again: "check", exhausted: "denied" },
        payloads: { approved: { type: "object" } },
        loopLimits: { again: 2 },
      },
      done: { kind: "complete", output: { credit: { $get: ["nodes", "check", "output"] } } },
      denied: {
        kind: "fail",
        error: { code: "order.denied", message: "denied", details: { $get: ["from", "output"] } },
      },
    },
    actions: {
      "check-credit": {
        parametersSchema: {
          type: "object",
          properties: { limit: { type: "integer" } },
          additionalProperties: false,
        },
        outcomes: { ok: { outputSchema: true }, rejected: {} },
        effect: "read-only",
      },
    },
  };
}

/** Codes and pointers of what validation says about a spoiled copy. */
export function findingsOf(spoil: (definition: Loose) => void, options = {}): string[] {
  const definition = sample();
  spoil(definition);
  const outcome = validate(definition, options);
  return outcome.findings.map((finding) => `${finding.severity} ${finding.code} ${finding.pointer}`).sort();
}

export function valid(spoil: (definition: Loose) => void = () => {}): Definition {
  const definition = sample();
  spoil(definition);
  const outcome = validate(definition);
  if (!outcome.ok) throw new Error(JSON.stringify(outcome.findings, null, 1));
  return outcome.value;
}
