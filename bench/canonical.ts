/**
 * Canonical JSON: ours, which refuses what has no canonical form, against npm `canonicalize`, on the same documents:
 * a definition of 50 nodes, a list of records, deep nesting, numbers, long texts.
 */
import { canonicalize, type Json } from "@swl/base";
import peer from "canonicalize";
import { chainOf } from "./lib/definitions.ts";
import type { Bench, Subject } from "./lib/harness.ts";

function documents(): readonly Json[] {
  const records = Array.from({ length: 200 }, (_, index) => ({
    id: index,
    name: `record ${index}`,
    tags: ["b", "a", "\u00e9", "\u{1F600}"],
    price: index / 7,
    inner: { z: null, a: true, "10": 1, "9": 2 },
  }));
  let deep: Json = 1;
  for (let level = 0; level < 100; level++) deep = { b: deep, a: level };
  const numbers = Array.from({ length: 500 }, (_, index) => Math.sin(index) * 10 ** (index % 40));
  const texts = Array.from({ length: 20 }, (_, index) => `${"lorem ipsum \n ".repeat(100)}${index}`);
  return [chainOf(50) as unknown as Json, records, deep, numbers, texts];
}

function subject(name: string, write: (value: Json) => string | undefined, rounds: number): Subject {
  const values = documents();
  return {
    name,
    unit: "document",
    run() {
      let length = 0;
      for (let round = 0; round < rounds; round++) {
        for (const value of values) length += write(value)?.length ?? 0;
      }
      if (length === 0) throw new Error("nothing was written");
      return rounds * values.length;
    },
  };
}

export const canonical: Bench = {
  name: "canonical",
  question: "canonical JSON of the same documents, ours against npm canonicalize",
  async open({ quick }) {
    for (const value of documents()) {
      if (canonicalize(value) !== peer(value)) throw new Error("the two do not write the same");
    }
    const rounds = quick ? 100 : 500;
    return [
      subject("@swl/base canonicalize", canonicalize, rounds),
      subject("npm canonicalize", peer, rounds),
    ];
  },
};
