/**
 * What the schemas are built of. Every schema says in its error text what it expects, and nothing else: `issues.ts`
 * makes findings of that. Objects that are keyed by names of the author are walked here by own properties, because
 * the library's record type leaves out a member named `__proto__`. Built on `zod/mini`, whose objects never compile
 * code and never try whether they could. Spec: DEF-members, DEF-names.
 */
import { isJsonObject, type Json, type JsonObject, setOwn } from "@swl/base";
import * as z from "zod/mini";
import { type Range, schemaExpected, type TextRule } from "./grammar.js";
import type { JsonSchema } from "./model.js";

/** Any schema of this package. */
export type Schema<Output = unknown, Input = unknown> = z.ZodMiniType<Output, Input>;

/** An object of these members and no others. `x-…` members are taken out before a schema sees the object. */
export function members<const Shape extends { readonly [name: string]: Schema }>(shape: Shape) {
  const names = Object.keys(shape).join(", ");
  return z.strictObject(shape, {
    error: (issue) => (issue.code === "unrecognized_keys" ? names : "an object"),
  });
}

export const anyText = z.string({ error: "a text" });

export const flag = z.boolean({ error: "true or false" });

/** Any JSON. Whether a value is JSON at all is asked before (`toJson`, `readJson`). */
export const anyJson = z.unknown() as unknown as Schema<Json, Json>;

export const anyObject = z.custom<JsonObject>(isJsonObject, { error: "an object" });

export const jsonSchema = z.custom<JsonSchema>((value) => typeof value === "boolean" || isJsonObject(value), {
  error: schemaExpected,
});

export function text({ expected, pattern }: TextRule) {
  return z.string({ error: expected }).check(z.regex(pattern, { error: expected }));
}

export function word<const Words extends readonly string[]>(words: Words) {
  return z.enum(words, { error: `one of ${words.join(", ")}` });
}

export function integer({ min, max }: Range, expected = `an integer from ${min} to ${max}`) {
  const error = { error: expected };
  return z.int(error).check(z.minimum(min, error), z.maximum(max, error));
}

/** A list of so many items. */
export function list<Item extends Schema>(
  item: Item,
  { min, max, expected }: Range & { readonly expected: string },
) {
  const error = { error: expected };
  return z.array(item, error).check(z.minLength(min, error), z.maxLength(max, error));
}

/** A list of texts, each once. */
export function texts(item: Schema<string, string>) {
  return z.array(item, { error: "a list" }).check(
    z.check(
      ({ value, issues }) => {
        if (!Array.isArray(value)) return;
        const seen = new Set<unknown>();
        value.forEach((input, index) => {
          if (typeof input === "string" && seen.has(input)) issues.push(own("each text once", input, index));
          seen.add(input);
        });
      },
      // Also beside items that are wrong in another way: everything is found in one pass.
      { when: () => true },
    ),
  );
}

/** What the names in an object have to keep, and how many there are. */
export interface Names {
  readonly names?: TextRule;
  readonly count?: Range & { readonly expected: string };
}

/** What is in the schemas that `byName` made: for whoever describes them. */
export const containers = new WeakMap<object, Names & { readonly value: Schema }>();

/** An object keyed by names of the author. Every own property is data, whatever its name. */
export function byName<Output, Input>(
  value: Schema<Output, Input>,
  rule: Names = {},
): Schema<{ readonly [name: string]: Output }, { readonly [name: string]: Input }> {
  const schema = anyObject.check((payload) => {
    const copy: { [name: string]: unknown } = {};
    const keys = Object.keys(payload.value);
    if (rule.count && (keys.length < rule.count.min || keys.length > rule.count.max)) {
      payload.issues.push(own(rule.count.expected, payload.value));
      return;
    }
    for (const key of keys) {
      const input = payload.value[key]!;
      if (rule.names && !rule.names.pattern.test(key)) {
        const { expected: message } = rule.names;
        payload.issues.push({
          code: "invalid_key",
          origin: "record",
          issues: [],
          message,
          input,
          path: [key],
        });
      }
      const parsed = z.safeParse(value, input);
      if (parsed.success) setOwn(copy, key, parsed.data);
      else for (const issue of parsed.error.issues) payload.issues.push(under(key, issue));
    }
    payload.value = copy as JsonObject;
  });
  containers.set(schema, { ...rule, value });
  return schema as unknown as Schema<{ readonly [name: string]: Output }, { readonly [name: string]: Input }>;
}

function own(expected: string, input: unknown, ...path: (string | number)[]): z.core.$ZodRawIssue {
  return { code: "custom", message: expected, params: { value: true }, input, path, continue: true };
}

function under(key: string, issue: z.core.$ZodIssue): z.core.$ZodRawIssue {
  return { ...issue, path: [key, ...issue.path], input: undefined } as z.core.$ZodRawIssue;
}
