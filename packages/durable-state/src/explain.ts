/** Why a run stands where it stands: the model's blockers and the host's, each with what would move it. */
import type { Code } from "@swl/base";
import type { Hold } from "@swl/store-provider";
import type { Explanation, HostBlocker } from "./host-types.js";
import type { LoadedRun } from "./loaded-run.js";
import { statusOf } from "./proposal.js";
import { holdReasonOf, type Reading, runStatus, type UnreadableRun } from "./run-status.js";

export function explain(reading: Reading): Explanation {
  const stream = "problem" in reading ? reading.stream : undefined;
  const hold = stream === undefined ? (reading as LoadedRun).hold : stream.hold;
  if (hold !== undefined) return held(reading, hold);
  if ("problem" in reading) return unreadable(reading);
  const run = reading;
  const { model } = run.served;
  if (run.state === undefined) {
    return {
      run: run.id,
      status: "created",
      summary: "The run is created and waits for a host to serve it.",
      blockers: [
        { kind: "start", message: "No host has started it yet.", since: run.createdAt, options: ["cancel"] },
      ],
    };
  }
  const disposition = model.disposition(run.state);
  const status = statusOf(disposition);
  if (disposition.kind === "closed") {
    return { run: run.id, status, summary: `The run has ended: ${status}.`, blockers: [] };
  }
  const blockers = [...disposition.blockers, ...waitingEvents(run), ...waitingWork(run)];
  return { run: run.id, status, summary: blockers[0]?.message ?? "The run moves.", blockers };
}

function held(reading: Reading, hold: Hold): Explanation {
  const { run, status } = runStatus(reading);
  const quarantine = hold === "quarantine";
  const reason = "problem" in reading ? holdReasonOf(reading.stream) : reading.holdReason?.message;
  const message = quarantine
    ? `The run was set aside because it made the engine fail: ${reason ?? "no reason is recorded"}`
    : "The run is being exported and does not move here.";
  const code = quarantine ? "host.quarantined" : "store.held";
  return { run, status, summary: message, blockers: [{ kind: "host", code, message, options: [] }] };
}

/** A host that lacks what the run needs leaves it to others; nobody can move it before the need is met. */
function unreadable(reading: UnreadableRun): Explanation {
  const { run, status } = runStatus(reading);
  const { code, message } = reading.problem;
  return { run, status, summary: message, blockers: [{ kind: "host", code, message, options: ["cancel"] }] };
}

function waitingEvents(run: LoadedRun): HostBlocker[] {
  if (run.unapplied.length === 0) return [];
  const message = `${run.unapplied.length} accepted event(s) wait for a host to apply them.`;
  return [{ kind: "host", code: "host.waiting", message, options: ["start a worker on this store"] }];
}

function waitingWork(run: LoadedRun): HostBlocker[] {
  return [...run.work.values()].map((work) => {
    const at = new Date(work.notBefore).toISOString();
    const message =
      work.holder === undefined
        ? `An attempt waits in queue ${work.queue} for a host that has the action bound and a free slot, not before ${at}.`
        : `An attempt is under way, claimed by ${work.holder}.`;
    return { kind: "host", code: "host.waiting" satisfies Code, message, options: ["cancel"] };
  });
}
