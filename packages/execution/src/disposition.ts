/**
 * What a host may do with a run: go on serving it, leave it to a person, or close it; and what a run that is not
 * closed waits for. Spec: EXE-disposition.
 */
import { adoptable } from "./adoption.js";
import { intervention, invocation } from "./call-blockers.js";
import type { CoreState } from "./draft.js";
import type { Head, Position, Wait } from "./head.js";
import { instantText } from "./instant-text.js";
import type { Blocker, Disposition } from "./model.js";
import { waitKey } from "./wait.js";

export function disposition(state: CoreState): Disposition {
  const { head } = state;
  switch (head.status) {
    case "completed":
    case "failed":
    case "canceled":
      return { kind: "closed", status: head.status, ...head.result };
    case "needs-intervention": {
      const adopt = adoptable(head);
      return { kind: "parked", blockers: [intervention(state)], ...(adopt && { adopt }) };
    }
    case "waiting":
      return { kind: "open", blockers: waiters(head) };
    default:
      return { kind: "open", blockers: [openBlocker(head)] };
  }
}

/** Empty for a closed run, else at least one. */
export function blockersOf(state: CoreState): readonly Blocker[] {
  const said = disposition(state);
  return said.kind === "closed" ? [] : said.blockers;
}

function openBlocker(head: Head): Blocker {
  if (head.call !== null) return invocation(head, head.call);
  return {
    kind: "start",
    message: "The run has been created and no host has started it yet.",
    since: head.time,
    options: ["cancel"],
  };
}

/** The signal, then the time after which the run goes on without it. */
function waiters(head: Head): readonly Blocker[] {
  const position = head.position as Position;
  const { node, since } = position;
  const { signal, outcomes, deadline } = head.wait as Wait;
  const blockers: Blocker[] = [];
  if (signal !== null) {
    // The deadline's own outcome comes by itself: nobody is asked for it.
    const asked = outcomes.filter((outcome) => outcome !== deadline?.outcome);
    const named = asked.length > 0 ? asked : outcomes;
    blockers.push({
      kind: "signal",
      node,
      message: `Node ${node} waits for signal ${signal} (${named.join(", ")}).`,
      since,
      signal: { name: signal, outcomes },
      options: ["signal", "cancel"],
    });
  }
  if (deadline !== null) {
    const { kind, at, outcome } = deadline;
    const until = instantText(at);
    const message =
      kind === "timer"
        ? `Node ${node} waits for a timer until ${until}.`
        : `Node ${node} waits until ${until}, then goes on with ${outcome}.`;
    const timer = { key: waitKey(kind, position), at, outcome };
    blockers.push({ kind: "timer", node, message, since, timer, options: ["cancel"] });
  }
  return blockers;
}
