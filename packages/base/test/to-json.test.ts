import { runInNewContext } from "node:vm";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { nearest, toJson } from "../src/index.js";

function refuse(value: unknown, options = {}) {
  const outcome = toJson(value, options);
  if (outcome.ok) throw new Error(`accepted ${JSON.stringify(outcome.value)}`);
  return outcome.findings.map(({ code, pointer }) => ({ code, pointer }));
}

describe("toJson", () => {
  it("copies what is JSON and shares nothing with it [DEF-json-reader]", () => {
    const inner = { x: [1, "a", null, true] };
    const outcome = toJson({ inner });
    if (!outcome.ok) throw new Error("refused");
    expect(outcome.value).toEqual({ inner });
    inner.x.push(2);
    expect(outcome.value).toEqual({ inner: { x: [1, "a", null, true] } });
  });

  it("accepts objects without a prototype, of another realm, and hostile keys [DEF-json-reader]", () => {
    const bare: unknown = JSON.parse('{"__proto__": {"polluted": true}}');
    Object.setPrototypeOf(bare, null);
    const outcome = toJson([bare, runInNewContext("({a: [1]})")]);
    if (!outcome.ok) throw new Error("refused");
    expect(JSON.stringify(outcome.value)).toBe('[{"__proto__":{"polluted":true}},{"a":[1]}]');
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  });

  it("refuses everything else, each with its pointer [DEF-json-reader]", () => {
    class Point {
      readonly x = 1;
    }
    const holes: unknown[] = [1];
    holes[2] = 3;
    const value = {
      undef: undefined,
      fn: () => 1,
      date: new Date(0),
      big: 1n,
      nan: Number.NaN,
      inf: [Number.POSITIVE_INFINITY],
      holes,
      symbol: Symbol("s"),
      point: new Point(),
      map: new Map(),
      keyed: { [Symbol("k")]: 1 },
      bytes: new Uint8Array(1),
      boxed: Object("x"),
    };
    expect(refuse(value)).toEqual(
      [
        "/undef",
        "/fn",
        "/date",
        "/big",
        "/nan",
        "/inf/0",
        "/holes/1",
        "/symbol",
        "/point",
        "/map",
        "/keyed",
        "/bytes",
        "/boxed",
      ].map((pointer) => ({ code: "json.not-json", pointer })),
    );
    expect(refuse({ "a/b": "\ud800" })).toEqual([{ code: "json.lone-surrogate", pointer: "/a~1b" }]);
    expect(refuse({ a: { "\ud800": "\ud800" } })).toEqual([
      { code: "json.lone-surrogate", pointer: "/a" },
      { code: "json.lone-surrogate", pointer: "/a/\ufffd" },
    ]);
  });

  it("refuses cycles, depth and sheer size, without hanging [DEF-json-limits]", () => {
    const cycle: { self?: unknown } = {};
    cycle.self = { again: cycle };
    expect(refuse(cycle)).toEqual([{ code: "json.not-json", pointer: "/self/again" }]);
    let deep: unknown = 1;
    for (let level = 0; level < 129; level++) deep = [deep];
    expect(refuse(deep)[0]?.code).toBe("json.too-deep");
    expect(toJson(deep, { maxDepth: 200 }).ok).toBe(true);
    let wide: unknown = 1;
    for (let level = 0; level < 60; level++) wide = [wide, wide];
    expect(refuse(wide, { maxValues: 100_000 })[0]?.code).toBe("json.too-large");
  });

  it("survives getters and proxies that throw [DEF-json-reader]", () => {
    const getter = Object.defineProperty({}, "a", {
      enumerable: true,
      get() {
        throw new TypeError("no");
      },
    });
    expect(refuse(getter)[0]?.code).toBe("json.not-json");
    const proxy = new Proxy(
      {},
      {
        ownKeys() {
          throw new TypeError("no");
        },
      },
    );
    expect(refuse([proxy])[0]?.code).toBe("json.not-json");
  });

  it("never throws", () => {
    fc.assert(
      fc.property(
        fc.anything({ withBigInt: true, withDate: true, withMap: true, withSparseArray: true }),
        (value) => {
          const outcome = toJson(value);
          if (outcome.ok) expect(() => JSON.stringify(outcome.value)).not.toThrow();
          else expect(outcome.findings.length).toBeGreaterThan(0);
        },
      ),
    );
  });
});

describe("nearest", () => {
  it("suggests the near name and nothing far", () => {
    const names = ["routes", "action", "input", "parameters", "loopLimits"];
    expect(nearest("rotues", names)).toBe("routes");
    expect(nearest("Action", names)).toBe("action");
    expect(nearest("looplimit", names)).toBe("loopLimits");
    expect(nearest("output", names)).toBeUndefined();
    expect(nearest("banana", names)).toBeUndefined();
    expect(nearest("", names)).toBeUndefined();
    expect(nearest("x".repeat(1000), names)).toBeUndefined();
  });
});
