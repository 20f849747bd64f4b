/** Why a run stands where it stands: the model's blockers and the host's, each with what would move it. */
import type { Code } from "@swl/base";
import type { Explanation, HostBlocker } from "./host-types.js";
import type { LoadedRun } from "./loaded-run.js";
import { statusOf } from "./proposal.js";

export function explain(run: LoadedRun): Explanation {
  const { model } = run.served;
  if (run.hold !== undefined) return held(run);
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

function held(run: LoadedRun): Explanation {
  const quarantine = run.hold === "quarantine";
  const reason = run.holdReason;
  const message = quarantine
    ? `The run was set aside because it made the engine fail: ${reason?.message ?? "no reason is recorded"}`
    : "The run is being exported and does not move here.";
  const code = quarantine ? "host.quarantined" : "store.held";
  return {
    run: run.id,
    status: quarantine ? "quarantined" : "held",
    summary: message,
    blockers: [{ kind: "host", code, message, options: [] }],
  };
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
