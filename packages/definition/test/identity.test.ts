import { createHash } from "node:crypto";
import { canonicalize, type Json } from "@swl/base";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { canonicalDefinition, contractDigest, definitionDigest } from "../src/identity.js";
import { readDefinition, validate } from "../src/index.js";
import { type Loose, sample, valid } from "./sample.js";

const digestOf = (spoil?: (definition: Loose) => void) => definitionDigest(valid(spoil));

describe("definitionDigest", () => {
  it("is fixed for the sample: a change here is a change of every identity [DEF-identity]", () => {
    const digest = "2824acde69c7718b40091a2eb453da74ced5248307d400afab665832568c5439";
    expect(digestOf()).toBe(`sha256:${digest}`);
    const bytes = `swl.definition/0.1\n${canonicalDefinition(valid())}`;
    expect(createHash("sha256").update(bytes).digest("hex")).toBe(digest);
  });

  it("ignores presentation and what a default says anyway [DEF-identity]", () => {
    const digest = digestOf();
    const same: ((d: Loose) => void)[] = [
      (d) => (d.version = "7"),
      (d) => (d.$schema = "./definition.schema.json"),
      (d) => (d.meta = { title: "T", labels: { check: "L" }, layout: { rankdir: "LR" } }),
      (d) => (d.hints = ["gpu"]),
      (d) => (d["x-a"] = 1),
      (d) => {
        for (const fixed of [d.nodes.check, d.nodes.denied.error, d.dialects]) fixed["x-a"] = 1;
        d.limits = { "x-a": 1 };
        d.actions["check-credit"].retry = { "x-a": 1 };
        d.actions["check-credit"].outcomes.ok["x-a"] = 1;
      },
      (d) => (d.actions["check-credit"].title = "T"),
      (d) => (d.actions["check-credit"].description = "D"),
      (d) => (d.actions["check-credit"].deferred = false),
      (d) => (d.actions["check-credit"].retry = { maxAttempts: 5 }),
      (d) => (d.limits = { maxActivations: 100_000 }),
      (d) => (d.nodes.done = { output: d.nodes.done.output, kind: "complete" }),
    ];
    for (const spoil of same) expect(digestOf(spoil)).toBe(digest);
  });

  it("changes with everything that can change a run [DEF-identity]", () => {
    const other: ((d: Loose) => void)[] = [
      () => {},
      (d) => (d.id = "order2"),
      (d) => (d.nodes.check.parameters.limit = 101),
      (d) => (d.nodes.check.routes.failed = "done"),
      (d) => (d.nodes.approve.loopLimits.again = 3),
      (d) => (d.actions["check-credit"].effect = "pure"),
      (d) => (d.actions["check-credit"].version = "2"),
      (d) => (d.actions["check-credit"].capabilities = ["net"]),
      (d) => (d.inputSchema.title = "in a schema a title is verbatim"),
      (d) => (d.limits = { maxActivations: 5 }),
      (d) => (d.nodes.done.output.more = 1),
      (d) => (d.sensitive = { input: ["/order"] }),
    ];
    expect(new Set(other.map(digestOf)).size).toBe(other.length);
  });

  it("keeps x-… where it is a name or data and not an extension [DEF-identity]", () => {
    const one = (d: Loose) => (d.nodes.done.output = { "x-a": 1, title: "t", meta: 2 });
    const two = (d: Loose) => (d.nodes.done.output = { title: "t", meta: 2 });
    expect(digestOf(one)).not.toBe(digestOf(two));
    const named = valid((d) => {
      d.nodes["x-node"] = { kind: "complete" };
      d.nodes.approve.routes["x-out"] = "x-node";
    });
    expect(canonicalDefinition(named)).toContain('"x-node":{"kind":"complete","output":null}');
  });

  it("survives any reordering, printing and reading [DEF-identity]", () => {
    const digest = digestOf();
    fc.assert(
      fc.property(fc.infiniteStream(fc.nat()), fc.integer({ min: 0, max: 4 }), (numbers, indent) => {
        const shuffled = shuffle(sample(), () => numbers.next().value ?? 0);
        const read = readDefinition(JSON.stringify(shuffled, null, indent), { file: "f" });
        expect(read.ok && definitionDigest(read.value)).toBe(digest);
      }),
      { numRuns: 50 },
    );
    const canonical = readDefinition(canonicalDefinition(valid()), { file: "c" });
    expect(canonical.ok && definitionDigest(canonical.value)).toBe(digest);
    expect(canonical.ok && canonicalDefinition(canonical.value)).toBe(canonicalDefinition(valid()));
    const full = readDefinition(canonicalize(valid() as unknown as Json), { file: "c" });
    expect(full.ok && full.value).toEqual(valid());
  });
});

describe("contractDigest", () => {
  it("pins the contract with its version, without its presentation", () => {
    const contract = valid().actions["check-credit"]!;
    expect(contractDigest(contract)).toBe(contractDigest({ ...contract, title: "T", description: "D" }));
    expect(contractDigest(contract)).not.toBe(contractDigest({ ...contract, version: "2" }));
    expect(contractDigest(contract)).not.toBe(contractDigest({ ...contract, effect: "unsafe" }));
    expect(contractDigest(contract)).toMatch(/^sha256:[0-9a-f]{64}$/);
  });
});

/** The same value with the keys of every object in another order. */
function shuffle(value: Loose, next: () => number): Loose {
  if (Array.isArray(value)) return value.map((item) => shuffle(item, next));
  if (typeof value !== "object" || value === null) return value;
  const keys = Object.keys(value);
  for (let index = keys.length - 1; index > 0; index--) {
    const other = next() % (index + 1);
    [keys[index], keys[other]] = [keys[other]!, keys[index]!];
  }
  return Object.fromEntries(keys.map((key) => [key, shuffle(value[key], next)]));
}

describe("validate", () => {
  it("keeps a digest through labels and extensions of any content", () => {
    const digest = digestOf();
    fc.assert(
      fc.property(
        fc.dictionary(fc.string({ unit: "grapheme" }), fc.string({ unit: "grapheme" })),
        (labels) => {
          const outcome = validate({ ...sample(), meta: { labels }, "x-more": labels });
          expect(outcome.ok && definitionDigest(outcome.value)).toBe(digest);
        },
      ),
    );
  });
});
