import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createMemoryBacking, openMemoryStore } from "../src/index.js";
import { SortedIndex } from "../src/sorted-index.js";

const created = (stream: string) => ({
  stream,
  commit: "c",
  expect: 0,
  records: [{ kind: "created", document: stream }],
  slots: [{ key: "s", document: stream }],
  stamp: 0,
});

describe("a memory store", () => {
  it("has a world of its own unless it is given a backing", async () => {
    const backing = createMemoryBacking();
    const [a, b, other] = [openMemoryStore({ backing }), openMemoryStore({ backing }), openMemoryStore()];
    await a.append([created("run")]);
    expect((await b.head("run"))?.position).toBe(1);
    expect(await other.head("run")).toBeUndefined();
    await Promise.all([a.close(), b.close()]);
    expect((await openMemoryStore({ backing }).head("run"))?.position).toBe(1);
  });

  it("takes only a backing that it made, and limits that are numbers", () => {
    expect(() => openMemoryStore({ backing: { kind: "memory-backing" } })).toThrow(/createMemoryBacking/);
    expect(() => openMemoryStore({ limits: { recordsPerItem: -1 } })).toThrow(/whole number/);
  });

  it("says that it forgets everything with the process", () => {
    expect(openMemoryStore().info.capabilities).toEqual({
      durable: false,
      multiProcess: false,
      wakeUps: "process",
      clock: "store",
      pooler: true,
    });
    expect(openMemoryStore({ clock: () => 0 }).info.capabilities.clock).toBe("injected");
  });

  it("passes every document through the codec [STO-documents]", async () => {
    const flip = (bytes: Uint8Array) => bytes.map((byte) => byte ^ 0x55);
    const seen: string[] = [];
    const store = openMemoryStore({
      codec: {
        name: "flip",
        encode(bytes) {
          seen.push(Buffer.from(bytes).toString());
          return flip(bytes);
        },
        decode: flip,
      },
    });
    await store.append([created("run")]);
    await store.note("run", "e", { noted: true });
    expect(seen).toEqual(['"run"', '"run"', '{"noted":true}']);
    expect((await store.load("run"))?.slots.get("s")).toBe("run");
    expect((await store.notes("run"))[0]?.document).toEqual({ noted: true });
  });
});

describe("a sorted index", () => {
  it("has what a sorted list has, whatever was added and deleted", () => {
    const change = fc.record({ add: fc.boolean(), value: fc.nat(20) });
    fc.assert(
      fc.property(fc.array(change, { maxLength: 60 }), fc.nat(20), (changes, bound) => {
        const index = new SortedIndex<number>((a, b) => a - b);
        const model = new Set<number>();
        for (const { add, value } of changes) {
          if (add) index.add(value);
          else index.delete(value);
          if (add) model.add(value);
          else model.delete(value);
        }
        const sorted = [...model].sort((a, b) => a - b);
        expect([...index.from()]).toEqual(sorted);
        expect([...index.from((value) => value > bound)]).toEqual(sorted.filter((value) => value > bound));
        expect([...index.downFrom((value) => value >= bound)]).toEqual(
          sorted.filter((value) => value < bound).reverse(),
        );
        expect(index.size).toBe(model.size);
      }),
      { numRuns: 200 },
    );
  });
});
