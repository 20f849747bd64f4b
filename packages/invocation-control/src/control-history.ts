/** A run's log for people and tools: what happened, when and in which order, without the values that were passed. */
import { isJsonObject, type Json, type JsonObject } from "@swl/base";
import type { ControlPort, ControlRecord } from "./control-port.js";
import type { EdgeView, HistoryEntry, HistoryEvent } from "./control-views.js";

const kept = [
  "type",
  "id",
  "invocation",
  "attempt",
  "outcome",
  "reason",
  "message",
  "retryable",
  "name",
  "requestId",
  "decision",
  "by",
];

/** What stands after a position, at most so many entries. */
export interface HistoryRange {
  readonly after?: number;
  readonly limit?: number;
}

export async function historyOf(
  port: ControlPort,
  run: string,
  { after = 0, limit = Number.POSITIVE_INFINITY }: HistoryRange = {},
): Promise<readonly HistoryEntry[]> {
  return (await recordsOf(port, run, after, limit)).map(entryOf);
}

/** The edges taken, oldest first. */
export async function pathOf(port: ControlPort, run: string): Promise<readonly EdgeView[]> {
  const records = await recordsOf(port, run, 0, Number.POSITIVE_INFINITY);
  return records.flatMap(({ edges }) => edges ?? []);
}

async function recordsOf(
  port: ControlPort,
  run: string,
  after: number,
  limit: number,
): Promise<readonly ControlRecord[]> {
  const all: ControlRecord[] = [];
  while (all.length < limit) {
    const records = await port.records(run, all.at(-1)?.position ?? after);
    if (records.length === 0) return all;
    all.push(...records);
  }
  return all.slice(0, limit);
}

function entryOf({ position, at, kind, event, edges, answers }: ControlRecord): HistoryEntry {
  return {
    position,
    at,
    kind,
    ...(event !== undefined && { event: eventOf(event) }),
    ...(edges !== undefined && { edges }),
    ...(answers !== undefined && {
      answers: answers.map((answer) => ({
        position: answer.position,
        effect: answer.effect,
        ...(answer.code !== undefined && { code: answer.code }),
      })),
    }),
  };
}

function eventOf(event: JsonObject): HistoryEvent {
  const said: { [member: string]: Json } = {};
  for (const member of kept) if (event[member] !== undefined) said[member] = event[member];
  const error = event["error"];
  if (isJsonObject(error)) {
    said["code"] = error["code"] ?? null;
    said["message"] = error["message"] ?? null;
  }
  if (event["messageId"] !== undefined) said["requestId"] = event["messageId"];
  return said as unknown as HistoryEvent;
}
