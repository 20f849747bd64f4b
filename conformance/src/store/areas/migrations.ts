/**
 * A storage that an older version has left.
 * - it is brought forward when it is opened, by one opener at a time, and nothing of it is lost: STO-version-gate
 */
import type { StoreArea } from "../harness.js";

export const migrations: StoreArea = {
  title: "migrations",
  tests: [
    [
      "brings an older format forward and goes on with what is in it [STO-version-gate]",
      async (bench, expect) => {
        const { items: heads } = await bench.store.list({ limit: 1_000 });
        const open = heads.filter((head) => !head.closed && head.hold === undefined);
        expect(open.length > 0).toEqual(true);
        expect(await bench.store.check()).toEqual([]);
        for (const head of heads) {
          const state = await bench.store.load(head.stream);
          const log = await bench.store.read(head.stream);
          const { createdAt, position } = head;
          expect([state?.createdAt, state?.position, log.at(-1)?.position]).toEqual([
            createdAt,
            position,
            position,
          ]);
        }
        for (const { stream, position } of open) {
          const slots = [{ key: "new", document: 1 }];
          const answer = await bench.put(bench.item(stream, position, { slots, applies: true, owner: null }));
          expect(answer).toEqual(`accepted ${position + 1}-${position + 1}`);
        }
        const { streams } = await bench.store.stats();
        expect(streams.open + streams.held + streams.closed).toEqual(heads.length);
        expect(await bench.store.check()).toEqual([]);
      },
      ["older"],
    ],
  ],
};
