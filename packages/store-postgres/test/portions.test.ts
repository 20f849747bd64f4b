import type { PreparedItem } from "@swl/store-provider";
import { describe, expect, it } from "vitest";
import { openPostgresStore } from "../src/index.js";
import { portionsOf, statementBytes } from "../src/portions.js";
import { noServer, openForTest, scratchSchema, url } from "./scratch.js";

const bytes = new Uint8Array(statementBytes + 1);
/** An item with documents of these lengths. */
const item = (...lengths: readonly number[]): PreparedItem => ({
  item: { stream: "s", commit: "c", expect: 0, records: [], stamp: 0 },
  records: lengths.slice(0, 1).map((length) => bytes.subarray(0, length)),
  slots: [undefined, ...lengths.slice(1).map((length) => bytes.subarray(0, length))],
  work: [],
  blobs: [],
});

describe("documents that are more than a statement takes", () => {
  it("go in several when they are of several items, in their order [STO-item-checks]", () => {
    const half = statementBytes / 2;
    const items = [item(1), item(half), item(half), item(half, half), item(2), item(3)];
    expect([...portionsOf(items)].map((portion) => portion.map((one) => items.indexOf(one)))).toEqual([
      [0, 1],
      [2],
      [3],
      [4, 5],
    ]);
    expect([...portionsOf([])]).toEqual([]);
  });

  it.skipIf(noServer)("are declared, may be fewer and never more [STO-item-checks]", async () => {
    const schema = scratchSchema();
    expect((await openForTest({ schema })).info.limits.itemBytes).toBe(statementBytes);
    const store = await openForTest({ schema, limits: { itemBytes: 100 } });
    expect(store.info.limits.itemBytes).toBe(100);
    const of = (bytes: number) => ({
      ...{ stream: `s${bytes}`, commit: "c", expect: 0, stamp: 0 },
      records: [{ kind: "k", document: "x".repeat(bytes - 6) }],
      slots: [{ key: "s", document: null }, { key: "none" }],
    });
    expect(await store.append([of(101), of(100)])).toMatchObject([
      { kind: "refused", failure: { kind: "quota" } },
      { kind: "accepted" },
    ]);
    for (const itemBytes of [0, statementBytes + 1]) {
      const opening = openPostgresStore({ url: url(), schema, limits: { itemBytes } });
      await expect(opening).rejects.toMatchObject({ code: "store.incompatible" });
    }
  });
});
