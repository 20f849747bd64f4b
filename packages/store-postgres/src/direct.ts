/**
 * Items that are judged and written by one statement, not loaded first: all but those that touch holds, take what is
 * another's, or take work back. What the statement leaves is judged the long way.
 */
import type { Answer, Item, PreparedItem } from "@swl/store-provider";
import { binaryArray, type ElementType } from "./binary-arrays.js";
import type { Statements } from "./database.js";
import { directSql, type Part, parts, type Shape } from "./direct-sql.js";
import { slotList } from "./slots.js";

export function isDirect({ item }: PreparedItem): boolean {
  if (item.hold !== undefined || item.lift !== undefined || (item.withdraw?.length ?? 0) > 0) return false;
  return (item.require ?? []).every(({ kind }) => kind === "due-present");
}

/**
 * One answer an item, undefined where it must be judged. Throws what the driver throws when others were faster.
 * @param changes the streams' own rows may change, which a statement that leaves them alone does not accept
 */
export async function writeDirect(
  call: Statements,
  items: readonly PreparedItem[],
  clock: number | null,
  changes: boolean,
): Promise<readonly (Answer | undefined)[]> {
  const rows = new Rows();
  for (const [index, item] of items.entries()) rows.add(index + 1, item);
  const present = rows.present();
  const shape = { parts: present, creates: items.some(({ item }) => item.expect === 0), changes };
  const lone = items.length === 1 && isSmall(present) ? loneText(shape) : undefined;
  const values = lone === undefined ? rows.columns() : rows.cells();
  const found = await call.write(lone ?? listsText(shape), clock, rows.bytes(), ...values);
  const answers: (Answer | undefined)[] = items.map(() => undefined);
  for (const row of found) {
    const place = (row["n"] as number) - 1;
    const [first, at] = [row["first"] as number, row["now"] as number];
    const last = first + items[place]!.records.length - 1;
    answers[place] = { kind: "accepted", first, last, at, repeated: false };
  }
  return answers;
}

/** For a visit that only goes on, nothing of its stream's row changes; where its labels do, nearly always the row does. */
export function movesStream({ item }: PreparedItem): boolean {
  if (item.expect === 0) return false;
  const isLabelled = Object.keys(item.facets ?? {}).length > 0;
  return (
    item.applies !== true || item.close === true || item.fence === true || item.owner === null || isLabelled
  );
}

/** Rows of a part up to which a lone item's values are told one by one: lists would cost it more than all its writes. */
const mostRows = 4;

const isSmall = (present: ReadonlyMap<Part, number>) =>
  [...present.values()].every((rows) => rows <= mostRows);

/** A text for each shape: there are few, as a host has few kinds of commits. */
const texts = new Map<string, string>();
/** Texts beyond which a lone item of a new shape goes in lists, too: a connection keeps a plan of each. */
const mostTexts = 256;

function loneText(shape: Shape): string | undefined {
  const name = nameOf(shape);
  return texts.has(name) || texts.size < mostTexts ? textOf(name, shape) : undefined;
}

function listsText(shape: Shape): string {
  const lists = { ...shape, parts: new Map([...shape.parts].map(([part]) => [part, null])) };
  return textOf(nameOf(lists), lists);
}

const nameOf = ({ parts, creates, changes }: Shape) => `${[...parts].join()} ${creates} ${changes}`;

function textOf(name: string, shape: Shape): string {
  let text = texts.get(name);
  if (text === undefined) {
    text = directSql(shape);
    texts.set(name, text);
  }
  return text;
}

type Row = readonly unknown[];

const partNames = Object.keys(parts) as Part[];

const elementTypes = Object.fromEntries(
  Object.entries(parts).map(([part, columns]) => [part, columns.map((column) => column.split(" ")[1])]),
) as unknown as Readonly<Record<Part, readonly ElementType[]>>;

/** What the items bring, as rows of the statement's parts; documents one after the other in one value. */
class Rows {
  readonly #rows = new Map<Part, Row[]>();
  readonly #documents: Uint8Array[] = [];
  #length = 0;

