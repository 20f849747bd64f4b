/**
 * One random history on all stores: every answer and, in the end, everything that can be read must be the same. The
 * suite says what the contract demands; this says that the stores agree where nobody thought of asking. PostgreSQL takes
 * part where there is a server: one that npm has for this machine, or the one that SWL_TEST_DATABASE_URL names.
 */
import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isSwlError } from "@swl/base";
import { createMemoryBacking, openMemoryStore } from "@swl/store-memory";
import { openPostgresStore } from "@swl/store-postgres";
import type { Item, Precondition, Store } from "@swl/store-provider";
import { openSqliteStore } from "@swl/store-sqlite";
import fc from "fast-check";
import pg from "pg";
import { afterAll, describe, expect, it } from "vitest";

const folder = mkdtempSync(join(tmpdir(), "swl-cross-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const streams = ["s1", "s2", "s3"];
const holders = ["h1", "h2"];
const works = ["w1", "w2", "w3"];
const requests = ["r1", "r2"];
const queues = ["q1", "q2"];
const start = 1_700_000_000_000;

const one = (words: readonly string[]) => fc.constantFrom(...words);
const some = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined, freq: 2 });
const seldom = <T>(value: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 8, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: value });
const few = <T>(value: fc.Arbitrary<T>, selector: (item: T) => unknown = (item) => item) =>
  fc.uniqueArray(value, { minLength: 1, maxLength: 2, selector });
const rarely = fc.integer({ min: 0, max: 9 }).map((roll) => roll === 0);

const precondition: fc.Arbitrary<Precondition> = fc.oneof(
  one(works).map((work) => ({ kind: "work-unclaimed", work }) as const),
  fc.record({ kind: fc.constant("work-held" as const), work: one(works), holder: one(holders) }),
  fc.constantFrom({ kind: "due-present", key: "d1" } as const, { kind: "due-present", key: "d2" } as const),
  fc.record({ kind: fc.constant("owner-expired" as const), owner: one(holders) }),
  fc.record({ kind: fc.constant("work-expired" as const), work: one(works), holder: one(holders) }),
);

/** A slip in position makes an item stale; a commit that was used before is a repetition. */
const item = fc.record(
  {
    stream: one(streams),
    foreign: fc.integer({ min: 0, max: 3 }).map((roll) => roll === 0),
    /** A visit as most are: records and slots, and nothing else. */
    plain: fc.boolean(),
    slip: fc.constantFrom(0, 0, 0, 0, 0, 0, -1, 1),
    again: rarely,
    records: fc.integer({ min: 1, max: 2 }),
    applies: fc.boolean(),
    slots: some(
      few(
        fc.record({ key: one(["a", "b"]), document: some(fc.jsonValue({ maxDepth: 1 })) }),
        (slot) => slot.key,
      ),
    ),
    dues: some(
      few(
        fc.record({ key: one(["d1", "d2"]), in: some(fc.constantFrom(-10, 600, 2_000)) }),
        (due) => due.key,
      ),
    ),
    work: some(
      few(
        fc.record({ id: one(works), queue: one(queues), delay: fc.constantFrom(0, 500) }),
        (work) => work.id,
      ),
    ),
    settled: seldom(few(one(works))),
    withdraw: seldom(few(one(works))),
    receipt: fc.record({ request: one(requests), digest: one(["x", "y"]) }),
    facets: some(fc.record({ status: one(["open", "parked"]) })),
    owner: seldom(fc.constantFrom(null, ...holders)),
    fence: rarely,
    hold: seldom(fc.constantFrom("quarantine", "export")),
    lift: seldom(fc.constantFrom("quarantine", "export")),
    close: rarely,
    require: seldom(few(precondition)),
    ahead: rarely,
  },
  { requiredKeys: ["stream", "foreign", "plain", "slip", "again", "records", "applies", "receipt"] },
);
type ItemPlan = typeof item extends fc.Arbitrary<infer T> ? T : never;

