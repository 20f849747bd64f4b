/**
 * How a stream grows.
 * - a host's item goes where it expects to, or nowhere; positions have no gaps: STO-append-position
 * - an item comes whole or not at all, and its batch does not matter to it: STO-atomic-item
 * - a foreign item takes the next position and waits until an item applies it: STO-foreign-items
 * - the same item sent again changes nothing: STO-commit-repeat
 * - a request that was accepted gets its first receipt: STO-receipts
 * - a stamp far ahead of the store's clock is refused: STO-clock-ahead
 */
import { type StoreArea, start } from "./harness.js";

export const appending: StoreArea = {
  title: "appending",
  tests: [
    [
      "refuses an item whose position was taken [STO-append-position]",
      async (bench, expect) => {
        expect(await bench.put(bench.item("run", 0))).toEqual("accepted 1-1");
        expect(await bench.put(bench.item("run", 1))).toEqual("accepted 2-2");
        expect(await bench.put(bench.item("run", 1))).toEqual("refused stale");
        expect(await bench.put(bench.item("run", 3))).toEqual("refused stale");
        expect((await bench.store.head("run"))?.position).toEqual(2);
      },
    ],
    [
      "numbers records without a gap, also after a refusal [STO-append-position]",
      async (bench, expect) => {
        const three = [1, 2, 3].map((n) => ({ kind: `k${n}`, document: n }));
        await bench.put(bench.item("run", 0, { origin: 40, records: three }));
        await bench.put(bench.item("run", 12));
        expect(await bench.put(bench.item("run", 43))).toEqual("accepted 44-44");
        const log = await bench.store.read("run");
        expect(log.map((record) => record.position)).toEqual([41, 42, 43, 44]);
        expect(log.map((record) => record.kind)).toEqual(["k1", "k2", "k3", "event"]);
        expect(log.map((record) => record.at)).toEqual([start, start, start, start]);
        const part = await bench.store.read("run", { after: 41, limit: 2 });
        expect(part.map((record) => record.position)).toEqual([42, 43]);
      },
    ],
    [
      "leaves nothing of a refused item [STO-atomic-item]",
      async (bench, expect) => {
        await bench.put(bench.item("run", 0));
        const everything = {
          slots: [{ key: "s", document: 1 }],
          dues: [{ key: "d", at: start }],
          work: [{ id: "w", queue: "q", delay: 0, document: null }],
          receipts: [{ scope: "run", request: "r", digest: "d" }],
          facets: { status: "x" },
          blobs: [{ digest: "b", document: 1 }],
        };
        const answers = await bench.batch([
          bench.item("run", 7, everything),
          bench.item("other", 0, { slots: [{ key: "s", document: 2 }] }),
        ]);
        expect(answers).toEqual(["refused stale", "accepted 1-1"]);
        const state = await bench.store.load("run");
        expect([state?.slots.size, state?.dues.size, state?.work.length, state?.facets]).toEqual([
          0,
          0,
          0,
          {},
        ]);
        expect(await bench.store.receipt("run", "r")).toEqual(undefined);
        expect(await bench.store.blob("b")).toEqual(undefined);
        expect((await bench.store.load("other"))?.slots.get("s")).toEqual(2);
        expect(await bench.put(bench.item("run", 1, everything))).toEqual("accepted 2-2");
        expect((await bench.store.load("run"))?.slots.get("s")).toEqual(1);
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
      "refuses a stamp more than five seconds ahead and tells its clock [STO-clock-ahead]",
      async (bench, expect) => {
        expect(await bench.put(bench.item("run", 0, { stamp: start + 5_000 }))).toEqual("accepted 1-1");
        const [answer] = await bench.store.append([bench.item("run", 1, { stamp: start + 5_001 })]);
        const failure = answer?.kind === "refused" ? answer.failure : undefined;
        expect([failure?.kind, failure?.now]).toEqual(["clock-ahead", start]);
        expect(await bench.put(bench.item("run", 1, { stamp: 0 }))).toEqual("accepted 2-2");
      },
    ],
  ],
};
