/**
 * The operators that look at all of their arguments, each as a function of their values. Spec: EXE-logic-values.
 */
import { type Json, quoted } from "@swl/base";
import type { Op } from "./logic-compile.js";
import type { LogicEvaluation } from "./logic-evaluate.js";
import type { OperatorName } from "./logic-operators.js";
import type { Scope } from "./logic-scope.js";
import { contains, finite, isEqual, isSame, isTrue, numberOf, partOf, textOf } from "./logic-values.js";
import type { PathSegment } from "./mapping-compile.js";

interface At {
  readonly run: LogicEvaluation;
  readonly scope: Scope;
  readonly call: Extract<Op, { op: "call" }>;
}

type Eager = (args: readonly Json[], at: At) => Json | undefined;

type Lazy =
  | ("if" | "?:" | "and" | "or" | "==" | "===" | "<" | "<=" | ">" | ">=")
  | ("map" | "filter" | "reduce" | "all" | "none" | "some");

export const eagerOperators: { readonly [Name in Exclude<OperatorName, Lazy>]: Eager } = {
  var: ([path = null, otherwise = null], at) => {
    const segments = pathOf(path);
    return segments ? valueAt(segments, otherwise, at) : noPath(at);
  },
  val: (args, at) => (args.every(isSegment) ? valueAt(args, null, at) : noPath(at)),
  missing: (args, at) => missing(Array.isArray(args[0]) ? args[0] : args, at),
  missing_some: ([needed, keys], at) => {
    if (!Array.isArray(keys) || !Number.isSafeInteger(needed)) {
      return wrong("takes a number and a list of paths", at);
    }
    const lacking = missing(keys, at);
    return lacking && keys.length - lacking.length >= (needed as number) ? [] : lacking;
  },
  "!": ([value]) => !isTrue(value!),
  "!!": ([value]) => isTrue(value!),
  "!=": ([left, right], at) => not(at.run.comparable(isEqual(left!, right!), at.call)),
  "!==": ([left, right], at) => not(at.run.comparable(isSame(left!, right!), at.call)),
  "+": (args, at) => fold(args, 0, (sum, next) => sum + next, at),
  "*": (args, at) => fold(args, 1, (product, next) => product * next, at),
  "-": (args, at) => (args.length === 1 ? fold(args, 0, minus, at) : fold(args, undefined, minus, at)),
  "/": (args, at) => (args.length === 1 ? fold(args, 1, divide, at) : fold(args, undefined, divide, at)),
  "%": (args, at) => fold(args, undefined, (value, by) => value % by, at),
  min: (args, at) => fold(args, undefined, Math.min, at),
  max: (args, at) => fold(args, undefined, Math.max, at),
  cat: (args, at) => {
    const texts = args.map(textOf);
    return texts.every((text) => text !== undefined) ? texts.join("") : noText(at);
  },
  substr: ([text, start, length], at) => {
    const whole = textOf(text!);
    if (whole === undefined) return noText(at);
    if (!Number.isSafeInteger(start) || !(length === undefined || Number.isSafeInteger(length))) {
      return wrong("takes a text and one or two integers", at);
    }
    return partOf(whole, start as number, length as number | undefined);
  },
  in: ([needle, hay], at) => {
    if (typeof hay === "string") {
      // Each unit is looked at more often than in other operators.
      if (!at.run.spendTexts([hay, hay, hay], at.call.pointer)) return undefined;
      return typeof needle === "string" && contains(hay, needle);
    }
    if (!Array.isArray(hay)) return false;
    const items: readonly Json[] = hay;
    const texts =
      typeof needle === "string" ? items.filter((item) => String(item).length === needle.length) : [];
    if (!at.run.spend(items.length, at.call.pointer) || !at.run.spendTexts(texts, at.call.pointer))
      return undefined;
    return items.some((item) => isSame(item, needle!) === true);
  },
  merge: (args, at) => {
    const merged = args.flat(1) as Json[];
    return at.run.spend(merged.length, at.call.pointer) ? merged : undefined;
  },
};

const minus = (value: number, by: number): number => value - by;
const divide = (value: number, by: number): number => value / by;

/** From the first value, or from a value before it; a value that is no number, or becomes none, is a failure. */
function fold(
  args: readonly Json[],
  before: number | undefined,
  next: (so: number, value: number) => number,
  at: At,
): number | undefined {
  let result = before;
  for (const arg of args) {
    const value = numberOf(arg);
    const made = value === undefined || result === undefined ? value : next(result, value);
    result = made === undefined ? undefined : finite(made);
    if (result === undefined) {
      return at.run.fail(
        "logic.not-a-number",
        `${quoted(at.call.name)} has no finite number here`,
        at.call.pointer,
      );
    }
  }
  return result;
}

function missing(keys: readonly Json[], at: At): Json[] | undefined {
  const lacking: Json[] = [];
  for (const key of keys) {
    const path = pathOf(key);
    if (!path) return noPath(at);
    if (!at.run.spendTexts([key], at.call.pointer)) return undefined;
    const value = lookUp(path, at);
    if (at.run.failure) return undefined;
    if (value === undefined || value === null || value === "") lacking.push(key);
  }
  return lacking;
}

/** A text with dots between segments, or an index. */
function pathOf(path: Json): readonly PathSegment[] | undefined {
  if (path === null || path === "") return [];
  if (typeof path === "string") return path.split(".");
  return isSegment(path) ? [path] : undefined;
}

function isSegment(value: Json): value is PathSegment {
  return typeof value === "string" || (Number.isSafeInteger(value) && (value as number) >= 0);
}

/** What stands at a path, null too, or another value where nothing does. */
function valueAt(path: readonly PathSegment[], otherwise: Json, at: At): Json | undefined {
  const found = lookUp(path, at);
  return found === undefined && !at.run.failure ? otherwise : found;
}

function lookUp(path: readonly PathSegment[], { run, scope, call }: At): Json | undefined {
  const made = path.length < 2 && (path[0] ?? "nodes") === "nodes" ? scope.size : 0;
  return run.spend(path.length + made, call.pointer) ? scope.find(path) : undefined;
}

function not(value: boolean | undefined): boolean | undefined {
  return value === undefined ? undefined : !value;
}

function wrong(what: string, { run, call }: At): undefined {
  return run.fail("logic.arguments", `${quoted(call.name)} ${what}`, call.pointer);
}

const noPath = (at: At): undefined => wrong("takes a path: keys and indexes from 0", at);
const noText = (at: At): undefined => wrong("makes no text of a list or an object", at);
