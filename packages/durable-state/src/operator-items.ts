/**
 * The two changes of a run that are the store's and no model's: closing it at once, and lifting a quarantine. Neither
 * needs its state, so both work on runs that nobody here can read. Spec: DUR-terminate, DUR-release.
 */
import type { Code } from "@swl/base";
import type { ErrorData } from "@swl/execution/model";
import type { Item, ReceiptInput, StreamHead } from "@swl/store-provider";
import { plainRecord, type Termination } from "./formats.js";

export interface OperatorChange {
  readonly requestId: string;
  /** Of what makes two requests with one ID the same. */
  readonly digest: string;
  /** Estimate of the store's clock. */
  readonly stamp: number;
  readonly reason?: string;
  readonly by?: string;
}

/** Refused as `stale` when something was appended since the head was read: read it again. */
export function terminationItem(head: StreamHead, change: OperatorChange): Item {
  return {
    stream: head.stream,
    commit: commitOf(change),
    expect: head.position,
    stamp: change.stamp,
    records: [plainRecord("terminated", wordsOf(change))],
    receipts: [receiptOf(head.stream, change)],
    facets: { status: "canceled" },
    close: true,
  };
}

/** Refused as `held` when the run is not quarantined, and as `stale` like the other. */
export function releaseItem(head: StreamHead, change: OperatorChange): Item {
  return {
    stream: head.stream,
    commit: commitOf(change),
    expect: head.position,
    stamp: change.stamp,
    records: [plainRecord("released", wordsOf(change))],
    receipts: [receiptOf(head.stream, change)],
    facets: { status: "running" },
    lift: "quarantine",
  };
}

/** What a terminated run ended with. */
export function terminationError({ reason, by }: Termination): ErrorData {
  const whom = by === undefined ? "" : ` by ${by}`;
  const why = reason === undefined ? "" : `: ${reason}`;
  const code: Code = "run.terminated";
  return { code, message: `The run was terminated${whom}${why}`, details: null };
}

function wordsOf({ requestId, reason, by }: OperatorChange) {
  return { requestId, ...(reason !== undefined && { reason }), ...(by !== undefined && { by }) };
}

function receiptOf(scope: string, { requestId, digest }: OperatorChange): ReceiptInput {
  return { scope, request: requestId, digest };
}

function commitOf({ requestId, digest }: OperatorChange): string {
  return `request:${requestId}:${digest.slice(-32)}`;
}
