/**
 * One call of `swl` as its commands see it: where to print, and in which of the two forms. JSON is printed from
 * canonical JSON only; text may change between releases, JSON members only grow.
 */
import { canonicalize, type Json } from "@swl/base";
import type { Io } from "../io.js";
import { type Paint, painter } from "./paint.js";

export interface Session {
  readonly io: Io;
  readonly json: boolean;
  readonly paint: Paint;
}

export function sessionOf(io: Io, json: boolean): Session {
  return { io, json, paint: painter(io.color && !json) };
}

/** One document, or one line of many. */
export function printJson({ io }: Session, value: unknown): void {
  io.out(`${canonicalize(value as Json)}\n`);
}

/** A line of text for people. */
export function print({ io }: Session, text: string): void {
  io.out(`${text}\n`);
}

/** A remark that is no part of the result: on standard error, and never with `--json`. */
export function remark({ io, json }: Session, text: string): void {
  if (!json) io.err(`${text}\n`);
}
