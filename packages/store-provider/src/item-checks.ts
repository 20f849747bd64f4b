/**
 * The first step of every append: is the item well-formed, and does it keep within the limits? Reads nothing of the
 * store. A faulty item gets `incompatible` or `quota` as its own answer; it never fails its batch and is never thrown.
 * Spec: STO-item-checks, STO-foreign-items.
 */
import type { Item } from "./contract.js";
import { idFault, isWholeNumber, longestSpan } from "./limits.js";

const holds: ReadonlySet<unknown> = new Set(["quarantine", "export"]);
/** What a `next` item must not carry. */
const hostOnly = [
  "slots",
  "dues",
  "work",
  "settled",
  "withdraw",
  "facets",
  "owner",
  "fence",
  "applies",
  "require",
  "blobs",
  "pins",
] as const satisfies readonly (keyof Item)[];

/** Why the item is not well-formed, documents aside; undefined when it is. */
export function itemFault(item: Item): string | undefined {
  if (typeof item !== "object" || item === null) return "an item must be an object";
  return (
    idFault("stream", item.stream) ??
    idFault("commit", item.commit) ??
    expectFault(item) ??
    recordsFault(item) ??
    (isWholeNumber(item.stamp) ? undefined : "stamp must be a whole number of milliseconds") ??
    listsFault(item) ??
    labelsFault(item) ??
    requireFault(item) ??
    foreignFault(item)
  );
}

function expectFault({ expect, origin }: Item): string | undefined {
  if (expect !== "next" && !isWholeNumber(expect)) return 'expect must be "next" or a position from 0';
  if (origin === undefined) return undefined;
  if (expect !== 0) return "origin is only for a new stream (expect: 0)";
  return isWholeNumber(origin, 0, 1e15) ? undefined : "origin must be a whole number from 0";
}

function recordsFault({ records }: Item): string | undefined {
  if (!Array.isArray(records) || records.length === 0) return "an item needs at least one record";
  return first(records, (record) => idFault("the kind of a record", record?.kind, 64));
}

function listsFault(item: Item): string | undefined {
  return (
    listFault(
      "slots",
      item.slots,
      (slot) => slot.key,
      (slot) => idFault("a slot key", slot.key),
    ) ??
    listFault(
      "dues",
      item.dues,
      (due) => due.key,
      (due) =>
        due.at === null || isWholeNumber(due.at)
          ? idFault("a due key", due.key)
          : "a due instant must be whole milliseconds or null",
    ) ??
    listFault(
      "work",
      item.work,
      (work) => work.id,
      (work) =>
        isWholeNumber(work.delay, 0, longestSpan)
          ? (idFault("a work ID", work.id) ?? idFault("a queue", work.queue))
          : "a delay must be whole milliseconds from 0",
    ) ??
    listFault(
      "settled",
      item.settled,
      (id) => id,
      (id) => idFault("a work ID", id),
    ) ??
    listFault(
      "withdraw",
      item.withdraw,
      (id) => id,
      (id) => idFault("a work ID", id),
    ) ??
    listFault(
      "receipts",
      item.receipts,
      (receipt) => JSON.stringify([receipt.scope, receipt.request]),
      ({ scope, request, digest }) =>
        idFault("a receipt scope", scope) ??
        idFault("a request ID", request) ??
        idFault("a request digest", digest),
    ) ??
    listFault(
      "blobs",
      item.blobs,
      (blob) => blob.digest,
      (blob) => idFault("a blob digest", blob.digest),
    ) ??
    listFault(
      "pins",
      item.pins,
      (digest) => digest,
      (digest) => idFault("a pinned digest", digest),
    )
  );
}

/** Absent is fine; else a list of entries, none twice. */
function listFault<T>(
  name: string,
  list: readonly T[] | undefined,
  key: (entry: T) => string,
  fault: (entry: T) => string | undefined,
): string | undefined {
  if (list === undefined) return undefined;
  if (!Array.isArray(list)) return `${name} must be a list`;
  const seen = list.length > 1 ? new Set<string>() : undefined;
  return first(list, (entry: T) => {
    if (entry === null || entry === undefined) return `${name} has an empty entry`;
    const found = fault(entry);
    if (found !== undefined || seen === undefined) return found;
    if (seen.has(key(entry))) return `${name} names ${key(entry)} twice`;
    seen.add(key(entry));
    return undefined;
  });
}

function labelsFault({ facets, owner, hold, lift }: Item): string | undefined {
  if (hold !== undefined && !holds.has(hold)) return "hold must be quarantine or export";
  if (lift !== undefined && !holds.has(lift)) return "lift must be quarantine or export";
  if (owner !== undefined && owner !== null) {
    const fault = idFault("owner", owner);
    if (fault !== undefined) return fault;
  }
  if (facets === undefined) return undefined;
  if (typeof facets !== "object" || facets === null) return "facets must be an object";
  return first(
    Object.entries(facets),
    ([label, value]) => idFault("a facet label", label) ?? idFault(`the facet ${label}`, value),
  );
}

function requireFault({ require }: Item): string | undefined {
  if (require === undefined) return undefined;
  if (!Array.isArray(require)) return "require must be a list";
  return first(require as NonNullable<Item["require"]>, (condition) => {
    switch (condition?.kind) {
      case "work-unclaimed":
        return idFault("a work ID", condition.work);
      case "work-held":
      case "work-expired":
        return idFault("a work ID", condition.work) ?? idFault("a holder", condition.holder);
      case "due-present":
        return idFault("a due key", condition.key);
      case "owner-expired":
        return idFault("an owner", condition.owner);
      default:
        return "require has a condition of an unknown kind";
    }
  });
}

function foreignFault(item: Item): string | undefined {
  if (item.expect !== "next") return undefined;
  if (item.receipts === undefined || item.receipts.length === 0) return "a foreign item must carry a receipt";
  const carried = hostOnly.find((name) => carries(item[name]));
  return carried === undefined ? undefined : `a foreign item must not carry ${carried}`;
}

function carries(value: unknown): boolean {
  if (value === undefined || value === false) return false;
  if (Array.isArray(value)) return value.length > 0;
  return true;
}

function first<T>(list: readonly T[], fault: (entry: T) => string | undefined): string | undefined {
  for (const entry of list) {
    const found = fault(entry);
    if (found !== undefined) return found;
  }
  return undefined;
}
