/**
 * Items that are judged and written by one call in the server (append-direct.ts), not loaded first: all but those that
 * touch holds, take what is another's, or take work back. What the call leaves is judged the long way.
 */
import type { Answer, PreparedItem } from "@swl/store-provider";
import type { Row, Statements } from "./database.js";
import { format } from "./schema.js";

const direct = "SELECT swl.append_direct($1, $2, $3, $4) AS answers";

export function isDirect({ item }: PreparedItem): boolean {
  if (item.hold !== undefined || item.lift !== undefined || (item.withdraw?.length ?? 0) > 0) return false;
  return (item.require ?? []).every(({ kind }) => kind !== "owner-expired" && kind !== "work-expired");
}

/** One answer an item, undefined where it must be judged. Throws what the driver throws when others were faster. */
export async function writeDirect(
  call: Statements,
  items: readonly PreparedItem[],
  clock: number | null,
): Promise<readonly (Answer | undefined)[]> {
  const order = inOneOrder(items);
  const documents = new Documents();
  const payload = JSON.stringify(order.map((place) => rowOf(items[place]!, documents)));
  const [row] = await call.write(direct, format, clock, payload, documents.bytes());
  const numbers = (row as Row)["answers"] as readonly (string | null)[];
  const [at, ...firsts] = numbers.map((one) => (one === null ? undefined : Number(one)));
  const answers: (Answer | undefined)[] = items.map(() => undefined);
  for (const [index, place] of order.entries()) {
    const first = firsts[index];
    if (first === undefined) continue;
    const last = first + items[place]!.records.length - 1;
    answers[place] = { kind: "accepted", first, last, at: at as number, repeated: false };
  }
  return answers;
}

/** New streams are numbered as they come in the batch; what is there is locked by all writers in one order. */
function inOneOrder(items: readonly PreparedItem[]): readonly number[] {
  const name = (place: number) => items[place]!.item.stream;
  const places = [...items.keys()];
  const isNew = (place: number) => items[place]!.item.expect === 0;
  const there = places.filter((place) => !isNew(place));
  return [...there.sort((left, right) => (name(left) < name(right) ? -1 : 1)), ...places.filter(isNew)];
}

/** One after the other in one value, which goes over the wire as it is; an array would be written out as text. */
class Documents {
  readonly #parts: Uint8Array[] = [];
  #length = 0;

  /** Where it begins, from 1, and its length; of none both are null. */
  add(document: Uint8Array | undefined): readonly [number | null, number | null] {
    if (document === undefined) return [null, null];
    this.#parts.push(document);
    this.#length += document.byteLength;
    return [this.#length - document.byteLength + 1, document.byteLength];
  }

  bytes(): Buffer {
    return Buffer.concat(this.#parts, this.#length);
  }
}

/** Members that say nothing are left out: the function asks only whether they are there. */
function rowOf({ item, records, slots, work, blobs }: PreparedItem, documents: Documents) {
  const { stream, commit, stamp, expect } = item;
  const conditions = item.require ?? [];
  const held = conditions.flatMap((one) =>
    one.kind === "work-held"
      ? [[one.work, one.holder]]
      : one.kind === "work-unclaimed"
        ? [[one.work, null]]
        : [],
  );
  const fired = conditions.flatMap((one) => (one.kind === "due-present" ? [one.key] : []));
  return {
    stream,
    commit,
    stamp,
    applies: item.applies === true,
    ...(expect === 0 ? { origin: item.origin ?? 0 } : expect !== "next" && { expect }),
    ...(item.owner !== undefined && { owner: item.owner }),
    ...(item.fence === true && { fence: true }),
    ...(item.close === true && { close: true }),
    records: item.records.map(({ kind }, place) => [kind, ...documents.add(records[place])]),
    ...some("slots", item.slots, ({ key }, place) => [key, ...documents.add(slots[place])]),
    ...some("receipts", item.receipts, ({ scope, request, digest }) => [scope, request, digest]),
    ...some("facets", Object.entries(item.facets ?? {})),
    ...some("blobs", item.blobs, ({ digest }, place) => [digest, ...documents.add(blobs[place])]),
    ...some(
      "pins",
      item.pins?.filter((pin) => !item.blobs?.some(({ digest }) => digest === pin)),
    ),
    ...some("settled", item.settled),
    ...some("work", item.work, ({ id, queue, delay }, place) => [
      id,
      queue,
      delay,
      ...documents.add(work[place]),
    ]),
    ...some("held", held),
    ...some("fired", fired),
    ...some("dues", item.dues, ({ key, at }) => [key, at]),
  };
}

function some<T>(
  name: string,
  list: readonly T[] | undefined,
  write: (one: T, place: number) => unknown = (one) => one,
): Readonly<Record<string, readonly unknown[]>> {
  return list === undefined || list.length === 0 ? {} : { [name]: list.map(write) };
}
