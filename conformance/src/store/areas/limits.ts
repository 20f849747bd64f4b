/**
 * Limits, at the edge: the last value within is taken, the first one beyond is refused.
 * - bytes of a document, records of an item, its documents together, items of a batch: STO-item-checks
 * - lengths of names, and of what reads take: STO-ids, STO-item-checks
 */
import type { Item } from "@swl/store-provider";
import { codeOf } from "../bench.js";
import type { StoreArea } from "../harness.js";

/** One record, slots, work and blobs whose documents have so many bytes together, each of them as many as may be. */
function filled(itemBytes: number, documentBytes: number): Partial<Item> {
  const documents: (string | number)[] = [];
  for (let left = itemBytes; left > 0; ) {
    const bytes = Math.min(left, documentBytes);
    // Two quotation marks; a digit has one byte.
    documents.push(bytes === 1 ? 0 : "x".repeat(bytes - 2));
    left -= bytes;
  }
  const [first = 0, ...others] = documents;
  const place = (of: number) => others.filter((_, n) => n % 3 === of);
  return {
    records: [{ kind: "k", document: first }],
    slots: place(0).map((document, n) => ({ key: `s${n}`, document })),
    work: place(1).map((document, n) => ({ id: `w${n} of ${itemBytes}`, queue: "q", delay: 0, document })),
    blobs: place(2).map((document, n) => ({ digest: `d${n} of ${itemBytes}`, document })),
  };
}

