/**
 * A batch as a store takes it in: every item checked, its documents already bytes, so that nothing can be refused for
 * its shape once a store's transaction has begun. Spec: STO-item-checks.
 */
import type { Answer, Item } from "./contract.js";
import { type Documents, isFailure } from "./documents.js";
import { failure, type StoreFailure, storeError } from "./failure.js";
import { itemFault } from "./item-checks.js";
import type { StoreLimits } from "./limits.js";

/** An item whose documents are encoded, each list parallel to the item's own. */
export interface PreparedItem {
  /** As it was when the call came: what the caller does to it meanwhile does not reach the store. */
  readonly item: Item;
  readonly records: readonly Uint8Array[];
  /** Undefined where the slot is removed. */
  readonly slots: readonly (Uint8Array | undefined)[];
  readonly work: readonly Uint8Array[];
  readonly blobs: readonly Uint8Array[];
}

/** The answer of a refused item. */
export function refused(why: StoreFailure): Answer {
  return { kind: "refused", failure: why };
}

/**
 * One entry an item, in order. Only the size of the batch itself is thrown (`store.quota`); the second item of one
 * stream is `incompatible`.
 */
export function prepareBatch(
  items: readonly Item[],
  documents: Documents,
  limits: StoreLimits,
): readonly (PreparedItem | StoreFailure)[] {
  if (!Array.isArray(items)) throw storeError("incompatible", "A batch must be a list of items.");
  if (items.length > limits.itemsPerBatch) {
    throw storeError(
      "quota",
      `A batch has ${items.length} items; the store takes at most ${limits.itemsPerBatch}.`,
    );
  }
  const streams = new Set<string>();
  return items.map((item) => {
    const prepared = prepareItem(item, documents, limits);
    if (isFailure(prepared)) return prepared;
    if (streams.has(item.stream)) {
      return failure("incompatible", `The batch has a second item for stream ${item.stream}.`);
    }
    streams.add(item.stream);
    return prepared;
  });
}

function prepareItem(item: Item, documents: Documents, limits: StoreLimits): PreparedItem | StoreFailure {
  const fault = itemFault(item);
  if (fault !== undefined) return failure("incompatible", `The item is not well-formed: ${fault}.`);
  if (item.records.length > limits.recordsPerItem) {
    return failure(
      "quota",
      `The item has ${item.records.length} records; the store takes at most ${limits.recordsPerItem}.`,
    );
  }
  const encoder = createEncoder(documents);
  const prepared = {
    item: copyOf(item),
    records: item.records.map((record) => encoder.encode(record.document)),
    slots: (item.slots ?? []).map((slot) =>
      slot.document === undefined ? undefined : encoder.encode(slot.document),
    ),
    work: (item.work ?? []).map((work) => encoder.encode(work.document)),
    blobs: (item.blobs ?? []).map((blob) => encoder.encode(blob.document)),
  };
  return encoder.refusal() ?? sizeFault(prepared, limits.itemBytes) ?? prepared;
}

function sizeFault(item: PreparedItem, itemBytes = Number.POSITIVE_INFINITY): StoreFailure | undefined {
  // Without a limit nothing is added up.
  const bytes = itemBytes === Number.POSITIVE_INFINITY ? 0 : bytesOf(item);
  if (bytes <= itemBytes) return undefined;
  return failure(
    "quota",
    `The item's documents have ${bytes} bytes together; the store takes at most ${itemBytes}.`,
  );
}

function bytesOf({ records, slots, work, blobs }: PreparedItem): number {
  let bytes = 0;
  for (const list of [records, slots, work, blobs]) {
    for (const document of list) bytes += document?.byteLength ?? 0;
  }
  return bytes;
}

const lists = [
  "records",
  "slots",
  "dues",
  "work",
  "settled",
  "withdraw",
  "receipts",
  "require",
  "blobs",
  "pins",
] as const satisfies readonly (keyof Item)[];

/** Documents are not copied: only their bytes count from here on. */
function copyOf(item: Item): Item {
  const copy: { [name: string]: unknown } = { ...item };
  for (const name of lists) {
    const list: readonly unknown[] | undefined = item[name];
    if (list !== undefined) {
      copy[name] = list.map((entry) => (typeof entry === "object" ? { ...entry } : entry));
    }
  }
  if (item.facets !== undefined) copy["facets"] = { ...item.facets };
  return copy as unknown as Item;
}

const nothing = new Uint8Array(0);

/** Encodes until the first refusal. */
function createEncoder(documents: Documents) {
  let why: StoreFailure | undefined;
  return {
    encode(document: unknown): Uint8Array {
      if (why !== undefined) return nothing;
      const bytes = documents.encode(document);
      if (!isFailure(bytes)) return bytes;
      why = bytes;
      return nothing;
    },
    refusal: () => why,
  };
}
