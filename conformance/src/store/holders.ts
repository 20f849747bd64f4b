/**
 * Who may do what, and for how long.
 * - a lease runs strictly before its deadline and never comes back: STO-leases
 * - a stream has one owner while the owner's lease runs: STO-owner
 * - work is claimed once: STO-claims
 * - an item that requires something is refused without it: STO-preconditions
 * - what a host looks for is found, and nothing of held or closed streams: STO-host-queries
 */
import type { Precondition } from "@swl/store-provider";
import { type Bench, codeOf, type StoreArea, start } from "./harness.js";

const work = (...ids: readonly string[]) => ids.map((id) => ({ id, queue: "q", delay: 0, document: null }));
const queues = [{ queue: "q", limit: 9 }];
const ids = (list: readonly { readonly id: string }[]) => list.map(({ id }) => id);

export const holders: StoreArea = {
  title: "holders",
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
    ],
    [
      "keeps the owner of a stream while its lease runs [STO-owner]",
      async (bench, expect) => {
        await bench.holder("h1", 100);
        await bench.holder("h2", 900);
        expect(await bench.put(bench.item("run", 0, { owner: "h1" }))).toEqual("accepted 1-1");
        expect(await bench.put(bench.item("run", 1, { owner: "h2" }))).toEqual("refused claimed");
        expect(await bench.put(bench.item("run", 1, { owner: "gone" }))).toEqual("refused lease-lost");
        expect(await bench.put(bench.item("run", 1))).toEqual("accepted 2-2");
        expect((await bench.store.head("run"))?.owner).toEqual("h1");
        bench.time.now += 100;
        expect(await bench.put(bench.item("run", 2, { owner: "h1" }))).toEqual("refused lease-lost");
        expect(await bench.put(bench.item("run", 2, { owner: "h2", fence: true }))).toEqual("accepted 3-3");
        const head = await bench.store.head("run");
        expect([head?.owner, head?.fence]).toEqual(["h2", 3]);
        expect(await bench.put(bench.item("run", 3, { owner: null }))).toEqual("accepted 4-4");
        expect((await bench.store.head("run"))?.owner).toEqual(undefined);
      },
    ],
    [
      "gives work to one claimant, oldest first, when it is due [STO-claims]",
      async (bench, expect) => {
        await bench.holder("h1");
        await bench.holder("h2");
        const later = { id: "later", queue: "q", delay: 50, document: null };
        await bench.put(bench.item("run", 0, { work: [later, ...work("b", "a", "c")] }));
        expect(ids(await bench.store.claim("h1", { queues: [{ queue: "q", limit: 2 }] }))).toEqual([
          "b",
          "a",
        ]);
        expect(ids(await bench.store.claim("h2", { queues }))).toEqual(["c"]);
        expect(await bench.store.claim("h2", { queues })).toEqual([]);
        expect(await bench.store.queues(10)).toEqual([]);
        expect(ids(await bench.store.held("h1"))).toEqual(["a", "b"]);
        bench.time.now += 50;
        expect(await bench.store.queues(10)).toEqual(["q"]);
        expect(await bench.store.queues(10, "p")).toEqual(["q"]);
        expect(await bench.store.queues(10, "q")).toEqual([]);
        expect(ids(await bench.store.claim("h2", { queues }))).toEqual(["later"]);
        bench.time.now += 950;
        expect(await codeOf(bench.store.claim("h1", { queues }))).toEqual("store.lease-lost");
        expect(await bench.put(bench.item("other", 0, { work: work("a") }))).toEqual("refused conflict");
      },
    ],
    [
      "takes back what its claimant gives back, and nothing else [STO-claims]",
      async (bench, expect) => {
        await bench.holder("h1");
        await bench.holder("h2");
        await bench.put(bench.item("run", 0, { work: work("a", "b") }));
        await bench.store.claim("h1", { queues });
        await bench.store.unclaim("h2", ["a"]);
        await bench.store.unclaim("h1", ["b"], { delay: 10 });
        expect(ids(await bench.store.held("h1"))).toEqual(["a"]);
        expect(await bench.store.claim("h2", { queues })).toEqual([]);
        bench.time.now += 10;
        expect(ids(await bench.store.claim("h2", { queues }))).toEqual(["b"]);
      },
    ],
    [
      "renews a claim's own lease until it has run out once [STO-claims]",
      async (bench, expect) => {
        await bench.put(bench.item("run", 0, { work: work("a") }));
        const [claimed] = await bench.store.claim("worker", { queues, lease: 100 });
        expect([claimed?.holder, claimed?.until]).toEqual(["worker", start + 100]);
        bench.time.now += 99;
        expect(await bench.store.renewWork("worker", ["a", "none"], 100)).toEqual(["a"]);
        expect(await bench.store.renewWork("other", ["a"], 100)).toEqual([]);
        expect(await bench.store.abandoned(10)).toEqual([]);
        bench.time.now += 100;
        expect(await bench.store.renewWork("worker", ["a"], 100)).toEqual([]);
        expect(ids(await bench.store.abandoned(10))).toEqual(["a"]);
      },
    ],
    [
      "refuses an item that requires what is not so [STO-preconditions]",
      async (bench, expect) => {
        await bench.holder("h", 100);
        await bench.holder("other", 100);
        const dues = [{ key: "d", at: start + 100 }];
        await bench.put(bench.item("run", 0, { owner: "h", dues, work: work("free", "taken") }));
        await bench.store.claim("h", { queues });
        await bench.store.unclaim("h", ["free"]);
        const asks = async (...require: readonly Precondition[]) => {
          const head = await bench.store.head("run");
          return (await bench.put(bench.item("run", head?.position ?? 0, { require }))).replace(/ \d.*/, "");
        };
        expect(await asks({ kind: "work-unclaimed", work: "free" })).toEqual("accepted");
        expect(await asks({ kind: "work-unclaimed", work: "taken" })).toEqual("refused claimed");
        expect(await asks({ kind: "work-unclaimed", work: "none" })).toEqual("refused not-found");
        expect(await asks({ kind: "work-held", work: "taken", holder: "h" })).toEqual("accepted");
        expect(await asks({ kind: "work-held", work: "taken", holder: "other" })).toEqual(
          "refused lease-lost",
        );
        const expired: readonly Precondition[] = [
          { kind: "owner-expired", owner: "h" },
          { kind: "work-expired", work: "taken", holder: "h" },
        ];
        for (const one of expired) expect(await asks(one)).toEqual("refused claimed");
        expect(await asks({ kind: "due-present", key: "d" })).toEqual("refused not-found");
        bench.time.now += 100;
        expect(await asks({ kind: "owner-expired", owner: "other" })).toEqual("refused claimed");
        for (const one of expired) expect(await asks(one)).toEqual("accepted");
        expect(await asks({ kind: "work-held", work: "taken", holder: "h" })).toEqual("accepted");
        expect(await asks({ kind: "due-present", key: "d" }, ...expired)).toEqual("accepted");
        expect(await asks({ kind: "due-present", key: "d" })).toEqual("refused not-found");
      },
    ],
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
    ],
  ],
};

/** Unapplied and orphaned streams, abandoned work, streams with something due. */
async function found({ store }: Bench) {
  const orphaned = (await store.orphaned(10)).map((entry) => entry.stream);
  const due = (await store.due(10)).map((entry) => entry.stream);
  return [await store.unapplied(10), orphaned, ids(await store.abandoned(10)), due];
}
