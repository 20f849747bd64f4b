/**
 * A restart.
 * - what was accepted is there after it, everything of it: STO-durability
 * - what was refused is not: STO-durability
 * - leases and claims go on by the clock, not by the process: STO-leases
 */
import { canonicalize, type Store } from "@swl/store-provider";
import { type Bench, queues, start, workOf } from "../bench.js";
import type { StoreArea } from "../harness.js";

export const reopen: StoreArea = {
  title: "reopening",
  tests: [
    [
      "has everything after a restart [STO-durability]",
      async (bench, expect) => {
        await fill(bench);
        const before = await everything(bench.store);
        const store = await bench.reopen();
        expect(await everything(store)).toEqual(before);
        expect(await bench.put(bench.item("run", 2), store)).toEqual("accepted 3-3");
        expect(await bench.put(bench.foreign("run", "r"), store)).toEqual("receipt 2");
      },
      ["restart"],
    ],
    [
      "has nothing of what was refused or pruned after a restart [STO-durability]",
      async (bench, expect) => {
        await bench.put(bench.item("run", 0, { slots: [{ key: "s", document: 1 }] }));
        await bench.put(bench.item("run", 7, { slots: [{ key: "s", document: 2 }], facets: { x: "y" } }));
        await bench.put(bench.item("over", 0, { blobs: [{ digest: "b", document: 1 }], close: true }));
        await bench.store.prune({ closedBefore: (await bench.store.now()) + 3_600_000 });
        const store = await bench.reopen();
        const state = await store.load("run");
        expect([state?.position, state?.slots.get("s"), state?.facets]).toEqual([1, 1, {}]);
        expect([await store.head("over"), await store.blob("b")]).toEqual([undefined, undefined]);
        expect(await store.check()).toEqual([]);
      },
      ["restart"],
    ],
    [
      "ends no lease by a restart, and revives none [STO-leases]",
      async (bench, expect) => {
        await bench.holder("lives", 1_000);
        await bench.holder("dies", 100);
        await bench.put(bench.item("run", 0, { work: workOf("w") }));
        await bench.store.claim("lives", { queues });
        bench.time.now += 100;
        expect((await bench.store.renewHolder("dies", 100)).kind).toEqual("lease-lost");
        const store = await bench.reopen();
        bench.time.now = start;
        expect((await store.renewHolder("dies", 100)).kind).toEqual("lease-lost");
        expect((await store.renewHolder("lives", 100)).kind).toEqual("held");
        expect((await store.held("lives")).length).toEqual(1);
      },
      ["restart", "clock"],
    ],
  ],
};

async function fill(bench: Bench): Promise<void> {
  await bench.holder("h", 3_600_000);
  await bench.put(
    bench.item("run", 0, {
      applies: true,
      owner: "h",
      slots: [{ key: "s", document: { a: [1, "x"] } }],
      dues: [{ key: "d", at: start }],
      work: workOf("w", "w2"),
      receipts: [{ scope: "start", request: "k", digest: "d" }],
      facets: { status: "open" },
      blobs: [{ digest: "b", document: { blob: true } }],
    }),
  );
  await bench.put(bench.foreign("run", "r"));
  await bench.put(bench.item("held", 0, { hold: "quarantine", pins: ["b"] }));
  await bench.store.note("run", "e", 1);
  await bench.store.claim("h", { queues: [{ queue: "q", limit: 1 }] });
}

async function everything(store: Store): Promise<string> {
  const state = await store.load("run");
  return canonicalize(
    JSON.parse(
      JSON.stringify([
        { ...state, slots: [...(state?.slots ?? [])], dues: [...(state?.dues ?? [])] },
        await store.read("run"),
        await store.list(),
        await store.list({ facets: { status: "open" } }),
        await store.blob("b"),
        await store.receipt("start", "k"),
        await store.notes("run"),
        await store.held("h"),
        await store.queues(9),
        await store.unapplied(9),
        await store.due(9),
        await store.holders(9),
        { ...(await store.stats()), bytes: 0 },
      ]),
    ),
  );
}
