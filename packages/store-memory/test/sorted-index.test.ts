import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { SortedIndex } from "../src/sorted-index.js";

const numbers = () => new SortedIndex<number>((a, b) => a - b);

describe("a sorted index", () => {
  it("has what a sorted list has, whatever is added and removed, forwards and backwards from any place", () => {
    const steps = fc.array(fc.tuple(fc.boolean(), fc.integer({ min: 0, max: 40 })), { maxLength: 200 });
    fc.assert(
      fc.property(steps, fc.integer({ min: -1, max: 41 }), (all, from) => {
        const [index, plain] = [numbers(), new Set<number>()];
        for (const [adds, value] of all) {
          if (adds) index.add(value);
          else index.delete(value);
          if (adds) plain.add(value);
          else plain.delete(value);
        }
        const sorted = [...plain].sort((a, b) => a - b);
        expect(index.size).toBe(sorted.length);
        expect([...index.from((value) => value >= from)]).toEqual(sorted.filter((value) => value >= from));
        expect([...index.downFrom((value) => value >= from)]).toEqual(
          sorted.filter((value) => value < from).reverse(),
        );
        expect([...index.downFrom()]).toEqual(sorted.reverse());
      }),
    );
  });

  it("goes on so over many parts, filled in any order and emptied again", () => {
    const index = numbers();
    const count = 10_000;
    // 7 has no factor in common with it: every number once.
    const mixed = Array.from({ length: count }, (_, n) => (n * 7) % count);
    for (const value of mixed) index.add(value);
    expect([...index.from()]).toEqual(Array.from({ length: count }, (_, n) => n));
    expect([...index.from((value) => value >= 5_000)]).toHaveLength(5_000);
    for (const value of mixed.filter((value) => value % 3 !== 0)) index.delete(value);
    const left = Array.from({ length: count }, (_, n) => n).filter((n) => n % 3 === 0);
    expect([...index.downFrom((value) => value > 6_000)]).toEqual(left.filter((n) => n <= 6_000).reverse());
    for (const value of left) index.delete(value);
    expect([index.size, [...index.from()], [...index.downFrom()]]).toEqual([0, [], []]);
  });
});