  /** How many rows each part has that has some, in the order of the parts. */
  present(): ReadonlyMap<Part, number> {
    return new Map(
      partNames.flatMap((part) => {
        const rows = this.#rows.get(part)?.length ?? 0;
        return rows === 0 ? [] : [[part, rows]];
      }),
    );
  }

  /** A list for each column of each part that is there. */
  columns(): readonly Buffer[] {
    return partNames.flatMap((part) => {
      const rows = this.#rows.get(part);
      if (rows === undefined) return [];
      return elementTypes[part].map((type, column) =>
        binaryArray(
          type,
          rows.map((row) => row[column]),
        ),
      );
    });
  }

  /** The same values, row by row; the item's number, which all rows of a lone item begin with, is not told. */
  cells(): readonly unknown[] {
    return partNames.flatMap((part) =>
      (this.#rows.get(part) ?? []).flatMap((row) => (part === "items" ? row : row.slice(1))),
    );
  }

  bytes(): Buffer {
    return Buffer.concat(this.#documents, this.#length);
  }

  add(n: number, prepared: PreparedItem): void {
    const { item, records, slots, work, blobs } = prepared;
    const { expect, owner } = item;
    const last = records.length;
    const applies = item.applies === true;
    this.#push("items", [
      item.stream,
      typeof expect === "number" && expect > 0 ? expect : null,
      expect === 0 ? (item.origin ?? 0) : null,
      item.stamp,
      owner ?? null,
      item.commit,
      applies,
      owner === null,
      item.fence === true,
      item.close === true,
    ]);
    for (const [index, { kind }] of item.records.entries()) {
      const isLast = index + 1 === last;
      const list = isLast ? slotList(prepared) : null;
      const [start, size] = this.#document(records[index]);
      for (const slot of list === null ? [] : slots) this.#document(slot);
      const length = this.#length - start + 1;
      this.#push("records", [n, index + 1, applies && isLast, kind, start, length, list && size, list]);
    }
    for (const { scope, request, digest } of item.receipts ?? []) {
      this.#push("receipts", [n, scope, request, digest]);
    }
    for (const [label, value] of Object.entries(item.facets ?? {})) this.#push("facets", [n, label, value]);
    this.#blobs(n, item, blobs);
    for (const id of item.settled ?? []) this.#push("settled", [n, id]);
    for (const [index, { id, queue, delay }] of (item.work ?? []).entries()) {
      this.#push("work", [n, index, id, queue, delay, ...this.#document(work[index])]);
    }
    this.#dues(n, item);
  }

  #blobs(n: number, { blobs = [], pins = [] }: Item, documents: PreparedItem["blobs"]): void {
    if (blobs.length + pins.length === 0) return;
    const brought = new Set(blobs.map(({ digest }) => digest));
    for (const [index, { digest }] of blobs.entries()) {
      this.#push("blobs", [n, digest, ...this.#document(documents[index])]);
    }
    for (const digest of new Set([...brought, ...pins])) this.#push("pins", [n, digest, brought.has(digest)]);
  }

  #dues(n: number, { stream, require = [], dues = [] }: Item): void {
    if (require.length + dues.length === 0) return;
    const set = new Set(dues.flatMap(({ key, at }) => (at === null ? [] : [key])));
    const unset = new Set(dues.flatMap(({ key, at }) => (at === null ? [key] : [])));
    for (const condition of require) {
      if (condition.kind !== "due-present") continue;
      const { key } = condition;
      this.#push("fired", [n, stream, key]);
      if (!set.has(key)) unset.add(key);
    }
    for (const key of unset) this.#push("unset", [n, key]);
    for (const { key, at } of dues) if (at !== null) this.#push("dues", [n, key, at]);
  }

  #push(part: Part, row: Row): void {
    const rows = this.#rows.get(part);
    if (rows === undefined) this.#rows.set(part, [row]);
    else rows.push(row);
  }

  /** Where it begins, from 1, and its length. */
  #document(document: Uint8Array | undefined): readonly [start: number, length: number] {
    if (document === undefined) return [this.#length + 1, 0];
    this.#documents.push(document);
    this.#length += document.byteLength;
    return [this.#length - document.byteLength + 1, document.byteLength];
  }
}
