/** Records of a run's log as the control plane reads them: the documents of formats.ts, named. */
import { isJsonObject, type JsonObject } from "@swl/base";
import type { ControlRecord } from "@swl/invocation-control";
import type { LogRecord } from "@swl/store-provider";
import { readCommit } from "./formats.js";

export function controlRecords(run: string, records: readonly LogRecord[]): readonly ControlRecord[] {
  return records.map((record) => recordOf(run, record));
}

function recordOf(run: string, record: LogRecord): ControlRecord {
  const { position, at, kind, applies } = record;
  const document: JsonObject = isJsonObject(record.document) ? record.document : {};
  const { event, events, input } = document;
  const commit = readCommit(record);
  return {
    position,
    at,
    kind,
    applies,
    ...(isJsonObject(event) && { event, ...nodeOf(run, event) }),
    ...(kind === "created" && input !== undefined && { input }),
    ...(kind === "redriven" &&
      Array.isArray(events) && {
        inherited: events.filter(isJsonObject).map((one) => ({ event: one, ...nodeOf(run, one) })),
      }),
    ...(commit?.edges !== undefined && { edges: commit.edges }),
    ...(commit?.answers !== undefined && { answers: commit.answers }),
  };
}

/** `RUN/charge#3` is an invocation of node `charge`. */
function nodeOf(run: string, event: JsonObject): { readonly node?: string } {
  const { invocation } = event;
  if (typeof invocation !== "string" || !invocation.startsWith(`${run}/`)) return {};
  const visit = invocation.lastIndexOf("#");
  return visit === -1 ? {} : { node: invocation.slice(run.length + 1, visit) };
}
