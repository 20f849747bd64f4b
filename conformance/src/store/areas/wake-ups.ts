/**
 * Wake-ups are hints.
 * - whatever was told or lost, looking finds everything: STO-wake-ups
 * - what is told of is committed: STO-wake-ups
 * - a listener that throws harms nobody; one that ended, or whose store closed, hears nothing: STO-wake-ups
 */
import type { Store, Wake } from "@swl/store-provider";
import { type Bench, codeOf, idsOf, queues, soon, workOf } from "../bench.js";
import type { StoreArea } from "../harness.js";

export const wakeUps: StoreArea = {
  title: "wake-ups",
  tests: [
    [
      "finds by looking what nobody was told of [STO-wake-ups]",
      async (bench, expect) => {
        const end = bench.store.watch(() => {});
        end();
        const writer = bench.opened.openPeer === undefined ? bench.store : await bench.peer();
        await bench.holder("gone", 3_600_000, writer);
        const more = { owner: "gone", work: workOf("w1", "w2"), dues: [{ key: "d", at: 1 }] };
        await bench.put(bench.item("run", 0, more), writer);
        await bench.put(bench.foreign("run", "r"), writer);
        await writer.closeHolder("gone");
        expect(await bench.store.unapplied(9)).toEqual(["run"]);
        expect(await bench.store.orphaned(9)).toEqual([{ stream: "run", owner: "gone" }]);
        expect(await bench.store.due(9)).toEqual([{ stream: "run", key: "d", at: 1 }]);
        expect(await bench.store.queues(9)).toEqual(["q"]);
        const claimed = await bench.store.claim("w", { queues, lease: 3_600_000 });
        expect(idsOf(claimed)).toEqual(["w1", "w2"]);
      },
    ],
    [
      "tells of records, of work and of an end, once they are committed [STO-wake-ups]",
      async (bench, expect) => {
        const early: Promise<unknown>[] = [];
        const heard = listen(bench.store, (wakes) => {
          for (const { kind, name } of wakes) {
            if (kind !== "records") continue;
            early.push(bench.store.head(name).then((head) => head === undefined || head.position < 2));
          }
        });
        expect(await told(bench, bench.store, heard)).toEqual(true);
        expect((await Promise.all(early)).filter((before) => before)).toEqual([]);
        // Nobody hears of what was refused.
        await bench.put(
          bench.item("refused", 7, { work: [{ id: "w", queue: "refused", delay: 0, document: null }] }),
        );
        expect(await told(bench, bench.store, heard)).toEqual(true);
        expect(heard.filter(({ name }) => name === "refused")).toEqual([]);
      },
      ["wake-ups"],
    ],
    [
      "tells the other handles that its wake-ups reach [STO-wake-ups]",
      async (bench, expect) => {
        const peer = await bench.peer();
        const heard = listen(bench.store);
        expect(await told(bench, peer, heard)).toEqual(true);
      },
      ["wake-ups", "peer"],
    ],
    [
      "goes on when a listener throws [STO-wake-ups]",
      async (bench, expect) => {
        bench.store.watch(() => {
          throw new TypeError("This listener is broken.");
        });
        const heard = listen(bench.store);
        expect(await bench.put(bench.item("run", 0, { work: workOf("w") }))).toEqual("accepted 1-1");
        expect(await told(bench, bench.store, heard)).toEqual(true);
      },
      ["wake-ups"],
    ],
    [
      "tells nothing once the listening ended [STO-wake-ups]",
      async (bench, expect) => {
        const stopped: Wake[] = [];
        const end = bench.store.watch((wakes) => void stopped.push(...wakes));
        const heard = listen(bench.store);
        end();
        end();
        expect(await told(bench, bench.store, heard)).toEqual(true);
        expect(stopped).toEqual([]);
      },
      ["wake-ups"],
    ],
    [
      "tells nothing once the store is closed, and takes no listener any more [STO-wake-ups]",
      async (bench, expect) => {
        const peer = await bench.peer();
        const silent = listen(peer);
        const heard = listen(bench.store);
        await peer.close();
        expect(await told(bench, bench.store, heard)).toEqual(true);
        expect(silent).toEqual([]);
        expect(await codeOf((async () => peer.watch(() => {}))())).toEqual("store.unavailable");
      },
      ["wake-ups", "peer"],
    ],
  ],
};

function listen(store: Store, also: (wakes: readonly Wake[]) => void = () => {}): Wake[] {
  const heard: Wake[] = [];
  store.watch((wakes) => {
    heard.push(...wakes);
    also(wakes);
  });
  return heard;
}

let rounds = 0;

/** Writes what must be told of, again when a hint is lost, and says whether all three kinds were heard. */
async function told(bench: Bench, writer: Store, heard: readonly Wake[]): Promise<boolean> {
  for (const patience of [100, 300, 900, 2_700]) {
    rounds += 1;
    const [run, over, queue] = [`run-${rounds}`, `over-${rounds}`, `queue-${rounds}`];
    const work = [{ id: `work-${rounds}`, queue, delay: 0, document: null }];
    await bench.put(bench.item(run, 0, { applies: true, work }), writer);
    await bench.put(bench.foreign(run, "r"), writer);
    await bench.put(bench.item(over, 0, { applies: true, close: true }), writer);
    const has = (kind: Wake["kind"], name: string) =>
      heard.some((wake) => wake.kind === kind && wake.name === name);
    const all = () => has("records", run) && has("work", queue) && has("closed", over);
    if (await soon(all, patience)) return true;
  }
  return false;
}
