/**
 * Times as texts: a strict part of ISO 8601 for durations, and of RFC 3339 for instants. A duration is an exact number
 * of milliseconds, so that years and months, whose length depends on the calendar, are none. Pure: no clock, no time
 * zone of the machine. Spec: DEF-duration, DEF-instant; the forms are a table in conformance/table/time-forms.json.
 */
import { type Code, type Outcome, quoted } from "@swl/base";

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

/** The longest duration, in milliseconds: 36,500 days. */
export const maxDurationMs = 36_500 * day;
/** The first instant that can be said: 1970-01-01T00:00:00Z, as milliseconds since then. */
export const minInstantMs = 0;
/** The last one: 9999-12-31T23:59:59.999Z. */
export const maxInstantMs = 253_402_300_799_999;

/** Longer texts are neither. */
const maxLength = 64;

const durationForm =
  /^P(?:(\d+)W|(?=\d|T\d)(?:(\d+)D)?(?:T(?=\d)(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)(?:\.(\d{1,3}))?S)?)?)$/;
const instantForm = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)(?:\.(\d{1,3}))?(?:Z|([+-])(\d\d):(\d\d))$/;

/**
 * The milliseconds of a duration: `PnW`, or `PnDTnHnMnS` of which parts may be left out; days have 24 hours; seconds
 * may have up to three digits after a point. From 0 to `maxDurationMs`. Anything else is `time.duration`.
 */
export function parseDuration(text: string): Outcome<number> {
  const parts = partsOf(text, durationForm);
  if (!parts) return refused("time.duration", text, "a duration such as PT30S, PT1H30M, P2DT12H or P1W");
  const [, weeks, days, hours, minutes, seconds, fraction] = parts;
  const ms =
    count(weeks) * 7 * day +
    count(days) * day +
    count(hours) * hour +
    count(minutes) * minute +
    count(seconds) * second +
    thousandths(fraction);
  if (ms > maxDurationMs) return refused("time.duration", text, "a duration of at most 36500 days");
  return { ok: true, value: ms, findings: [] };
}

/**
 * The milliseconds since 1970-01-01T00:00:00Z of an instant: date, `T`, time of day with seconds and up to three
 * digits after a point, and `Z` or an offset such as `+02:00`. From 1970 to the end of 9999. Anything else, a leap
 * second too, is `time.instant`.
 */
export function parseInstant(text: string): Outcome<number> {
  const parts = partsOf(text, instantForm);
  const ms = parts ? instantOf(parts) : undefined;
  if (ms === undefined) {
    return refused(
      "time.instant",
      text,
      "an instant such as 2030-01-31T08:00:00Z or 2030-01-31T10:00:00+02:00",
    );
  }
  if (ms < minInstantMs || ms > maxInstantMs) {
    return refused("time.instant", text, "an instant from 1970 to 9999");
  }
  return { ok: true, value: ms, findings: [] };
}

function partsOf(text: string, form: RegExp): RegExpExecArray | null {
  return typeof text !== "string" || text.length > maxLength ? null : form.exec(text);
}

/** `undefined` for a day, a time or an offset that no calendar or clock has. */
function instantOf(parts: RegExpExecArray): number | undefined {
  const [
    ,
    yearText,
    monthText,
    dayText,
    hours,
    minutes,
    seconds,
    fraction,
    sign,
    offsetHours,
    offsetMinutes,
  ] = parts;
  const year = count(yearText);
  const month = count(monthText);
  const date = count(dayText);
  if (month < 1 || month > 12 || date < 1 || date > daysOf(year, month)) return undefined;
  const clock = [count(hours), count(minutes), count(seconds)] as const;
  if (clock[0] > 23 || clock[1] > 59 || clock[2] > 59) return undefined;
  if (count(offsetHours) > 23 || count(offsetMinutes) > 59) return undefined;
  const local =
    daysSince1970(year, month, date) * day +
    clock[0] * hour +
    clock[1] * minute +
    clock[2] * second +
    thousandths(fraction);
  const offset = count(offsetHours) * hour + count(offsetMinutes) * minute;
  return sign === "-" ? local + offset : local - offset;
}

function daysOf(year: number, month: number): number {
  if (month === 2) return isLeap(year) ? 29 : 28;
  return [4, 6, 9, 11].includes(month) ? 30 : 31;
}

function isLeap(year: number): boolean {
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
}

function daysSince1970(year: number, month: number, date: number): number {
  const before = year - 1;
  const leapDays = Math.floor(before / 4) - Math.floor(before / 100) + Math.floor(before / 400);
  // 719,162 days lie between the first day of year 1 and 1970.
  let days = before * 365 + leapDays - 719_162 + date - 1;
  for (let earlier = 1; earlier < month; earlier++) days += daysOf(year, earlier);
  return days;
}

/** The number that digits say; 0 where there are none. */
function count(digits: string | undefined): number {
  return digits === undefined ? 0 : Number(digits);
}

/** Milliseconds of the digits after the point. */
function thousandths(digits: string | undefined): number {
  return digits === undefined ? 0 : Number(digits.padEnd(3, "0"));
}

function refused(code: Code, text: string, expected: string): Outcome<number> {
  const message = `expected ${expected}, found ${typeof text === "string" ? quoted(text) : "no text"}`;
  return { ok: false, findings: [{ code, severity: "error", message, pointer: "" }] };
}
