/** Durations as people type them on a command line: `30d`, `12h`, or ISO 8601 as definitions write them. */
import { parseDuration } from "@swl/definition/durations";
import { InvalidArgumentError } from "commander";

export const durationForms = "weeks, days, hours, minutes, seconds: 4w 30d 12h 45m 10s";

/** Milliseconds of `4w`, `30d`, `12h`, `45m`, `10s` or an ISO 8601 duration; undefined for anything else. */
export function durationOf(text: string): number | undefined {
  const [, count = "", unit = ""] = /^(\d{1,9})([smhdw])$/.exec(text) ?? [];
  const written = { s: `PT${count}S`, m: `PT${count}M`, h: `PT${count}H`, d: `P${count}D`, w: `P${count}W` };
  const duration = parseDuration(written[unit as keyof typeof written] ?? text);
  return duration.ok ? duration.value : undefined;
}

/** How long after their end runs are kept: a duration, or whole milliseconds. */
export function retention(text: string): number {
  const value = /^[0-9]{1,16}$/.test(text) ? Number(text) : durationOf(text);
  if (value !== undefined && value >= 1 && value <= longestRetention) return value;
  throw new InvalidArgumentError("a duration such as 30d or P30D is expected, or milliseconds from 1.");
}

/** The host's own limit. */
const longestRetention = 3_155_760_000_000;
