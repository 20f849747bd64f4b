/** What the accepted items of a batch write, gathered for the one call of `commit_batch`. */
import type { AcceptedItem, PreparedItem, StreamFacts } from "@swl/store-provider";
import type { Statements } from "./database.js";
import type { Facts, StreamRow } from "./facts.js";
import { format } from "./schema.js";
import { slotList } from "./slots.js";

type Rows = Record<string, unknown[]>;

export class Commit {
  readonly #facts: Facts;
  readonly #rows: Rows = {};
  readonly #documents: Uint8Array[] = [];

  constructor(facts: Facts) {
    this.#facts = facts;
  }

  get isEmpty(): boolean {
    return this.#documents.length === 0;
  }

  add(prepared: PreparedItem, accepted: AcceptedItem): void {
    const { item } = prepared;
    const before = this.#facts.streams.get(item.stream);
    this.#guard(prepared, before);
    const sid = this.#facts.accept(prepared, accepted);
    this.#stream(sid, prepared, before, accepted);
    this.#log(sid, prepared, accepted);
    this.#labels(sid, prepared, accepted);
    this.#work(sid, prepared, accepted);
    this.#dues(sid, prepared, accepted);
    if (accepted.stream.closed) this.#push("closed", sid);
  }

  /** Throws what the driver throws when the facts are not so any more. */
  async write(call: Statements): Promise<void> {
    const payload = JSON.stringify({ format, now: this.#facts.now, ...this.#rows });
    await call.write("SELECT swl.commit_batch($1, $2)", payload, this.#documents);
  }

  #push(table: string, row: unknown): void {
    const rows = this.#rows[table];
    if (rows === undefined) this.#rows[table] = [row];
    else rows.push(row);
  }

  /** The document's place in the list, from 1. */
  #document(bytes: Uint8Array): number {
    return this.#documents.push(bytes);
  }

  /** What of the decision rests on more than the stream itself. */
  #guard({ item }: PreparedItem, before: StreamRow | undefined): void {
    for (const condition of item.require ?? []) {
      if ("work" in condition) this.#seen(condition.work);
      if (condition.kind === "owner-expired") this.#push("expired", condition.owner);
      if (condition.kind === "work-expired") {
        if (this.#facts.work.get(condition.work)?.until === undefined)
          this.#push("expired", condition.holder);
      }
    }
    if (typeof item.owner !== "string") return;
    this.#push("live", item.owner);
    const owner = before?.facts.owner;
    if (owner !== undefined && owner !== item.owner) this.#push("expired", owner);
  }

  #seen(id: string): void {
    const work = this.#facts.work.get(id);
    if (work === undefined) return;
    if (this.#rows["seen"]?.some((row) => (row as { readonly id: string }).id === id)) return;
    this.#push("seen", { id, sid: work.sid, holder: work.holder, until: work.until });
  }

  #stream(
    sid: number,
    { item }: PreparedItem,
    before: StreamRow | undefined,
    { first, stream: after }: AcceptedItem,
  ): void {
    const now = columns(after);
    if (before === undefined) {
      const { stream } = item;
      this.#push("created", { sid, stream, origin: first - 1, created_at: after.createdAt, ...now });
    } else if (JSON.stringify(columns(before.facts)) !== JSON.stringify(now)) {
      this.#push("changed", { sid, ...now });
    }
  }

  #log(sid: number, prepared: PreparedItem, { first, last }: AcceptedItem): void {
    const { item, records, slots } = prepared;
    for (const [index, { kind }] of item.records.entries()) {
      const record = records[index] as Uint8Array;
      const list = first + index === last ? slotList(prepared) : null;
      const all = [record, ...(list === null ? [] : slots.filter((slot) => slot !== undefined))];
      this.#push("log", {
        sid,
        position: first + index,
        applies: item.applies === true && first + index === last,
        kind,
        commit_id: item.commit,
        doc: this.#document(all.length === 1 ? record : Buffer.concat(all)),
        ...(list !== null && { size: record.byteLength, slots: list }),
      });
    }
  }

  #labels(sid: number, { item, blobs }: PreparedItem, { first }: AcceptedItem): void {
    for (const { scope, request, digest } of item.receipts ?? []) {
      this.#push("receipts", { scope, request, digest, sid, position: first });
    }
    for (const [label, value] of Object.entries(item.facets ?? {})) {
      this.#push("facets", { sid, label, value });
    }
    for (const [index, { digest }] of (item.blobs ?? []).entries()) {
      this.#push("blobs", { digest, doc: this.#document(blobs[index] as Uint8Array) });
      this.#push("pins", { sid, digest });
    }
    for (const digest of item.pins ?? []) this.#push("pins", { sid, digest });
  }

  #work(sid: number, { item, work }: PreparedItem, { at, stream }: AcceptedItem): void {
    for (const id of item.settled ?? []) this.#push("settled", { id, sid });
    if (stream.closed) return;
    for (const [index, { id, queue, delay }] of (item.work ?? []).entries()) {
      const doc = this.#document(work[index] as Uint8Array);
      this.#push("work", { n: this.#documents.length, id, sid, queue, not_before: at + delay, doc });
    }
    for (const id of item.withdraw ?? []) this.#push("withdrawn", { id, sid });
  }

  #dues(sid: number, { item }: PreparedItem, { fired, stream }: AcceptedItem): void {
    if (stream.closed) return;
    for (const key of fired) this.#push("unset", { sid, key });
    for (const { key, at } of item.dues ?? []) {
      if (at === null) this.#push("unset", { sid, key });
      else this.#push("dues", { sid, key, at });
    }
  }
}

/** What the row keeps of the facts; `applied` only while something waits to be applied. */
function columns({ applied, position, fence, owner, hold, closed }: StreamFacts) {
  return {
    applied: applied === position ? null : applied,
    fence,
    owner: owner ?? null,
    hold: hold ?? null,
    closed,
  };
}
