/** Equality of plain data; a member that is `undefined` counts as absent. */
import type { Expect } from "./harness.js";

export function isDeepEqual(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  if (Array.isArray(a) && Array.isArray(b)) {
    return a.length === b.length && a.every((entry, index) => isDeepEqual(entry, b[index]));
  }
  const left = present(a);
  const right = present(b);
  return (
    left.size === right.size &&
    [...left].every(([key, value]) => right.has(key) && isDeepEqual(value, right.get(key)))
  );
}

function present(value: object): ReadonlyMap<string, unknown> {
  return new Map(Object.entries(value).filter(([, member]) => member !== undefined));
}

/** For a runner that brings no `expect`: throws a TypeError that shows both. */
export const strictly: Expect = (value) => ({
  toEqual(expected) {
    if (isDeepEqual(value, expected)) return;
    throw new TypeError(`${JSON.stringify(value)} is not ${JSON.stringify(expected)}`);
  },
});
