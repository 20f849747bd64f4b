/** A run's log for people and tools: what happened, when and in which order, without the values that were passed. */
import { isJsonObject, type Json, type JsonObject } from "@swl/base";
import type { LogRecord, Store } from "@swl/store-provider";
import { readCommit } from "./formats.js";
import type { HistoryEntry, HistoryEvent } from "./host-types.js";

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

export async function historyOf(store: Store, run: string): Promise<readonly HistoryEntry[]> {
  const entries: HistoryEntry[] = [];
  for (let after = 0; ; ) {
    const records = await store.read(run, { after });
    if (records.length === 0) return entries;
    entries.push(...records.map(entryOf));
    after = records.at(-1)!.position;
  }
}

function entryOf(record: LogRecord): HistoryEntry {
  const event = isJsonObject(record.document) ? record.document["event"] : undefined;
  const commit = readCommit(record);
  return {
    position: record.position,
    at: record.at,
    kind: record.kind,
    ...(isJsonObject(event) && { event: eventOf(event) }),
    ...(commit?.edges !== undefined && { edges: commit.edges }),
    ...(commit?.answers !== undefined && {
      answers: commit.answers.map(({ position, effect, code }) => ({
        position,
        effect,
        ...(code !== undefined && { code }),
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
