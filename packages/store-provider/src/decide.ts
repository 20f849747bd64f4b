/**
 * What a store answers to one well-formed item: a pure function over what it looks up. The order of the checks is
 * written here once, so that every store refuses the same item for the same reason. Nothing is written before the
 * answer is known, and an accepted item cannot be refused any more. Spec: STO-check-order.
 */
import type { Answer, Item, Precondition, Receipt, StreamHead, Work } from "./contract.js";
import { type FailureKind, failure, type StoreFailure } from "./failure.js";

/** The stream's own row. */
export type StreamFacts = Omit<StreamHead, "stream" | "facets">;

/** The item that brought a record. */
export interface CommitFacts {
  readonly commit: string;
  readonly first: number;
  readonly last: number;
  readonly at: number;
}

/** What `decide` may look up. A store that reads over a network fetches these beforehand. */
export interface Snapshot {
  readonly stream: StreamFacts | undefined;
  /** The item that brought the record at this position of the stream. */
  commitAt(position: number): CommitFacts | undefined;
  receipt(scope: string, request: string): Receipt | undefined;
  /** Work of any stream. */
  work(id: string): Pick<Work, "stream" | "holder" | "until"> | undefined;
  /** Instant of a due entry of the stream. */
  due(key: string): number | undefined;
  /** End of a holder's lease; undefined when there is no such holder. */
  holder(holder: string): number | undefined;
  /** True when the blob is there. Asked only about what an item pins. */
  blob(digest: string): boolean;
}

export type Decision =
  | Exclude<Answer, { readonly kind: "accepted" }>
  /** Accepted before: nothing is to be written. */
  | { readonly kind: "repeated"; readonly first: number; readonly last: number; readonly at: number }
  | {
      readonly kind: "accepted";
      readonly first: number;
      readonly last: number;
      readonly at: number;
      /** The stream's row after the item. */
      readonly stream: StreamFacts;
      /** Due entries that fired: removed before the item's own dues are set. */
      readonly fired: readonly string[];
    };

/** How far a stamp may be ahead of the store's clock, in milliseconds. */
export const stampTolerance = 5_000;

/** @see docs/spec/store-provider.md#STO-check-order */
export function decide(item: Item, snapshot: Snapshot, now: number): Decision {
  return (
    repeatedCommit(item, snapshot) ??
    repeatedRequest(item, snapshot) ??
    refusal(item, snapshot, now) ??
    accept(item, snapshot.stream, now)
  );
}

/** The commit ID stands where this very item was written: after the position it expects, or at its receipt. */
function repeatedCommit(item: Item, snapshot: Snapshot): Decision | undefined {
  const { stream } = snapshot;
  if (stream === undefined) return undefined;
  let position: number;
  if (item.expect === "next") {
    const request = item.receipts?.[0];
    const receipt = request && snapshot.receipt(request.scope, request.request);
    if (receipt?.stream !== item.stream) return undefined;
    position = receipt.position;
  } else {
    position = (item.expect === 0 ? (item.origin ?? 0) : item.expect) + 1;
    if (position > stream.position) return undefined;
  }
  const found = snapshot.commitAt(position);
  if (found?.commit !== item.commit) return undefined;
  return { kind: "repeated", first: found.first, last: found.last, at: found.at };
}

function repeatedRequest(item: Item, snapshot: Snapshot): Decision | undefined {
  for (const { scope, request, digest } of item.receipts ?? []) {
    const receipt = snapshot.receipt(scope, request);
    if (receipt === undefined) continue;
    if (receipt.digest === digest) return { kind: "receipt", receipt };
    return no("conflict", `Request ${request} was accepted before with other content.`);
  }
  return undefined;
}

function refusal(item: Item, snapshot: Snapshot, now: number): Decision | undefined {
  const { stream } = snapshot;
  const why =
    (stream === undefined ? absence(item) : presence(item, stream)) ??
    unmet(item, snapshot, now) ??
    leaseFault(item, snapshot, now) ??
    (item.stamp > now + stampTolerance
      ? failure("clock-ahead", `The stamp is ${item.stamp - now} ms ahead of the store's clock.`, now)
      : undefined);
  return why && { kind: "refused", failure: why };
}

function absence(item: Item): StoreFailure | undefined {
  if (item.expect !== 0) return failure("not-found", `There is no stream ${item.stream}.`);
  return item.lift === undefined
    ? undefined
    : failure("held", `The new stream ${item.stream} has no hold to lift.`);
}

function presence(item: Item, stream: StreamFacts): StoreFailure | undefined {
  if (item.expect === 0) return failure("conflict", `The stream ${item.stream} is there already.`);
  if (stream.closed) return failure("closed", `The stream ${item.stream} is closed.`);
  const hold = holdFault(item, stream);
  if (hold !== undefined) return failure("held", hold);
  if (item.expect !== "next" && item.expect !== stream.position) {
    return failure("stale", `The stream ${item.stream} is at ${stream.position}, not at ${item.expect}.`);
  }
  return undefined;
}

