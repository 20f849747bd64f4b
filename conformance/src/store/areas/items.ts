/**
 * What may be appended at all.
 * - IDs are 1..256 characters without NUL and without half a surrogate pair: STO-ids
 * - documents come back as they were given, whatever the caller does to them afterwards: STO-documents
 * - the codec sees every document and nothing else; bytes that do not decode are corrupt: STO-documents
 * - a faulty item is refused on its own: STO-item-checks
 * - of several reasons the first one in the order is told: STO-check-order
 * - a refusal says whether trying again can help: STO-failure-kinds
 */
import { type Answer, type Item, type Json, retryOf, setOwn } from "@swl/store-provider";
import { codeOf } from "../bench.js";
import type { StoreArea } from "../harness.js";

export const items: StoreArea = {
  title: "items",
  tests: [
    [
      "refuses IDs that are empty, too long, or not text [STO-ids]",
      async (bench, expect) => {
        const bad = ["", "x".repeat(257), "a\0b", "half \ud800"];
        for (const id of bad) {
          expect(await bench.put(bench.item(id, 0))).toEqual("refused incompatible");
          expect(await bench.put(bench.item("run", 0, { commit: id }))).toEqual("refused incompatible");
          expect(await codeOf(bench.store.head(id))).toEqual("store.incompatible");
        }
        expect(await bench.put(bench.item("x".repeat(256), 0))).toEqual("accepted 1-1");
        expect(await bench.put(bench.item("\u{1f600}", 0))).toEqual("accepted 1-1");
        expect((await bench.store.head("x".repeat(256)))?.position).toEqual(1);
      },
    ],
    [
      "keeps names apart that only look alike [STO-ids]",
      async (bench, expect) => {
        const names = [
          "run",
          "Run",
          "run ",
          "r\u00fcn",
          "ru\u0308n",
          "\ufb00",
          "ff",
          "constructor",
          "\u{10ffff}",
          "\uffff",
        ];
        for (const name of names) expect(await bench.put(bench.item(name, 0))).toEqual("accepted 1-1");
        const { items: heads } = await bench.store.list();
        expect(heads.map((head) => head.stream)).toEqual([...names].reverse());
        for (const [index, name] of names.entries()) {
          const slots = [{ key: name, document: index }];
          const facets = { [name]: name };
          expect(await bench.put(bench.item(name, 1, { slots, facets }))).toEqual("accepted 2-2");
        }
        for (const [index, name] of names.entries()) {
          expect([...((await bench.store.load(name))?.slots ?? [])]).toEqual([[name, index]]);
          const labelled = await bench.store.list({ facets: { [name]: name } });
          expect(labelled.items.map((head) => head.stream)).toEqual([name]);
        }
      },
    ],
    [
      "gives documents back as they were when they were appended [STO-documents]",
      async (bench, expect) => {
        const tricky: { [key: string]: Json } = {
          z: [1e21, -0.5, 5e-324],
          a: "\u0000\u2028\u{1f600}",
          n: null,
        };
        setOwn(tricky, "__proto__", { constructor: true });
        const before = JSON.stringify(sorted(tricky));
        await bench.put(
          bench.item("run", 0, {
            records: [{ kind: "event", document: tricky }],
            slots: [{ key: "s", document: tricky }],
            blobs: [{ digest: "d", document: tricky }],
          }),
        );
        tricky["n"] = "changed by the caller";
        const state = await bench.store.load("run");
        (state?.slots.get("s") as { [key: string]: Json })["n"] = "changed by a reader";
        const again = await bench.store.load("run");
        for (const document of [again?.first.document, again?.slots.get("s"), await bench.store.blob("d")]) {
          expect(JSON.stringify(sorted(document))).toEqual(before);
        }
      },
    ],
    [
      "refuses what is no JSON or too large for it, and nothing else of the batch [STO-item-checks]",
      async (bench, expect) => {
        const { documentBytes, recordsPerItem } = bench.store.info.limits;
        const record = (document: unknown) => ({ records: [{ kind: "event", document: document as Json }] });
        const long = Array.from({ length: recordsPerItem + 1 }, () => ({ kind: "event", document: null }));
        expect(
          await bench.batch([
            bench.item("a", 0),
            bench.item("b", 0, record({ at: new Date(0) })),
            bench.item("c", 0, record(Number.NaN)),
            bench.item("d", 0, record("half \udc00")),
            bench.item("e", 0, record("x".repeat(documentBytes))),
            bench.item("f", 0, record("x".repeat(documentBytes - 2))),
            bench.item("g", 0, { records: long }),
            bench.item("h", 0, { records: [] }),
            bench.item("a", 0),
            bench.item("z", 0),
          ]),
        ).toEqual([
          "accepted 1-1",
          "refused incompatible",
          "refused incompatible",
          "refused incompatible",
          "refused quota",
          "accepted 1-1",
          "refused quota",
          "refused incompatible",
          "refused incompatible",
          "accepted 1-1",
        ]);
        expect(await bench.store.head("b")).toEqual(undefined);
      },
    ],
    [
      "judges an item as if the faulty ones of its batch were not there [STO-item-checks]",
      async (bench, expect) => {
        const strange = [null, "item", [], { stream: "run" }] as unknown as readonly Item[];
        const faulty = bench.item("run", 0, { records: [{ kind: "", document: 1 }] });
        expect(await bench.batch([faulty, ...strange, bench.item("run", 0), bench.item("run", 0)])).toEqual([
          ...Array.from({ length: 5 }, () => "refused incompatible"),
          "accepted 1-1",
          "refused incompatible",
        ]);
        expect(await codeOf(bench.store.append("batch" as never))).toEqual("store.incompatible");
      },
    ],
    [
      "refuses members that contradict each other [STO-item-checks]",
      async (bench, expect) => {
        const twice = { key: "k", document: 1 };
        const faulty: readonly Partial<Item>[] = [
          { expect: -1 },
          { expect: 1, origin: 5 },
          { stamp: Number.NaN },
          { slots: [twice, twice] },
          { work: [{ id: "w", queue: "q", delay: -1, document: null }] },
          { dues: [{ key: "d", at: 0.5 }] },
          { facets: { "": "x" } },
          { facets: { x: "" } },
          { facets: null as never },
          { facets: "x" as never },
          { require: {} as never },
          { slots: {} as never },
          { slots: [null as never] },
          { records: {} as never },
          { expect: 0.5 },
          { origin: -1 },
          { lift: "other" as "export" },
          { owner: "" },
          { withdraw: [""] },
          { pins: [""] },
          { hold: "other" as "export" },
          { require: [{ kind: "other" } as never] },
        ];
        for (const more of faulty) {
          expect(await bench.put(bench.item("run", 0, more))).toEqual("refused incompatible");
        }
      },
    ],
    [
      "tells the first reason in the order of the checks [STO-check-order]",
      async (bench, expect) => {
        const receipts = [{ scope: "start", request: "r", digest: "d" }];
        const first = bench.item("run", 0, { receipts });
        await bench.put(first);
        const late = { stamp: bench.time.now + 60_000 };
        const unmet = { require: [{ kind: "due-present", key: "none" }] } as const;
        const dead = { owner: "nobody" };
        // Each line has one reason less than the one before; the receipt comes even before a missing stream.
        expect(await bench.put({ ...first, records: [], ...late })).toEqual("refused incompatible");
        expect(await bench.put({ ...first, ...late })).toEqual("accepted 1-1 again");
        expect(await bench.put(bench.item("other", 5, { receipts, ...late }))).toEqual("receipt 1");
        expect(await bench.put(bench.item("run", 9, { receipts, ...late }))).toEqual("receipt 1");
        expect(await bench.put(bench.item("other", 5, late))).toEqual("refused not-found");
        expect(await bench.put(bench.item("run", 0, { ...late, ...unmet }))).toEqual("refused conflict");
        await bench.put(bench.item("run", 1, { hold: "export" }));
        expect(await bench.put(bench.item("run", 9, { ...late, ...unmet }))).toEqual("refused held");
        await bench.put(bench.item("run", 2, { lift: "export" }));
        expect(await bench.put(bench.item("run", 9, { ...late, ...unmet, ...dead }))).toEqual(
          "refused stale",
        );
        expect(await bench.put(bench.item("run", 3, { ...late, ...unmet, ...dead }))).toEqual(
          "refused not-found",
        );
        expect(await bench.put(bench.item("run", 3, { ...late, ...dead }))).toEqual("refused lease-lost");
        expect(await bench.put(bench.item("run", 3, late))).toEqual("refused clock-ahead");
        await bench.put(bench.item("run", 3, { hold: "export" }));
        await bench.put(bench.item("run", 4, { close: true }));
        expect(await bench.put(bench.item("run", 9, { ...late, ...unmet }))).toEqual("refused closed");
      },
      ["clock"],
    ],
    [
      "says with every refusal whether trying again can help [STO-failure-kinds]",
      async (bench, expect) => {
        const answers: Answer[] = [];
        for (const item of [
          bench.item("none", 1),
          bench.item("", 0),
          bench.item("run", 0),
          bench.item("run", 0),
        ]) {
          answers.push(...(await bench.store.append([item])));
        }
        const failures = answers.flatMap((answer) => (answer.kind === "refused" ? [answer.failure] : []));
        expect(failures.map(({ kind }) => kind)).toEqual(["not-found", "incompatible", "conflict"]);
        for (const { kind, retry, message } of failures) {
          expect([retry, message.length > 0]).toEqual([retryOf[kind], true]);
        }
      },
    ],
  ],
};

/** Keys in order, at every level. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  return Object.entries(value)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, member]) => [key, sorted(member)]);
}