const step = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({ kind: fc.constant("append" as const), items: few(item, (plan) => plan.stream) }),
  },
  fc.record({
    kind: fc.constant("open" as const),
    holder: one(holders),
    exclusive: fc.boolean(),
    lease: fc.constantFrom(500, 2_000),
  }),
  fc.record({ kind: fc.constantFrom("renew" as const, "end" as const), holder: one(holders) }),
  fc.record({
    kind: fc.constant("claim" as const),
    holder: one(holders),
    lease: some(fc.constant(700)),
    limit: fc.integer({ min: 1, max: 2 }),
  }),
  fc.record({
    kind: fc.constantFrom("unclaim" as const, "renew-work" as const),
    holder: one(holders),
    work: few(one(works)),
  }),
  fc.record({ kind: fc.constant("note" as const), stream: one(streams), event: one(["e1", "e2"]) }),
  fc.record({ kind: fc.constant("wait" as const), milliseconds: fc.constantFrom(1, 400, 1_500) }),
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

/** One store under a history. All stores are driven by the same plan and the same positions. */
class Driver {
  readonly #store: Store;
  readonly #time: { now: number };
  #commits = 0;

  constructor(store: Store, time: { now: number }) {
    this.#store = store;
    this.#time = time;
  }

  async take(given: Step): Promise<unknown> {
    try {
      return plain(await this.#act(given));
    } catch (error) {
      return isSwlError(error) ? { thrown: error.code } : Promise.reject(error);
    }
  }

  async #act(given: Step): Promise<unknown> {
    const store = this.#store;
    switch (given.kind) {
      case "append":
        return this.#append(given.items);
      case "open":
        return store.openHolder(given.holder, { lease: given.lease, exclusive: given.exclusive });
      case "renew":
        return store.renewHolder(given.holder, 1_000);
      case "end":
        return store.closeHolder(given.holder);
      case "claim": {
        const wanted = queues.map((queue) => ({ queue, limit: given.limit }));
        const lease = given.lease === undefined ? {} : { lease: given.lease };
        return store.claim(given.holder, { queues: wanted, ...lease });
      }
      case "unclaim":
        return store.unclaim(given.holder, given.work, { delay: 300 });
      case "renew-work":
        return store.renewWork(given.holder, given.work, 900);
      case "note":
        return store.note(given.stream, given.event, { at: this.#commits });
      case "wait":
        return undefined;
    }
  }

  async #append(plans: readonly ItemPlan[]): Promise<unknown> {
    const batch: Item[] = [];
    for (const plan of plans) batch.push(await this.#item(plan));
    return this.#store.append(batch);
  }

  async #item(plan: ItemPlan): Promise<Item> {
    const { now } = this.#time;
    const position = (await this.#store.head(plan.stream))?.position ?? 0;
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
    if (plan.plain && position > 0) {
      const { owner } = plan;
      const expect = Math.max(0, position + plan.slip);
      return { ...bare, expect, applies: true, ...(slots && { slots }), ...(owner && { owner }) };
    }
    const base = {
      ...bare,
      ...(plan.hold && { hold: plan.hold }),
      ...(plan.lift && { lift: plan.lift }),
      ...(plan.close && { close: true }),
    };
    const receipts = [{ scope: plan.stream, ...plan.receipt }];
    if (plan.foreign && position > 0) return { ...base, expect: "next", receipts };
    const { dues, work, settled, withdraw, facets, owner, require } = plan;
    return {
      ...base,
      expect: Math.max(0, position + plan.slip),
      applies: plan.applies,
      ...(slots && { slots }),
      ...(dues && {
        dues: dues.map((due) => ({ key: due.key, at: due.in === undefined ? null : now + due.in })),
      }),
      ...(work && { work: work.map((one) => ({ ...one, document: { id: one.id } })) }),
      ...(settled && { settled }),
      ...(withdraw && { withdraw }),
      ...(facets && { facets }),
      ...(owner !== undefined && { owner }),
      ...(plan.fence && { fence: true }),
      ...(require && { require }),
    };
  }

  /** Everything that can be read. */
  async dump(): Promise<unknown> {
    const store = this.#store;
    return plain({
      streams: await Promise.all(
        streams.map(async (stream) => ({
          state: await store.load(stream),
          log: await store.read(stream),
          notes: await store.notes(stream),
          receipts: await Promise.all(requests.map((request) => store.receipt(stream, request))),
        })),
      ),
      list: await store.list(),
      parked: await store.list({ facets: { status: "parked" } }),
      held: await Promise.all(holders.map((holder) => store.held(holder))),
      queues: await store.queues(10),
      unapplied: await store.unapplied(10),
      orphaned: await store.orphaned(10),
      abandoned: await store.abandoned(10),
      due: await store.due(10),
      now: await store.now(),
    });
  }
}

/** As data, without the sentences; maps as sorted entries. */
function plain(value: unknown): unknown {
  const text = JSON.stringify(value ?? null, (key, inner: unknown) => {
    if (key === "message") return undefined;
    return inner instanceof Map ? [...inner].sort(([a], [b]) => (String(a) < String(b) ? -1 : 1)) : inner;
  });
  return JSON.parse(text);
}

type Clock = () => number;
let files = 0;

const openNewSqlite = (clock: Clock) => openSqliteStore({ clock, file: join(folder, `${++files}.db`) });

/** One store and schema for all histories, emptied before each. */
const url = process.env["SWL_TEST_DATABASE_URL"];
const schema = `swl_cross_${randomBytes(6).toString("hex")}`;
let postgres: Store | undefined;
let present: Clock = () => start;

async function openEmptyPostgres(clock: Clock): Promise<Store> {
  present = clock;
  postgres ??= await openPostgresStore({
    url: url as string,
    schema,
    clock: () => present(),
    connections: 2,
  });
  await statement(`TRUNCATE ${tables.map((table) => `"${schema}".${table}`).join(", ")}`);
  return { ...postgres, close: async () => {} };
}

const tables = [
  "streams",
  "log",
  "slots",
  "facets",
  "dues",
  "work",
  "receipts",
  "notes",
  "blobs",
  "holders",
] as const;

async function statement(text: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(text);
  await client.end();
}

afterAll(async () => {
  await postgres?.close();
  if (url !== undefined) await statement(`DROP SCHEMA IF EXISTS "${schema}" CASCADE`);
});

/** Every answer beside the memory store's, then everything that can be read. */
async function compare(steps: readonly Step[], open: (clock: Clock) => Promise<Store>): Promise<void> {
  const time = { now: start };
  const clock = () => time.now;
  const memory = await openMemoryStore({ clock, backing: createMemoryBacking() });
  const other = await open(clock);
  try {
    const [left, right] = [new Driver(memory, time), new Driver(other, time)];
    for (const given of steps) {
      if (given.kind === "wait") time.now += given.milliseconds;
      expect({ given, answer: await right.take(given) }).toEqual({ given, answer: await left.take(given) });
    }
    expect(await right.dump()).toEqual(await left.dump());
  } finally {
    await memory.close();
    await other.close();
  }
}

const histories = fc.array(step, { minLength: 10, maxLength: 40, size: "max" });
/** Some 25 operations each. */
const numRuns = process.env["SWL_FULL"] ? 1_000 : 40;

describe("a history on the memory store and on", () => {
  it("sqlite is answered alike and leaves the same behind [STO-peers]", async () => {
    await fc.assert(
      fc.asyncProperty(histories, (steps) => compare(steps, openNewSqlite)),
      { numRuns },
    );
  });

  it.skipIf(url === undefined)(
    `postgres is answered alike and leaves the same behind${url === undefined ? " (skipped: no server)" : ""} [STO-peers]`,
    async () => {
      await fc.assert(
        fc.asyncProperty(histories, (steps) => compare(steps, openEmptyPostgres)),
        { numRuns },
      );
    },
    process.env["SWL_FULL"] ? 3_600_000 : 240_000,
  );
});
