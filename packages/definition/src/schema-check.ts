/**
 * JSON Schema 2020-12 for inputs, outputs, parameters and payloads, through `@cfworker/json-schema`: no code
 * generation, no network, `format` an annotation as the dialect says. The validator is built on first use. A value
 * that the library cannot check within its limits does not pass.
 * Spec: DEF-schema-dialect, DEF-schema-valid, DEF-schema-patterns.
 */
import { dereference, type OutputUnit, type Schema, validate } from "@cfworker/json-schema";
import { excerpt, isSwlError, type Json, quoted } from "@swl/base";
import type { JsonSchema } from "./model.js";
import { copySchema, type SchemaCopy } from "./schema-copy.js";
import { charge, measure } from "./schema-cost.js";
import { inspectSchema, Meter, maxSchemaSteps, type SchemaFinding } from "./schema-rules.js";

/** A compiled schema: immutable, good for any number of values. */
export interface SchemaCheck {
  /** Why a value does not fit, at most 100 reasons; empty when it fits. Never throws. */
  check(value: Json): readonly SchemaFinding[];
}

/** Code units of one reason: it may quote names of the schema. */
const longestReason = 500;
/** Reasons listed for one value. */
const maxReasons = 100;
/** Steps that finding all reasons may take; where it would take more, the first ones stand. */
const maxReasonSteps = 100_000;

/** What is wrong with a schema itself; empty when it is accepted. References must resolve inside the schema. */
export function schemaFindings(schema: Json): readonly SchemaFinding[] {
  const { findings, refers } = inspectSchema(schema);
  if (findings.length > 0 || !refers) return findings;
  return resolve(copySchema(schema, new Meter())).findings;
}

/**
 * A check for a schema that `schemaFindings` accepts. For one that it refuses, every value is refused with the
 * reason. With a meter of the caller's all checks draw on its steps; without, each has its own.
 */
export function compileSchema(schema: JsonSchema, shared?: Meter): SchemaCheck {
  if (schema === true) return { check: () => [] };
  let compiled: ((value: Json) => readonly SchemaFinding[]) | undefined;
  return {
    check(value) {
      compiled ??= built(schema, shared);
      return compiled(value);
    },
  };
}

type Lookup = { [uri: string]: Schema | boolean };

function resolve(copy: SchemaCopy): {
  readonly lookup: Lookup;
  readonly findings: readonly SchemaFinding[];
} {
  let lookup: Lookup;
  try {
    lookup = dereference(copy.root as Schema | boolean);
  } catch {
    return {
      lookup: {},
      findings: [{ pointer: "", message: "two parts of the schema have one $id, or it is no URI" }],
    };
  }
  const findings = copy.refs.flatMap(({ holder, ref, pointer }): SchemaFinding[] => {
    const uri = (holder as Schema).__absolute_ref__ ?? ref;
    if (Object.hasOwn(lookup, uri)) return [];
    return [{ pointer, message: `${quoted(ref, 200)} is not a part of this schema; nothing is fetched` }];
  });
  return { lookup, findings };
}

function built(schema: JsonSchema, shared: Meter | undefined): (value: Json) => readonly SchemaFinding[] {
  try {
    return build(schema, shared);
  } catch (thrown) {
    return refusal({ pointer: "", message: whyNot(thrown) });
  }
}

function build(schema: JsonSchema, shared: Meter | undefined): (value: Json) => readonly SchemaFinding[] {
  const wrong = inspectSchema(schema).findings[0];
  if (wrong) return refusal(wrong);
  const meter = shared ?? new Meter();
  const copy = copySchema(schema, meter);
  const { lookup, findings } = resolve(copy);
  if (findings[0]) return refusal(findings[0]);
  const root = copy.root as Schema | boolean;
  const sizes = charge(copy, meter);
  return (value) => {
    if (!shared) meter.start(maxSchemaSteps);
    try {
      if (sizes) measure(value, sizes);
      // Up to the first reason of each part: what an `anyOf` tries in vain may be wrong in any number of places.
      const first = validate(value, root, "2020-12", lookup, true);
      if (first.valid) return [];
      const all = (): OutputUnit[] => validate(value, root, "2020-12", lookup, false).errors;
      return reasons(attempt(() => meter.within(maxReasonSteps, all)) ?? first.errors);
    } catch (thrown) {
      return [{ pointer: "", message: whyNot(thrown) }];
    }
  };
}

/** `undefined` where steps or the stack do not suffice. */
function attempt<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}

function refusal({ pointer, message }: SchemaFinding): () => readonly SchemaFinding[] {
  const reason = `the schema itself is not valid at ${quoted(pointer, 200)}: ${message}`;
  return () => [{ pointer: "", message: reason }];
}

/** The innermost reasons: what only says that something inside failed is left out. */
function reasons(errors: readonly OutputUnit[]): readonly SchemaFinding[] {
  const found: SchemaFinding[] = [];
  const seen = new Set<string>();
  for (const error of errors) {
    if (wrappers.has(error.keyword) && errors.length > 1) continue;
    const pointer = pointerOf(error.instanceLocation);
    const message = messageOf(error);
    const key = `${pointer}\n${message}`;
    if (seen.has(key)) continue;
    seen.add(key);
    found.push({ pointer, message });
    if (found.length >= maxReasons) break;
  }
  return found.length > 0 ? found : [{ pointer: "", message: "the value does not fit its schema" }];
}

const wrappers = new Set([
  "$ref",
  "properties",
  "patternProperties",
  "additionalProperties",
  "unevaluatedProperties",
  "items",
  "prefixItems",
  "unevaluatedItems",
  "allOf",
  "dependentSchemas",
  "if",
]);

/** The library's sentence, without the number that was checked: a value may be marked as sensitive. */
function messageOf(error: OutputUnit): string {
  if (error.keyword === "false") return "this is not allowed here";
  if (error.keyword === "maxProperties") return "there are too many properties";
  const text = error.error.replace(/^-?[0-9][0-9.eE+-]* is /, "the number is ").replace(/\.$/, "");
  return excerpt(text.charAt(0).toLowerCase() + text.slice(1), longestReason);
}

function pointerOf(location: string): string {
  try {
    return decodeURIComponent(location.slice(1));
  } catch {
    return location.slice(1);
  }
}

function whyNot(thrown: unknown): string {
  if (isSwlError(thrown)) return thrown.message;
  return thrown instanceof RangeError
    ? "nested too deeply for its schema"
    : "the schema could not be applied";
}
