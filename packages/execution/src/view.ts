/**
 * The portable view: what an inspector may see. No input, no output of actions, no credentials. Spec: EXE-view.
 */
import { setOwn } from "@swl/base";
import { keptCount } from "./buffer.js";
import { blockersOf } from "./disposition.js";
import type { CoreState, NodeRecord } from "./draft.js";
import type { Head } from "./head.js";
import type { ModelView } from "./model.js";
import { outstanding } from "./outstanding.js";
import type { CorePrepared } from "./prepared.js";
import { unsettledSlot } from "./unsettled.js";

export function view(prepared: CorePrepared, state: CoreState): ModelView {
  const { head } = state;
  const { workflow, definition } = prepared.requirements;
  const nodes: { [node: string]: ModelView["nodes"][string] } = {};
  const near: string[] = [];
  const { activations, nodeVisits, bufferedSignals } = prepared.limits;
  if (head.activations >= activations.near) near.push("maxActivations");
  if (bufferedSignals !== null && keptCount(head.buffer) >= bufferedSignals.near) {
    near.push("maxBufferedSignals");
  }
  for (const { id, slot } of prepared.nodes.values()) {
    const record = state.slots.get(slot) as unknown as NodeRecord | undefined;
    if (record === undefined) continue;
    const { visits, outcome, visit } = record;
    setOwn(nodes, id, { visits, outcome, visit });
    if (visits >= nodeVisits.near) near.push(`maxNodeVisits ${id}`);
  }
  return {
    run: head.run,
    workflow,
    definition,
    status: head.status,
    positions: positions(head),
    nodes,
    outstanding: outstanding(state),
    blockers: blockersOf(state),
    cancel: head.cancel === null ? null : { requestId: head.cancel.requestId, at: head.cancel.at },
    ...(bufferedSignals !== null && { buffer: head.buffer.map(({ signal, count }) => ({ signal, count })) }),
    // Whatever the order of the members of a definition: that is not part of what it says.
    counters: { activations: head.activations, near: near.sort() },
    result: head.result,
    ...unsettledMember(state),
    time: head.time,
  };
}

/** Absent when nothing is unsettled. */
function unsettledMember({ slots }: CoreState): Pick<ModelView, "unsettled"> {
  const unsettled = slots.get(unsettledSlot) as unknown as ModelView["unsettled"];
  return unsettled === undefined ? {} : { unsettled };
}

function positions(head: Head): ModelView["positions"] {
  if (head.position === null) return [];
  const { node, visit, since } = head.position;
  return [{ node, visit, activation: `${node}#${visit}`, since }];
}