function holdFault(item: Item, { hold }: StreamFacts): string | undefined {
  if (item.lift !== undefined && item.lift !== hold) {
    return `The stream ${item.stream} is not under ${item.lift}.`;
  }
  if (hold === undefined || item.lift === hold) return undefined;
  if (item.hold !== undefined) return `The stream ${item.stream} is under ${hold} already.`;
  if (item.close === true) return undefined;
  if (hold === "quarantine" && item.expect === "next") return undefined;
  return `The stream ${item.stream} is under ${hold}.`;
}

function unmet(item: Item, snapshot: Snapshot, now: number): StoreFailure | undefined {
  for (const condition of item.require ?? []) {
    const kind = conditionFault(condition, item, snapshot, now);
    if (kind !== undefined) return failure(kind, conditionText(condition));
  }
  for (const digest of item.pins ?? []) {
    const brought = item.blobs?.some((blob) => blob.digest === digest) === true;
    if (!brought && !snapshot.blob(digest)) return failure("not-found", `There is no blob ${digest}.`);
  }
  for (const { id } of item.work ?? []) {
    const there = snapshot.work(id);
    const replaced = there?.stream === item.stream && item.settled?.includes(id) === true;
    if (there !== undefined && !replaced) {
      return failure("conflict", `There is work ${id} already.`);
    }
  }
  return undefined;
}

function conditionFault(
  condition: Precondition,
  item: Item,
  snapshot: Snapshot,
  now: number,
): FailureKind | undefined {
  switch (condition.kind) {
    case "work-unclaimed": {
      const work = workOf(item, condition.work, snapshot);
      if (work === undefined) return "not-found";
      return work.holder === undefined ? undefined : "claimed";
    }
    case "work-held":
      return workOf(item, condition.work, snapshot)?.holder === condition.holder ? undefined : "lease-lost";
    case "due-present": {
      const at = snapshot.due(condition.key);
      return at !== undefined && at <= now ? undefined : "not-found";
    }
    case "owner-expired":
      return snapshot.stream?.owner === condition.owner && !isLive(snapshot.holder(condition.owner), now)
        ? undefined
        : "claimed";
    case "work-expired": {
      const work = workOf(item, condition.work, snapshot);
      const until = work?.until ?? snapshot.holder(condition.holder);
      return work?.holder === condition.holder && !isLive(until, now) ? undefined : "claimed";
    }
  }
}

function workOf(item: Item, id: string, snapshot: Snapshot) {
  const work = snapshot.work(id);
  return work?.stream === item.stream ? work : undefined;
}

function conditionText(condition: Precondition): string {
  switch (condition.kind) {
    case "work-unclaimed":
      return `Work ${condition.work} is not there unclaimed.`;
    case "work-held":
      return `Work ${condition.work} is not held by ${condition.holder}.`;
    case "due-present":
      return `No due entry ${condition.key} whose instant has come.`;
    case "owner-expired":
      return `The stream is not owned by ${condition.owner} with a lease that ran out.`;
    case "work-expired":
      return `Work ${condition.work} is not held by ${condition.holder} with a lease that ran out.`;
  }
}

function leaseFault(item: Item, snapshot: Snapshot, now: number): StoreFailure | undefined {
  const { owner } = item;
  if (owner === undefined || owner === null) return undefined;
  if (!isLive(snapshot.holder(owner), now)) {
    return failure("lease-lost", `The lease of holder ${owner} has run out.`);
  }
  const current = snapshot.stream?.owner;
  if (current === undefined || current === owner || !isLive(snapshot.holder(current), now)) return undefined;
  return failure("claimed", `The stream ${item.stream} is owned by ${current}, whose lease runs.`);
}

function accept(item: Item, before: StreamFacts | undefined, now: number): Decision {
  const position = before?.position ?? item.origin ?? 0;
  const first = position + 1;
  const last = position + item.records.length;
  const closed = item.close === true;
  const owner = closed ? undefined : item.owner === undefined ? before?.owner : (item.owner ?? undefined);
  const hold = item.hold ?? (item.lift === undefined ? before?.hold : undefined);
  return {
    kind: "accepted",
    first,
    last,
    at: now,
    stream: {
      position: last,
      applied: item.applies === true ? last : (before?.applied ?? 0),
      fence: item.fence === true ? first : (before?.fence ?? 0),
      ...(owner !== undefined && { owner }),
      ...(hold !== undefined && { hold }),
      closed,
      createdAt: before?.createdAt ?? now,
    },
    fired: (item.require ?? []).flatMap((condition) =>
      condition.kind === "due-present" ? [condition.key] : [],
    ),
  };
}

/** A lease runs strictly before its deadline. */
export function isLive(until: number | undefined, now: number): boolean {
  return until !== undefined && now < until;
}

function no(kind: FailureKind, message: string): Decision {
  return { kind: "refused", failure: failure(kind, message) };
}
