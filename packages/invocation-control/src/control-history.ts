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

export async function historyOf(port: ControlPort, run: string): Promise<readonly HistoryEntry[]> {
  return (await allRecords(port, run)).map(entryOf);
}

/** The edges taken, oldest first. */
export async function pathOf(port: ControlPort, run: string): Promise<readonly EdgeView[]> {
  return (await allRecords(port, run)).flatMap(({ edges }) => edges ?? []);
}

async function allRecords(port: ControlPort, run: string): Promise<readonly ControlRecord[]> {
  const all: ControlRecord[] = [];
  for (;;) {
    const records = await port.records(run, all.at(-1)?.position ?? 0);
    if (records.length === 0) return all;
    all.push(...records);
  }
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
