/**
 * The portable form of a state and back. What is read is checked by shape and for agreement of its parts: a state that
 * no transition can have written is refused. Spec: EXE-state.
 */
import { excerpt, isJsonObject, type Json, SwlError } from "@swl/base";
import { signalSlot } from "./buffer.js";
import type { CoreState } from "./draft.js";
import { type Head, isTerminal, type KeptSignals } from "./head.js";
import type { StateDocument } from "./model.js";
import { isEvidence, isHead, isKeptSignal, isNodeRecord, isUnsettled } from "./shapes.js";
import { nodeSlot, Slots } from "./slots.js";
import { unsettledSlot } from "./unsettled.js";

export function toJSON(state: CoreState): StateDocument {
  return { head: state.head as unknown as Json, slots: state.slots.toJSON() };
}

/** Throws `model.state-invalid`. */
export function fromJSON(document: StateDocument): CoreState {
  if (!isJsonObject(document)) refuse("", "expected head and slots");
  const { head, slots } = document;
  if (!isHead(head)) refuse("/head", "not a head that this release writes");
  if (!isJsonObject(slots)) refuse("/slots", "expected an object of slots");
  for (const [key, value] of Object.entries(slots)) {
    if (!isSlot(key, value)) refuse(`/slots/${excerpt(key, 80)}`, "not a slot that this release writes");
  }
  const problem = disagreement(head, slots);
  if (problem !== undefined) refuse("/head", problem);
  return { head, slots: Slots.of(Object.entries(slots)) };
}

function refuse(pointer: string, message: string): never {
  throw new SwlError("model.state-invalid", `the state of a run is damaged: ${message}`, { pointer });
}

function isSlot(key: string, value: Json): boolean {
  if (key === "input") return true;
  if (key.startsWith("node:")) return isNodeRecord(value);
  if (key.startsWith("signal:")) return isKeptSignal(value);
  if (key === unsettledSlot) return isUnsettled(value);
  return /^evidence:[1-9][0-9]*$/.test(key) && isEvidence(value);
}

type SlotDocuments = { readonly [key: string]: Json };

/** Which parts of a head go together, and with the slots. */
function disagreement(head: Head, slots: SlotDocuments): string | undefined {
  return bufferDisagreement(head, slots) ?? standDisagreement(head, slots);
}

/** Every kept signal is counted, and every counted one is kept. */
function bufferDisagreement({ buffer }: Head, slots: SlotDocuments): string | undefined {
  let counted = 0;
  for (const [index, { signal, first, count }] of buffer.entries()) {
    if (index > 0 && signal <= (buffer[index - 1] as KeptSignals).signal) return "its buffer is out of order";
    counted += count;
    for (let n = first; n < first + count; n++) {
      if (!Object.hasOwn(slots, signalSlot(signal, n)))
        return `the slot of kept signal ${signal}#${n} is missing`;
    }
  }
  const kept = Object.keys(slots).filter((key) => key.startsWith("signal:")).length;
  return kept === counted ? undefined : "a signal is kept that nothing counts";
}

function standDisagreement(head: Head, slots: SlotDocuments): string | undefined {
  const { status, position, call, wait, cancel, result } = head;
  if (status === "created" || isTerminal(status)) {
    if (position !== null || call !== null || wait !== null) return `${status} and still standing somewhere`;
    if ((result !== null) !== (status === "completed" || status === "failed"))
      return `${status} and its result`;
    if (result !== null && "output" in result !== (status === "completed")) return `${status} and its result`;
    return status === "created" && head.run !== null ? "created and already started" : undefined;
  }
  if (position === null || head.run === null || result !== null) return `${status} and standing nowhere`;
  if (!Object.hasOwn(slots, nodeSlot(position.node))) return `the slot of node ${position.node} is missing`;
  if (status === "waiting") return call !== null || !waitsFor(wait) ? "waiting for nothing" : undefined;
  if (wait !== null || call === null) return `${status} without an invocation`;
  if ((call.parked !== null) !== (status === "needs-intervention"))
    return `${status} and the parked invocation`;
  const { operation } = call;
  if (operation !== null && operation.handle !== null && !operation.deferred)
    return "an operation that its action does not declare";
  if (operation?.inspect && call.parked !== null) return "parked and still asking";
  const missing = call.evidence.find((kept) => !Object.hasOwn(slots, `evidence:${kept.position}`));
  if (missing !== undefined) return `the slot of evidence ${missing.position} is missing`;
  return status === "canceling" && cancel === null ? "canceling without a cancellation" : undefined;
}

/** A signal, a timer, or a signal until a deadline. */
function waitsFor(wait: Head["wait"]): boolean {
  if (wait === null) return false;
  const kind = wait.deadline?.kind;
  return wait.signal === null ? kind === "timer" && wait.outcomes.length === 0 : kind !== "timer";
}
