import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { canonicalize, type Json, type ReadJsonOptions, readJson } from "../src/index.js";

function read(source: string | Uint8Array, options: Partial<ReadJsonOptions> = {}): Json {
  const outcome = readJson(source, { file: "a.json", ...options });
  if (!outcome.ok) throw new Error(JSON.stringify(outcome.findings));
  return outcome.value.value;
}

function refuse(source: string | Uint8Array, options: Partial<ReadJsonOptions> = {}) {
  const outcome = readJson(source, { file: "a.json", ...options });
  if (outcome.ok) throw new Error(`accepted ${JSON.stringify(outcome.value.value)}`);
  return outcome.findings.map(({ code, pointer, place, message, hint }) => {
    return { code, pointer, at: `${place?.file}:${place?.line}:${place?.column}`, message, hint };
  });
}

const bytes = (...values: number[]) => Uint8Array.from(values);

describe("readJson", () => {
  it("reads what JSON is, from text and from bytes [DEF-json-reader]", () => {
    const source = ' {"a": [1, -2.5e3, true, false, null, "x\\n\\u00e9\\/"], "": {}, "b": []} ';
    const value = { a: [1, -2500, true, false, null, "x\né/"], "": {}, b: [] };
    expect(read(source)).toEqual(value);
    expect(read(new TextEncoder().encode(source))).toEqual(value);
    expect(read("0")).toBe(0);
    expect(read('"😀"')).toBe("😀");
    expect(read('"\\ud83d\\ude00"')).toBe("😀");
  });

  it("keeps hostile keys as data and touches no prototype [DEF-json-reader]", () => {
    const value = read('{"__proto__": {"polluted": 1}, "constructor": 2, "toString": 3}');
    expect(Object.keys(value as object)).toEqual(["__proto__", "constructor", "toString"]);
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
    expect(canonicalize(value)).toBe('{"__proto__":{"polluted":1},"constructor":2,"toString":3}');
  });

  it("refuses a key that stands twice, also when it is hostile or written differently [DEF-json-reader]", () => {
    expect(refuse('{"a": {"b": 1,\n "b": 1}}')).toMatchObject([
      { code: "json.duplicate-key", pointer: "/a/b", at: "a.json:2:2" },
    ]);
    expect(refuse('{"__proto__":1,"__proto__":2}')[0]).toMatchObject({ code: "json.duplicate-key" });
    expect(refuse('{"a":1,"\\u0061":2}')[0]).toMatchObject({ code: "json.duplicate-key" });
  });

  it("names a trailing comma, a comment and single quotes [DEF-json-reader]", () => {
    expect(refuse('{\n  "a": 1,\n}')).toMatchObject([
      {
        code: "json.syntax",
        at: "a.json:2:9",
        message: 'trailing comma before "}"',
        hint: "remove the comma",
      },
    ]);
    expect(refuse("[1,]")[0]).toMatchObject({ at: "a.json:1:3", message: 'trailing comma before "]"' });
    expect(refuse("[// no\n1]")[0]).toMatchObject({ code: "json.syntax", hint: "JSON has no comments" });
    expect(refuse("['a']")[0]).toMatchObject({ hint: "strings stand in double quotes" });
    expect(refuse("[NaN]")[0]).toMatchObject({ hint: "JSON has no NaN and no infinity" });
    expect(refuse("")[0]).toMatchObject({ code: "json.syntax", at: "a.json:1:1" });
    expect(refuse('{"a":"x\ny"}')[0]).toMatchObject({ code: "json.syntax", pointer: "/a", at: "a.json:1:8" });
  });

  it("finds every lone surrogate, raw and escaped [DEF-json-reader]", () => {
    for (const source of [
      '"\\ud800"',
      '"\\udc00"',
      '"\\ud800\\ud800"',
      '"\ud800"',
      '"\ud800x"',
      '"\\ud800\\n"',
    ]) {
      expect(refuse(source)).toMatchObject([{ code: "json.lone-surrogate", at: "a.json:1:2" }]);
    }
    expect(refuse('{"\\ud800": 1}')[0]).toMatchObject({ code: "json.lone-surrogate" });
    expect(refuse('{"a": 1, "b": {"c": 1, "\\ud800": {"d": "\\ud800"}}}')).toMatchObject([
      { code: "json.lone-surrogate", pointer: "/b" },
      { code: "json.lone-surrogate", pointer: "/b/\ufffd/d" },
    ]);
  });

  it("drops one byte order mark, and counts columns without it [DEF-json-encoding]", () => {
    expect(read(bytes(0xef, 0xbb, 0xbf, 0x30))).toBe(0);
    expect(read("\ufeff[]")).toEqual([]);
    expect(refuse("\ufeff[}")).toMatchObject([{ code: "json.syntax", at: "a.json:1:2" }]);
    for (const source of ["\ufeff\ufeff0", "\ufeff", "0\ufeff", "[\ufeff]"]) {
      expect(refuse(source)[0]).toMatchObject({ code: "json.syntax" });
    }
    expect(read('"\ufeff"')).toBe("\ufeff");
  });

  it("refuses bytes that are not UTF-8, with a place [DEF-json-encoding]", () => {
    expect(refuse(bytes(0x22, 0x0a, 0xff, 0x22))).toMatchObject([
      { code: "json.encoding", at: "a.json:2:1" },
    ]);
    expect(refuse(bytes(0x22, 0xed, 0xa0, 0x80, 0x22))[0]).toMatchObject({
      code: "json.encoding",
      at: "a.json:1:2",
    });
    expect(refuse(bytes(0x22, 0xe2, 0x82))[0]).toMatchObject({ code: "json.encoding" });
    expect(refuse(bytes(0xff, 0xfe, 0x30, 0x00))[0]?.message).toContain("UTF-16");
  });

  it("reads integers exactly or not at all [DEF-json-numbers]", () => {
    expect(read("9007199254740992")).toBe(9007199254740992);
    expect(read("100000000000000000000")).toBe(1e20);
    expect(read("123456789012345680000000000000")).toBe(123456789012345680000000000000);
    expect(Object.is(read("-0"), 0)).toBe(true);
    expect(Object.is(read("-0.0e5"), 0)).toBe(true);
    expect(read("0.1")).toBe(0.1);
    for (const token of ["9007199254740993", "123456789012345678901234567890", "1e400", "-1e400"]) {
      expect(refuse(`{"n": ${token}}`)).toMatchObject([
        { code: "json.number-range", pointer: "/n", at: "a.json:1:7" },
      ]);
    }
  });

  it("keeps to integers within ±(2^53 − 1) in the domain int53 [DEF-json-numbers]", () => {
    const numbers = "int53";
    expect(read("[9007199254740991, -9007199254740991, 0]", { numbers })).toHaveLength(3);
    for (const token of ["9007199254740992", "1.5", "1.0", "1e2", "100000000000000000000"]) {
      expect(refuse(token, { numbers })).toMatchObject([{ code: "json.number-range" }]);
    }
  });

  it("stops at its limits [DEF-json-limits]", () => {
    const nested = (depth: number) => "[".repeat(depth) + "]".repeat(depth);
    expect(canonicalize(read(nested(128)))).toBe(nested(128));
    expect(refuse(nested(129))).toMatchObject([{ code: "json.too-deep", at: "a.json:1:129" }]);
    expect(canonicalize(read(nested(1000), { maxDepth: 100_000 }))).toBe(nested(1000));
    expect(refuse("[".repeat(1_000_000), { maxDepth: 100_000 })).toMatchObject([{ code: "json.too-deep" }]);
    expect(refuse("[1,2,3]", { maxBytes: 6 })).toMatchObject([{ code: "json.too-large" }]);
  });

  it("lists several mistakes in one pass, but not without end", () => {
    expect(refuse('{"a":1,"a":2,"n":1e999,"s":"\\ud800"}').map((finding) => finding.code)).toEqual([
      "json.duplicate-key",
      "json.number-range",
      "json.lone-surrogate",
    ]);
    expect(refuse(`[${"1e999,".repeat(1000)}1]`)).toHaveLength(100);
  });

  it("gives the place of every value [DEF-json-reader]", () => {
    const outcome = readJson('{"a": {\r\n  "b/~": [1,\n {"x": null}]}}', { file: "f" });
    if (!outcome.ok) throw new Error("refused");
    const { placeOf } = outcome.value;
    expect(placeOf("")).toEqual({ file: "f", line: 1, column: 1 });
    expect(placeOf("/a")).toEqual({ file: "f", line: 1, column: 2 });
    expect(placeOf("/a/b~1~0")).toEqual({ file: "f", line: 2, column: 3 });
    expect(placeOf("/a/b~1~0/0")).toEqual({ file: "f", line: 2, column: 11 });
    expect(placeOf("/a/b~1~0/1/x")).toEqual({ file: "f", line: 3, column: 3 });
    for (const absent of ["/b", "/a/b~1~0/01", "/a/b~1~0/2", "/a/b~1~0/0/x", "a", "/a~2"]) {
      expect(placeOf(absent)).toBeUndefined();
    }
  });

  it("reads back what canonicalize prints [DEF-identity]", () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 6 }), (value) => {
        const text = canonicalize(JSON.parse(JSON.stringify(value)) as Json);
        expect(canonicalize(read(text))).toBe(text);
        expect(read(text)).toEqual(JSON.parse(text));
      }),
    );
  });

  it("never throws, and agrees with JSON.parse on what is JSON at all", () => {
    const fragment = fc.constantFrom(
      "{",
      "}",
      "[",
      "]",
      ",",
      ":",
      '"a"',
      '"',
      "\\",
      "1",
      "-",
      "e",
      ".",
      "0",
      "null",
      " ",
      "tru",
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.array(fragment).map((parts) => parts.join("")),
        ),
        (text) => {
          const outcome = readJson(text, { file: "f" });
          let parses = true;
          try {
            JSON.parse(text);
          } catch {
            parses = false;
          }
          if (outcome.ok) expect(parses).toBe(true);
          else if (parses)
            expect(outcome.findings.every((finding) => finding.code !== "json.syntax")).toBe(true);
          else expect(outcome.findings.length).toBeGreaterThan(0);
        },
      ),
    );
    fc.assert(fc.property(fc.uint8Array(), (source) => void readJson(source, { file: "f" })));
  });
});
