/**
 * A rule as people write conditions: `input.amount > 100 and not from.output.urgent`. What has no such form stays JSON.
 * Names and texts of the author are shown so that they steer nothing, and the whole is cut when it is long.
 */
import { canonicalize, excerpt, isJsonObject, type Json } from "@swl/base";
import type { LogicRule } from "../model.js";

/** Code units that are shown of a rule, with the mark of a cut. */
const longest = 121;
/** Deeper parts stay JSON. */
const deepest = 5;

const between: ReadonlySet<string> = new Set([
  "==",
  "===",
  "!=",
  "!==",
  "<",
  "<=",
  ">",
  ">=",
  "+",
  "*",
  "-",
  "/",
  "%",
  "and",
  "or",
  "in",
]);

/** The rule in one line. */
export function ruleWords(rule: LogicRule): string {
  return excerpt(words(rule, 0), longest);
}

function words(rule: Json, depth: number): string {
  const [name, ...more] = isJsonObject(rule) && depth < deepest ? Object.keys(rule) : [];
  if (name === undefined || more.length > 0) return canonicalize(rule);
  const said = (rule as { readonly [name: string]: Json })[name]!;
  const args: readonly Json[] = Array.isArray(said) ? said : [said];
  const [first] = args;
  if (name === "var" && args.length === 1 && isPlainPath(first)) return first;
  if ((name === "!" || name === "!!") && args.length === 1) {
    const inner = part(first!, depth);
    return name === "!" ? `not ${inner}` : inner;
  }
  if (!between.has(name) || args.length < 2) return canonicalize(rule);
  return args.map((arg) => part(arg, depth)).join(` ${name} `);
}

/** A part of a rule, in parentheses where it has parts of its own. */
function part(rule: Json, depth: number): string {
  const text = words(rule, depth + 1);
  return text.includes(" ") && isJsonObject(rule) && !text.startsWith("{") ? `(${text})` : text;
}

function isPlainPath(path: Json | undefined): path is string {
  return typeof path === "string" && /^[A-Za-z_][\w-]*(?:\.[\w-]+)*$/.test(path);
}
