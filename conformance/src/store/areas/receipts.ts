/**
 * Requests and commits that come twice.
 * - a request that was accepted gets its first receipt, whichever stream it names now: STO-receipts
 * - with other content it is a conflict; a refusal leaves no receipt: STO-receipts
 * - the same item sent again gets its first answer and changes nothing: STO-commit-repeat
 * - a foreign item takes the next position and waits until an item applies it: STO-foreign-items
 */
import { start } from "../bench.js";
import type { StoreArea } from "../harness.js";

export const receipts: StoreArea = {
  title: "receipts and conflicts",
  tests: [
    [
      "answers a request that was accepted with its first receipt [STO-receipts]",
      async (bench, expect) => {
        const receipts = [{ scope: "start", request: "key", digest: "d1" }];
        await bench.put(bench.item("run", 0, { receipts }));
        expect(await bench.put(bench.item("other", 0, { receipts }))).toEqual("receipt 1");
        expect(await bench.store.head("other")).toEqual(undefined);
        expect(await bench.store.receipt("start", "key")).toEqual({
          scope: "start",
          request: "key",
          digest: "d1",
          stream: "run",
          position: 1,
          at: start,
        });
        await bench.put(bench.foreign("run", "r"));
        expect(await bench.put(bench.foreign("run", "r"))).toEqual("receipt 2");
      },
      ["clock"],
    ],
    [
      "refuses the same request with other content, and keeps no receipt of a refusal [STO-receipts]",
      async (bench, expect) => {
        const receipt = { scope: "start", request: "key", digest: "d1" };
        await bench.put(bench.item("run", 3, { receipts: [receipt] }));
        expect(await bench.put(bench.item("run", 0, { receipts: [receipt] }))).toEqual("accepted 1-1");
        const changed = { ...receipt, digest: "d2" };
        expect(await bench.put(bench.item("other", 0, { receipts: [changed] }))).toEqual("refused conflict");
        const elsewhere = { ...receipt, scope: "run" };
        expect(await bench.put(bench.item("other", 0, { receipts: [elsewhere] }))).toEqual("accepted 1-1");
      },
    ],
    [
      "answers several requests in one item by the first that was accepted, and keeps them all [STO-receipts]",
      async (bench, expect) => {
        const request = (name: string, digest = "d") => ({ scope: "start", request: name, digest });
        await bench.put(bench.item("a", 0, { origin: 6, receipts: [request("r1"), request("r2")] }));
        expect((await bench.store.receipt("start", "r2"))?.position).toEqual(7);
        expect(await bench.put(bench.item("b", 0, { receipts: [request("new"), request("r2")] }))).toEqual(
          "receipt 7",
        );
        expect(await bench.store.receipt("start", "new")).toEqual(undefined);
        const other = [request("r1"), request("r2", "other")];
        expect(await bench.put(bench.item("b", 0, { receipts: other }))).toEqual("receipt 7");
        expect(await bench.put(bench.item("b", 0, { receipts: other.toReversed() }))).toEqual(
          "refused conflict",
        );
      },
    ],
    [
      "answers a request of one batch by the item before it [STO-receipts]",
      async (bench, expect) => {
        const receipts = [{ scope: "start", request: "key", digest: "d" }];
        const twice = [bench.item("a", 0, { receipts }), bench.item("b", 0, { receipts })];
        expect(await bench.batch(twice)).toEqual(["accepted 1-1", "receipt 1"]);
        expect(await bench.store.head("b")).toEqual(undefined);
      },
    ],
    [
      "answers a request also when its stream is closed [STO-receipts]",
      async (bench, expect) => {
        await bench.put(bench.item("run", 0));
        await bench.put(bench.foreign("run", "r"));
        await bench.put(bench.item("run", 2, { close: true }));
        expect(await bench.put(bench.foreign("run", "r"))).toEqual("receipt 2");
        expect(await bench.put(bench.foreign("run", "late"))).toEqual("refused closed");
        expect(await bench.store.receipt("run", "late")).toEqual(undefined);
      },
    ],
    [
      "gives the first answer to an item that is sent again [STO-commit-repeat]",
      async (bench, expect) => {
        const created = bench.item("run", 0, { records: [1, 2].map((n) => ({ kind: "k", document: n })) });
        const foreign = bench.foreign("run", "r");
        const first = await bench.store.append([created]);
        expect(await bench.put(foreign)).toEqual("accepted 3-3");
        bench.time.now += 500;
        await bench.put(bench.item("run", 3, { slots: [{ key: "s", document: "new" }] }));
        const again = await bench.store.append([created]);
        expect(again).toEqual(first.map((answer) => ({ ...answer, repeated: true })));
        expect(await bench.put(foreign)).toEqual("accepted 3-3 again");
        await bench.put(bench.item("run", 4, { close: true }));
        expect(await bench.put(created)).toEqual("accepted 1-2 again");
        expect((await bench.store.head("run"))?.position).toEqual(5);
      },
    ],
    [
      "takes another item at the same position for another one, whatever its commit ID elsewhere [STO-commit-repeat]",
      async (bench, expect) => {
        const first = bench.item("run", 0);
        await bench.put(first);
        expect(await bench.put({ ...first, stream: "other" })).toEqual("accepted 1-1");
        expect(await bench.put({ ...first, expect: 1 })).toEqual("accepted 2-2");
        expect(await bench.put({ ...first, commit: "another" })).toEqual("refused conflict");
        expect(await bench.put(bench.item("run", 1))).toEqual("refused stale");
      },
    ],
    [
      "answers a batch that is sent again item by item [STO-commit-repeat]",
      async (bench, expect) => {
        const batch = [
          bench.item("a", 0, { work: [{ id: "w", queue: "q", delay: 0, document: null }] }),
          bench.item("b", 3),
          bench.item("c", 0, { receipts: [{ scope: "start", request: "k", digest: "d" }] }),
        ];
        const answers = ["accepted 1-1", "refused not-found", "accepted 1-1"];
        expect(await bench.batch(batch)).toEqual(answers);
        expect(await bench.batch(batch)).toEqual([
          "accepted 1-1 again",
          "refused not-found",
          "accepted 1-1 again",
        ]);
        expect((await bench.store.load("a"))?.work.length).toEqual(1);
      },
    ],
    [
      "gives a foreign item the next position, to be applied by a later item [STO-foreign-items]",
      async (bench, expect) => {
        await bench.put(bench.item("run", 0, { applies: true }));
        expect(await bench.put(bench.foreign("run", "r1"))).toEqual("accepted 2-2");
        expect(await bench.put(bench.foreign("run", "r2"))).toEqual("accepted 3-3");
        expect(await bench.put(bench.item("run", 1, { applies: true }))).toEqual("refused stale");
        expect((await bench.store.head("run"))?.applied).toEqual(1);
        expect(await bench.put(bench.item("run", 3, { applies: true }))).toEqual("accepted 4-4");
        expect((await bench.store.head("run"))?.applied).toEqual(4);
        expect(await bench.put(bench.foreign("none", "r3"))).toEqual("refused not-found");
      },
    ],
    [
      "lets a foreign item carry nothing of a host's [STO-foreign-items]",
      async (bench, expect) => {
        await bench.put(bench.item("run", 0));
        for (const more of [
          { receipts: [] },
          { slots: [{ key: "s", document: 1 }] },
          { dues: [{ key: "d", at: 1 }] },
          { owner: null },
          { fence: true },
          { applies: true },
          { facets: { a: "b" } },
        ]) {
          expect(await bench.put(bench.foreign("run", "r", more))).toEqual("refused incompatible");
        }
        expect(await bench.put(bench.foreign("run", "r"))).toEqual("accepted 2-2");
      },
    ],
  ],
};
