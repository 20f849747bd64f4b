/**
 * From a plan to the very same call on every store. Positions, commits and instants are taken from the memory store's
 * state, so that all stores are asked the same.
 */
import { isSwlError } from "@swl/base";
import type { Item, Store } from "@swl/store-provider";
import { digests, type ItemPlan, queues, requests, type Step, streams } from "./plan.ts";

export type Call = (store: Store) => Promise<unknown>;

/** How many steps a pair of holders lives; the third name is one of the pair before. */
const generation = 20;

export class Driver {
  readonly #model: Store;
  readonly #time: { now: number };
  #commits = 0;
  #steps = 0;

  constructor(model: Store, time: { now: number }) {
    this.#model = model;
    this.#time = time;
  }

  /** Moves the time, when that is the step. */
  async callOf(given: Step): Promise<Call> {
    this.#steps += 1;
    const { now } = this.#time;
    switch (given.kind) {
      case "append": {
        const batch: Item[] = [];
        for (const plan of given.items) batch.push(await this.#item(plan));
        return (store) => store.append(batch);
      }
      case "note": {
        const document = { at: this.#commits };
        return (store) => store.note(given.stream, given.event, document);
      }
      case "prune":
        return (store) => store.prune({ closedBefore: now - given.age, limit: given.limit });
      case "wait":
        this.#time.now += given.milliseconds;
        return async () => undefined;
      default:
        return this.#holderCall(given) ?? readingCall(given, this.#name("h"));
    }
  }

  #holderCall(given: Step): Call | undefined {
    switch (given.kind) {
      case "open": {
        const { exclusive, lease } = given;
        const holder = this.#name(given.holder);
        return (store) => store.openHolder(holder, { lease, exclusive });
      }
      case "renew": {
        const holder = this.#name(given.holder);
        return (store) => store.renewHolder(holder, 1_000);
      }
      case "end": {
        const holder = this.#name(given.holder);
        return (store) => store.closeHolder(holder);
      }
      case "claim": {
        const holder = this.#name(given.holder);
        const wanted = queues.map((queue) => ({ queue, limit: given.limit }));
        const lease = given.lease === undefined ? {} : { lease: given.lease };
        return (store) => store.claim(holder, { queues: wanted, ...lease });
      }
      case "unclaim": {
        const holder = this.#name(given.holder);
        return (store) => store.unclaim(holder, given.work, { delay: 300 });
      }
      case "renew-work": {
        const holder = this.#name(given.holder);
        return (store) => store.renewWork(holder, given.work, 900);
      }
      case "held": {
        const holder = this.#name(given.holder);
        return (store) => store.held(holder);
      }
      default:
        return undefined;
    }
  }

  #name(holder: string): string {
    const age = Math.floor(this.#steps / generation);
    return holder === "old" ? `h${age - 1}` : `${holder}${age}`;
  }

  async #item(plan: ItemPlan): Promise<Item> {
    const { now } = this.#time;
    const position = (await this.#model.head(plan.stream))?.position ?? 0;
    const commit = `c${plan.again ? this.#commits : ++this.#commits}`;
    const slots = plan.slots?.map(({ key, document }) =>
      document === undefined ? { key } : { key, document: document as null },
    );
    const bare = {
      stream: plan.stream,
      commit,
      stamp: now + (plan.ahead ? 9_000 : 0),
      records: Array.from({ length: plan.records }, (_, n) => ({ kind: "event", document: { n } })),
    };
    const owner = typeof plan.owner === "string" ? this.#name(plan.owner) : plan.owner;
    const expect = Math.max(0, position + plan.slip);
    if (plan.plain && position > 0) {
      return { ...bare, expect, applies: true, ...(slots && { slots }), ...(owner && { owner }) };
    }
    const { hold, lift, close } = plan;
    const base = { ...bare, ...(hold && { hold }), ...(lift && { lift }), ...(close && { close }) };
    const receipts = [{ scope: plan.start ? "start" : plan.stream, ...plan.receipt }];
    if (plan.foreign && position > 0) return { ...base, expect: "next", receipts };
    return {
      ...base,
      ...this.#carried(plan),
      ...{ expect, applies: plan.applies },
      ...(expect === 0 && plan.origin !== undefined && { origin: plan.origin }),
      ...(slots && { slots }),
      ...(owner !== undefined && { owner }),
      ...(plan.start && { receipts }),
    };
  }

  #carried(plan: ItemPlan): Partial<Item> {
    const { now } = this.#time;
    const { dues, work, settled, withdraw, facets, require, blobs, pins, fence } = plan;
    const named = require?.map((condition) => {
      if (condition.kind === "owner-expired") return { ...condition, owner: this.#name(condition.owner) };
      return "holder" in condition ? { ...condition, holder: this.#name(condition.holder) } : condition;
    });
    return {
      ...(dues && {
        dues: dues.map(({ key, in: wait }) => ({ key, at: wait === undefined ? null : now + wait })),
      }),
      ...(work && { work: work.map((one) => ({ ...one, document: { id: one.id } })) }),
      ...(settled && { settled }),
      ...(withdraw && { withdraw }),
      ...(facets && { facets }),
      ...(fence && { fence }),
      ...(named && { require: named }),
      ...(blobs && { blobs }),
      ...(pins && { pins }),
    };
  }
}

function readingCall(given: Step, holder: string): Call {
  switch (given.kind) {
    case "load":
      return (store) => store.load(given.stream);
    case "head":
      return (store) => store.head(given.stream);
    case "read":
      return (store) => store.read(given.stream, { after: 1, limit: 3 });
    case "notes":
      return (store) => store.notes(given.stream);
    case "list":
      return (store) => allPages(store, given.limit, given.status);
    case "look":
      return (store) => lookedFor(store, given.limit);
    case "receipt":
      return (store) => store.receipt(given.stream, given.request);
    case "blob":
      return (store) => store.blob(given.digest);
    case "stats":
      return statsOf;
    case "check":
      return (store) => store.check();
    case "holders":
      return (store) => store.holders(9);
    default:
      return (store) => store.held(holder);
  }
}

/** Cursors are each store's own. */
async function allPages(store: Store, limit: number, status: string | undefined): Promise<unknown> {
  const pages: unknown[] = [];
  const facets = status === undefined ? {} : { facets: { status } };
  for (let after: string | undefined; ; ) {
    const page = await store.list({ limit, ...facets, ...(after !== undefined && { after }) });
    pages.push(page.items);
    after = page.next;
    if (after === undefined) return pages;
  }
}

async function lookedFor(store: Store, limit: number): Promise<unknown> {
  return {
    queues: [await store.queues(limit), await store.queues(limit, queues[0])],
    unapplied: [await store.unapplied(limit), await store.unapplied(limit, "s2")],
    orphaned: [await store.orphaned(limit), await store.orphaned(limit, "s2")],
    abandoned: [await store.abandoned(limit), await store.abandoned(limit, "w2")],
    due: [await store.due(limit), await store.due(limit, 1)],
    now: await store.now(),
  };
}

/** Bytes and format are each store's own. */
async function statsOf(store: Store): Promise<unknown> {
  const { bytes: _bytes, format: _format, ...counts } = await store.stats();
  return counts;
}

/** Everything that can be read. */
export async function dump(store: Store): Promise<unknown> {
  return {
    streams: await Promise.all(
      streams.map(async (stream) => ({
        state: await store.load(stream),
        log: await store.read(stream),
        notes: await store.notes(stream),
        receipts: await Promise.all(requests.map((request) => store.receipt(stream, request))),
      })),
    ),
    started: await Promise.all(requests.map((request) => store.receipt("start", request))),
    blobs: await Promise.all(digests.map((digest) => store.blob(digest))),
    list: await store.list(),
    looked: await lookedFor(store, 100),
    holders: await store.holders(100),
    stats: await statsOf(store),
    faults: await store.check(),
  };
}

/** What a call gives, or throws, as text; maps as sorted entries. */
export async function outcome(call: Call, store: Store): Promise<string> {
  try {
    return plain(await call(store));
  } catch (error) {
    return isSwlError(error) ? plain({ thrown: error.code }) : Promise.reject(error);
  }
}

function plain(value: unknown): string {
  return JSON.stringify(value ?? null, (_key, inner: unknown) => {
    if (inner instanceof Map) return [...inner].sort(([a], [b]) => (String(a) < String(b) ? -1 : 1));
    if (typeof inner !== "object" || inner === null || Array.isArray(inner)) return inner;
    return Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)));
  });
}
