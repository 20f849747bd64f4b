/**
 * Work and what an item may require.
 * - work is claimed once, when it is due, oldest first: STO-claims
 * - an item that requires something is refused without it: STO-preconditions
 */
import type { Precondition } from "@swl/store-provider";
import { codeOf, idsOf as ids, queues, start, workOf as work } from "../bench.js";
import type { StoreArea } from "../harness.js";

export const claims: StoreArea = {
  title: "claims",
  tests: [
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
      ["clock"],
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
      ["clock"],
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
        bench.time.now += 99;
        expect(await bench.store.abandoned(10)).toEqual([]);
        expect((await bench.store.held("worker")).map(({ until }) => until)).toEqual([start + 199]);
        bench.time.now += 1;
        expect(await bench.store.renewWork("worker", ["a"], 100)).toEqual([]);
        expect(ids(await bench.store.abandoned(10))).toEqual(["a"]);
      },
      ["clock"],
    ],
    [
      "never gives out work that was withdrawn, nor work that was settled [STO-claims]",
      async (bench, expect) => {
        await bench.put(bench.item("run", 0, { work: work("a", "b", "c", "d") }));
        const own = { queues, lease: 3_600_000 };
        await bench.store.claim("w", { ...own, queues: [{ queue: "q", limit: 2 }] });
        await bench.put(bench.item("run", 1, { withdraw: ["a", "c", "unknown"], settled: ["b", "unknown"] }));
        expect(ids(await bench.store.held("w"))).toEqual(["a"]);
        expect(ids(await bench.store.abandoned(9))).toEqual(["c"]);
        expect(ids(await bench.store.claim("v", own))).toEqual(["d"]);
        await bench.store.unclaim("w", ["a"]);
        expect(ids(await bench.store.claim("v", own))).toEqual([]);
        const left = await bench.store.abandoned(9);
        expect(left.map(({ id, holder, withdraw }) => [id, holder, withdraw])).toEqual([
          ["a", undefined, true],
          ["c", undefined, true],
        ]);
        await bench.put(bench.item("other", 0, { settled: ["a"], withdraw: ["d"] }));
        expect(ids(await bench.store.abandoned(9))).toEqual(["a", "c"]);
      },
    ],
    [
      "leaves a claim that ran out to whoever takes it over, and gives it to nobody else [STO-claims]",
      async (bench, expect) => {
        await bench.holder("h", 100);
        await bench.put(bench.item("run", 0, { work: work("a", "b") }));
        await bench.store.claim("h", { queues: [{ queue: "q", limit: 1 }] });
        await bench.store.claim("w", { queues, lease: 100 });
        bench.time.now += 100;
        expect(await bench.store.claim("next", { queues, lease: 100 })).toEqual([]);
        expect(await bench.store.queues(9)).toEqual([]);
        expect(ids(await bench.store.abandoned(9))).toEqual(["a", "b"]);
        const require: readonly Precondition[] = [{ kind: "work-expired", work: "a", holder: "h" }];
        const again = { require, settled: ["a"], work: work("a2") };
        expect(await bench.put(bench.item("run", 1, again))).toEqual("accepted 2-2");
        expect(ids(await bench.store.claim("next", { queues, lease: 100 }))).toEqual(["a2"]);
        expect(ids(await bench.store.abandoned(9))).toEqual(["b"]);
      },
      ["clock"],
    ],
    [
      "takes work of an ID that is there only where the item settles it [STO-claims]",
      async (bench, expect) => {
        await bench.put(bench.item("run", 0, { work: work("a", "b") }));
        await bench.store.claim("w", { queues: [{ queue: "q", limit: 1 }], lease: 3_600_000 });
        expect(await bench.put(bench.item("run", 1, { work: work("a") }))).toEqual("refused conflict");
        const moved = [{ id: "a", queue: "other", delay: 0, document: 2 }];
        expect(await bench.put(bench.item("run", 1, { work: moved, settled: ["b"] }))).toEqual(
          "refused conflict",
        );
        expect(await bench.put(bench.item("run", 1, { work: moved, settled: ["a"] }))).toEqual(
          "accepted 2-2",
        );
        expect(await bench.store.held("w")).toEqual([]);
        const [again] = await bench.store.claim("v", {
          queues: [{ queue: "other", limit: 9 }],
          lease: 3_600_000,
        });
        expect([again?.id, again?.document]).toEqual(["a", 2]);
        expect(await bench.put(bench.item("new", 0, { work: work("a"), settled: ["a"] }))).toEqual(
          "refused conflict",
        );
      },
    ],
    [
      "gives to each of many claimants what no other got [STO-claims]",
      async (bench, expect) => {
        const names = Array.from({ length: 24 }, (_, n) => `w${String(n).padStart(2, "0")}`);
        await bench.put(bench.item("run", 0, { work: work(...names) }));
        const some = { queues: [{ queue: "q", limit: 5 }], lease: 3_600_000 };
        const claimed = await Promise.all([1, 2, 3, 4, 5, 6].map((n) => bench.store.claim(`c${n}`, some)));
        const rest = await bench.store.claim("rest", { ...some, queues });
        expect(ids([...claimed.flat(), ...rest]).sort()).toEqual(names);
        for (const [index, list] of claimed.entries()) {
          expect(ids(await bench.store.held(`c${index + 1}`))).toEqual(ids(list).sort());
        }
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
      ["clock"],
    ],
    [
      "counts work of another stream as gone [STO-preconditions]",
      async (bench, expect) => {
        await bench.put(bench.item("a", 0, { work: work("wa") }));
        await bench.put(bench.item("b", 0));
        await bench.store.claim("w", { queues, lease: 3_600_000 });
        const require = (...list: readonly Precondition[]) => ({ require: list });
        expect(await bench.put(bench.item("b", 1, require({ kind: "work-unclaimed", work: "wa" })))).toEqual(
          "refused not-found",
        );
        const held = require({ kind: "work-held", work: "wa", holder: "w" });
        expect(await bench.put(bench.item("b", 1, held))).toEqual("refused lease-lost");
        expect(await bench.put(bench.item("a", 1, held))).toEqual("accepted 2-2");
      },
    ],
  ],
};
