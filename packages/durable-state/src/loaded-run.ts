/**
 * A run as the store has it: state, and the accepted events that no commit has applied. Read, never re-executed.
 * Spec: DUR-recovery.
 */
import type { Json } from "@swl/base";
import type { AcceptedEvent, ExecutionModel } from "@swl/execution/model";
import type { Hold, StreamState, Work } from "@swl/store-provider";
import type { Definitions, Served } from "./definitions.js";
import {
  type CreatedDocument,
  readCommit,
  readCreated,
  readEvent,
  readHold,
  readTermination,
  readTrace,
  type Termination,
} from "./formats.js";

export interface LoadedRun {
  readonly id: string;
  readonly created: CreatedDocument;
  readonly served: Served;
  /** Undefined before the first transition. */
  readonly state: unknown;
  /** The state's head as the newest commit holds it. */
  readonly head: Json | undefined;
  readonly position: number;
  readonly owner: string | undefined;
  readonly hold: Hold | undefined;
  readonly holdReason: { readonly code: string; readonly message: string } | undefined;
  readonly closed: boolean;
  readonly work: ReadonlyMap<string, Work>;
  readonly dues: ReadonlyMap<string, number>;
  readonly unapplied: readonly AcceptedEvent[];
  /** The trace contexts of those who brought them, by position. */
  readonly traces: ReadonlyMap<number, string>;
  /** True when records wait to be applied, even if none of them is an event. */
  readonly behind: boolean;
  /** A quarantine was lifted since the last commit: what was kept beside the log meanwhile is to be taken in. */
  readonly released: boolean;
  /** Closed by `terminate`; its state is that of the last commit before. */
  readonly terminated: Termination | undefined;
  readonly facets: { readonly [label: string]: string };
  readonly createdAt: number;
  /** Its bindings are those of the host that first served it: they stand in its commits, not in its first record. */
  readonly boundLate: boolean;
}

export const noTraces: ReadonlyMap<number, string> = new Map();

export async function loadRun(stream: StreamState, definitions: Definitions): Promise<LoadedRun> {
  const first = readCreated(stream.first);
  const served = await definitions.serve(first);
  const newest = stream.tail[0];
  const commit = newest?.applies ? readCommit(newest) : undefined;
  const bound = commit?.bindings;
  const created = bound === undefined ? first : { ...first, bindings: bound };
  const waiting = newest?.applies ? stream.tail.slice(1) : stream.tail;
  const unapplied: AcceptedEvent[] = [];
  const traces = new Map<number, string>();
  let holdReason: LoadedRun["holdReason"];
  let terminated: Termination | undefined;
  for (const record of waiting) {
    const event = readEvent(record, created);
    if (event !== undefined) unapplied.push(event);
    const trace = event && readTrace(record);
    if (trace !== undefined) traces.set(record.position, trace);
    holdReason = readHold(record) ?? holdReason;
    terminated = readTermination(record) ?? terminated;
  }
  return {
    id: stream.stream,
    created,
    served,
    state: commit?.head === undefined ? undefined : restore(served.model, commit.head, stream.slots),
    head: commit?.head,
    position: stream.position,
    owner: stream.owner,
    hold: stream.hold,
    holdReason,
    closed: stream.closed,
    work: new Map(stream.work.map((work) => [work.id, work])),
    dues: stream.dues,
    unapplied,
    traces,
    behind: waiting.length > 0,
    released: waiting.some((record) => record.kind === "released"),
    terminated,
    facets: stream.facets,
    createdAt: stream.createdAt,
    boundLate: bound !== undefined,
  };
}

function restore(model: ExecutionModel, head: Json, slots: ReadonlyMap<string, Json>): unknown {
  return model.fromJSON({ head, slots: Object.fromEntries(slots) });
}

/** It is parked, and evidence that was kept would settle it. */
export function hasAdoptable({ served, state }: LoadedRun): boolean {
  if (state === undefined) return false;
  const disposition = served.model.disposition(state);
  return disposition.kind === "parked" && disposition.adopt !== undefined;
}
