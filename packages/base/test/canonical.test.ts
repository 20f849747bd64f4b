import { createHash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { canonicalize, contentDigest, isSwlError, type Json, readJson, sha256 } from "../src/index.js";
import { bitsOf, doubles, published } from "./numgen.js";

function thrown(value: unknown) {
  try {
    canonicalize(value as Json);
  } catch (error) {
    if (isSwlError(error)) return { code: error.code, pointer: error.findings?.[0]?.pointer };
    throw error;
  }
  return undefined;
}

describe("canonicalize", () => {
  it("orders keys by UTF-16 code units and prints numbers as ECMAScript does [DEF-identity]", () => {
    expect(canonicalize({ b: 1, a: [1e21, -0, 0.1, 1e-7], "\u{1F600}": 1, "\uFB33": 2, A: null })).toBe(
      '{"A":null,"a":[1e+21,0,0.1,1e-7],"b":1,"\u{1F600}":1,"\uFB33":2}',
    );
    expect(canonicalize('\u0000\u001f"\\\u2028/')).toBe('"\\u0000\\u001f\\"\\\\\u2028/"');
  });

  it("throws for what is no JSON, with the pointer [DEF-identity]", () => {
    expect(thrown({ a: ["\ud800"] })).toEqual({ code: "json.lone-surrogate", pointer: "/a/0" });
    expect(thrown({ "\udc00": 1 })).toMatchObject({ code: "json.lone-surrogate" });
    expect(thrown({ a: { b: Number.NaN } })).toEqual({ code: "json.not-json", pointer: "/a/b" });
    expect(thrown([undefined])).toEqual({ code: "json.not-json", pointer: "/0" });
    expect(thrown({ a: new Date(0) })).toEqual({ code: "json.not-json", pointer: "/a" });
    let deep: Json = 1;
    for (let level = 0; level < 1001; level++) deep = [deep];
    expect(thrown(deep)).toMatchObject({ code: "json.too-deep" });
    const cycle: unknown[] = [];
    cycle.push(cycle);
    expect(thrown(cycle)).toMatchObject({ code: "json.not-json", pointer: "/0" });
  });

  it("does not depend on the order of keys [DEF-identity]", () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string({ unit: "grapheme" }), fc.jsonValue({ maxDepth: 3 })), (value) => {
        const turned = Object.fromEntries(Object.entries(value).reverse());
        expect(canonicalize(turned as Json)).toBe(canonicalize(value as Json));
      }),
    );
  });

  it("prints the published sequence of generated doubles to its published digests [DEF-identity]", () => {
    const last = process.env["SWL_FULL"] ? 1_000_000 : 10_000;
    const hash = createHash("sha256");
    const found: { [lines: number]: string } = {};
    let lines = 0;
    for (const value of doubles()) {
      hash.update(`${bitsOf(value)},${canonicalize(value)}\n`);
      lines++;
      if (lines in published) found[lines] = hash.copy().digest("hex");
      if (lines === last) break;
    }
    const expected = Object.entries(published).filter(([count]) => Number(count) <= last);
    expect(found).toEqual(Object.fromEntries(expected));
  });

  it("prints doubles that the reader reads back as they were [DEF-identity]", () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
        const read = readJson(canonicalize(value), { file: "f" });
        expect(read.ok && Object.is(read.value.value, value === 0 ? 0 : value)).toBe(true);
      }),
      { numRuns: 2_000 },
    );
  });
});

describe("sha256", () => {
  it("gives the published digests [DEF-identity]", () => {
    expect(sha256("")).toBe("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    expect(sha256("abc")).toBe("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    expect(sha256("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq")).toBe(
      "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1",
    );
    expect(sha256("a".repeat(1_000_000))).toBe(
      "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0",
    );
  });

  it("agrees with another implementation on every length [DEF-identity]", () => {
    for (let length = 0; length <= 260; length++) {
      const data = Uint8Array.from({ length }, (_, index) => (index * 7 + length) & 0xff);
      expect(sha256(data)).toBe(createHash("sha256").update(data).digest("hex"));
    }
    expect(sha256("é😀")).toBe(createHash("sha256").update("é😀", "utf8").digest("hex"));
  });
});

describe("contentDigest", () => {
  it("is the digest of the canonical text", () => {
    expect(contentDigest({ b: 1, a: 2 })).toBe(`sha256:${sha256('{"a":2,"b":1}')}`);
  });
});
