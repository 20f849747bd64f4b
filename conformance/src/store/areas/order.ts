/**
 * How a stream grows, alone and in batches.
 * - a host's item goes where it expects to, or nowhere; positions have no gaps: STO-append-position
 * - an item comes whole or not at all, and its batch does not matter to it: STO-atomic-item
 * - a stamp far ahead of the store's clock is refused: STO-clock-ahead
 */
import { start, workOf } from "../bench.js";
import type { StoreArea } from "../harness.js";

export const order: StoreArea = {
  title: "order, gaps and batches",
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
      ["clock"],
    ],
    [
      "gives every record its own position when many are sent at once [STO-append-position]",
      async (bench, expect) => {
        await bench.put(bench.item("run", 0));
        const requests = Array.from({ length: 40 }, (_, n) => `r${n}`);
        const answers = await Promise.all(
          requests.map((request) => bench.put(bench.foreign("run", request))),
        );
        const positions = requests.map((_, n) => n + 2);
        expect(new Set(answers)).toEqual(new Set(answers.map((answer) => answer.replace(" again", ""))));
        expect(answers.map((answer) => Number(answer.split("-")[1])).sort((a, b) => a - b)).toEqual(
          positions,
        );
        expect((await bench.store.read("run")).map((record) => record.position)).toEqual([1, ...positions]);
      },
    ],
    [
      "reads a log piece by piece, from anywhere [STO-append-position]",
      async (bench, expect) => {
        for (let position = 0; position < 24; position += 8) {
          const records = Array.from({ length: 8 }, (_, n) => ({ kind: "k", document: position + n + 1 }));
          await bench.put(bench.item("run", position, { records }));
        }
        const read: unknown[] = [];
        for (let after = 0; ; ) {
          const part = await bench.store.read("run", { after, limit: 5 });
          if (part.length === 0) break;
          read.push(...part.map((record) => record.document));
          after = part.at(-1)?.position ?? after;
        }
        expect(read).toEqual(Array.from({ length: 24 }, (_, n) => n + 1));
        expect(await bench.store.read("run", { after: 24 })).toEqual([]);
        expect(await bench.store.read("run", { after: 1_000_000 })).toEqual([]);
        expect(await bench.store.read("none")).toEqual([]);
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
      "has a document in its slot exactly when its record is in the log [STO-atomic-item]",
      async (bench, expect) => {
        await bench.put(bench.item("run", 0, { slots: [{ key: "s", document: 1 }] }));
        for (let position = 1; position <= 6; position += 1) {
          const slots = [{ key: "s", document: position + 1 }];
          const stale = bench.item("run", position + 1, { slots: [{ key: "s", document: "stale" }] });
          await Promise.all([
            bench.put(bench.item("run", position, { slots })),
            bench.put({ ...stale, expect: 99 }),
          ]);
          const state = await bench.store.load("run");
          expect([state?.slots.get("s"), state?.position]).toEqual([position + 1, position + 1]);
          expect((await bench.store.read("run")).length).toEqual(position + 1);
        }
      },
    ],
    [
      "refuses one item of a batch among many, and answers in order [STO-atomic-item]",
      async (bench, expect) => {
        const names = Array.from({ length: 64 }, (_, n) => `run-${n}`);
        const faulty = (n: number) => n % 7 === 3;
        const batch = names.map((name, n) =>
          bench.item(name, faulty(n) ? 5 : 0, { work: workOf(name), slots: [{ key: "s", document: n }] }),
        );
        const answers = names.map((_, n) => (faulty(n) ? "refused not-found" : "accepted 1-1"));
        expect(await bench.batch(batch)).toEqual(answers);
        const { items } = await bench.store.list({ limit: 100 });
        expect(items.map((head) => head.stream).toReversed()).toEqual(names.filter((_, n) => !faulty(n)));
        expect(await bench.store.load("run-10")).toEqual(undefined);
        expect((await bench.store.load("run-11"))?.slots.get("s")).toEqual(11);
        expect(await bench.batch([])).toEqual([]);
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
      ["clock"],
    ],
  ],
};
