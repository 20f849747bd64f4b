/**
 * Reads by a schema what is right, and only that. The library makes objects for every member of a shape, said or not;
 * most values are right, and for these an acceptor, made once from what the schema says of itself, yields the very
 * output of the schema. Where it is undecided the library is asked, which alone says what is wrong. A schema of a kind
 * that is not known here is evaluated by the library, inside an acceptor too.
 */
import { isJsonObject, type Json, setOwn } from "@swl/base";
import type * as z from "zod/mini";
import { containers, type Names, type Schema } from "./members.js";

/** Nothing was decided: the value is wrong, or says something that an acceptor does not read. */
export const undecided: unique symbol = Symbol("undecided");

/** The output of a schema, or `undecided`. Values are JSON that nobody changes any more: an output may share them. */
export type Acceptor = (value: Json) => unknown;

const acceptors = new WeakMap<Schema, Acceptor>();

/** The acceptor of a schema, made on first use. */
export function acceptorOf(schema: Schema): Acceptor {
  const known = acceptors.get(schema);
  if (known) return known;
  const made = acceptorFor(schema);
  acceptors.set(schema, made);
  return made;
}

function acceptorFor(schema: Schema): Acceptor {
  const container = containers.get(schema);
  if (container) return namesAcceptor(container);
  const { def } = kindOf(schema);
  switch (def.type) {
    case "unknown":
      return (value) => value;
    case "boolean":
      return (value) => (typeof value === "boolean" ? value : undecided);
    case "literal":
    case "enum": {
      const words = schema._zod.values!;
      return (value) => (words.has(value as string) ? value : undecided);
    }
    case "string":
      return textAcceptor(def.checks ?? []) ?? byLibrary(schema);
    case "custom":
      return def.checks ? byLibrary(schema) : (value) => (def.fn(value) ? value : undecided);
    case "object":
      return objectAcceptor(def.shape as { readonly [name: string]: Schema });
    case "pipe": {
      const [first, second] = [acceptorOf(def.in as Schema), acceptorOf(def.out as Schema)];
      return (value) => {
        const between = first(value);
        return between === undecided ? undecided : second(between as Json);
      };
    }
    default:
      return byLibrary(schema);
  }
}

function kindOf(schema: Schema): z.core.$ZodTypes["_zod"] {
  return (schema as unknown as z.core.$ZodTypes)._zod;
}

function byLibrary(schema: Schema): Acceptor {
  return (value) => {
    const result = schema._zod.run({ value, issues: [] }, { async: false }) as z.core.ParsePayload;
    return result.issues.length === 0 ? result.value : undecided;
  };
}

/** A text without checks or with patterns only. */
function textAcceptor(checks: readonly z.core.$ZodCheck<never>[]): Acceptor | undefined {
  const patterns: RegExp[] = [];
  for (const { _zod } of checks as unknown as readonly z.core.$ZodChecks[]) {
    if (_zod.def.check !== "string_format" || !(_zod.def.pattern instanceof RegExp)) return undefined;
    patterns.push(_zod.def.pattern);
  }
  return (value) => {
    if (typeof value !== "string") return undecided;
    for (const pattern of patterns) if (!pattern.test(value)) return undecided;
    return value;
  };
}

function namesAcceptor({ names, count, value: inner }: Names & { readonly value: Schema }): Acceptor {
  const accept = acceptorOf(inner);
  return (value) => {
    if (!isJsonObject(value)) return undecided;
    const keys = Object.keys(value);
    if (count && (keys.length < count.min || keys.length > count.max)) return undecided;
    const outputs: unknown[] = [];
    let same = true;
    for (const key of keys) {
      if (names && !names.pattern.test(key)) return undecided;
      const output = accept(value[key]!);
      if (output === undecided) return undecided;
      outputs.push(output);
      same &&= output === value[key];
    }
    return same ? value : objectOf(keys, outputs);
  };
}

function objectOf(keys: readonly string[], values: readonly unknown[]): { readonly [key: string]: unknown } {
  const object: { [key: string]: unknown } = {};
  for (const [index, key] of keys.entries()) setOwn(object, key, values[index]);
  return object;
}

/** A member of a shape: how it is read when it is said, and what stands there when it is not. */
interface Member {
  readonly name: string;
  readonly accept: Acceptor;
  /** `undecided` where the member must be said, `undefined` where nothing stands. */
  readonly unsaid: () => unknown;
}

function objectAcceptor(shape: { readonly [name: string]: Schema }): Acceptor {
  const members = Object.entries(shape).map(([name, schema]) => memberOf(name, schema));
  return (value) => {
    if (!isJsonObject(value)) return undecided;
    const copy: { [name: string]: unknown } = {};
    let said = 0;
    for (const { name, accept, unsaid } of members) {
      const input = value[name];
      const output = input === undefined ? unsaid() : accept(input);
      if (output === undecided) return undecided;
      if (input !== undefined) said++;
      if (output !== undefined) copy[name] = output;
    }
    // Something is said that is no member.
    if (Object.keys(value).length !== said) return undecided;
    return copy;
  };
}

function memberOf(name: string, schema: Schema): Member {
  const { def } = kindOf(schema);
  switch (def.type) {
    case "optional":
      return { name, accept: acceptorOf(def.innerType as Schema), unsaid: () => undefined };
    case "default": {
      const once = def.defaultValue;
      // The library makes a list or an object anew each time it is asked.
      const unsaid = typeof once === "object" && once !== null ? () => def.defaultValue : () => once;
      return { name, accept: acceptorOf(def.innerType as Schema), unsaid };
    }
    case "prefault": {
      const accept = acceptorOf(def.innerType as Schema);
      return { name, accept, unsaid: () => accept(def.defaultValue as Json) };
    }
    default:
      return { name, accept: acceptorOf(schema), unsaid: () => undecided };
  }
}
