/**
 * What a JSON number token means in a declared numeric domain. A value that the domain cannot hold exactly as it was
 * written is refused instead of rounded: an integer is never silently another integer. Spec: DEF-json-numbers.
 */

/** `binary64`: IEEE doubles. `int53`: integer tokens within ±(2^53 − 1) only. */
export type NumberDomain = "binary64" | "int53";

/** The number, or why the token is outside the domain. `-0` becomes `0`. */
export function readNumber(token: string, domain: NumberDomain): number | string {
  const value = Number(token);
  if (!Number.isFinite(value)) return `${shorten(token)} is larger than any binary64 number`;
  const integer = !/[.eE]/.test(token);
  if (domain === "int53") {
    if (!integer) return `${shorten(token)} is not written as an integer, and the declared numbers are int53`;
    if (!Number.isSafeInteger(value)) return `${shorten(token)} is outside ±(2^53 − 1), the int53 range`;
  } else if (integer && !Number.isSafeInteger(value) && token !== decimal(value)) {
    return `${shorten(token)} is not exactly representable; the nearest binary64 number is ${decimal(value)}`;
  }
  return value === 0 ? 0 : value;
}

/** The shortest decimal of an integral double, written without an exponent. */
function decimal(value: number): string {
  const [mantissa = "", exponent] = String(value).split("e+");
  if (exponent === undefined) return mantissa;
  const [whole = "", fraction = ""] = mantissa.split(".");
  return whole + fraction.padEnd(Number(exponent), "0");
}

function shorten(token: string): string {
  return token.length <= 40 ? token : `${token.slice(0, 20)}… (${token.length} characters)`;
}
