/**
 * More than one handle, more than one life.
 * - two handles see each other's appends, and a race has one winner: STO-peers
 * - what was accepted is there after a restart: STO-durability
 * - a closed store refuses further calls: STO-store-close
 */
import { canonicalize } from "@swl/store-provider";
import { type Bench, codeOf, type StoreArea, start } from "./harness.js";

export const places: StoreArea = {
  title: "places",
  tests: [
    [
      "lets two handles race for positions, claims and requests, with one winner each [STO-peers]",
      async (bench, expect) => {
        const peer = await bench.opened.openPeer();
        const both = [bench.store, peer];
        await bench.put(bench.item("run", 0));
        expect((await peer.head("run"))?.position).toEqual(1);
        for (let position = 1; position <= 20; position += 1) {
          const answers = await Promise.all(
            both.map((store) => bench.put(bench.item("run", position), store)),
          );
          expect(answers.sort()).toEqual([`accepted ${position + 1}-${position + 1}`, "refused stale"]);
        }
        const answers = await Promise.all(
          both.map((store) => bench.put(bench.foreign("run", "same"), store)),
        );
        expect(answers.sort()).toEqual(["accepted 22-22", "receipt 22"]);
        for (const store of both) expect((await store.head("run"))?.position).toEqual(22);
        const work = ["a", "b"].map((id) => ({ id, queue: "q", delay: 0, document: null }));
        await bench.put(bench.item("run", 22, { work }), peer);
        const claims = await Promise.all(
          both.map((store, n) => store.claim(`w${n}`, { queues: [{ queue: "q", limit: 9 }], lease: 9 })),
        );
        expect(
          claims
            .flat()
            .map(({ id }) => id)
            .sort(),
        ).toEqual(["a", "b"]);
      },
    ],
    [
      "has everything after a restart [STO-durability]",
      async (bench, expect) => {
        await fill(bench);
        const before = await everything(bench.store);
        const store = await bench.opened.reopen();
        expect(await everything(store)).toEqual(before);
        expect(await bench.put(bench.item("run", 2), store)).toEqual("accepted 3-3");
      },
    ],
    [
      "refuses calls after it was closed, and closes twice [STO-store-close]",
      async (bench, expect) => {
        await bench.put(bench.item("run", 0));
        const peer = await bench.opened.openPeer();
        const last = peer.append([bench.item("run", 1)]);
        await Promise.all([peer.close(), peer.close()]);
        expect((await last).map(({ kind }) => kind)).toEqual(["accepted"]);
        expect(await codeOf(peer.head("run"))).toEqual("store.unavailable");
        expect(await codeOf(peer.append([bench.item("run", 2)]))).toEqual("store.unavailable");
        expect((await bench.store.head("run"))?.position).toEqual(2);
      },
    ],
  ],
};

async function fill(bench: Bench): Promise<void> {
  await bench.holder("h");
  await bench.put(
    bench.item("run", 0, {
      applies: true,
      owner: "h",
      slots: [{ key: "s", document: { a: [1, "x"] } }],
      dues: [{ key: "d", at: start }],
      work: [{ id: "w", queue: "q", delay: 0, document: "w" }],
      receipts: [{ scope: "start", request: "k", digest: "d" }],
      facets: { status: "open" },
      blobs: [{ digest: "b", document: { blob: true } }],
    }),
  );
  await bench.put(bench.foreign("run", "r"));
  await bench.store.note("run", "e", 1);
  await bench.store.claim("h", { queues: [{ queue: "q", limit: 1 }] });
}

async function everything(store: Bench["store"]): Promise<string> {
  const state = await store.load("run");
  return canonicalize(
    JSON.parse(
      JSON.stringify([
        { ...state, slots: [...(state?.slots ?? [])], dues: [...(state?.dues ?? [])] },
        await store.read("run"),
        await store.list({ facets: { status: "open" } }),
        await store.blob("b"),
        await store.receipt("start", "k"),
        await store.notes("run"),
        await store.held("h"),
        await store.unapplied(9),
        await store.due(9),
        await store.renewHolder("h", 1_000),
      ]),
    ),
  );
}
