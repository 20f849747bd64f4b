/**
 * An instant for people: `2030-01-31T08:00:00.000Z`. Arithmetic only, because nothing here may know a clock.
 */
const day = 86_400_000;
/** What four digits of a year can say. */
const last = 253_402_300_799_999;

/** Milliseconds since the epoch as a text; an instant that a date cannot say stays a number. */
export function instantText(ms: number): string {
  if (!Number.isInteger(ms) || ms < 0 || ms > last) return `${ms} ms after 1970`;
  const days = Math.floor(ms / day);
  const time = ms - days * day;
  const clock = [
    Math.floor(time / 3_600_000),
    Math.floor(time / 60_000) % 60,
    Math.floor(time / 1_000) % 60,
  ].map((part) => digits(part, 2));
  return `${dateText(days)}T${clock.join(":")}.${digits(time % 1_000, 3)}Z`;
}

/** Counted in eras of 400 years that begin in March, so that a leap day is the last day of its year. */
function dateText(days: number): string {
  const shifted = days + 719_468;
  const era = Math.floor(shifted / 146_097);
  const ofEra = shifted - era * 146_097;
  const years = ofEra - Math.floor(ofEra / 1_460) + Math.floor(ofEra / 36_524) - Math.floor(ofEra / 146_096);
  const yearOfEra = Math.floor(years / 365);
  const leaps = Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100);
  const ofYear = ofEra - (365 * yearOfEra + leaps);
  const march = Math.floor((5 * ofYear + 2) / 153);
  const date = ofYear - Math.floor((153 * march + 2) / 5) + 1;
  const month = march < 10 ? march + 3 : march - 9;
  const year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0);
  return `${digits(year, 4)}-${digits(month, 2)}-${digits(date, 2)}`;
}

function digits(value: number, count: number): string {
  return String(value).padStart(count, "0");
}
