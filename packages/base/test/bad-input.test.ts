import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  canonicalize,
  contentDigest,
  isSwlError,
  type Json,
  own,
  readJson,
  setOwn,
  toJson,
} from "../src/index.js";

it("knows an error whatever was thrown, and reads texts and bytes only", () => {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  expect(isSwlError(proxy)).toBe(false);
  for (const source of [undefined, null, 1, [], { length: 1 }]) {
    expect(readJson(source as unknown as string, { file: "f" }).findings[0]?.code).toBe("json.not-json");
  }
});

const full = Boolean(process.env["SWL_FULL"]);
const readers: { readonly [name: string]: (value: unknown) => unknown } = {
  toJson: (value) => toJson(value),
  canonicalize: (value) => coded(() => canonicalize(value as Json)),
  contentDigest: (value) => coded(() => contentDigest(value as Json)),
};

/** The result, or the code of a coded error; any other error is a failure of the test. */
function coded(run: () => unknown): unknown {
  try {
    return run();
  } catch (error) {
    if (isSwlError(error)) return { code: error.code };
    throw error;
  }
}

function nested(levels: number, how: "list" | "object" | "both"): unknown {
  let value: unknown = 1;
  for (let level = 0; level < levels; level++) {
    value = how === "list" || (how === "both" && level % 2 === 0) ? [value] : { a: value };
  }
  return value;
}

/** Objects that throw, each in its own way, when they are looked at. */
const throwing: readonly (() => unknown)[] = [
  () => ({
    get swl(): never {
      throw new Error("no");
    },
  }),
  ...["get", "has", "ownKeys", "getOwnPropertyDescriptor", "getPrototypeOf"].map((trap) => () => {
    const no = () => {
      throw new Error("no");
    };
    return new Proxy({ swl: "0.1" }, { [trap]: no });
  }),
  () => {
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    return proxy;
  },
  () => {
    const { proxy, revoke } = Proxy.revocable([], {});
    revoke();
    return proxy;
  },
];

/** Values that no JSON text denotes, alone and hidden in others. */
const foreign = fc.oneof(
  fc.constantFrom<unknown>(
    undefined,
    () => 1,
    Symbol("s"),
    1n,
    Number.NaN,
    Number.POSITIVE_INFINITY,
    new Date(0),
    /a/,
    new Map(),
    new Set(),
    new Uint8Array(2),
    Object("x"),
    Promise.resolve(1),
    new Error("no"),
    "\ud800",
    globalThis,
  ),
  fc.constant(null).map(() => {
    const cycle: unknown[] = [];
    cycle.push({ cycle });
    return cycle;
  }),
  fc.constant(null).map(() => {
    const sparse: unknown[] = [];
    sparse[4_000_000_000] = 1;
    return sparse;
  }),
  fc.constantFrom("list" as const, "object" as const, "both" as const).map((how) => nested(5_000, how)),
);

describe("what is no JSON", () => {
  it("is refused with codes wherever it hides, by every reader [DEF-json-reader]", () => {
    const place = fc.array(fc.constantFrom("list", "object", "__proto__", "constructor"), { maxLength: 6 });
    fc.assert(
      fc.property(foreign, place, (value, path) => {
        let hidden = value;
        for (const step of path) {
          if (step === "list") hidden = [0, hidden];
          else {
            const holder: { [key: string]: unknown } = {};
            setOwn(holder, step, hidden);
            hidden = holder;
          }
        }
        const outcome = toJson(hidden);
        expect(outcome.ok).toBe(false);
        for (const { code } of outcome.findings) expect(code).toMatch(/^json\./);
        for (const read of [readers["canonicalize"]!, readers["contentDigest"]!]) {
          expect(read(hidden)).toEqual({ code: expect.stringMatching(/^json\./) });
        }
      }),
    );
  });

  it("is refused with codes when it throws as it is looked at [DEF-json-reader]", () => {
    for (const make of throwing) {
      for (const hide of [(value: unknown) => value, (value: unknown) => [1, { a: value }]]) {
        for (const read of [readers["canonicalize"]!, readers["contentDigest"]!]) {
          const said = read(hide(make()));
          if (typeof said !== "string") expect(said).toEqual({ code: expect.stringMatching(/^json\./) });
        }
        const outcome = toJson(hide(make()));
        for (const { code } of outcome.findings) expect(code).toMatch(/^json\./);
      }
    }
  });

  it("never changes a prototype, whatever is read [DEF-json-reader]", () => {
    const before = Reflect.ownKeys(Object.prototype).length;
    fc.assert(
      fc.property(
        fc.anything({
          withBigInt: true,
          withDate: true,
          withSparseArray: true,
          withNullPrototype: true,
          key: keys(),
        }),
        (value) => {
          for (const read of Object.values(readers)) read(value);
          expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
        },
      ),
    );
    expect(Reflect.ownKeys(Object.prototype)).toHaveLength(before);
  });
});

