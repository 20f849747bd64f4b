/**
 * Holders, and the streams that they own.
 * - a lease runs strictly before its deadline and never comes back: STO-leases
 * - a stream has one owner while the owner's lease runs: STO-owner
 */
import { start } from "../bench.js";
import type { StoreArea } from "../harness.js";

export const leases: StoreArea = {
  title: "leases and owners",
  tests: [
    [
      "refuses a heartbeat at the deadline, for good [STO-leases]",
      async (bench, expect) => {
        const held = (now: number) => ({ kind: "held", until: now + 100, now });
        const options = { lease: 100, exclusive: false };
        expect(await bench.store.openHolder("h", options)).toEqual(held(start));
        bench.time.now = start + 99;
        expect(await bench.store.renewHolder("h", 100)).toEqual(held(start + 99));
        bench.time.now = start + 199;
        expect((await bench.store.renewHolder("h", 100)).kind).toEqual("lease-lost");
        bench.time.now = start;
        expect((await bench.store.renewHolder("h", 100)).kind).toEqual("lease-lost");
        expect((await bench.store.openHolder("h", options)).kind).toEqual("lease-lost");
        expect((await bench.store.renewHolder("unknown", 100)).kind).toEqual("lease-lost");
      },
      ["clock"],
    ],
    [
      "opens an exclusive holder only when no other lease runs [STO-leases]",
      async (bench, expect) => {
        const exclusive = { lease: 100, exclusive: true };
        await bench.store.openHolder("h1", exclusive);
        expect(await bench.store.openHolder("h2", exclusive)).toEqual({
          kind: "active",
          holder: "h1",
          until: start + 100,
          now: start,
        });
        expect((await bench.store.openHolder("h1", exclusive)).kind).toEqual("held");
        await bench.store.closeHolder("h1");
        expect((await bench.store.openHolder("h2", exclusive)).kind).toEqual("held");
        expect((await bench.store.renewHolder("h1", 100)).kind).toEqual("lease-lost");
      },
      ["clock"],
    ],
    [
      "lists the holders whose lease runs, by name [STO-leases]",
      async (bench, expect) => {
        await bench.holder("h2", 200);
        await bench.holder("h1", 100);
        await bench.holder("h3", 300);
        const live = (...held: readonly (readonly [string, number])[]) =>
          held.map(([holder, lease]) => ({ holder, until: start + lease }));
        expect(await bench.store.holders(9)).toEqual(live(["h1", 100], ["h2", 200], ["h3", 300]));
        expect(await bench.store.holders(1)).toEqual(live(["h1", 100]));
        bench.time.now = start + 100;
        await bench.store.closeHolder("h3");
        expect(await bench.store.holders(9)).toEqual(live(["h2", 200]));
      },
      ["clock"],
    ],
    [
      "keeps a lease as long as it is renewed, and no longer [STO-leases]",
      async (bench, expect) => {
        await bench.holder("h", 100);
        for (const [at, lease] of [
          [99, 100],
          [198, 50],
          [247, 10],
        ] as const) {
          bench.time.now = start + at;
          expect(await bench.store.renewHolder("h", lease)).toEqual({
            kind: "held",
            until: start + at + lease,
            now: start + at,
          });
          expect(await bench.store.holders(9)).toEqual([{ holder: "h", until: start + at + lease }]);
        }
        bench.time.now = start + 256;
        expect((await bench.store.openHolder("h", { lease: 1, exclusive: false })).kind).toEqual("held");
        bench.time.now = start + 257;
        expect(await bench.store.holders(9)).toEqual([]);
        expect((await bench.store.renewHolder("h", 100)).kind).toEqual("lease-lost");
      },
      ["clock"],
    ],
    [
      "ends a lease when its holder is closed, for good [STO-leases]",
      async (bench, expect) => {
        const options = { lease: 3_600_000, exclusive: false };
        await bench.store.openHolder("h", options);
        await bench.put(bench.item("run", 0, { applies: true, owner: "h" }));
        await bench.store.closeHolder("h");
        await bench.store.closeHolder("unknown");
        expect(await bench.store.holders(9)).toEqual([]);
        expect((await bench.store.renewHolder("h", 1_000)).kind).toEqual("lease-lost");
        expect((await bench.store.openHolder("h", options)).kind).toEqual("lease-lost");
        expect(await bench.store.orphaned(9)).toEqual([{ stream: "run", owner: "h" }]);
        expect((await bench.store.openHolder("h-2", { ...options, exclusive: true })).kind).toEqual("held");
      },
    ],
    [
      "keeps the owner of a stream while its lease runs [STO-owner]",
      async (bench, expect) => {
        await bench.holder("h1", 100);
        await bench.holder("h2", 900);
        expect(await bench.put(bench.item("run", 0, { owner: "h1" }))).toEqual("accepted 1-1");
        expect(await bench.put(bench.item("run", 1, { owner: "h2" }))).toEqual("refused claimed");
        expect(await bench.put(bench.item("run", 1, { owner: "gone" }))).toEqual("refused lease-lost");
        expect(await bench.put(bench.item("run", 1, { owner: "h1" }))).toEqual("accepted 2-2");
        expect((await bench.store.head("run"))?.owner).toEqual("h1");
        bench.time.now += 100;
        expect(await bench.put(bench.item("run", 2, { owner: "h1" }))).toEqual("refused lease-lost");
        expect(await bench.put(bench.item("run", 2, { owner: "h2", fence: true }))).toEqual("accepted 3-3");
        const head = await bench.store.head("run");
        expect([head?.owner, head?.fence]).toEqual(["h2", 3]);
        expect(await bench.put(bench.item("run", 3, { owner: null }))).toEqual("accepted 4-4");
        expect((await bench.store.head("run"))?.owner).toEqual(undefined);
      },
      ["clock"],
    ],
  ],
};
