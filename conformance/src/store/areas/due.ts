/**
 * Instants, and what a host looks for.
 * - a due entry is found when its instant has come, earliest first, until it is removed: STO-host-queries
 * - firing it removes it, once: STO-preconditions
 * - what waits, is orphaned or abandoned is found, and nothing of held or closed streams: STO-host-queries
 */
import { type Bench, found as foundIn, idsOf as ids, queues, start, workOf as work } from "../bench.js";
import type { StoreArea } from "../harness.js";

const found = ({ store }: Bench) => foundIn(store);

export const due: StoreArea = {
  title: "due and waiting",
  tests: [
    [
      "finds what waits, is orphaned, abandoned or due [STO-host-queries]",
      async (bench, expect) => {
        await bench.holder("h", 100);
        for (const name of ["c", "a", "b"]) {
          await bench.put(
            bench.item(name, 0, {
              applies: true,
              owner: "h",
              work: work(`${name}1`, `${name}2`),
              dues: [{ key: "d", at: start + (name === "a" ? 60 : 50) }],
            }),
          );
        }
        expect(await found(bench)).toEqual([[], [], [], []]);
        await bench.store.claim("h", { queues: [{ queue: "q", limit: 2 }] });
        await bench.put(bench.item("a", 1, { applies: true, withdraw: ["a2"] }));
        for (const name of ["b", "a"]) await bench.put(bench.foreign(name, "r"));
        bench.time.now += 60;
        expect(await found(bench)).toEqual([["a", "b"], [], ["a2"], ["c", "b", "a"]]);
        expect(await bench.store.unapplied(1, "a")).toEqual(["b"]);
        expect((await bench.store.due(1, 1)).map((entry) => entry.stream)).toEqual(["b"]);
        bench.time.now += 40;
        expect(await found(bench)).toEqual([
          ["a", "b"],
          ["a", "b", "c"],
          ["a2", "c1", "c2"],
          ["c", "b", "a"],
        ]);
        expect(ids(await bench.store.abandoned(1, "a2"))).toEqual(["c1"]);
        expect(await bench.store.orphaned(1, "a")).toEqual([{ stream: "b", owner: "h" }]);
        await bench.put(bench.item("a", 3, { applies: true, owner: null, dues: [{ key: "d", at: null }] }));
        expect(await found(bench)).toEqual([["b"], ["b", "c"], ["a2", "c1", "c2"], ["c", "b"]]);
      },
      ["clock"],
    ],
    [
      "finds nothing of held or closed streams [STO-host-queries]",
      async (bench, expect) => {
        await bench.holder("h", 100);
        for (const [name, more] of [
          ["held", { hold: "quarantine" }],
          ["closed", { close: true }],
        ] as const) {
          const waiting = { owner: "h", dues: [{ key: "d", at: start }], work: work(`${name}1`, `${name}2`) };
          await bench.put(bench.item(name, 0, { ...waiting, withdraw: [`${name}2`] }));
          await bench.put(bench.item(name, 1, more));
        }
        bench.time.now += 100;
        expect(await found(bench)).toEqual([[], [], [], []]);
        expect(await bench.store.queues(10)).toEqual([]);
        expect(await bench.store.claim("w", { queues, lease: 10 })).toEqual([]);
        await bench.put(bench.foreign("held", "r", { lift: "quarantine" }));
        expect(await found(bench)).toEqual([["held"], ["held"], ["held2"], ["held"]]);
        expect(ids(await bench.store.claim("w", { queues, lease: 10 }))).toEqual(["held1"]);
      },
      ["clock"],
    ],
    [
      "finds a due entry at its instant and not before, however far away it was [STO-host-queries]",
      async (bench, expect) => {
        const year = 365 * 86_400_000;
        const dues = [
          { key: "far", at: start + 100 * year },
          { key: "soon", at: start + 10 },
          { key: "past", at: 0 },
        ];
        await bench.put(bench.item("run", 0, { dues }));
        const keys = async () => (await bench.store.due(9)).map(({ key }) => key);
        expect(await keys()).toEqual(["past"]);
        bench.time.now = start + 9;
        expect(await keys()).toEqual(["past"]);
        bench.time.now = start + 10;
        expect(await keys()).toEqual(["past", "soon"]);
        await bench.put(bench.item("run", 1, { dues: [{ key: "soon", at: start + 11 }] }));
        expect(await keys()).toEqual(["past"]);
        bench.time.now = start + 100 * year - 1;
        expect(await bench.store.due(9)).toEqual([
          { stream: "run", key: "past", at: 0 },
          { stream: "run", key: "soon", at: start + 11 },
        ]);
        bench.time.now += 1;
        expect(await keys()).toEqual(["past", "soon", "far"]);
      },
      ["clock"],
    ],
    [
      "fires a due entry once, and sets it again in the same item [STO-preconditions]",
      async (bench, expect) => {
        await bench.put(bench.item("run", 0, { dues: [{ key: "d", at: 5 }] }));
        const fire = { require: [{ kind: "due-present", key: "d" }] } as const;
        const racing = [bench.item("run", 1, fire), bench.item("run", 1, fire)];
        const answers = await Promise.all(racing.map((item) => bench.put(item)));
        expect(answers.sort()).toEqual(["accepted 2-2", "refused stale"]);
        expect(await bench.store.due(9)).toEqual([]);
        expect(await bench.put(bench.item("run", 2, fire))).toEqual("refused not-found");
        await bench.put(bench.item("run", 2, { dues: [{ key: "d", at: 6 }] }));
        expect(await bench.put(bench.item("run", 3, { ...fire, dues: [{ key: "d", at: 7 }] }))).toEqual(
          "accepted 4-4",
        );
        expect(await bench.store.due(9)).toEqual([{ stream: "run", key: "d", at: 7 }]);
      },
    ],
    [
      "pages through everything that a host looks for, without a gap [STO-host-queries]",
      async (bench, expect) => {
        const names = ["b", "a", "\u{1f600}", "\uffee", "c", "A"];
        const inOrder = ["A", "a", "b", "c", "\uffee", "\u{1f600}"];
        await bench.store.openHolder("gone", { lease: 3_600_000, exclusive: false });
        for (const name of names) {
          const queue = [{ id: `w-${name}`, queue: name, delay: 0, document: null }];
          const held = { id: `x-${name}`, queue: "claimed", delay: 0, document: null };
          await bench.put(bench.item(name, 0, { owner: "gone", work: [...queue, held] }));
        }
        await bench.store.claim("gone", { queues: [{ queue: "claimed", limit: 99 }] });
        await bench.store.closeHolder("gone");
        const { store } = bench;
        expect(await pages((after) => store.unapplied(2, after))).toEqual(inOrder);
        expect(await pages((after) => store.queues(2, after))).toEqual(inOrder);
        const orphans = async (after?: string) =>
          (await store.orphaned(2, after)).map(({ stream }) => stream);
        expect(await pages(orphans)).toEqual(inOrder);
        const work = async (after?: string) => ids(await store.abandoned(2, after));
        expect(await pages(work)).toEqual(inOrder.map((name) => `x-${name}`));
      },
    ],
  ],
};

async function pages(page: (after?: string) => Promise<readonly string[]>): Promise<readonly string[]> {
  const all: string[] = [];
  for (let part = await page(); part.length > 0; part = await page(part.at(-1))) all.push(...part);
  return all;
}
