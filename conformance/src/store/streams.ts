/**
 * What becomes of a stream, and what may be read of it.
 * - a closed stream takes nothing more and has nothing to do any more: STO-closed-stream
 * - a hold lets through exactly what it should: STO-holds
 * - one read gives all that is needed to go on: STO-recovery
 * - lists are newest first, by label, page by page: STO-lists
 * - a note is written once, whatever has become of the stream: STO-notes
 */
import { codeOf, type StoreArea, start } from "./harness.js";

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
      "lets foreign items, lifting and closing through a quarantine [STO-holds]",
      async (bench, expect) => {
        await bench.put(bench.item("run", 0));
        await bench.put(bench.item("run", 1, { hold: "quarantine" }));
        expect(await bench.put(bench.item("run", 2))).toEqual("refused held");
        expect(await bench.put(bench.item("run", 2, { hold: "export" }))).toEqual("refused held");
        expect(await bench.put(bench.foreign("run", "r1"))).toEqual("accepted 3-3");
        expect(await bench.put(bench.foreign("run", "r2", { lift: "export" }))).toEqual("refused held");
        expect(await bench.put(bench.foreign("run", "r2", { lift: "quarantine" }))).toEqual("accepted 4-4");
        expect((await bench.store.head("run"))?.hold).toEqual(undefined);
        expect(await bench.put(bench.item("run", 4))).toEqual("accepted 5-5");
        await bench.put(bench.item("run", 5, { hold: "quarantine" }));
        expect(await bench.put(bench.foreign("run", "r3", { close: true }))).toEqual("accepted 7-7");
      },
    ],
    [
      "lets nothing but lifting and closing through an export [STO-holds]",
      async (bench, expect) => {
        await bench.put(bench.item("run", 0, { hold: "export" }));
        expect(await bench.put(bench.item("run", 1))).toEqual("refused held");
        expect(await bench.put(bench.foreign("run", "r"))).toEqual("refused held");
        expect(await bench.put(bench.item("run", 1, { lift: "quarantine" }))).toEqual("refused held");
        expect(await bench.put(bench.item("run", 1, { lift: "export" }))).toEqual("accepted 2-2");
        expect(await bench.put(bench.item("run", 2, { lift: "export" }))).toEqual("refused held");
        await bench.put(bench.item("run", 2, { hold: "export" }));
        expect(await bench.put(bench.item("run", 3, { close: true }))).toEqual("accepted 4-4");
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
    ],
    [
      "lists the newest stream first, by label and page [STO-lists]",
      async (bench, expect) => {
        for (const name of ["b", "a", "c", "d"]) {
          await bench.put(
            bench.item(name, 0, { facets: { status: name === "c" ? "done" : "open", ["__proto__"]: "x" } }),
          );
        }
        await bench.put(bench.item("b", 1, { facets: { status: "done" } }));
        const all = await bench.store.list();
        expect(all.items.map((head) => head.stream)).toEqual(["d", "c", "a", "b"]);
        expect(all.next).toEqual(undefined);
        expect(all.items.map((head) => head.facets["status"])).toEqual(["open", "done", "open", "done"]);
        const page = await bench.store.list({ facets: { status: "open" }, limit: 1 });
        expect(page.items.map((head) => head.stream)).toEqual(["d"]);
        const rest = await bench.store.list({ facets: { status: "open" }, after: page.next ?? "", limit: 1 });
        expect([rest.items.map((head) => head.stream), rest.next]).toEqual([["a"], undefined]);
        expect((await bench.store.list({ facets: { status: "done", other: "x" } })).items).toEqual([]);
        expect(await codeOf(bench.store.list({ limit: 1_001 }))).toEqual("store.incompatible");
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
    ],
  ],
};
