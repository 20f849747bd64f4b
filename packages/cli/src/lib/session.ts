/**
 * One call of `swl` as its commands see it: where to print, and in which of the two forms. JSON is printed from
 * canonical JSON only; text may change between releases, JSON members only grow. Whatever is printed, printing does
 * not fail for what stands in it.
 */
import { canonicalize, type Json } from "@swl/base";
import type { Io } from "../io.js";
import { type Paint, painter } from "./paint.js";
import { printable } from "./visible.js";

export interface Session {
  readonly io: Io;
  readonly json: boolean;
  /** The lines for people may have colors. */
  readonly color: boolean;
  readonly paint: Paint;
}

export function sessionOf(io: Io, json: boolean): Session {
  const color = io.color && !json;
  return { io, json, color, paint: painter(color) };
}

/** One document, or one line of many. */
export function printJson({ io }: Session, value: unknown): void {
  io.out(`${jsonText(value)}\n`);
}

/** A line of text for people. */
export function print({ io, color }: Session, text: string): void {
  io.out(`${printable(text, color)}\n`);
}

/** A remark that is no part of the result: on standard error, and never with `--json`. */
export function remark(session: Session, text: string): void {
  if (!session.json) complain(session, text);
}

/** A line on standard error, whatever the form. */
export function complain({ io, color }: Session, text: string): void {
  io.err(`${printable(text, color)}\n`);
}

function jsonText(value: unknown): string {
  try {
    return canonicalize(value as Json);
  } catch {
    // What a stranger's code threw or a file holds may be no JSON; that must not hide what is said of it.
    return canonicalize(nearestJson(value, 0));
  }
}

const deepest = 100;

function nearestJson(value: unknown, depth: number): Json {
  if (typeof value === "string") return wellFormed(value);
  if (typeof value === "boolean") return value;
  if (typeof value === "number") return Number.isFinite(value) ? value : null;
  if (typeof value !== "object" || value === null || depth >= deepest) return null;
  if (Array.isArray(value)) return value.map((item) => nearestJson(item, depth + 1));
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, member]) => member !== undefined)
      .map(([key, member]) => [wellFormed(key), nearestJson(member, depth + 1)]),
  );
}

function wellFormed(text: string): string {
  return text.replace(/\p{Surrogate}/gu, "\ufffd");
}
