/**
 * Attempts of one invocation: when the next one is due, and how it is authorized. The input is computed anew and not
 * stored: nothing that a mapping sees changes while the run stands on the node. Spec: EXE-retry-delay, EXE-attempts.
 */
import type { Json } from "@swl/base";
import { evaluateMapping } from "@swl/definition/mappings";
import type { RetryPolicy } from "@swl/definition/model";
import { DraftContext } from "./context.js";
import type { Draft } from "./draft.js";
import { deadlineKey } from "./end.js";
import type { Call } from "./head.js";
import { nextOperation } from "./operation.js";
import type { PreparedActivity } from "./prepared.js";

/**
 * Milliseconds between the acceptance of attempt `failed`'s failure or unknown and the next attempt. Full jitter is a
 * whole number from 0 to the unjittered delay, derived from invocation and attempt: the same on every engine.
 */
export function retryDelay(policy: RetryPolicy, invocation: string, failed: number): number {
  const factor = policy.backoff === "exponential" ? 2 ** Math.min(failed - 1, 64) : 1;
  const delay = Math.min(policy.initialDelayMs * factor, policy.maxDelayMs);
  if (policy.jitter === "none") return delay;
  return Math.floor((hash(`${invocation}:${failed}`) / 2 ** 32) * (delay + 1));
}

/** FNV-1a over UTF-16 code units, then the finalizer of MurmurHash3: 32 bits, unsigned. */
function hash(text: string): number {
  let h = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) h = Math.imul(h ^ text.charCodeAt(at), 0x01000193);
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
}

/** True while the policy leaves an attempt. Attempts that a resolution authorized count too. */
export function attemptLeft(node: PreparedActivity, call: Call): boolean {
  return call.attempt < node.action.retry.maxAttempts;
}

/** Authorizes the attempt that `call` names as its latest. */
export function authorize(draft: Draft, node: PreparedActivity, call: Call, delay: number): void {
  const input = evaluateMapping(node.input, new DraftContext(draft));
  // The mapping was evaluated over the same context when the node was entered.
  authorizeWith(draft, node, call, delay, input.ok ? input.value : null);
}

/** The same with the input at hand. */
export function authorizeWith(
  draft: Draft,
  node: PreparedActivity,
  call: Call,
  delay: number,
  input: Json,
): void {
  draft.head.call = call;
  draft.head.status = "running";
  draft.commands.push({
    kind: "invoke",
    activation: call.activation,
    invocation: call.invocation,
    action: call.action,
    attempt: call.attempt,
    delay,
    input,
    parameters: node.parameters,
    idempotencyKey: call.idempotencyKey,
  });
}

/** The call with a new operation deadline armed in full, when the contract has one. */
export function armed(draft: Draft, node: PreparedActivity, call: Call): Call {
  const { operationMs } = node.action;
  if (operationMs === null) return call;
  const generation = call.generation + 1;
  const at = draft.head.time + operationMs;
  const key = deadlineKey(call.activation);
  draft.commands.push({ kind: "set-deadline", deadline: "operation", key, generation, at });
  return { ...call, generation, deadline: { generation, at } };
}

/**
 * The automatic next attempt after the latest one failed, never began, or became unknown. `ended`: attempts whose
 * completions move nothing any more.
 */
export function retry(draft: Draft, node: PreparedActivity, call: Call, ended?: number): void {
  const delay = retryDelay(node.action.retry, call.invocation, call.attempt);
  const operation = nextOperation(call.operation, ended);
  const next = { ...call, attempt: call.attempt + 1, since: draft.head.time, operation };
  authorize(draft, node, next, delay);
}
