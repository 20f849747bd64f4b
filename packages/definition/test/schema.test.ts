import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import type { Json } from "@swl/base";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { JsonSchema } from "../src/model.js";
import { compileSchema, schemaFindings } from "../src/schema.js";
import { compileSchema as withMeter } from "../src/schema-check.js";
import { Meter } from "../src/schema-rules.js";

const here = dirname(fileURLToPath(import.meta.url));
const shared = process.env["SWL_SHARED"] ?? resolve(here, "../../../../shared");
const suite = join(shared, "corpora/json-schema/draft2020-12");

describe("compileSchema", () => {
  it("lists the innermost reasons with their pointers [DEF-schema-dialect]", () => {
    const check = compileSchema({
      type: "object",
      required: ["id"],
      properties: { "a/b": { type: "array", items: { type: "integer", minimum: 3 } } },
      additionalProperties: false,
    });
    expect(check.check({ id: 1, "a/b": [4, 1, "x"] })).toEqual([
      { pointer: "/a~1b/1", message: "the number is less than 3" },
      { pointer: "/a~1b/2", message: 'instance type "string" is invalid. Expected "integer"' },
      { pointer: "/id", message: "this is not allowed here" },
    ]);
    expect(check.check({})).toEqual([
      { pointer: "", message: 'instance does not have required property "id"' },
    ]);
    expect(compileSchema({ maxProperties: 0 }).check({ a: 1 })).toEqual([
      { pointer: "", message: "there are too many properties" },
    ]);
  });

  it("says nothing of the number it checked: it may be marked as sensitive", () => {
    for (const schema of [
      { maximum: 1 },
      { multipleOf: 7 },
      { exclusiveMaximum: 0 },
      { minimum: 1e9 },
      { const: 1 },
    ]) {
      const reasons = compileSchema(schema).check(123456.75);
      expect(reasons).toHaveLength(1);
      expect(JSON.stringify(reasons)).not.toContain("123456");
    }
  });

  it("treats format as an annotation, as the dialect says [DEF-schema-dialect]", () => {
    expect(compileSchema({ format: "date-time" }).check("yesterday")).toEqual([]);
  });

  it("neither changes nor keeps the schema of the caller", () => {
    const schema = Object.freeze({
      $ref: "#/$defs/a",
      $defs: Object.freeze({ a: Object.freeze({ type: "string" }) }),
    });
    expect(compileSchema(schema).check(1)).toHaveLength(1);
    expect(Reflect.ownKeys(schema)).toEqual(["$ref", "$defs"]);
  });

  it("passes nothing that it cannot check [DEF-schema-dialect]", () => {
    let deep: Json = 1;
    for (let level = 0; level < 900; level++) deep = [deep];
    const recursive = compileSchema({ $ref: "#/$defs/a", $defs: { a: { items: { $ref: "#/$defs/a" } } } });
    expect([0, 1]).toContain(recursive.check(deep).length);
    expect(compileSchema({ $ref: "#" }).check(1)).toEqual([
      { pointer: "", message: "nested too deeply for its schema" },
    ]);
    expect(compileSchema({ $ref: "#/nowhere" }).check(1)[0]?.message).toContain(
      "the schema itself is not valid",
    );
    const long = Array.from({ length: 10_001 }, (_, index) => index);
    expect(compileSchema({ uniqueItems: true }).check(long)[0]?.message).toContain(
      "too long to be checked for uniqueItems",
    );
    const many = Array.from({ length: 200_000 }, () => "x");
    const reasons = compileSchema({ items: { type: "integer" } }).check(many);
    expect(reasons.length).toBeGreaterThan(0);
    expect(reasons.length).toBeLessThanOrEqual(100);
  });

  it("ends, also on a schema that doubles its work at every level [DEF-schema-dialect]", () => {
    const $defs: { [name: string]: Json } = { d40: true };
    for (let level = 0; level < 40; level++) {
      const next = { $ref: `#/$defs/d${level + 1}` };
      $defs[`d${level}`] = { allOf: [next, next] };
    }
    const check = compileSchema({ $ref: "#/$defs/d0", $defs });
    expect(check.check(1)).toEqual([{ pointer: "", message: "the check takes too many steps" }]);
    expect(compileSchema({ type: "integer" }).check(1)).toEqual([]);
  });

  it("finds a value right whatever its other parts try in vain [DEF-schema-dialect]", () => {
    const many = Array.from({ length: 200_000 }, () => "x");
    const either = { anyOf: [{ items: { type: "number" } }, { items: { type: "string" } }] };
    expect(compileSchema(either).check(many)).toEqual([]);
    expect(compileSchema(either).check([...many, null]).length).toBeGreaterThan(0);
  });

  it("takes steps for what a schema compares and looks up, by its size [DEF-schema-dialect]", () => {
    const many = Array.from({ length: 2_000 }, (_, index) => index);
    const each = (make: (index: number) => Json) => many.map(make);
    const names = Object.fromEntries(many.map((index) => [`k${index}`, true]));
    const few = Object.fromEntries(many.slice(0, 600).map((index) => [`k${index}`, true]));
    const other = { ...few, k1: 1 };
    const values = each((index) => ({ k: -1, v: [index] }));
    const text = "x".repeat(200_000);
    const costly: readonly (readonly [JsonSchema, Json])[] = [
      [{ items: { anyOf: [{ enum: each((index) => ({ k: index, v: [index] })) }, true] } }, values],
      [{ items: { anyOf: [{ enum: each((index) => `t${index}`) }, true] } }, each(() => "x")],
      [{ items: { anyOf: [{ const: few }, true] } }, each(() => other)],
      [{ items: { properties: names } }, each(() => ({}))],
      [{ items: { anyOf: [{ required: Object.keys(names) }, true] } }, each(() => ({}))],
      [{ items: { dependentRequired: { a: Object.keys(names) } } }, each(() => ({}))],
      [{ items: { allOf: each(() => ({ minLength: 1 })).slice(0, 10) } }, each(() => text)],
    ];
    for (const [schema, value] of costly) {
      expect(schemaFindings(schema)).toEqual([]);
      const meter = new Meter();
      const check = withMeter(schema, meter);
      meter.start(10_000);
      expect(check.check(value)[0]?.message).toContain("too many steps");
      meter.start(10_000);
      expect(check.check([(value as readonly Json[])[0]!])).toEqual([]);
    }
  });

  it("quotes of what it expected no more than a reason shows", () => {
    const texts = Array.from({ length: 5_000 }, (_, index) => `text number ${index}`);
    const [reason] = compileSchema({ enum: texts }).check("other");
    expect(
      reason?.message.startsWith('instance does not match any of ["text number 0","text number 1"'),
    ).toBe(true);
    expect(reason?.message).toHaveLength(500);
    expect(compileSchema({ enum: texts }).check("text number 4999")).toEqual([]);
    const values = { enum: [{ toJSON: 1 }, [texts]], const: { toJSON: 1 } };
    expect(compileSchema(values).check({ toJSON: 1 })).toEqual([]);
    expect(compileSchema(values).check({ toJSON: 2 })).toHaveLength(2);
  });

  it("names each type once [DEF-schema-valid]", () => {
    expect(schemaFindings({ type: ["string", "null"] })).toEqual([]);
    expect(schemaFindings({ type: ["string", "null", "string"] })).toHaveLength(1);
  });

  it("keeps hostile names as data, in schemas and in values", () => {
    const schema = JSON.parse(
      '{"properties": {"__proto__": {"type": "string"}}, "required": ["constructor"]}',
    ) as JsonSchema;
    expect(
      compileSchema(schema).check(JSON.parse('{"__proto__": 1, "constructor": 1}') as Json),
    ).toHaveLength(1);
    expect(compileSchema(schema).check({})).toHaveLength(1);
    const sly = {
      __absolute_ref__: "x",
      __absolute_uri__: "y",
      $recursiveRef: "#",
      id: "::",
      type: "string",
    };
    expect(schemaFindings(sly)).toEqual([]);
    expect(compileSchema(sly).check(1)).toHaveLength(1);
    expect(compileSchema(sly).check("a")).toEqual([]);
  });

  it("never throws, whatever schema and value", () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), fc.jsonValue({ maxDepth: 4 }), (schema, value) => {
        schemaFindings(schema as Json);
        compileSchema(schema as JsonSchema).check(value as Json);
      }),
    );
  });
});

