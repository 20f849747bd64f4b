/**
 * Random operations for every store alike. A plan names things out of small sets, so that requests, work, holders and
 * streams meet again and again; what it means in numbers is decided when its turn comes, from what is there then.
 */
import type { Precondition } from "@swl/store-provider";
import fc from "fast-check";

export const streams = ["s1", "s2", "s3", "s4", "s5", "\u{1f600}", "\uffee"] as const;
export const works = ["w1", "w2", "w3", "w4", "w5"] as const;
export const requests = ["r1", "r2", "r3"] as const;
export const queues = ["q1", "q2"] as const;
export const digests = ["b1", "b2", "b3"] as const;
/** Two of every age: a holder whose lease is over never comes back. */
const holders = ["h", "k", "old"] as const;

const one = fc.constantFrom;
const some = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined, freq: 2 });
const seldom = <T>(value: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 8, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: value });
const few = <T>(value: fc.Arbitrary<T>, selector: (item: T) => unknown = (item) => item, maxLength = 2) =>
  fc.uniqueArray(value, { minLength: 1, maxLength, selector });
const rarely = fc.integer({ min: 0, max: 9 }).map((roll) => roll === 0);

const precondition: fc.Arbitrary<Precondition> = fc.oneof(
  one(...works).map((work) => ({ kind: "work-unclaimed", work }) as const),
  fc.record({ kind: fc.constant("work-held" as const), work: one(...works), holder: one(...holders) }),
  one({ kind: "due-present", key: "d1" } as const, { kind: "due-present", key: "d2" } as const),
  fc.record({ kind: fc.constant("owner-expired" as const), owner: one(...holders) }),
  fc.record({ kind: fc.constant("work-expired" as const), work: one(...works), holder: one(...holders) }),
);

/** A slip in position makes an item stale; a commit that was used before is a repetition. */
const item = fc.record(
  {
    stream: one(...streams),
    foreign: fc.integer({ min: 0, max: 3 }).map((roll) => roll === 0),
    /** A visit as most are: records and slots, and nothing else. */
    plain: fc.boolean(),
    slip: one(0, 0, 0, 0, 0, 0, -1, 1),
    /** Of a stream that it makes. */
    origin: seldom(one(0, 7, 1_000)),
    again: rarely,
    records: fc.integer({ min: 1, max: 2 }),
    applies: fc.boolean(),
    slots: some(
      few(
        fc.record({ key: one("a", "b"), document: some(fc.jsonValue({ maxDepth: 1 })) }),
        (slot) => slot.key,
      ),
    ),
    dues: some(few(fc.record({ key: one("d1", "d2"), in: some(one(-10, 600, 2_000)) }), (due) => due.key)),
    work: some(
      few(fc.record({ id: one(...works), queue: one(...queues), delay: one(0, 500) }), (work) => work.id),
    ),
    settled: seldom(few(one(...works))),
    withdraw: seldom(few(one(...works))),
    receipt: fc.record({ request: one(...requests), digest: one("x", "y") }),
    start: rarely,
    facets: some(fc.record({ status: one("open", "parked") })),
    owner: seldom(one(null, ...holders)),
    fence: rarely,
    hold: seldom(one("quarantine", "export")),
    lift: seldom(one("quarantine", "export")),
    close: rarely,
    require: seldom(few(precondition)),
    blobs: seldom(few(fc.record({ digest: one(...digests), document: fc.nat(9) }), (blob) => blob.digest)),
    pins: seldom(few(one(...digests))),
    ahead: rarely,
  },
  { requiredKeys: ["stream", "foreign", "plain", "slip", "again", "records", "applies", "receipt"] },
);

export type ItemPlan = typeof item extends fc.Arbitrary<infer T> ? T : never;

const act = <K extends string>(kind: K) => fc.constant(kind);

const writing = fc.oneof(
  {
    weight: 9,
    arbitrary: fc.record({ kind: act("append"), items: few(item, (plan) => plan.stream, 4) }),
  },
  fc.record({ kind: act("open"), holder: one(...holders), exclusive: rarely, lease: one(500, 2_000) }),
  fc.record({ kind: one("renew" as const, "end" as const), holder: one(...holders) }),
  fc.record({
    kind: act("claim"),
    holder: one(...holders),
    lease: some(fc.constant(700)),
    limit: fc.integer({ min: 1, max: 2 }),
  }),
  fc.record({
    kind: one("unclaim" as const, "renew-work" as const),
    holder: one(...holders),
    work: few(one(...works)),
  }),
  fc.record({ kind: act("note"), stream: one(...streams), event: one("e1", "e2") }),
  fc.record({ kind: act("prune"), age: one(-1, 500, 1_500), limit: fc.integer({ min: 1, max: 2 }) }),
  fc.record({ kind: act("wait"), milliseconds: one(1, 400, 900) }),
);

const reading = fc.oneof(
  fc.record({
    kind: one("load" as const, "head" as const, "read" as const, "notes" as const),
    stream: one(...streams),
  }),
  fc.record({
    kind: act("list"),
    status: some(one("open", "parked")),
    limit: fc.integer({ min: 1, max: 3 }),
  }),
  fc.record({ kind: act("look"), limit: fc.integer({ min: 1, max: 3 }) }),
  fc.record({ kind: act("receipt"), stream: one("start", ...streams), request: one(...requests) }),
  fc.record({ kind: act("held"), holder: one(...holders) }),
  fc.record({ kind: act("blob"), digest: one(...digests) }),
  fc.record({ kind: one("stats" as const, "check" as const, "holders" as const) }),
);

const step = fc.oneof({ weight: 5, arbitrary: writing }, { weight: 1, arbitrary: reading });
export type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

/** Histories of one length; the same for the same seed. */
export function histories(count: number, length: number, seed: number): readonly (readonly Step[])[] {
  const history = fc.array(step, { minLength: length, maxLength: length, size: "max" });
  return fc.sample(history, { numRuns: count, seed });
}
