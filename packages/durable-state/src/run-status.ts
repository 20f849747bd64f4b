/** A run as people and lists see it. A run whose state cannot be read is still shown, with what can be said of it. */
import { isSwlError, SwlError } from "@swl/base";
import type { ModelView } from "@swl/execution/model";
import type { RunStatus, RunSummary } from "@swl/invocation-control";
import type { StreamHead, StreamState } from "@swl/store-provider";
import type { Definitions } from "./definitions.js";
import { type CreatedDocument, readCreated, readHold, readTermination, type Termination } from "./formats.js";
import { type LoadedRun, loadRun } from "./loaded-run.js";
import { terminationError } from "./operator-items.js";
import { statusOf } from "./proposal.js";

/** What can be read of a run here: all of it, or its log alone and why. */
export type Reading = LoadedRun | UnreadableRun;

export interface UnreadableRun {
  readonly stream: StreamState;
  readonly problem: SwlError;
}

export async function readRun(stream: StreamState, definitions: Definitions): Promise<Reading> {
  try {
    const run = await loadRun(stream, definitions);
    // A model that fails at this state fails here, and nobody is told of it in its own words.
    if (run.state !== undefined) run.served.model.disposition(run.state);
    return run;
  } catch (error) {
    if (isSwlError(error) && (error.code === "store.unavailable" || error.code === "store.unknown-commit"))
      throw error;
    const message = error instanceof Error ? error.message : String(error);
    return { stream, problem: isSwlError(error) ? error : new SwlError("model.state-invalid", message) };
  }
}

/** Why a held run is held, as far as its log says. */
export function holdReasonOf(stream: StreamState): string | undefined {
  for (const record of stream.tail.toReversed()) {
    const reason = readHold(record);
    if (reason !== undefined) return reason.message;
  }
  return undefined;
}

export function runStatus(reading: Reading): RunStatus {
  if ("problem" in reading) return bareStatus(reading.stream);
  const view = reading.state === undefined ? undefined : viewOf(reading);
  return { ...headStatus(reading), ...(view !== undefined && { view }) };
}

function bareStatus(stream: StreamState): RunStatus {
  const { workflow, status, startKey } = summaryOf(stream);
  const created = readCreated(stream.first);
  const terminated = terminationOf(stream);
  return {
    run: stream.stream,
    workflow,
    definition: created.definition,
    status: stream.hold === "quarantine" ? "quarantined" : status,
    ...(startKey !== undefined && { startKey }),
    position: stream.position,
    unapplied: stream.tail.filter((record) => record.kind === "event" && !record.applies).length,
    closed: stream.closed,
    ...(stream.hold !== undefined && { hold: stream.hold }),
    createdAt: stream.createdAt,
    ...linksOf(created, terminated),
  };
}

/** Who closed it in the store, as its log says. */
export function terminationOf(stream: StreamState): Termination | undefined {
  const last = stream.closed ? stream.tail.at(-1) : undefined;
  return last && readTermination(last);
}

function linksOf(
  { published, redriveOf }: CreatedDocument,
  terminated: Termination | undefined,
): Pick<RunStatus, "published" | "redriveOf" | "terminated"> {
  return {
    ...(published !== undefined && { published }),
    ...(redriveOf !== undefined && { redriveOf }),
    ...(terminated !== undefined && { terminated }),
  };
}

/** Without the view, which is as large as the definition. */
export function headStatus(run: LoadedRun): RunStatus {
  const key = run.facets["key"];
  const held = run.hold === "quarantine" ? "quarantined" : run.hold;
  return {
    run: run.id,
    workflow: run.created.workflow,
    definition: run.created.definition,
    status: held ?? statusWord(run),
    ...(key !== undefined && { startKey: key }),
    position: run.position,
    unapplied: run.unapplied.length,
    closed: run.closed,
    ...(run.hold !== undefined && { hold: run.hold }),
    createdAt: run.createdAt,
    ...linksOf(run.created, run.terminated),
  };
}

/**
 * DUR-terminate: ended, with what it had under way, of which it never hears. Undefined where the model fails to show it:
 * everything else is still said.
 */
function viewOf({ served, state, terminated }: LoadedRun): ModelView | undefined {
  let view: ModelView;
  try {
    view = served.model.view(served.prepared, state);
  } catch {
    return undefined;
  }
  if (terminated === undefined) return view;
  return { ...view, status: "canceled", blockers: [], result: { error: terminationError(terminated) } };
}

function statusWord({ terminated, state, served }: LoadedRun): string {
  if (terminated !== undefined) return "canceled";
  return state === undefined ? "created" : statusOf(served.model.disposition(state));
}

export function summaryOf(head: StreamHead): RunSummary {
  return {
    run: head.stream,
    workflow: head.facets["workflow"] ?? "",
    status: head.facets["status"] ?? "created",
    ...(head.facets["key"] !== undefined && { startKey: head.facets["key"] }),
    position: head.position,
    createdAt: head.createdAt,
    closed: head.closed,
    ...(head.hold !== undefined && { hold: head.hold }),
  };
}
