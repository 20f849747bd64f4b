import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { TurnoverMap } from "../src/index.js";

describe("TurnoverMap", () => {
  it("holds what a Map holds, in the same order, whatever comes and goes", () => {
    const step = fc.record({ key: fc.integer({ min: 0, max: 60 }), goes: fc.boolean() });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 400 }), (steps) => {
        const map = new TurnoverMap<number, number>();
        const model = new Map<number, number>();
        for (const [value, { key, goes }] of steps.entries()) {
          if (goes) expect(map.delete(key)).toBe(model.delete(key));
          else {
            map.set(key, value);
            model.set(key, value);
          }
          expect(map.get(key)).toBe(model.get(key));
          expect(map.has(key)).toBe(model.has(key));
          expect(map.size).toBe(model.size);
        }
        expect(map.keys()).toEqual([...model.keys()]);
        expect(map.values()).toEqual([...model.values()]);
      }),
    );
  });

  it("lists what is there when it is asked, so that a listing may delete what it meets", () => {
    const map = new TurnoverMap<number, number>();
    for (let key = 0; key < 100; key++) map.set(key, key);
    for (const key of map.keys()) map.delete(key);
    expect(map.size).toBe(0);
  });
});
