/**
 * What a store says of itself and of what is in it.
 * - limits and capabilities are what they are declared to be: STO-capabilities
 * - counts are those of what was written: STO-check
 * - what was written through the contract has no faults; what was spoilt has: STO-check
 * - the codec sees every document, and bytes that it cannot decode are corrupt, and found: STO-documents, STO-check
 */
import { codeOf, queues, workOf } from "../bench.js";
import type { StoreArea } from "../harness.js";

const hour = 3_600_000;

export const upkeep: StoreArea = {
  title: "counting and checking",
  tests: [
    [
      "says what it can, in the words of the contract [STO-capabilities]",
      async (bench, expect) => {
        const { name, limits, capabilities } = bench.store.info;
        expect(name.length > 0).toEqual(true);
        for (const limit of [
          "documentBytes",
          "itemsPerBatch",
          "recordsPerItem",
          "timeGranularity",
        ] as const) {
          expect([limit, Number.isSafeInteger(limits[limit]) && limits[limit] >= 1]).toEqual([limit, true]);
        }
        const { itemBytes = 1 } = limits;
        expect([itemBytes, Number.isSafeInteger(itemBytes) && itemBytes >= 1]).toEqual([itemBytes, true]);
        const { durable, multiProcess, wakeUps, clock, pooler } = capabilities;
        expect([durable, multiProcess, pooler].map((one) => typeof one)).toEqual([
          "boolean",
          "boolean",
          "boolean",
        ]);
        const { appendsAtOnce = 1 } = bench.store.info;
        expect([appendsAtOnce, Number.isSafeInteger(appendsAtOnce) && appendsAtOnce >= 1]).toEqual([
          appendsAtOnce,
          true,
        ]);
        expect([
          ["none", "process", "everywhere"].includes(wakeUps),
          ["store", "injected"].includes(clock),
        ]).toEqual([true, true]);
      },
    ],
    [
      "goes by the clock that it says it goes by [STO-capabilities]",
      async (bench, expect) => {
        const injected = bench.store.info.capabilities.clock === "injected";
        const at = async () => (await bench.store.now()) === bench.time.now;
        expect(await at()).toEqual(injected);
        bench.time.now += 1_000_000_007;
        expect(await at()).toEqual(injected);
        const stamp = bench.time.now + 5_001;
        const answer = injected ? "refused clock-ahead" : "accepted 1-1";
        expect(await bench.put(bench.item("run", 0, { stamp }))).toEqual(answer);
      },
    ],
    [
      "counts what is there [STO-check]",
      async (bench, expect) => {
        const empty = await bench.store.stats();
        const zero = { streams: { open: 0, held: 0, closed: 0 }, work: { waiting: 0, claimed: 0 } };
        const none = { records: 0, slots: 0, dues: 0, receipts: 0, notes: 0, blobs: 0, holders: 0 };
        expect({ ...empty, format: undefined, bytes: undefined }).toEqual({ ...zero, ...none });
        await bench.holder("h", hour);
        await bench.holder("ended", hour);
        await bench.store.closeHolder("ended");
        const more = {
          work: workOf("w1", "w2", "w3", "w4"),
          dues: [{ key: "d", at: 1 }],
          slots: ["a", "b"].map((key) => ({ key, document: key })),
          blobs: [{ digest: "b", document: 1 }],
        };
        await bench.put(bench.item("open", 0, more));
        await bench.store.claim("h", { queues: [{ queue: "q", limit: 1 }] });
        await bench.put(
          bench.item("open", 1, { slots: [{ key: "a", document: 2 }, { key: "b" }], settled: ["w2"] }),
        );
        await bench.put(bench.foreign("open", "r"));
        await bench.put(bench.item("held", 0, { hold: "export" }));
        await bench.batch([
          bench.item("open-2", 0),
          bench.item("open-3", 0),
          bench.item("held-2", 0, { hold: "quarantine" }),
        ]);
        await bench.put(bench.item("closed", 0, { ...more, work: workOf("w5"), close: true }));
        await bench.store.note("closed", "e", 1);
        const { format, bytes, ...counts } = await bench.store.stats();
        expect(counts).toEqual({
          streams: { open: 3, held: 2, closed: 1 },
          records: 8,
          slots: 3,
          dues: 1,
          work: { waiting: 2, claimed: 1 },
          receipts: 1,
          notes: 1,
          blobs: 1,
          holders: 1,
        });
        for (const known of [format, bytes]) {
          if (known !== undefined) expect(Number.isSafeInteger(known) && known > 0).toEqual(true);
        }
      },
    ],
    [
      "finds no fault in what was written through the contract [STO-check]",
      async (bench, expect) => {
        expect(await bench.store.check()).toEqual([]);
        await bench.holder("h", hour);
        const blobs = [{ digest: "b", document: 1 }];
        await bench.put(
          bench.item("run", 0, { owner: "h", work: workOf("w"), blobs, dues: [{ key: "d", at: 1 }] }),
        );
        await bench.put(bench.item("far", 0, { origin: 70, pins: ["b"], facets: { x: "y" }, applies: true }));
        await bench.put(bench.foreign("far", "r"));
        await bench.put(bench.item("run", 9));
        await bench.store.claim("h", { queues });
        await bench.store.note("far", "e", 1);
        await bench.put(bench.item("over", 0, { blobs: [{ digest: "c", document: 1 }], close: true }));
        await bench.put(bench.item("held", 0, { hold: "quarantine", fence: true }));
        expect(await bench.store.check()).toEqual([]);
        await bench.put(bench.item("run", 1, { close: true }));
        await bench.store.prune({ closedBefore: (await bench.store.now()) + hour });
        expect(await bench.store.check()).toEqual([]);
      },
    ],
    [
      "says of what stream something was spoilt [STO-check]",
      async (bench, expect) => {
        for (const name of ["a", "spoilt", "z"]) {
          await bench.put(bench.item(name, 0, { applies: true, slots: [{ key: "s", document: name }] }));
          for (let position = 1; position <= 3; position += 1) await bench.put(bench.item(name, position));
        }
        expect(await bench.store.check()).toEqual([]);
        await bench.opened.damage?.("spoilt");
        const faults = await bench.store.check();
        expect([...new Set(faults.map(({ stream }) => stream))]).toEqual(["spoilt"]);
        expect(faults.filter(({ message }) => message.length === 0)).toEqual([]);
        expect((await bench.store.check(1)).length).toEqual(1);
      },
      ["damage"],
    ],
    [
      "passes every document through the codec, and gives it back [STO-documents]",
      async (bench, expect) => {
        const { codec } = bench;
        const blobs = [{ digest: "b", document: "secret blob" }];
        const records = [{ kind: "k", document: { is: "secret record" } }];
        const work = [{ id: "w", queue: "q", delay: 0, document: "secret work" }];
        const more = { records, work, blobs, slots: [{ key: "s", document: "secret slot" }] };
        await bench.put(bench.item("run", 0, more));
        await bench.store.note("run", "e", "secret note");
        const through = ["record", "work", "blob", "slot", "note"].map((word) =>
          codec.seen.some((text) => text.includes(`secret ${word}`)),
        );
        expect(through).toEqual([true, true, true, true, true]);
        const state = await bench.store.load("run");
        expect([state?.first.document, state?.work[0]?.document, state?.slots.get("s")]).toEqual([
          { is: "secret record" },
          "secret work",
          "secret slot",
        ]);
        expect([await bench.store.blob("b"), (await bench.store.notes("run"))[0]?.document]).toEqual([
          "secret blob",
          "secret note",
        ]);
      },
      ["codec"],
    ],
    [
      "says what cannot be decoded any more, and goes on with the rest [STO-check]",
      async (bench, expect) => {
        for (const name of ["a", "spoilt", "z"]) {
          const document = name === "spoilt" ? "secret" : name;
          await bench.put(bench.item(name, 0, { slots: [{ key: "s", document }], applies: true }));
        }
        await bench.put(bench.item("b", 0, { blobs: [{ digest: "d", document: "secret blob" }] }));
        expect(await bench.store.check()).toEqual([]);
        bench.codec.fails = true;
        expect(await codeOf(bench.store.load("spoilt"))).toEqual("store.corrupt");
        expect(await codeOf(bench.store.blob("d"))).toEqual("store.corrupt");
        expect((await bench.store.load("z"))?.slots.get("s")).toEqual("z");
        const faults = await bench.store.check();
        expect(faults.map(({ stream = "a blob" }) => stream).sort()).toEqual(["a blob", "spoilt"]);
        expect((await bench.store.check(1)).length).toEqual(1);
        expect(await bench.put(bench.item("spoilt", 1))).toEqual("accepted 2-2");
      },
      ["codec"],
    ],
  ],
};
