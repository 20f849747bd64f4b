/**
 * The operation that an invocation began at its provider: recorded under the handle of an `accepted` answer, asked
 * about, asked to stop. Until an action declares one of the profiles for it, an invocation has none.
 * Spec: EXE-deferred, EXE-cancel-ack.
 */
import type { Draft } from "./draft.js";
import { type Call, maxHandle, type Operation } from "./head.js";
import type { Command } from "./model.js";

/** What an invocation of a contract begins with. */
export function operationOf(declared: {
  readonly deferred: boolean;
  readonly requestable: boolean;
  readonly reconcilable: boolean;
}): Operation | null {
  const { deferred, requestable, reconcilable } = declared;
  if (!deferred && !requestable && !reconcilable) return null;
  return { deferred, handle: null, ended: 0, inspect: null, cancel: null };
}

/** That of the next attempt: nothing is known of it. `ended`: attempts whose completions move nothing any more. */
export function nextOperation(operation: Operation | null, ended?: number): Operation | null {
  if (operation === null) return null;
  return { ...operation, handle: null, inspect: null, cancel: null, ended: ended ?? operation.ended };
}

/** A text that a head can keep. */
export function isHandle(handle: unknown): handle is string {
  return typeof handle === "string" && handle !== "" && handle.length <= maxHandle;
}

/** The handle under which the operation of a call is known. */
export function handleOf(call: Call): string | null {
  return call.operation?.handle ?? null;
}

/** The latest attempt is authorized and nothing is known of it: maybe claimed, neither accepted nor asked about. */
export function isScheduled(call: Call): boolean {
  const { operation } = call;
  return operation === null || (operation.handle === null && operation.inspect === null);
}

/** Asks what became of the latest attempt, once more; a question in force is replaced. */
export function ask(draft: Draft, call: Call, delay: number, last: boolean): void {
  const operation = call.operation as Operation;
  const inspect = { at: draft.head.time + delay, asked: (operation.inspect?.asked ?? 0) + 1, last };
  draft.head.call = { ...call, operation: { ...operation, inspect } };
  draft.commands.push({ kind: "inspect", ...asked(call), delay, ...handleMember(call) });
}

/** The question has been answered, and the answer changes nothing. */
export function answered(draft: Draft, call: Call): void {
  draft.head.call = { ...call, operation: { ...(call.operation as Operation), inspect: null } };
}

/** Asks the provider to stop. That it did is another word. */
export function askToStop(draft: Draft): void {
  const call = draft.head.call as Call;
  const cancel = { at: draft.head.time, acknowledged: null };
  draft.head.call = { ...call, operation: { ...(call.operation as Operation), cancel } };
  draft.commands.push({ kind: "cancel-invocation", ...asked(call), ...handleMember(call) });
}

export function withdraw(draft: Draft, call: Call): void {
  const { invocation, attempt } = call;
  draft.commands.push({ kind: "withdraw", invocation, attempt });
}

/** What a provider is told of the attempt that it is asked about. */
function asked({ activation, invocation, action, attempt, idempotencyKey }: Call) {
  return { activation, invocation, action, attempt, idempotencyKey };
}

/** The member `handle` of a command or an outstanding one, where it is known. */
export function handleMember(call: Call): Pick<Extract<Command, { readonly kind: "inspect" }>, "handle"> {
  const handle = handleOf(call);
  return handle === null ? {} : { handle };
}

/** The provider has heard that it should stop: a fact beside the cancellation, which settles nothing. */
export function onAcknowledged(draft: Draft, event: { readonly invocation: string }): void {
  const { call } = draft.head;
  const cancel = call?.operation?.cancel ?? null;
  if (
    call === null ||
    call.invocation !== event.invocation ||
    cancel === null ||
    cancel.acknowledged !== null
  ) {
    draft.none("event.stale", `nothing is asked to stop that ${event.invocation} could acknowledge`);
    return;
  }
  const acknowledged = { ...cancel, acknowledged: draft.head.time };
  draft.head.call = { ...call, operation: { ...(call.operation as Operation), cancel: acknowledged } };
}