export const limits: StoreArea = {
  title: "limits",
  tests: [
    [
      "takes a document of exactly the declared bytes, wherever it stands [STO-item-checks]",
      async (bench, expect) => {
        const { documentBytes } = bench.store.info.limits;
        // Two quotation marks; \u00e9 has two bytes.
        const fits = `${"\u00e9".repeat(10)}${"x".repeat(documentBytes - 22)}`;
        const places = (document: string): readonly Partial<Item>[] => [
          { records: [{ kind: "k", document }] },
          { slots: [{ key: "s", document }] },
          { work: [{ id: `w${document.length}`, queue: "q", delay: 0, document }] },
          { blobs: [{ digest: "d", document }] },
        ];
        for (const [n, more] of places(fits).entries()) {
          expect(await bench.put(bench.item(`fits-${n}`, 0, more))).toEqual("accepted 1-1");
        }
        for (const more of places(`${fits}x`)) {
          expect(await bench.put(bench.item("beyond", 0, more))).toEqual("refused quota");
        }
        expect(await bench.store.blob("d")).toEqual(fits);
        expect(await bench.store.note("fits-0", "e", fits)).toEqual(true);
        expect(await codeOf(bench.store.note("fits-0", "f", `${fits}x`))).toEqual("store.quota");
      },
    ],
    [
      "takes an item whose documents have exactly the declared bytes together, wherever they stand [STO-item-checks]",
      async (bench, expect) => {
        const { itemBytes = 0, documentBytes } = bench.store.info.limits;
        const exactly = bench.item("exactly", 0, filled(itemBytes, documentBytes));
        const beyond = bench.item("beyond", 0, filled(itemBytes + 1, documentBytes));
        expect(await bench.batch([beyond, bench.item("beside", 0), exactly])).toEqual([
          "refused quota",
          "accepted 1-1",
          "accepted 1-1",
        ]);
        expect(await bench.store.head("beyond")).toEqual(undefined);
        const state = await bench.store.load("exactly");
        expect(state?.slots.get("s0")).toEqual(exactly.slots?.[0]?.document);
        const again = { slots: exactly.slots?.map(({ key }) => ({ key })) ?? [] };
        expect(await bench.put(bench.item("exactly", 1, again))).toEqual("accepted 2-2");
      },
      ["item-bytes"],
    ],
    [
      "takes exactly the declared number of records and of items [STO-item-checks]",
      async (bench, expect) => {
        const { recordsPerItem, itemsPerBatch } = bench.store.info.limits;
        const records = (count: number) => ({
          records: Array.from({ length: count }, (_, n) => ({ kind: "k", document: n })),
        });
        expect(await bench.put(bench.item("run", 0, records(recordsPerItem)))).toEqual(
          `accepted 1-${recordsPerItem}`,
        );
        expect(await bench.put(bench.item("other", 0, records(recordsPerItem + 1)))).toEqual("refused quota");
        const batch = (count: number, prefix: string) =>
          Array.from({ length: count }, (_, n) => bench.item(`${prefix}${n}`, 0));
        const answers = await bench.batch(batch(itemsPerBatch, "full-"));
        expect(answers).toEqual(answers.map(() => "accepted 1-1"));
        expect(await codeOf(bench.store.append(batch(itemsPerBatch + 1, "over-")))).toEqual("store.quota");
        expect(await bench.store.head("over-0")).toEqual(undefined);
      },
    ],
    [
      "takes names of the full length everywhere, and one of more nowhere [STO-ids]",
      async (bench, expect) => {
        const named = (name: string): readonly Partial<Item>[] => [
          { commit: name },
          { records: [{ kind: name.slice(0, name.length - 192), document: 1 }] },
          { slots: [{ key: name, document: 1 }] },
          { dues: [{ key: name, at: 1 }] },
          { work: [{ id: name, queue: "q", delay: 0, document: 1 }] },
          { work: [{ id: "w", queue: name, delay: 0, document: 1 }] },
          { receipts: [{ scope: name, request: "r", digest: "d" }] },
          { receipts: [{ scope: "s", request: name, digest: name }] },
          { facets: { [name]: name } },
          { blobs: [{ digest: name, document: 1 }] },
        ];
        const longest = "n".repeat(256);
        for (const [n, more] of named(longest).entries()) {
          expect(await bench.put(bench.item(`run-${n}`, 0, more))).toEqual("accepted 1-1");
        }
        for (const more of [
          ...named(`${longest}n`),
          { owner: `${longest}n` },
          { settled: [`${longest}n`] },
        ]) {
          expect(await bench.put(bench.item("beyond", 0, more))).toEqual("refused incompatible");
        }
        expect((await bench.store.receipt(longest, "r"))?.stream).toEqual("run-6");
        expect((await bench.store.list({ facets: { [longest]: longest } })).items.length).toEqual(1);
        expect(
          (await bench.store.claim(longest, { queues: [{ queue: longest, limit: 1 }], lease: 9 })).length,
        ).toEqual(1);
        expect(await codeOf(bench.store.claim(`${longest}n`, { queues: [], lease: 9 }))).toEqual(
          "store.incompatible",
        );
      },
    ],
    [
      "refuses what reads cannot take, before anything is read [STO-item-checks]",
      async (bench, expect) => {
        const { store } = bench;
        const calls: readonly (() => Promise<unknown>)[] = [
          () => store.read("run", { limit: 0 }),
          () => store.read("run", { limit: 1_001 }),
          () => store.read("run", { after: -1 }),
          () => store.list({ limit: 0.5 }),
          () => store.list({ limit: 0 }),
          () => store.list({ limit: 1_001 }),
          () => store.read("run", { limit: 1.5 }),
          () => store.read("run", { after: 0.5 }),
          () => store.holders(1_001),
          () => store.due(0),
          () => store.queues(0),
          () => store.unapplied(1_001),
          () => store.renewWork("h", ["w"], 0),
          () => store.claim("h", { queues: [], lease: 0 }),
          () => store.prune({ closedBefore: -1 }),
          () => store.prune({ closedBefore: 1, limit: 0 }),
          () => store.check(1_001),
          () => store.unapplied(0),
          () => store.orphaned(1_001),
          () => store.abandoned(Number.NaN),
          () => store.due(1, -1),
          () => store.queues(1_001),
          () => store.holders(0),
          () => store.openHolder("h", { lease: 0, exclusive: false }),
          () => store.renewHolder("h", Number.POSITIVE_INFINITY),
          () => store.claim("h", { queues: [{ queue: "q", limit: -1 }], lease: 5 }),
          () => store.unclaim("h", ["w"], { delay: -1 }),
          () => store.prune({ closedBefore: 0.5 }),
          () => store.prune({ closedBefore: 1, limit: 1_001 }),
          () => store.check(0),
        ];
        for (const call of calls) expect(await codeOf(call())).toEqual("store.incompatible");
        expect(await store.read("run", { limit: 1_000 })).toEqual([]);
        expect((await store.list({ limit: 1_000 })).items).toEqual([]);
      },
    ],
    [
      "refuses names that are none wherever it is asked, before anything is read [STO-ids]",
      async (bench, expect) => {
        const { store } = bench;
        const all = { queues: [{ queue: "q", limit: 1 }], lease: 9 };
        for (const bad of ["", "x".repeat(257), "a\0b", "half \udfff", 7 as never]) {
          const calls: readonly (() => Promise<unknown>)[] = [
            () => store.head(bad),
            () => store.load(bad),
            () => store.read(bad),
            () => store.blob(bad),
            () => store.receipt(bad, "r"),
            () => store.receipt("s", bad),
            () => store.note(bad, "e", 1),
            () => store.note("run", bad, 1),
            () => store.notes(bad),
            () => store.list({ facets: { label: bad } }),
            () => store.list({ facets: { [bad]: "value", other: bad } }),
            () => store.openHolder(bad, { lease: 9, exclusive: false }),
            () => store.renewHolder(bad, 9),
            () => store.closeHolder(bad),
            () => store.claim(bad, all),
            () => store.claim("h", { ...all, queues: [{ queue: bad, limit: 1 }] }),
            () => store.queues(9, bad),
            () => store.held(bad),
            () => store.unclaim(bad, ["w"]),
            () => store.unclaim("h", [bad]),
            () => store.renewWork(bad, ["w"], 9),
            () => store.renewWork("h", [bad], 9),
            () => store.unapplied(9, bad),
            () => store.orphaned(9, bad),
            () => store.abandoned(9, bad),
          ];
          for (const [index, call] of calls.entries()) {
            expect([index, await codeOf(call())]).toEqual([index, "store.incompatible"]);
          }
        }
      },
    ],
    [
      "goes on where an imported log has ended, however far that is [STO-append-position]",
      async (bench, expect) => {
        const far = 1_000_000_000_000;
        expect(await bench.put(bench.item("run", 0, { origin: far, applies: true }))).toEqual(
          `accepted ${far + 1}-${far + 1}`,
        );
        expect(await bench.put(bench.item("run", far + 1, { fence: true }))).toEqual(
          `accepted ${far + 2}-${far + 2}`,
        );
        const state = await bench.store.load("run");
        expect([state?.position, state?.applied, state?.fence, state?.first.position]).toEqual([
          far + 2,
          far + 1,
          far + 2,
          far + 1,
        ]);
        expect((await bench.store.read("run", { after: far + 1 })).length).toEqual(1);
      },
    ],
  ],
};
