import type { Json } from "@swl/base";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Slots } from "../src/slots.js";

const keys = ["a", "b", "c", "__proto__", "constructor"];
const write = fc.tuple(fc.constantFrom(...keys), fc.option(fc.integer(), { nil: undefined }));
/** Which earlier version to branch from, and what to write. */
const step = fc.record({ from: fc.nat(), writes: fc.array(write, { maxLength: 4 }) });

const sorted = (map: ReadonlyMap<string, Json>) => [...map].sort(([a], [b]) => (a < b ? -1 : 1));
const contents = (slots: Slots) => [...slots.entries()].sort(([a], [b]) => (a < b ? -1 : 1));

describe("Slots", () => {
  it("keeps every version of a branching history as it was [EXE-state]", () => {
    fc.assert(
      fc.property(
        fc.array(step, { maxLength: 40 }),
        fc.array(fc.nat(), { maxLength: 40 }),
        (steps, reads) => {
          const versions: { readonly slots: Slots; readonly plain: ReadonlyMap<string, Json> }[] = [
            { slots: Slots.empty, plain: new Map() },
          ];
          for (const { from, writes } of steps) {
            const base = versions[from % versions.length]!;
            const changes = new Map(writes);
            const plain = new Map(base.plain);
            for (const [key, value] of changes) {
              if (value === undefined) plain.delete(key);
              else plain.set(key, value);
            }
            versions.push({ slots: base.slots.with(changes), plain });
          }
          for (const at of [...reads, ...versions.keys()]) {
            const { slots, plain } = versions[at % versions.length]!;
            for (const key of keys) expect(slots.get(key)).toBe(plain.get(key));
            expect(slots.size).toBe(plain.size);
            expect(contents(slots)).toEqual(sorted(plain));
          }
        },
      ),
    );
  });

  it("keeps every version of a history that outgrows its map as it was [EXE-state]", () => {
    const versions: Slots[] = [Slots.empty];
    for (let n = 1; n <= 500; n++) {
      const writes = new Map<string, Json | undefined>([
        [`k${n % 7}`, n],
        [`k${(n + 3) % 7}`, undefined],
      ]);
      versions.push(versions[n - 1]!.with(writes));
    }
    const told = versions.map((slots) => contents(slots));
    const plain = new Map<string, Json>();
    for (const [n, version] of versions.entries()) {
      if (n > 0) plain.set(`k${n % 7}`, n);
      if (n > 0) plain.delete(`k${(n + 3) % 7}`);
      expect(told[n]).toEqual(sorted(plain));
      expect(contents(version)).toEqual(told[n]);
    }
  });

  it("writes keys as plain data, in order", () => {
    const slots = Slots.of([
      ["b", 1],
      ["__proto__", { polluted: true }],
    ]);
    const object = slots.toJSON();
    expect(Object.keys(object)).toEqual(["__proto__", "b"]);
    expect(Object.getPrototypeOf(object)).toBe(Object.prototype);
  });

  it("never fills the shared empty version", () => {
    const first = Slots.empty.with(new Map([["a", 1]]));
    Slots.empty.with(new Map([["b", 2]]));
    expect(Slots.empty.size).toBe(0);
    expect(first.toJSON()).toEqual({ a: 1 });
  });

  it("is the same version when nothing is written", () => {
    const slots = Slots.of([["a", 1]]);
    expect(slots.with(new Map())).toBe(slots);
  });
});
