/**
 * What is over goes, and nothing else.
 * - closed streams whose last record is older go with all that is theirs; names and requests are free again: STO-prune
 * - open, held and younger streams are never touched: STO-prune
 * - portions; safe beside hosts and other prunes: STO-prune
 * - blobs stay as long as a stream pins them: STO-pins
 */
import type { Store } from "@swl/store-provider";
import { start, workOf } from "../bench.js";
import type { StoreArea } from "../harness.js";

const hour = 3_600_000;
const nothing = { streams: 0, records: 0, blobs: 0, more: false };

export const pruning: StoreArea = {
  title: "pruning",
  tests: [
    [
      "removes a closed stream with all that was its own [STO-prune]",
      async (bench, expect) => {
        const receipts = [{ scope: "start", request: "k", digest: "d1" }];
        const more = { receipts, facets: { all: "x" }, slots: [{ key: "s", document: 1 }] };
        await bench.put(bench.item("run", 0, { ...more, origin: 4, blobs: [{ digest: "b", document: 1 }] }));
        await bench.put(bench.foreign("run", "r"));
        await bench.store.note("run", "e", 1);
        await bench.put(bench.item("run", 6, { close: true }));
        await bench.store.note("run", "late", 2);
        const closedBefore = (await bench.store.now()) + hour;
        expect(await bench.store.prune({ closedBefore })).toEqual({
          streams: 1,
          records: 3,
          blobs: 1,
          more: false,
        });
        const { store } = bench;
        expect(await Promise.all([store.head("run"), store.load("run"), store.blob("b")])).toEqual([
          undefined,
          undefined,
          undefined,
        ]);
        expect([await store.read("run"), await store.notes("run")]).toEqual([[], []]);
        expect((await store.list()).items).toEqual([]);
        expect((await store.list({ facets: { all: "x" } })).items).toEqual([]);
        expect([await store.receipt("start", "k"), await store.receipt("run", "r")]).toEqual([
          undefined,
          undefined,
        ]);
        expect(await store.prune({ closedBefore })).toEqual(nothing);
      },
    ],
    [
      "frees names and requests, and nothing of the old comes back with them [STO-prune]",
      async (bench, expect) => {
        const request = (digest: string) => ({ receipts: [{ scope: "start", request: "k", digest }] });
        const old = { slots: [{ key: "s", document: 1 }], facets: { old: "x" }, fence: true };
        const first = bench.item("run", 0, { ...request("d1"), ...old, applies: true });
        await bench.put(first);
        await bench.store.note("run", "e", 1);
        await bench.put(bench.item("run", 1, { close: true }));
        expect(await bench.put(bench.item("run", 0, request("d2")))).toEqual("refused conflict");
        await bench.store.prune({ closedBefore: (await bench.store.now()) + hour });
        expect(await bench.put(bench.foreign("run", "r"))).toEqual("refused not-found");
        expect(await bench.put(bench.item("run", 0, request("d2")))).toEqual("accepted 1-1");
        const state = await bench.store.load("run");
        expect([state?.slots.size, state?.facets, state?.fence, state?.applied, state?.closed]).toEqual([
          0,
          {},
          0,
          0,
          false,
        ]);
        expect([await bench.store.notes("run"), state?.tail.length]).toEqual([[], 1]);
        // The first item of all is a new one now, and comes too late.
        expect(await bench.put(first)).toEqual("refused conflict");
      },
    ],
    [
      "never touches what is open, held or younger [STO-prune]",
      async (bench, expect) => {
        const waiting = { work: workOf("w"), dues: [{ key: "d", at: 1 }] };
        await bench.put(bench.item("open", 0, waiting));
        await bench.put(bench.item("held", 0, { hold: "quarantine" }));
        await bench.put(bench.item("export", 0, { hold: "export" }));
        await bench.put(bench.item("older", 0));
        bench.time.now = start + 5;
        await bench.put(bench.item("older", 1, { close: true }));
        bench.time.now = start + 6;
        await bench.put(bench.item("younger", 0, { close: true }));
        const listed = async () => (await bench.store.list()).items.map((head) => head.stream);
        expect(await bench.store.prune({ closedBefore: start + 5 })).toEqual(nothing);
        expect(await listed()).toEqual(["younger", "older", "export", "held", "open"]);
        expect(await bench.store.prune({ closedBefore: start + 6 })).toEqual({
          ...nothing,
          streams: 1,
          records: 2,
        });
        expect(await listed()).toEqual(["younger", "export", "held", "open"]);
        bench.time.now = start + hour;
        expect((await bench.store.prune({ closedBefore: start + hour })).streams).toEqual(1);
        expect(await listed()).toEqual(["export", "held", "open"]);
        expect((await bench.store.load("open"))?.work.length).toEqual(1);
        expect((await bench.store.due(9)).length).toEqual(1);
      },
      ["clock"],
    ],
    [
      "goes portion by portion, those closed first at first, and says whether there is more [STO-prune]",
      async (bench, expect) => {
        const names = ["e", "d", "c", "b", "a"];
        for (const name of names) await bench.put(bench.item(name, 0));
        for (const name of names.toReversed()) {
          bench.time.now += 1;
          await bench.put(bench.item(name, 1, { close: true }));
        }
        const closedBefore = start + hour;
        const portion = () => bench.store.prune({ closedBefore, limit: 2 });
        expect(await portion()).toEqual({ streams: 2, records: 4, blobs: 0, more: true });
        expect((await bench.store.list()).items.map((head) => head.stream)).toEqual(["c", "d", "e"]);
        expect(await portion()).toEqual({ streams: 2, records: 4, blobs: 0, more: true });
        expect(await portion()).toEqual({ streams: 1, records: 2, blobs: 0, more: false });
        expect(await portion()).toEqual(nothing);
      },
      ["clock"],
    ],
    [
      "is safe beside appends and other prunes [STO-prune]",
      async (bench, expect) => {
        const other = bench.opened.openPeer === undefined ? bench.store : await bench.peer();
        const names = Array.from({ length: 24 }, (_, n) => n);
        await bench.batch(
          names.map((n) =>
            bench.item(`old-${n}`, 0, { blobs: [{ digest: `b${n}`, document: n }], close: true }),
          ),
        );
        const closedBefore = (await bench.store.now()) + hour;
        const prunes = [bench.store, other, bench.store, other].map((store) => pruneAll(store, closedBefore));
        const pinning = names.map((n) => bench.put(bench.item(`new-${n}`, 0, { pins: [`b${n}`] }), other));
        const [pruned, pinned] = await Promise.all([Promise.all(prunes), Promise.all(pinning)]);
        expect(pruned.reduce((sum, count) => sum + count, 0)).toEqual(24);
        for (const [n, answer] of pinned.entries()) {
          const blob = await bench.store.blob(`b${n}`);
          expect([answer, blob]).toEqual(
            answer === "accepted 1-1" ? ["accepted 1-1", n] : ["refused not-found", undefined],
          );
        }
        expect(await bench.store.check()).toEqual([]);
      },
    ],
    [
      "keeps a blob as long as a stream pins it [STO-pins]",
      async (bench, expect) => {
        const blobs = [
          { digest: "shared", document: "kept" },
          { digest: "own", document: "gone" },
        ];
        await bench.put(bench.item("first", 0, { blobs, close: true }));
        expect(await bench.put(bench.item("second", 0, { pins: ["shared"] }))).toEqual("accepted 1-1");
        const again = [{ digest: "shared", document: "another" }];
        expect(await bench.put(bench.item("third", 0, { blobs: again, close: true }))).toEqual(
          "accepted 1-1",
        );
        const closedBefore = (await bench.store.now()) + hour;
        const counts = async () => {
          const { streams, blobs: gone } = await bench.store.prune({ closedBefore });
          return [streams, gone, await bench.store.blob("shared"), await bench.store.blob("own")];
        };
        expect(await counts()).toEqual([2, 1, "kept", undefined]);
        await bench.put(bench.item("second", 1, { close: true }));
        expect(await counts()).toEqual([1, 1, undefined, undefined]);
      },
    ],
    [
      "refuses to pin what is not there, and lets a foreign item pin nothing [STO-pins]",
      async (bench, expect) => {
        const pinning = bench.item("run", 0, { pins: ["d"], slots: [{ key: "s", document: 1 }] });
        expect(await bench.put(pinning)).toEqual("refused not-found");
        expect(await bench.store.head("run")).toEqual(undefined);
        const blobs = [{ digest: "d", document: 1 }];
        expect(await bench.put(bench.item("other", 0, { blobs, pins: ["d"] }))).toEqual("accepted 1-1");
        expect(await bench.put(pinning)).toEqual("accepted 1-1");
        expect(await bench.put(bench.foreign("run", "r", { pins: ["d"] }))).toEqual("refused incompatible");
        expect(await bench.put(bench.item("run", 1, { pins: ["d", "d"] }))).toEqual("refused incompatible");
        const batch = [
          bench.item("a", 0, { blobs: [{ digest: "new", document: 2 }] }),
          bench.item("b", 0, { pins: ["new"] }),
        ];
        expect(await bench.batch(batch)).toEqual(["accepted 1-1", "accepted 1-1"]);
      },
    ],
  ],
};

/** Portion by portion, as a background does it. */
async function pruneAll(store: Store, closedBefore: number): Promise<number> {
  let streams = 0;
  for (;;) {
    const portion = await store.prune({ closedBefore, limit: 3 });
    streams += portion.streams;
    if (!portion.more && portion.streams === 0) return streams;
  }
}
