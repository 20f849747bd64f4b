import { isSwlError, type Json, setOwn } from "@swl/base";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { validateClaims } from "../src/claims.js";
import { parseDuration, parseInstant } from "../src/durations.js";
import { canonicalDefinition, contractDigest, definitionDigest } from "../src/identity.js";
import { defineWorkflow, isId, isOutcomeName, readDefinition, validate } from "../src/index.js";
import * as inspect from "../src/inspect.js";
import { compileLogic, logicFindings } from "../src/logic.js";
import { compileMapping } from "../src/mappings.js";
import type { JsonSchema } from "../src/model.js";
import { compileSchema, schemaFindings } from "../src/schema.js";
import { type Loose, sample, valid } from "./sample.js";

const full = Boolean(process.env["SWL_FULL"]);

function nested(levels: number, wrap: (inner: unknown) => unknown, inner: unknown = 1): unknown {
  let value = inner;
  for (let level = 0; level < levels; level++) value = wrap(value);
  return value;
}

function cyclic(): object {
  const cycle: { self?: object } = {};
  cycle.self = [cycle];
  return cycle;
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

const foreign = fc.oneof(
  fc.constantFrom<unknown>(
    undefined,
    () => 1,
    Symbol("s"),
    1n,
    Number.NaN,
    Number.NEGATIVE_INFINITY,
    new Date(0),
    new Map(),
    new Array(3),
    "\udfff",
    cyclic(),
    nested(5_000, (inner) => [inner]),
    nested(5_000, (inner) => ({ a: inner })),
  ),
  fc.anything({
    withBigInt: true,
    withDate: true,
    withMap: true,
    withSparseArray: true,
    withTypedArray: true,
  }),
);

/** Every place of the sample, as a path. */
function places(value: Loose, path: string[] = []): string[][] {
  if (typeof value !== "object" || value === null) return [path];
  return [path, ...Object.keys(value).flatMap((key) => places(value[key], [...path, key]))];
}

describe("validate", () => {
  it("gives findings for any value at any place, never an error [DEF-json-reader]", () => {
    const all = places(sample());
    fc.assert(
      fc.property(fc.constantFrom(...all), foreign, (path, value) => {
        let definition = sample();
        if (path.length === 0) definition = value;
        else {
          let holder = definition;
          for (const key of path.slice(0, -1)) holder = holder[key];
          holder[path.at(-1)!] = value;
        }
        const outcome = validate(definition);
        if (outcome.ok) expect(definitionDigest(outcome.value)).toMatch(/^sha256:[0-9a-f]{64}$/);
        else expect(outcome.findings.length).toBeGreaterThan(0);
        expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
      }),
      { numRuns: 400 },
    );
  });

  it("gives findings for what throws when it is looked at, at any place [DEF-json-reader]", () => {
    for (const path of places(sample())) {
      for (const make of throwing) {
        let definition = sample();
        if (path.length === 0) definition = make();
        else {
          let holder = definition;
          for (const key of path.slice(0, -1)) holder = holder[key];
          holder[path.at(-1)!] = make();
        }
        const outcome = validate(definition);
        // A trap that JSON never asks for may throw as it likes.
        if (!outcome.ok) expect(outcome.findings.map(({ code }) => code)).not.toEqual([]);
        try {
          expect(defineWorkflow(definition).swl).toBe("0.1");
        } catch (error) {
          if (!isSwlError(error)) throw error;
          expect(error.findings).not.toEqual([]);
        }
      }
    }
  });

  it("takes names of Object.prototype as IDs, outcomes and keys, as data [DEF-json-reader]", () => {
    for (const name of ["__proto__", "constructor", "toString", "hasOwnProperty", "prototype"]) {
      const definition = sample();
      setOwn(definition.nodes, name, { kind: "complete", output: { $get: ["from"] } });
      setOwn(definition.nodes.approve.routes, "other", name);
      setOwn(definition.actions, name, definition.actions["check-credit"]);
      definition.nodes.check.action = name;
      definition.nodes.check.parameters = null;
      delete definition.actions[name].parametersSchema;
      delete definition.actions["check-credit"];
      setOwn(definition.inputSchema.properties, name, { type: "string" });
      definition.meta = { labels: {} };
      setOwn(definition.meta.labels, name, "L");
      const outcome = validate(definition);
      expect([name, outcome.findings]).toEqual([name, []]);
      if (!outcome.ok) continue;
      expect(Object.hasOwn(outcome.value.nodes, name)).toBe(true);
      expect(Object.hasOwn(outcome.value.actions, name)).toBe(true);
      expect(Object.getPrototypeOf(outcome.value.nodes)).toBe(Object.prototype);
      const again = readDefinition(JSON.stringify(outcome.value), { file: "f" });
      expect(again.ok && definitionDigest(again.value)).toBe(definitionDigest(outcome.value));
    }
    const outcomes = sample();
    outcomes.actions["check-credit"].outcomes.constructor = {};
    outcomes.nodes.check.routes.constructor = "done";
    expect(validate(outcomes).ok).toBe(true);
    setOwn(outcomes.nodes.check.routes, "__proto__", "done");
    expect(validate(outcomes).findings.map(({ code }) => code)).toContain("definition.outcome-grammar");
  });

  it("keeps labels of any script as they are, and refuses halves of characters [DEF-identity]", () => {
    const digest = definitionDigest(valid());
    const label = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.string({ unit: "grapheme" }),
      fc.constantFrom("e\u0301", "\u{1F469}\u200D\u{1F680}", "\u202e", "\u0000", "\u{10FFFF}"),
    );
    fc.assert(
      fc.property(label, (text) => {
        const outcome = validate({ ...sample(), meta: { title: text, labels: { check: text } } });
        expect(outcome.ok).toBe(!/\p{Surrogate}/u.test(text));
        if (!outcome.ok) return;
        expect(outcome.value.meta?.labels?.["check"]).toBe(text);
        expect(definitionDigest(outcome.value)).toBe(digest);
      }),
    );
    expect(validate({ ...sample(), meta: { title: "\ud83d" } }).findings[0]?.code).toBe(
      "json.lone-surrogate",
    );
  });

  it("refuses what is nested 5,000 deep in every open place [DEF-json-limits]", () => {
    const deep = nested(5_000, (inner) => [inner]);
    const spoils: ((definition: Loose) => void)[] = [
      (d) => (d.nodes.done.output = deep),
      (d) => (d.nodes.check.parameters = deep),
      (d) => (d.meta = { layout: deep }),
      (d) => (d["x-deep"] = deep),
      (d) => (d.inputSchema = nested(5_000, (inner) => ({ not: inner }), true)),
    ];
    for (const spoil of spoils) {
      const definition = sample();
      spoil(definition);
      expect(validate(definition).findings.map(({ code }) => code)).toEqual(["json.too-deep"]);
    }
  });

  it.runIf(full)(
    "takes a million nodes, and refuses more values than are allowed [DEF-json-limits]",
    () => {
      const nodes: { [id: string]: Loose } = { done: { kind: "complete" } };
      for (let index = 0; index < 1_000_000; index++) {
        nodes[`n${index}`] = {
          kind: "activity",
          action: "a",
          routes: { ok: index === 999_999 ? "done" : `n${index + 1}` },
        };
      }
      const definition = {
        ...sample(),
        start: "n0",
        nodes,
        actions: { a: { effect: "pure", outcomes: { ok: {} } } },
      };
      const outcome = validate(definition);
      expect(outcome.findings).toEqual([]);
      expect(outcome.ok && Object.keys(outcome.value.nodes)).toHaveLength(1_000_001);
      for (const id of Object.keys(nodes)) nodes[id].input = [1, 2, 3, 4, 5, 6, 7, 8, 9];
      expect(validate(definition).findings.map(({ code }) => code)).toEqual(["json.too-large"]);
    },
    600_000,
  );

  it.runIf(full)(
    "refuses texts of 100 MB where a name stands, and keeps them where data may stand [DEF-names]",
    () => {
      const text = "x".repeat(100_000_000);
      const codesOf = (over: object) => validate({ ...sample(), ...over }).findings.map(({ code }) => code);
      expect(codesOf({ id: text })).toEqual(["definition.id-grammar"]);
      expect(codesOf({ version: text })).toEqual(["definition.value"]);
      expect(codesOf({ meta: { description: text } })).toEqual([]);
      expect(
        readDefinition(JSON.stringify({ ...sample(), "x-a": text }), { file: "f" }).findings[0]?.code,
      ).toBe("json.too-large");
    },
    300_000,
  );
});

