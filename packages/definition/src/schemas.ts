/**
 * The structure of definitions, part by part as validation reads them: the one source. The input of a schema is what an
 * author may write, its output the normalized form with every default written out; the types of `model.ts` are proved
 * equal to the outputs. What structure cannot say (targets exist, routes are complete) are rules over what was read.
 * Spec: docs/spec/definition.md.
 */
import * as z from "zod/mini";
import {
  declaredOutcomeRule,
  errorCodeRule,
  idRule,
  limitExpected,
  maxCases,
  maxOutcomes,
  outcomeRule,
  pointerRule,
  ranges,
  signalRule,
  versionRule,
} from "./grammar.js";
import {
  anyJson,
  anyObject,
  anyText,
  byName,
  flag,
  integer,
  jsonSchema,
  list,
  members,
  text,
  texts,
  word,
} from "./members.js";
import { dialects as dialectNames } from "./registry.js";

const id = text(idRule);
const version = text(versionRule);
const pointers = texts(text(pointerRule));
const routes = byName(anyText, { names: outcomeRule });
const payloads = byName(jsonSchema);
const pointersByOutcome = byName(pointers);
const loopLimits = byName(integer(ranges.loopLimit, limitExpected));

/** That exactly one of them is said is a rule of its own. */
const time = { after: z.exactOptional(anyJson), until: z.exactOptional(anyJson) };

export const deadline = members({ ...time, outcome: text(declaredOutcomeRule) });

export const activityNode = members({
  kind: z.literal("activity"),
  action: id,
  input: z._default(anyJson, null),
  parameters: z._default(anyJson, null),
  routes,
  loopLimits: z.exactOptional(loopLimits),
});

export const awaitSignalNode = members({
  kind: z.literal("await-signal"),
  signal: text(signalRule),
  routes,
  payloads: z.exactOptional(payloads),
  loopLimits: z.exactOptional(loopLimits),
  sensitive: z.exactOptional(members({ payloads: z.exactOptional(pointersByOutcome) })),
  deadline: z.exactOptional(deadline),
});

export const awaitTimerNode = members({ kind: z.literal("await-timer"), ...time, routes });

const cases = list(members({ when: anyJson, outcome: text(declaredOutcomeRule) }), {
  min: 1,
  max: maxCases,
  expected: `a list of 1 to ${maxCases} cases`,
});

export const choiceNode = members({
  kind: z.literal("choice"),
  cases,
  otherwise: text(declaredOutcomeRule),
  routes,
});

export const completeNode = members({ kind: z.literal("complete"), output: z._default(anyJson, null) });

const failure = { code: text(errorCodeRule), message: anyJson, details: z.exactOptional(anyJson) };

export const failNode = members({ kind: z.literal("fail"), error: members(failure) });

export const effects = ["pure", "read-only", "idempotent", "unsafe", "reconcilable"] as const;

export const retryShape = {
  maxAttempts: integer(ranges.maxAttempts),
  initialDelayMs: z._default(integer(ranges.delayMs), 1_000),
  backoff: z._default(word(["fixed", "exponential"]), "exponential"),
  maxDelayMs: z._default(integer(ranges.delayMs), 60_000),
  jitter: z._default(word(["none", "full"]), "none"),
};

/** How often something is tried by default depends on the effect: see `actionContract`. */
const retrySaid = members({ ...retryShape, maxAttempts: z.exactOptional(retryShape.maxAttempts) });

const contractSaid = members({
  version: z.exactOptional(version),
  title: z.exactOptional(anyText),
  description: z.exactOptional(anyText),
  inputSchema: z.exactOptional(jsonSchema),
  parametersSchema: z.exactOptional(jsonSchema),
  outcomes: byName(members({ outputSchema: z.exactOptional(jsonSchema) }), {
    names: declaredOutcomeRule,
    count: { min: 1, max: maxOutcomes, expected: `1 to ${maxOutcomes} outcomes` },
  }),
  effect: word(effects),
  retry: z.prefault(retrySaid, {}),
  onExhausted: z.exactOptional(word(["park", "fail"])),
  timeouts: z.exactOptional(
    members({
      attemptMs: z.exactOptional(integer(ranges.timeoutMs)),
      operationMs: z.exactOptional(integer(ranges.timeoutMs)),
    }),
  ),
  capabilities: z._default(texts(z.string({ error: "a text" }).check(z.minLength(1, "a text"))), []),
  deferred: z._default(flag, false),
  cancellation: z._default(word(["none", "requestable"]), "none"),
  limits: z.exactOptional(
    members({
      maxInputBytes: z.exactOptional(integer(ranges.bytes)),
      maxOutputBytes: z.exactOptional(integer(ranges.bytes)),
    }),
  ),
  sensitive: z.exactOptional(
    members({ input: z.exactOptional(pointers), outputs: z.exactOptional(pointersByOutcome) }),
  ),
});

/** Effects that a host may repeat when it does not know what became of an attempt. */
const repeatable: ReadonlySet<string> = new Set(["pure", "read-only", "idempotent"]);

/** What an operation takes, yields and promises. Two hosts never differ by a default of their own. */
export const actionContract = z.pipe(
  contractSaid,
  z.transform((said: z.output<typeof contractSaid>) => ({
    ...said,
    retry: { maxAttempts: repeatable.has(said.effect) ? 5 : 1, ...said.retry },
    ...(said.effect === "idempotent" && { onExhausted: said.onExhausted ?? "park" }),
    capabilities: [...said.capabilities].sort(),
  })),
);

const dialectsShape = {
  schema: z.exactOptional(word([dialectNames.schema])),
  numbers: word(dialectNames.numbers),
  expressions: word(dialectNames.expressions),
};

export const dialects = members(dialectsShape);

export const limits = members({
  maxActivations: z._default(integer(ranges.maxActivations), 100_000),
  maxNodeVisits: z.exactOptional(integer(ranges.maxNodeVisits)),
  maxInternalTransitions: z._default(integer(ranges.maxInternalTransitions), 1_000),
  // Written out by validation where the profile is required.
  maxBufferedSignals: z.exactOptional(integer(ranges.maxBufferedSignals)),
});

export const meta = members({
  title: z.exactOptional(anyText),
  description: z.exactOptional(anyText),
  labels: z.exactOptional(byName(anyText)),
  layout: z.exactOptional(anyJson),
});

/** A definition of which nodes and actions are still as they were written: these are read one by one. */
export const frame = members({
  $schema: z.exactOptional(anyText),
  swl: z.literal("0.1"),
  id,
  version: z.exactOptional(version),
  requires: texts(anyText),
  hints: z.exactOptional(texts(anyText)),
  dialects,
  inputSchema: z.exactOptional(jsonSchema),
  outputSchema: z.exactOptional(jsonSchema),
  start: id,
  nodes: anyObject,
  actions: z._default(anyObject, {}),
  limits: z.prefault(limits, {}),
  sensitive: z.exactOptional(members({ input: z.exactOptional(pointers) })),
  meta: z.exactOptional(meta),
});
