/**
 * What values are to the operators of the dialect `jsonlogic`: true or false, numbers, texts, equal or in order.
 * Nothing is guessed: what has no number is an error where one is needed. Spec: EXE-logic-values.
 */
import type { Json } from "@swl/base";

/** Null, false, 0, the empty text and the empty list are false; all else is true, the empty object too. */
export function isTrue(value: Json): boolean {
  return Array.isArray(value) ? value.length > 0 : Boolean(value);
}

const numeral = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/**
 * A number as it is, true as 1, false, null and the empty text as 0, a text that is a JSON number as that number;
 * `undefined` for everything else.
 */
export function numberOf(value: Json): number | undefined {
  switch (typeof value) {
    case "number":
      return value;
    case "boolean":
      return value ? 1 : 0;
    case "string":
      if (value === "") return 0;
      return numeral.test(value) ? finite(Number(value)) : undefined;
  }
  return value === null ? 0 : undefined;
}

/** Without −0; `undefined` for what is no finite number. */
export function finite(value: number): number | undefined {
  return Number.isFinite(value) ? value + 0 : undefined;
}

/** A text as it is, a number and a truth value as JSON writes them, null as nothing; `undefined` for the rest. */
export function textOf(value: Json): string | undefined {
  if (value === null) return "";
  return typeof value === "object" ? undefined : String(value);
}

/** Whether two values that are no containers are the same, of one type; `undefined` for two lists, or two objects. */
export function isSame(left: Json, right: Json): boolean | undefined {
  const lists = Array.isArray(left);
  if (typeof left !== "object" || left === null || typeof right !== "object" || right === null)
    return left === right;
  return lists === Array.isArray(right) ? undefined : false;
}

/** Whether two values are equal as texts or as numbers; `undefined` when one has no number. */
export function isEqual(left: Json, right: Json): boolean | undefined {
  if (typeof left === "string" && typeof right === "string") return left === right;
  if (left === null || right === null) {
    const other = left === null ? right : left;
    if (other === null) return true;
    // What is missing is not equal to a text or to what holds others; the corpus has it equal to 0 and false.
    if (typeof other === "string" || typeof other === "object") return false;
  }
  const first = numberOf(left);
  const second = numberOf(right);
  return first === undefined || second === undefined ? undefined : first === second;
}

/** Below 0, 0 or above, as texts by UTF-16 units or as numbers; `undefined` when one has no number. */
export function order(left: Json, right: Json): number | undefined {
  if (typeof left === "string" && typeof right === "string") return left < right ? -1 : left > right ? 1 : 0;
  const first = numberOf(left);
  const second = numberOf(right);
  if (first === undefined || second === undefined) return undefined;
  return first < second ? -1 : first > second ? 1 : 0;
}

/** Part of a text, in characters: negative numbers count from the end. Never half a character. */
export function partOf(text: string, start: number, length: number | undefined): string {
  const paired = /[\ud800-\udfff]/.test(text);
  const all = paired ? characters(text, Number.POSITIVE_INFINITY).count : text.length;
  const from = start < 0 ? Math.max(0, all + start) : Math.min(start, all);
  const to = length === undefined ? all : length < 0 ? all + length : Math.min(from + length, all);
  if (to <= from) return "";
  if (!paired) return text.slice(from, to);
  return text.slice(characters(text, from).units, characters(text, to).units);
}

/** So many characters of a text, or all that it has, and the UTF-16 units that they take. */
function characters(text: string, most: number): { readonly count: number; readonly units: number } {
  let units = 0;
  let count = 0;
  for (; units < text.length && count < most; count++) units += text.codePointAt(units)! > 0xffff ? 2 : 1;
  return { count, units };
}

/** Needles up to this length are left to the engine, whose worst case is the product of both lengths. */
const shortNeedle = 64;

/** Whether a text stands in another, in time linear in both. */
export function contains(text: string, needle: string): boolean {
  if (needle.length <= shortNeedle || needle.length > text.length) return text.includes(needle);
  // Knuth, Morris and Pratt: how much of the needle still stands when its next unit does not follow.
  const kept = new Int32Array(needle.length);
  for (let at = 1, matched = 0; at < needle.length; at++) {
    matched = longer(needle, kept, matched, needle.charCodeAt(at));
    kept[at] = matched;
  }
  for (let at = 0, matched = 0; at < text.length; at++) {
    matched = longer(needle, kept, matched, text.charCodeAt(at));
    if (matched === needle.length) return true;
  }
  return false;
}

/** How much of the needle stands once one more unit of the text is read. */
function longer(needle: string, kept: Int32Array, matched: number, unit: number): number {
  let length = matched;
  while (length > 0 && unit !== needle.charCodeAt(length)) length = kept[length - 1]!;
  return unit === needle.charCodeAt(length) ? length + 1 : 0;
}
