/**
 * Two handles on one storage.
 * - what one has appended the other one sees at once: STO-peers
 * - of two that want the same position, request, work, due entry, lease or stream exactly one has it: STO-peers
 */
import { canonicalize, type Store } from "@swl/store-provider";
import { start, workOf } from "../bench.js";
import type { StoreArea } from "../harness.js";

export const peers: StoreArea = {
  title: "peers",
  tests: [
    [
      "lets two handles race for positions, claims and requests, with one winner each [STO-peers]",
      async (bench, expect) => {
        const peer = await bench.peer();
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
      ["peer"],
    ],
    [
      "shows one handle at once what another one has done [STO-peers]",
      async (bench, expect) => {
        const peer = await bench.peer();
        const views = async (store: Store) =>
          canonicalize(
            JSON.parse(
              JSON.stringify([
                await store.head("run"),
                [...((await store.load("run"))?.slots ?? [])],
                await store.read("run"),
                (await store.list()).items,
                (await store.receipt("run", "r")) ?? null,
                (await store.blob("b")) ?? null,
                await store.notes("run"),
                await store.unapplied(9),
                await store.queues(9),
                await store.held("w"),
                await store.due(9),
                await store.holders(9),
                { ...(await store.stats()), bytes: 0 },
              ]).replaceAll("undefined", "null"),
            ),
          );
        const steps: readonly ((store: Store) => Promise<unknown>)[] = [
          (store) =>
            bench.put(
              bench.item("run", 0, {
                slots: [{ key: "s", document: 1 }],
                blobs: [{ digest: "b", document: 2 }],
                work: workOf("w"),
                dues: [{ key: "d", at: start }],
              }),
              store,
            ),
          (store) => bench.put(bench.foreign("run", "r"), store),
          (store) => store.openHolder("h", { lease: 3_600_000, exclusive: false }),
          (store) => store.claim("w", { queues: [{ queue: "q", limit: 1 }], lease: 3_600_000 }),
          (store) => store.note("run", "e", 1),
          (store) => store.unclaim("w", ["w"]),
          (store) => store.closeHolder("h"),
          (store) =>
            bench.put(bench.item("run", 2, { applies: true, slots: [{ key: "s" }], close: true }), store),
        ];
        let before = await views(bench.store);
        for (const [index, step] of steps.entries()) {
          await step(index % 2 === 0 ? peer : bench.store);
          const [mine, theirs] = [await views(bench.store), await views(peer)];
          expect(theirs).toEqual(mine);
          expect(mine === before).toEqual(false);
          before = mine;
        }
      },
      ["peer"],
    ],
    [
      "lets one of two take over, fire, open alone or write a note [STO-peers]",
      async (bench, expect) => {
        const both = [bench.store, await bench.peer()];
        await bench.holder("gone", 3_600_000);
        await bench.put(bench.item("run", 0, { owner: "gone", dues: [{ key: "d", at: 1 }] }));
        await bench.store.closeHolder("gone");
        const alone = await Promise.all(
          both.map((store, n) => store.openHolder(`h${n}`, { lease: 3_600_000, exclusive: true })),
        );
        expect(alone.map(({ kind }) => kind).sort()).toEqual(["active", "held"]);
        const owner = alone[0]?.kind === "held" ? "h0" : "h1";
        const take = { owner, fence: true, require: [{ kind: "owner-expired", owner: "gone" }] } as const;
        const taken = await Promise.all(both.map((store) => bench.put(bench.item("run", 1, take), store)));
        expect(taken.sort()).toEqual(["accepted 2-2", "refused stale"]);
        const fire = { require: [{ kind: "due-present", key: "d" }] } as const;
        const fired = await Promise.all(both.map((store) => bench.put(bench.item("run", 2, fire), store)));
        expect(fired.sort()).toEqual(["accepted 3-3", "refused stale"]);
        const notes = await Promise.all(both.map((store, n) => store.note("run", "e", n)));
        expect(notes.sort()).toEqual([false, true]);
        const created = await Promise.all(both.map((store) => bench.put(bench.item("new", 0), store)));
        expect(created.sort()).toEqual(["accepted 1-1", "refused conflict"]);
      },
      ["peer"],
    ],
    [
      "loses nothing of batches that two handles send at once [STO-peers]",
      async (bench, expect) => {
        const both = [bench.store, await bench.peer()];
        const names = Array.from({ length: 12 }, (_, n) => `run-${n}`);
        await bench.batch(names.map((name) => bench.item(name, 0)));
        const sent = both.flatMap((store, n) =>
          [1, 2, 3].map((round) => {
            // In opposite order: whoever locks one after the other must not wait for ever.
            const ordered = n === 0 ? names : names.toReversed();
            return bench.batch(
              ordered.map((name) => bench.foreign(name, `r-${n}-${round}`)),
              store,
            );
          }),
        );
        const answers = (await Promise.all(sent)).flat();
        expect(answers.filter((answer) => !answer.startsWith("accepted"))).toEqual([]);
        for (const name of names) {
          const log = await bench.store.read(name);
          expect(log.map((record) => record.position)).toEqual([1, 2, 3, 4, 5, 6, 7]);
        }
      },
      ["peer"],
    ],
  ],
};