describe("the other entries", () => {
  it("give coded errors or findings for what throws when it is looked at", () => {
    for (const make of throwing) {
      expect(validateClaims(make()).ok).toBe(false);
      compileSchema({ type: "object", properties: { swl: true } }).check(make() as Json);
    }
  });

  it("give coded errors or findings for any value", () => {
    fc.assert(
      fc.property(foreign, (value) => {
        expect(validateClaims(value).ok).toBe(false);
        try {
          defineWorkflow(value as never);
        } catch (error) {
          if (!isSwlError(error)) throw error;
        }
      }),
    );
  });

  it("take schemas that are deep, cyclic or no JSON without an error [DEF-schema-valid]", () => {
    const cycle: { not?: object } = {};
    cycle.not = cycle;
    const schemas: unknown[] = [
      cycle,
      nested(5_000, (inner) => ({ not: inner }), true),
      nested(5_000, (inner) => ({ allOf: [inner] }), true),
      { properties: { a: undefined } },
      { const: cyclic(), enum: [1n] },
      undefined,
      () => true,
    ];
    for (const schema of schemas) {
      schemaFindings(schema as Json);
      for (const value of [1, cyclic(), nested(5_000, (inner) => [inner]), undefined]) {
        compileSchema(schema as JsonSchema).check(value as Json);
      }
    }
    expect(schemaFindings(cycle as Json)).toHaveLength(1);
    expect(schemaFindings(schemas[1] as Json)[0]?.message).toContain("deeper than");
  });

  it("give coded errors for mappings that validation refuses", () => {
    fc.assert(
      fc.property(
        fc.jsonValue({ maxDepth: 4 }),
        fc.constantFrom("$get", "$literal", "$x"),
        (json, operator) => {
          try {
            compileMapping({ a: [{ [operator]: json as Json }] });
          } catch (error) {
            if (!isSwlError(error)) throw error;
          }
        },
      ),
    );
  });

  it("takes no object and no list for a name, whatever they say of themselves [DEF-choice]", () => {
    for (const outcome of [{ toString: 1, valueOf: 2 }, ["failed"]]) {
      const edited = structuredClone(valid()) as Loose;
      edited.nodes.way = { kind: "choice", cases: [{ when: true, outcome }], otherwise: outcome, routes: {} };
      const places = validate(edited).findings.filter(({ code }) => code === "definition.type");
      expect(places.map(({ pointer }) => pointer)).toEqual([
        "/nodes/way/cases/0/outcome",
        "/nodes/way/otherwise",
      ]);
    }
  });

  it("gives a coded error for whatever throws when it is looked at, or is something else", () => {
    const junk: readonly (() => unknown)[] = [undefined, null, 1, "x", [], {}, [undefined], new Date(0)].map(
      (value) => () => value,
    );
    const never = valid();
    const readers: { readonly [name: string]: (value: never, other: never) => unknown } = {
      compileMapping,
      compileLogic,
      logicFindings,
      schemaFindings,
      checked: (value) => compileSchema(value).check(1),
      canonicalDefinition,
      definitionDigest,
      contractDigest,
      parseDuration,
      parseInstant,
      ...inspect,
      diffFrom: (value) => inspect.diff(never, value),
      reachable: (value) => inspect.reachable(value, "a"),
      read: (value) => readDefinition(value, { file: "f" }),
      isId,
      isOutcomeName,
    };
    for (const [name, read] of Object.entries(readers)) {
      for (const make of [...junk, ...(name.startsWith("is") ? [] : throwing)]) {
        try {
          read(make() as never, never as never);
        } catch (error) {
          if (!isSwlError(error)) throw new Error(`${name} throws without a code`, { cause: error });
        }
      }
    }
    for (const text of [undefined, null, true]) {
      expect(isId(text as never) || isOutcomeName(text as never)).toBe(false);
    }
  });
});
