/**
 * What an accepted item writes, as rows: worked out here once, so that a store only has to put them where it keeps
 * them. Spec: STO-atomic-item.
 */
import type { AcceptedItem } from "./answer.js";
import type { PreparedItem } from "./batch.js";
import type { Receipt } from "./contract.js";

/** To be written in the order of the members: what goes comes before what is put in its place. Documents are bytes. */
export interface Changes {
  readonly records: readonly {
    readonly position: number;
    readonly kind: string;
    readonly commit: string;
    readonly at: number;
    readonly applies: boolean;
    readonly document: Uint8Array;
  }[];
  /** Without a document the slot is removed. */
  readonly slots: readonly { readonly key: string; readonly document: Uint8Array | undefined }[];
  readonly receipts: readonly Receipt[];
  readonly facets: readonly (readonly [label: string, value: string])[];
  /** One that is there already is left alone. */
  readonly blobs: readonly { readonly digest: string; readonly document: Uint8Array }[];
  /** Digests, none twice; a pin that is there already is left alone. */
  readonly pins: readonly string[];
  /** Work of the stream that goes; with a closing item all of it does, and all dues. */
  readonly settled: readonly string[];
  readonly work: readonly {
    readonly id: string;
    readonly queue: string;
    readonly notBefore: number;
    readonly document: Uint8Array;
  }[];
  /** Work of the stream to be marked. */
  readonly withdrawn: readonly string[];
  /** Keys of dues that go. */
  readonly unset: readonly string[];
  readonly dues: readonly { readonly key: string; readonly at: number }[];
}

export function changesOf(prepared: PreparedItem, accepted: AcceptedItem): Changes {
  const { item } = prepared;
  const open = !accepted.stream.closed;
  const dues = open ? (item.dues ?? []) : [];
  return {
    ...documentsOf(prepared, accepted),
    receipts: (item.receipts ?? []).map(({ scope, request, digest }) => ({
      scope,
      request,
      digest,
      stream: item.stream,
      position: accepted.first,
      at: accepted.at,
    })),
    facets: Object.entries(item.facets ?? {}),
    pins: [...new Set([...(item.blobs ?? []).map(({ digest }) => digest), ...(item.pins ?? [])])],
    settled: item.settled ?? [],
    withdrawn: open ? (item.withdraw ?? []) : [],
    unset: open ? [...accepted.fired, ...dues.flatMap(({ key, at }) => (at === null ? [key] : []))] : [],
    dues: dues.flatMap(({ key, at }) => (at === null ? [] : [{ key, at }])),
  };
}

function documentsOf(
  { item, records, slots, blobs, work }: PreparedItem,
  { first, last, at, stream }: AcceptedItem,
): Pick<Changes, "records" | "slots" | "blobs" | "work"> {
  return {
    records: item.records.map(({ kind }, index) => ({
      position: first + index,
      kind,
      commit: item.commit,
      at,
      applies: item.applies === true && first + index === last,
      document: records[index] as Uint8Array,
    })),
    slots: (item.slots ?? []).map(({ key }, index) => ({ key, document: slots[index] })),
    blobs: (item.blobs ?? []).map(({ digest }, index) => ({ digest, document: blobs[index] as Uint8Array })),
    work: stream.closed
      ? []
      : (item.work ?? []).map(({ id, queue, delay }, index) => ({
          id,
          queue,
          notBefore: at + delay,
          document: work[index] as Uint8Array,
        })),
  };
}
