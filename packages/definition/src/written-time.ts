/**
 * Whether a time is written out in the definition, so that it is known to be one before any run, or comes from a mapping
 * and may turn out to be none. Spec: DEF-await-signal, EXE-duration.
 */
import { isJsonObject, own } from "@swl/base";
import type { Mapping, Time } from "./model.js";

/** The text that a time says by itself; `undefined` for a mapping. */
export function writtenTime(value: Mapping | undefined): string | undefined {
  const literal = isJsonObject(value) ? own(value, "$literal") : value;
  return typeof literal === "string" ? literal : undefined;
}

/** True for a time that a mapping yields: a node that waits for it fails when it is none. */
export function isMapped(time: Time | undefined): boolean {
  const said = time?.after ?? time?.until;
  return said !== undefined && writtenTime(said) === undefined;
}