function keys(): fc.Arbitrary<string> {
  return fc.oneof(
    fc.constantFrom("__proto__", "constructor", "prototype", "toString", "polluted", ""),
    fc.string(),
  );
}

describe("what is JSON", () => {
  it("keeps hostile keys, astral and combining characters as they are [DEF-json-reader]", () => {
    const text = fc.oneof(
      fc.string({ unit: "grapheme" }),
      fc.constantFrom("e\u0301", "\u{1F469}\u200D\u{1F680}", "\u0000", "\uFEFF"),
    );
    const value = fc.letrec<{ json: unknown }>((tie) => ({
      json: fc.oneof(
        { maxDepth: 4 },
        text,
        fc.array(tie("json"), { maxLength: 3 }),
        fc
          .array(
            fc.tuple(
              fc.oneof(
                keys().filter((key) => !/\p{Surrogate}/u.test(key)),
                text,
              ),
              tie("json"),
            ),
            { maxLength: 4 },
          )
          .map((pairs) => {
            const object: { [key: string]: unknown } = {};
            for (const [key, inner] of pairs) setOwn(object, key, inner);
            return object;
          }),
      ),
    })).json;
    fc.assert(
      fc.property(value, (json) => {
        const copy = toJson(json);
        const read = readJson(canonicalize(json as Json), { file: "f" });
        if (!copy.ok || !read.ok) throw new Error("refused");
        expect(canonicalize(copy.value)).toBe(canonicalize(json as Json));
        expect(read.value.value).toEqual(json);
        expect(own({}, "__proto__")).toBeUndefined();
      }),
    );
  });

  it("is refused when nested 5,000 deep, as text too [DEF-json-limits]", () => {
    for (const how of ["list", "object", "both"] as const) {
      const deep = nested(5_000, how);
      for (const maxDepth of [undefined, 1_000, 1_000_000]) {
        const outcome = toJson(deep, maxDepth === undefined ? {} : { maxDepth });
        expect(outcome.findings.map(({ code }) => code)).toEqual(["json.too-deep"]);
      }
      expect(coded(() => canonicalize(deep as Json))).toEqual({ code: "json.too-deep" });
      const [open, close] = how === "object" ? ['{"a":', "}"] : ["[", "]"];
      const text = `${open.repeat(5_000)}1${close.repeat(5_000)}`;
      expect(readJson(text, { file: "f" }).findings[0]?.code).toBe("json.too-deep");
      expect(readJson(text, { file: "f", maxDepth: 1_000_000 }).findings[0]?.code).toBe("json.too-deep");
    }
  });

  it("is kept when it is wide [DEF-json-limits]", () => {
    const wide = Object.fromEntries(
      Array.from({ length: full ? 1_000_000 : 50_000 }, (_, index) => [`k${index}`, index]),
    );
    const copy = toJson(wide);
    expect(copy.ok && Object.keys(copy.value as object)).toHaveLength(Object.keys(wide).length);
    const read = readJson(canonicalize(wide), { file: "f" });
    expect(read.ok && contentDigest(read.value.value)).toBe(contentDigest(wide));
  });

  it.runIf(full)(
    "may be a text of 100 MB where that is allowed, and is refused where not [DEF-json-limits]",
    () => {
      const text = "\u00e9x".repeat(50_000_000);
      expect(toJson(text).ok).toBe(true);
      const written = canonicalize([text]);
      expect(written).toHaveLength(text.length + 4);
      expect(readJson(written, { file: "f" }).findings[0]?.code).toBe("json.too-large");
      const read = readJson(written, { file: "f", maxBytes: 200_000_000 });
      expect(read.ok && (read.value.value as readonly string[])[0] === text).toBe(true);
      expect(readJson(`"${"\\u0041".repeat(1_000_000)}`, { file: "f" }).findings[0]?.code).toBe(
        "json.syntax",
      );
    },
    300_000,
  );
});
