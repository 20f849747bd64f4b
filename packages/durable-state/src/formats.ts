/**
 * The run log's documents: what a host writes into records, and nothing a store needs to understand. Positions are
 * the store's; every reader of a log goes through this file. Spec: docs/spec/durable-state.md, "The run's log".
 */
import { type Code, isJsonObject, type Json, type JsonObject, SwlError } from "@swl/base";
import type {
  AcceptedEvent,
  AskCommand,
  Edge,
  EventBody,
  InvokeCommand,
  Requirements,
} from "@swl/execution/model";
import type { LogRecord, RecordInput, Work } from "@swl/store-provider";

/** Position 1: what the run is, and everything it pins. Never changes. */
export interface CreatedDocument {
  readonly workflow: string;
  /** Digest of the definition, which the store keeps as a blob. */
  readonly definition: string;
  readonly model: string;
  readonly semantics: number;
  readonly profiles: readonly string[];
  /** Action → digest of its contract. */
  readonly actions: { readonly [action: string]: string };
  /** Action → provider ID. Empty where the run was created by nobody who could serve it. */
  readonly bindings: { readonly [action: string]: string };
  readonly input: Json;
  /** W3C `traceparent` of whoever started it, under which every host's spans of it are. */
  readonly trace?: string;
  /** The name that it was started by, and the revision that the name stood for. */
  readonly published?: { readonly name: string; readonly revision: number };
  /** The failed run that it goes on from: from before the event at this position, which entered the activation. */
  readonly redriveOf?: { readonly run: string; readonly position: number; readonly activation: string };
}

export type RecordKind =
  | "created"
  | "event"
  | "applied"
  | "takeover"
  | "handback"
  | "hold"
  | "released"
  | "terminated"
  | "redriven";

/** Who closed a run in its store, and why. */
export interface Termination {
  readonly requestId: string;
  /** The store's clock. */
  readonly at: number;
  readonly reason?: string;
  readonly by?: string;
}

/** How a foreign event fared if it did not simply apply, kept in the commit that applied it: what its sender is told. */
export interface EventAnswer {
  readonly position: number;
  readonly effect: "buffered" | "none";
  readonly code?: Code;
  readonly message?: string;
}

/**
 * On the last record of an item that applies: the head after it. Slots are the store's. Answers that do not fit there
 * stand, alone, in records of the same item before it.
 */
export interface CommitPart {
  /** Absent while the run has no state yet. */
  readonly head?: Json;
  /** Action → provider ID, on every commit of a run whose first host bound it. */
  readonly bindings?: { readonly [action: string]: string };
  readonly edges?: readonly Edge[];
  readonly answers?: readonly EventAnswer[];
}

/** An event as it is logged: its ID and stamp stand in the document, its position is the record's. */
export type LoggedEvent = EventBody & { readonly id: string; readonly at: number };

export function createdRecord(document: CreatedDocument): RecordInput {
  return { kind: "created", document: document as unknown as Json };
}

/** The start event does not repeat the input: it stands in record 1. */
export function eventRecord(event: LoggedEvent, commit?: CommitPart, trace?: string): RecordInput {
  const logged: unknown =
    event.type === "start" ? { id: event.id, at: event.at, type: event.type, run: event.run } : event;
  const document = { event: logged as Json, ...(trace !== undefined && { trace }), ...commitMember(commit) };
  return { kind: "event", document };
}

export function plainRecord(
  kind: Exclude<RecordKind, "created" | "event">,
  body: JsonObject,
  commit?: CommitPart,
): RecordInput {
  return { kind, document: { ...body, ...commitMember(commit) } };
}

function commitMember(commit: CommitPart | undefined): { commit?: Json } {
  return commit === undefined ? {} : { commit: commit as unknown as Json };
}

export function readCreated(record: LogRecord): CreatedDocument {
  if (record.kind !== "created" || !isJsonObject(record.document))
    throw corrupt(record, "a `created` record");
  return record.document as unknown as CreatedDocument;
}

