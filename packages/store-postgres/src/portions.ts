/**
 * How much goes in one statement. The driver makes one text of its parameters, two characters a byte, and neither a text
 * of Node nor a value of PostgreSQL grows without end: a batch that is larger goes in several. An item must fit by itself.
 */
import type { PreparedItem } from "@swl/store-provider";

/** Bytes of documents, also the most that an item may have: a quarter of what a text of Node takes. */
export const statementBytes = 134_217_728;

/** In their order; nearly always one. */
export function* portionsOf(items: readonly PreparedItem[]): Generator<readonly PreparedItem[]> {
  let portion: PreparedItem[] = [];
  let bytes = 0;
  for (const item of items) {
    const more = bytesOf(item);
    if (portion.length > 0 && bytes + more > statementBytes) {
      yield portion;
      portion = [];
      bytes = 0;
    }
    portion.push(item);
    bytes += more;
  }
  if (portion.length > 0) yield portion;
}

function bytesOf({ records, slots, work, blobs }: PreparedItem): number {
  let bytes = 0;
  for (const list of [records, slots, work, blobs]) {
    for (const document of list) bytes += document?.byteLength ?? 0;
  }
  return bytes;
}
