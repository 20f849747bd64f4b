/**
 * What is wrong with one stream as it lies in the store: the same questions for every store, which only reads out what
 * it has. Nothing that was written through the contract has any of these faults. Spec: STO-check.
 */
import { isSwlError } from "@swl/base";
import type { StreamHead } from "./contract.js";
import type { Documents } from "./documents.js";
import type { StoreFault } from "./keeping.js";

/** All that a stream has, as the store keeps it. Documents are bytes. */
export interface StreamContents {
  readonly head: StreamHead;
  /** Position before the first record. */
  readonly origin: number;
  /** In order of position. */
  readonly records: Iterable<{
    readonly position: number;
    readonly applies: boolean;
    readonly document: Uint8Array;
  }>;
  /** Documents outside the log with what each of them is, for people: `slot state`. */
  readonly documents: Iterable<readonly [what: string, bytes: Uint8Array]>;
  readonly dues: number;
  readonly work: number;
  readonly receipts: Iterable<{ readonly request: string; readonly position: number }>;
  /** Pinned digests of which there is no blob. */
  readonly missingBlobs: Iterable<string>;
}

/** The faults of one stream, in no order that means anything. */
export function* streamFaults(contents: StreamContents, documents: Documents): Generator<StoreFault> {
  const { stream } = contents.head;
  for (const message of messages(contents, documents)) yield { stream, message };
}

function* messages(contents: StreamContents, documents: Documents): Generator<string> {
  const { head, origin } = contents;
  yield* logMessages(contents, documents);
  for (const [what, bytes] of contents.documents) yield* undecoded(what, bytes, documents);
  if (head.fence > head.position) yield `The fence is ${head.fence}, beyond the last position.`;
  for (const { request, position } of contents.receipts) {
    if (position <= origin || position > head.position) {
      yield `The receipt of request ${request} points at position ${position}, which is not in the log.`;
    }
  }
  for (const digest of contents.missingBlobs) yield `The pinned blob ${digest} is missing.`;
  if (!head.closed) return;
  if (head.owner !== undefined) yield `The stream is closed and has an owner, ${head.owner}.`;
  if (contents.work > 0) yield `The stream is closed and has ${contents.work} pieces of work.`;
  if (contents.dues > 0) yield `The stream is closed and has ${contents.dues} dues.`;
}

function* logMessages({ head, origin, records }: StreamContents, documents: Documents): Generator<string> {
  let position = origin;
  let applied = 0;
  for (const record of records) {
    if (record.position !== position + 1) {
      yield `Position ${position + 1} of the log is missing: the next one is ${record.position}.`;
    }
    position = record.position;
    if (record.applies) applied = position;
    yield* undecoded(`record ${position}`, record.document, documents);
  }
  if (position === origin) yield "The log is empty.";
  if (head.position !== position) yield `The log ends at ${position}, not at ${head.position}.`;
  if (head.applied !== applied) {
    yield `The log is applied up to ${applied}, not up to ${head.applied}.`;
  }
}

function* undecoded(what: string, bytes: Uint8Array, documents: Documents): Generator<string> {
  try {
    documents.decode(bytes);
  } catch (error) {
    if (!isSwlError(error)) throw error;
    yield `The document of ${what} cannot be read: ${error.message}`;
  }
}
