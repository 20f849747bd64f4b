/**
 * Holds, and the fence of an export.
 * - a hold lets through exactly what it should: STO-holds
 * - what waited before a hold waits again after it: STO-holds
 */
import { found, queues, workOf } from "../bench.js";
import type { StoreArea } from "../harness.js";

export const holds: StoreArea = {
  title: "holds and the export fence",
  tests: [
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
      "stops a host that did not know of the export, at the position where it stands [STO-holds]",
      async (bench, expect) => {
        await bench.holder("h", 3_600_000);
        await bench.put(bench.item("run", 0, { applies: true, owner: "h", work: workOf("w") }));
        const late = bench.item("run", 1, { applies: true, settled: ["w"] });
        expect(await bench.put(bench.foreign("run", "export", { hold: "export" }))).toEqual("accepted 2-2");
        expect(await bench.put(late)).toEqual("refused held");
        expect(await bench.store.claim("w1", { queues, lease: 1_000 })).toEqual([]);
        expect(await found(bench.store)).toEqual([[], [], [], []]);
        const state = await bench.store.load("run");
        expect([state?.position, state?.hold, state?.work.length]).toEqual([2, "export", 1]);
        // Given up: everything is where it was.
        expect(await bench.put(bench.foreign("run", "back", { lift: "export" }))).toEqual("accepted 3-3");
        expect(await bench.put(late)).toEqual("refused stale");
        expect(await bench.store.queues(9)).toEqual(["q"]);
        expect(await bench.put(bench.item("run", 3, { applies: true, settled: ["w"] }))).toEqual(
          "accepted 4-4",
        );
      },
    ],
    [
      "exchanges one hold for another in one item [STO-holds]",
      async (bench, expect) => {
        await bench.put(bench.item("run", 0, { hold: "quarantine" }));
        const exchange = { lift: "quarantine", hold: "export" } as const;
        expect(await bench.put(bench.item("run", 1, exchange))).toEqual("accepted 2-2");
        expect((await bench.store.head("run"))?.hold).toEqual("export");
        expect(await bench.put(bench.item("new", 0, { lift: "export" }))).toEqual("refused held");
        expect(await bench.put(bench.item("run", 2, { lift: "export" }))).toEqual("accepted 3-3");
        expect((await bench.store.head("run"))?.hold).toEqual(undefined);
      },
    ],
  ],
};
