/**
 * Shapes of stored documents, as small combinators: what `fromJSON` believes before it looks at meaning.
 */
import { isJsonObject, type Json } from "@swl/base";
import type { Head } from "./head.js";
import { isHandle } from "./operation.js";
import { maxUnsettled } from "./unsettled.js";

type Shape = (value: unknown) => boolean;

const text: Shape = (value) => typeof value === "string";
const flag: Shape = (value) => typeof value === "boolean";
const count: Shape = (value) => Number.isSafeInteger(value) && (value as number) >= 0;
const several: Shape = (value) => count(value) && value !== 0;
const time: Shape = (value) => Number.isFinite(value);
const json: Shape = (value) => value !== undefined;

function word(...words: readonly string[]): Shape {
  return (value) => typeof value === "string" && words.includes(value);
}

function nullable(shape: Shape): Shape {
  return (value) => value === null || shape(value);
}

function listOf(shape: Shape): Shape {
  return (value) => Array.isArray(value) && value.every(shape);
}

/** Exactly these members. */
function record(members: { readonly [key: string]: Shape }): Shape {
  const keys = Object.keys(members);
  return (value) => {
    if (!isJsonObject(value) || Object.keys(value).length !== keys.length) return false;
    return keys.every((key) => Object.hasOwn(value, key) && members[key]!(value[key]));
  };
}

function either(...shapes: readonly Shape[]): Shape {
  return (value) => shapes.some((shape) => shape(value));
}

const error = record({ code: text, message: text, details: json });
const evidenceType = word("result", "failure", "accepted", "withdrawn", "completion", "inspected");
const handle: Shape = (value) => text(value) && isHandle(value as string);

const operation = record({
  deferred: flag,
  handle: nullable(handle),
  ended: count,
  inspect: nullable(record({ at: time, asked: count, last: flag })),
  cancel: nullable(record({ at: time, acknowledged: nullable(time) })),
});

const call = record({
  invocation: text,
  activation: text,
  action: text,
  idempotencyKey: text,
  attempt: count,
  attempts: count,
  resolved: count,
  since: time,
  deadline: nullable(record({ generation: count, at: time })),
  generation: count,
  failure: nullable(record({ attempt: count, error })),
  unknown: nullable(record({ attempt: count, reason: text, message: nullable(text) })),
  parked: nullable(
    record({
      reason: word("unknown-result", "contract-violated", "accepted-undeclared"),
      since: time,
      position: count,
      evidence: nullable(count),
    }),
  ),
  withdraw: flag,
  evidence: listOf(record({ position: count, type: evidenceType, attempt: count })),
  adopt: nullable(
    record({ position: count, decision: word("complete", "fail", "retry", "reattach"), failure: flag }),
  ),
  operation: nullable(operation),
});

const deadline = record({ kind: word("await", "timer"), generation: count, at: time, outcome: text });

const head = record({
  v: (value) => value === 1,
  status: word(
    "created",
    "running",
    "waiting",
    "needs-intervention",
    "canceling",
    "completed",
    "failed",
    "canceled",
  ),
  run: nullable(text),
  position: nullable(record({ node: text, visit: count, since: time })),
  from: nullable(record({ node: text, route: text })),
  call: nullable(call),
  wait: nullable(record({ signal: nullable(text), outcomes: listOf(text), deadline: nullable(deadline) })),
  buffer: listOf(record({ signal: text, first: count, count: several })),
  cancel: nullable(record({ requestId: text, at: time, reason: nullable(text) })),
  result: nullable(either(record({ output: json }), record({ error }))),
  settled: nullable(record({ invocation: text, attempt: count, handle: nullable(handle) })),
  activations: count,
  evidence: count,
  time,
  last: count,
});

const nodeRecord = record({
  visits: count,
  outcome: nullable(text),
  output: json,
  visit: nullable(count),
  streak: nullable(record({ outcome: text, count })),
});

const of = { invocation: text, attempt: count, at: time };
const said = either(record({ outcome: text, output: json }), record({ error, retryable: flag }));
const statuses = ["running", "completed", "failed", "not-found", "unknown"] as const;
const evidence = either(
  record({ ...of, type: word("result"), outcome: text, output: json }),
  record({ ...of, type: word("failure"), error, retryable: flag }),
  record({ ...of, type: word("accepted"), handle: text }),
  record({ ...of, type: word("withdrawn") }),
  record({ ...of, type: word("completion"), messageId: text, handle: nullable(text), result: said }),
  record({ ...of, type: word("inspected"), status: word(...statuses), result: nullable(said) }),
);

const unsettled = listOf(record({ invocation: text, attempt: count, handle, since: time }));

const keptSignal = record({ position: count, messageId: text, outcome: nullable(text), payload: json });

export function isHead(value: Json): value is Json & Head {
  return head(value);
}

export function isNodeRecord(value: Json): boolean {
  return nodeRecord(value);
}

export function isEvidence(value: Json): boolean {
  return evidence(value);
}

export function isUnsettled(value: Json): boolean {
  return unsettled(value) && (value as readonly Json[]).length <= maxUnsettled;
}

export function isKeptSignal(value: Json): boolean {
  return keptSignal(value);
}
