/** A run as people and lists see it. A run whose state cannot be read is still shown, with what can be said of it. */
import { isSwlError, SwlError } from "@swl/base";
import type { RunSummary } from "@swl/invocation-control";
import type { StreamHead, StreamState } from "@swl/store-provider";
import type { Definitions } from "./definitions.js";
import { readCreated, readHold } from "./formats.js";
import type { RunStatus } from "./host-types.js";
import { type LoadedRun, loadRun } from "./loaded-run.js";
import { statusOf } from "./proposal.js";

/** What can be read of a run here: all of it, or its log alone and why. */
export type Reading = LoadedRun | UnreadableRun;

export interface UnreadableRun {
  readonly stream: StreamState;
  readonly problem: SwlError;
}

export async function readRun(stream: StreamState, definitions: Definitions): Promise<Reading> {
  try {
    return await loadRun(stream, definitions);
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
  return "problem" in reading ? bareStatus(reading.stream) : fullStatus(reading);
}

function bareStatus(stream: StreamState): RunStatus {
  const { workflow, status, startKey } = summaryOf(stream);
  return {
    run: stream.stream,
    workflow,
    definition: readCreated(stream.first).definition,
    status: stream.hold === "quarantine" ? "quarantined" : status,
    ...(startKey !== undefined && { startKey }),
    position: stream.position,
    unapplied: stream.tail.filter((record) => record.kind === "event" && !record.applies).length,
    closed: stream.closed,
    ...(stream.hold !== undefined && { hold: stream.hold }),
    createdAt: stream.createdAt,
  };
}

function fullStatus(run: LoadedRun): RunStatus {
  const { model, prepared } = run.served;
  const key = run.facets["key"];
  const held = run.hold === "quarantine" ? "quarantined" : run.hold;
  return {
    run: run.id,
    workflow: run.created.workflow,
    definition: run.created.definition,
    status: held ?? (run.state === undefined ? "created" : statusOf(model.disposition(run.state))),
    ...(key !== undefined && { startKey: key }),
    position: run.position,
    unapplied: run.unapplied.length,
    closed: run.closed,
    ...(run.hold !== undefined && { hold: run.hold }),
    createdAt: run.createdAt,
    ...(run.state !== undefined && { view: model.view(prepared, run.state) }),
  };
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
