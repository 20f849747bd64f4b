/**
 * What becomes of a stream, and what may be read of it.
 * - a closed stream takes nothing more and has nothing to do any more: STO-closed-stream
 * - one read gives all that is needed to go on: STO-recovery
 * - a note is written once, whatever has become of the stream: STO-notes
 */
import { codeOf, start, workOf } from "../bench.js";
import type { StoreArea } from "../harness.js";

export const streams: StoreArea = {
  title: "streams",
  tests: [
    [
      "takes nothing more once it is closed, and has nothing to do any more [STO-closed-stream]",
      async (bench, expect) => {
        await bench.holder("h");
        await bench.put(
          bench.item("run", 0, {
            owner: "h",
            dues: [{ key: "d", at: start }],
            work: [{ id: "w", queue: "q", delay: 0, document: null }],
            slots: [{ key: "s", document: 1 }],
          }),
        );
        expect(await bench.put(bench.foreign("run", "end", { close: true }))).toEqual("accepted 2-2");
        expect(await bench.put(bench.item("run", 2))).toEqual("refused closed");
        expect(await bench.put(bench.foreign("run", "late"))).toEqual("refused closed");
        const state = await bench.store.load("run");
        expect([state?.closed, state?.owner, state?.dues.size, state?.work.length]).toEqual([
          true,
          undefined,
          0,
          0,
        ]);
        expect([state?.position, state?.slots.get("s")]).toEqual([2, 1]);
      },
    ],
    [
      "keeps nothing to do that comes with the item that closes [STO-closed-stream]",
      async (bench, expect) => {
        const waiting = { work: workOf("w"), dues: [{ key: "d", at: start }] };
        await bench.holder("h", 3_600_000);
        expect(await bench.put(bench.item("run", 0, { ...waiting, owner: "h", close: true }))).toEqual(
          "accepted 1-1",
        );
        const state = await bench.store.load("run");
        expect([state?.closed, state?.owner, state?.dues.size, state?.work.length]).toEqual([
          true,
          undefined,
          0,
          0,
        ]);
        expect([
          await bench.store.queues(9),
          await bench.store.due(9),
          await bench.store.unapplied(9),
        ]).toEqual([[], [], []]);
        // The ID of work that is gone is free.
        expect(await bench.put(bench.item("other", 0, waiting))).toEqual("accepted 1-1");
      },
    ],
    [
      "gives all that is needed to go on [STO-recovery]",
      async (bench, expect) => {
        await bench.holder("h");
        await bench.put(
          bench.item("run", 0, {
            slots: ["a", "b", "c"].map((key) => ({ key, document: `${key}1` })),
            dues: [1, 2].map((n) => ({ key: `d${n}`, at: start + n })),
            work: ["w1", "w2"].map((id) => ({ id, queue: "q", delay: 7, document: id })),
          }),
        );
        expect((await bench.store.load("run"))?.tail.map((record) => record.position)).toEqual([1]);
        await bench.put(
          bench.item("run", 1, {
            applies: true,
            records: [1, 2].map((n) => ({ kind: "event", document: n })),
            slots: [{ key: "a", document: null }, { key: "b" }, { key: "never-written" }],
            dues: [
              { key: "d1", at: null },
              { key: "d2", at: start + 9 },
            ],
            settled: ["w1", "unknown"],
            owner: "h",
            fence: true,
          }),
        );
        await bench.put(bench.foreign("run", "r"));
        const state = await bench.store.load("run");
        expect(state?.tail.map((record) => [record.position, record.applies])).toEqual([
          [3, true],
          [4, false],
        ]);
        expect([state?.position, state?.applied, state?.fence, state?.owner]).toEqual([4, 3, 2, "h"]);
        expect(state?.first.position).toEqual(1);
        expect([...(state?.slots ?? [])].sort()).toEqual([
          ["a", null],
          ["c", "c1"],
        ]);
        expect([...(state?.dues ?? [])]).toEqual([["d2", start + 9]]);
        expect(state?.work).toEqual([
          { id: "w2", stream: "run", queue: "q", notBefore: start + 7, document: "w2", withdraw: false },
        ]);
        expect(await bench.store.load("none")).toEqual(undefined);
      },
      ["clock"],
    ],
    [
      "gives the whole log to go on from when no record was applied [STO-recovery]",
      async (bench, expect) => {
        await bench.put(bench.item("run", 0, { origin: 10 }));
        for (let n = 1; n <= 3; n += 1) await bench.put(bench.foreign("run", `r${n}`));
        const state = await bench.store.load("run");
        expect(state?.tail.map((record) => record.position)).toEqual([11, 12, 13, 14]);
        expect([state?.first.position, state?.applied]).toEqual([11, 0]);
        await bench.put(bench.item("run", 14, { applies: true, slots: [{ key: "s", document: "new" }] }));
        const later = await bench.store.load("run");
        expect(later?.tail.map((record) => record.position)).toEqual([15]);
        expect([later?.applied, later?.slots.get("s")]).toEqual([15, "new"]);
      },
    ],
    [
      "keeps the first note of an event, also on a closed stream [STO-notes]",
      async (bench, expect) => {
        await bench.put(bench.item("run", 0, { close: true }));
        expect(await bench.store.note("run", "e2", { n: 1 })).toEqual(true);
        expect(await bench.store.note("run", "e2", { n: 2 })).toEqual(false);
        expect(await bench.store.note("run", "e1", null)).toEqual(true);
        expect(await bench.store.notes("run")).toEqual([
          { event: "e2", document: { n: 1 }, at: start },
          { event: "e1", document: null, at: start },
        ]);
        expect((await bench.store.head("run"))?.position).toEqual(1);
        expect(await codeOf(bench.store.note("none", "e", null))).toEqual("store.not-found");
      },
      ["clock"],
    ],
    [
      "keeps the same first note when many write it at once [STO-notes]",
      async (bench, expect) => {
        await bench.put(bench.item("run", 0, { hold: "export" }));
        const written = await Promise.all([1, 2, 3, 4].map((n) => bench.store.note("run", "e", n)));
        expect(written.filter((first) => first).length).toEqual(1);
        expect((await bench.store.notes("run")).map(({ document }) => document)).toEqual([
          written.indexOf(true) + 1,
        ]);
        expect(await bench.store.notes("none")).toEqual([]);
        expect((await bench.store.head("run"))?.position).toEqual(1);
      },
    ],
    [
      "refuses calls after it was closed, and closes twice [STO-store-close]",
      async (bench, expect) => {
        const { store } = bench;
        await bench.put(bench.item("run", 0));
        const last = store.append([bench.item("run", 1)]);
        await Promise.all([store.close(), store.close()]);
        expect((await last).map(({ kind }) => kind)).toEqual(["accepted"]);
        expect(await codeOf(store.head("run"))).toEqual("store.unavailable");
        expect(await codeOf(store.append([bench.item("run", 2)]))).toEqual("store.unavailable");
        expect(await codeOf(store.now())).toEqual("store.unavailable");
        await store.close();
      },
    ],
  ],
};