/** The accepted event of a record, or undefined when the record is none. */
export function readEvent(record: LogRecord, created: CreatedDocument): AcceptedEvent | undefined {
  if (record.kind !== "event") return undefined;
  const event = isJsonObject(record.document) ? record.document["event"] : undefined;
  if (!isJsonObject(event) || typeof event["type"] !== "string") throw corrupt(record, "an event");
  const whole = event["type"] === "start" ? { ...event, input: created.input } : event;
  return { ...whole, position: record.position } as unknown as AcceptedEvent;
}

/** W3C `traceparent` of whoever brought the event of a record, where there was one. */
export function readTrace({ document }: LogRecord): string | undefined {
  const trace = isJsonObject(document) ? document["trace"] : undefined;
  return typeof trace === "string" ? trace : undefined;
}

/** What a redriven run takes over: events of the run before it, in order, under their positions there. */
export function inheritedRecord(events: readonly AcceptedEvent[]): RecordInput {
  return { kind: "redriven", document: { events: events as unknown as Json } };
}

export function readInherited(record: LogRecord, created: CreatedDocument): readonly AcceptedEvent[] {
  if (record.kind !== "redriven") return [];
  const events = isJsonObject(record.document) ? record.document["events"] : undefined;
  if (!Array.isArray(events)) throw corrupt(record, "a `redriven` record");
  return (events as unknown as readonly AcceptedEvent[]).map((event) =>
    event.type === "start" ? { ...event, input: created.input } : event,
  );
}

export function readCommit(record: LogRecord): CommitPart | undefined {
  const part = isJsonObject(record.document) ? record.document["commit"] : undefined;
  return isJsonObject(part) ? (part as unknown as CommitPart) : undefined;
}

/** Why a run is held, from its `hold` record. */
export function readHold(record: LogRecord): { readonly code: string; readonly message: string } | undefined {
  if (record.kind !== "hold" || !isJsonObject(record.document)) return undefined;
  const { code, message } = record.document;
  return { code: String(code), message: String(message) };
}

/** Of a `terminated` record; undefined when it is none. */
export function readTermination(record: LogRecord): Termination | undefined {
  if (record.kind !== "terminated" || !isJsonObject(record.document)) return undefined;
  const { requestId, reason, by } = record.document;
  return {
    requestId: String(requestId),
    at: record.at,
    ...(typeof reason === "string" && { reason }),
    ...(typeof by === "string" && { by }),
  };
}

export function pinsOf(
  requirements: Requirements,
): Pick<CreatedDocument, "workflow" | "definition" | "profiles" | "actions"> {
  return {
    workflow: requirements.workflow,
    definition: requirements.definition,
    profiles: requirements.profiles,
    actions: Object.fromEntries(requirements.actions.map((action) => [action.action, action.contract])),
  };
}

/**
 * `charge@9f86d081884c7d65@in-process`: work of one action under one contract, for one provider. What that provider is
 * to be asked has a queue of its own (`charge@?9f86…`): it must not wait for a slot that the work asked about holds.
 */
export function queueOf(action: string, contract: string, provider: string, asks = false): string {
  const mark = asks ? "?" : "";
  return `${action}@${mark}${contract.replace(/^sha256:/, "").slice(0, 16)}@${provider.slice(0, 128)}`;
}

export function partsOfQueue(queue: string): {
  readonly action: string;
  readonly provider: string;
  readonly asks: boolean;
} {
  const [action = "", contract = "", ...provider] = queue.split("@");
  return { action, provider: provider.join("@"), asks: contract.startsWith("?") };
}

/** To be asked of the provider: `cancel-invocation` or `inspect`. */
export function askOf(work: Pick<Work, "document">): AskCommand | undefined {
  const document = work.document as { readonly ask?: AskCommand } | null;
  return document?.ask;
}

/** The work row of one attempt. */
export function workId(invocation: string, attempt: number): string {
  return `${invocation}:${attempt}`;
}

export function commandOf(work: Work): InvokeCommand | undefined {
  const document = work.document as { readonly command?: InvokeCommand } | null;
  return document?.command;
}

function corrupt(record: LogRecord, expected: string): SwlError {
  return new SwlError("store.corrupt", `Record ${record.position} (${record.kind}) is not ${expected}.`, {
    details: { position: record.position },
  });
}
