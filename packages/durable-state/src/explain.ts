/** Why a run stands where it stands: the model's blockers and the host's, each with what would move it. */
import type { Blocker } from "@swl/execution/model";
import type { Explanation, HostBlocker } from "@swl/invocation-control";
import type { Hold } from "@swl/store-provider";
import { partsOfQueue } from "./formats.js";
import type { LoadedRun } from "./loaded-run.js";
import { statusOf } from "./proposal.js";
import { holdReasonOf, type Reading, runStatus, type UnreadableRun } from "./run-status.js";

type Holder = { readonly holder: string };

/** `holders`: those whose lease runs. `now`: the store's time, against which what is due was due. */
export function explain(reading: Reading, holders: readonly Holder[], now: number): Explanation {
  const stream = "problem" in reading ? reading.stream : undefined;
  const hold = stream === undefined ? (reading as LoadedRun).hold : stream.hold;
  if (hold !== undefined) return held(reading, hold);
  if ("problem" in reading) return unreadable(reading);
  const run = reading;
  const { model } = run.served;
  if (run.terminated !== undefined) {
    return { run: run.id, status: "canceled", summary: "The run was terminated.", blockers: [] };
  }
  if (run.state === undefined) return created(run, holders);
  const disposition = model.disposition(run.state);
  const status = statusOf(disposition);
  if (disposition.kind === "closed") {
    // The error's code is the author's word; its message may carry what is marked.
    const code = disposition.error?.code;
    const again = disposition.status === "failed" ? "; redrive begins a new run before what failed" : "";
    const said = code === undefined ? "" : ` (${code})`;
    return { run: run.id, status, summary: `The run has ended: ${status}${said}${again}.`, blockers: [] };
  }
  const events = waitingEvents(run);
  const blockers = [
    ...events,
    ...modelBlockers(disposition.blockers, events.length > 0),
    ...waitingWork(run, now),
    ...absentHost(run, holders),
  ];
  return {
    run: run.id,
    status,
    summary: blockers[0]?.message ?? "The run moves.",
    blockers: withWayOut(blockers),
  };
}

/** Events that wait may be just what is asked for: until they are applied, only to cancel is sure to be of use. */
function modelBlockers(all: readonly Blocker[], eventsWait: boolean): readonly Blocker[] {
  if (eventsWait) {
    return all.map((one) => ({ ...one, options: one.options.filter((option) => option === "cancel") }));
  }
  return all.map(withoutDeadlines(all));
}

/** Of a run that only time can move, or what may never come, there is always an end to be made. */
function withWayOut(blockers: Explanation["blockers"]): Explanation["blockers"] {
  const [first, ...others] = blockers;
  if (first === undefined || blockers.some(({ options }) => options.length > 0)) return blockers;
  return [{ ...first, options: ["terminate"] }, ...others];
}

/** A signal without the outcome that its waiter's deadline brings by itself, unless it is the only one. */
function withoutDeadlines(all: readonly Blocker[]): (blocker: Blocker) => Blocker {
  return (blocker) => {
    if (blocker.signal === undefined) return blocker;
    const own = all.flatMap(({ node, timer }) => (timer && node === blocker.node ? [timer.outcome] : []));
    const outcomes = blocker.signal.outcomes.filter((outcome) => !own.includes(outcome));
    return outcomes.length === 0 ? blocker : { ...blocker, signal: { ...blocker.signal, outcomes } };
  };
}

/** A host binds it when it first serves it: until then nobody knows whose actions it will call. */
function created(run: LoadedRun, holders: readonly Holder[]): Explanation {
  const { actions } = run.served.requirements;
  const needs = actions.map(({ action, capabilities }) =>
    capabilities.length === 0 ? action : `${action} (which needs ${capabilities.join(", ")})`,
  );
  const unbound = needs.length > 0 && Object.keys(run.created.bindings).length === 0;
  const who = unbound ? `a host that serves ${needs.join(", ")}` : "a host to serve it";
  const message = holders.length === 0 ? "No host serves this store now." : "No host has started it yet.";
  const options = ["cancel", "terminate", ...(holders.length === 0 ? [START_WORKER] : [])];
  return {
    run: run.id,
    status: "created",
    summary: `The run is created and waits for ${who}.`,
    blockers: [{ kind: "start", message, since: run.createdAt, options }, ...waitingEvents(run)],
  };
}

function held(reading: Reading, hold: Hold): Explanation {
  const { run, status } = runStatus(reading);
  const quarantine = hold === "quarantine";
  const reason = "problem" in reading ? holdReasonOf(reading.stream) : reading.holdReason?.message;
  const message = quarantine
    ? `The run was set aside because it made the engine fail: ${reason ?? "no reason is recorded"}`
    : "The run is being exported and does not move here.";
  const code = quarantine ? "host.quarantined" : "store.held";
  const options = quarantine ? ["release", "terminate"] : [];
  return { run, status, summary: message, blockers: [{ kind: "host", code, message, options }] };
}

/** A host that lacks what the run needs leaves it to others; only closing it needs none of that. */
function unreadable(reading: UnreadableRun): Explanation {
  const { run, status } = runStatus(reading);
  const { code, message } = reading.problem;
  if (reading.stream.closed) return { run, status, summary: `The run has ended: ${status}.`, blockers: [] };
  const options = ["terminate"];
  return { run, status, summary: message, blockers: [{ kind: "host", code, message, options }] };
}

function waitingEvents(run: LoadedRun): HostBlocker[] {
  const count = run.unapplied.length;
  if (count === 0) return [];
  const what = count === 1 ? "An accepted event waits" : `${count} accepted events wait`;
  return [waiting(`${what} for a host to apply.`, [START_WORKER])];
}

/** What was due and is nobody's yet is claimed within a look by whoever serves it: then nobody does, or nobody has room. */
function waitingWork(run: LoadedRun, now: number): HostBlocker[] {
  return [...run.work.values()].map((work) => {
    const { action, provider, asks } = partsOfQueue(work.queue);
    if (work.holder !== undefined) {
      const what = asks ? `Provider ${provider} is being asked about ${action}` : "An attempt is under way";
      return waiting(`${what}, claimed by ${work.holder}.`, ["cancel"]);
    }
    const at = new Date(work.notBefore).toISOString();
    const what = asks
      ? `The next question to provider ${provider} about ${action}`
      : `The next attempt of ${action} (${provider})`;
    if (now < work.notBefore) {
      const message = `${what} is due at ${at}, or as soon after as whoever does this work has room for it.`;
      return waiting(message, ["cancel"]);
    }
    const message = `${what} was due at ${at} and waits: it needs a host or worker that serves action ${action} by provider ${provider} and has room for it.`;
    return waiting(message, ["cancel", START_WORKER]);
  });
}

/** Whose lease has run out cannot go on with what it began; without any host nothing moves. */
function absentHost(run: LoadedRun, holders: readonly Holder[]): HostBlocker[] {
  const moves = run.owner !== undefined || run.work.size > 0 || run.unapplied.length > 0;
  if (!moves) return [];
  const { owner } = run;
  const gone = owner !== undefined && !holders.some(({ holder }) => holder === owner);
  const lost = gone
    ? `Host ${owner}, which began the attempt, is gone; the next host takes over from it.`
    : "";
  if (holders.length === 0) return [waiting(`${lost} No host serves this store now.`.trim(), [START_WORKER])];
  return gone ? [waiting(lost, [])] : [];
}

const START_WORKER = "start a worker on this store";

function waiting(message: string, options: readonly string[]): HostBlocker {
  return { kind: "host", code: "host.waiting", message, options };
}