const published = join(here, "../suites/json-schema-draft2020-12.json");

describe("compileSchema on the independent suite", () => {
  it.skipIf(!existsSync(suite))(
    `decides every case as the published list says${existsSync(suite) ? "" : " (skipped: corpus not present)"} [DEF-schema-dialect]`,
    () => {
      const files: { [file: string]: FileReport } = {};
      for (const file of readdirSync(suite)
        .filter((name) => name.endsWith(".json"))
        .sort()) {
        files[file] = report(JSON.parse(readFileSync(join(suite, file), "utf8")) as Group[]);
      }
      expect({ suite: "JSON-Schema-Test-Suite tests/draft2020-12", files }).toEqual(
        JSON.parse(readFileSync(published, "utf8")),
      );
    },
  );
});

/** Groups that pass and that are refused, single tests that fail; `tests` counts those that pass. */
interface FileReport {
  tests: number;
  readonly passed: string[];
  readonly refused: string[];
  readonly failed: string[];
}

function report(groups: readonly Group[]): FileReport {
  const found: FileReport = { tests: 0, passed: [], refused: [], failed: [] };
  for (const { description, schema, tests } of groups) {
    if (schemaFindings(schema as Json).length > 0) {
      found.refused.push(description);
      continue;
    }
    const check = compileSchema(schema);
    const failed = tests.filter((test) => (check.check(test.data).length === 0) !== test.valid);
    found.tests += tests.length - failed.length;
    if (failed.length === 0) found.passed.push(description);
    for (const test of failed) found.failed.push(`${description}: ${test.description}`);
  }
  return found;
}

interface Group {
  readonly description: string;
  readonly schema: JsonSchema;
  readonly tests: readonly { readonly description: string; readonly data: Json; readonly valid: boolean }[];
}
