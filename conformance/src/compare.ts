/** Comparison of JSON values: equal as data, or the first place in which they differ, said in one line. */
import { isJsonObject, type Json, type JsonObject, pointerTo } from "@swl/base";

/** The first difference in document order of the expected value, or `undefined` when there is none. */
export function firstDifference(expected: Json, actual: Json, pointer = ""): string | undefined {
  if (Array.isArray(expected) && Array.isArray(actual)) {
    for (let index = 0; index < Math.max(expected.length, actual.length); index++) {
      const at = pointerTo(pointer, index);
      if (index >= expected.length) return `${at}: nothing expected, found ${brief(actual[index])}`;
      if (index >= actual.length) return `${at}: expected ${brief(expected[index])}, found nothing`;
      const difference = firstDifference(expected[index]!, actual[index]!, at);
      if (difference !== undefined) return difference;
    }
    return undefined;
  }
  if (isJsonObject(expected) && isJsonObject(actual)) return objectDifference(expected, actual, pointer);
  if (Object.is(expected, actual)) return undefined;
  return `${pointer === "" ? "the value" : pointer}: expected ${brief(expected)}, found ${brief(actual)}`;
}

function objectDifference(expected: JsonObject, actual: JsonObject, pointer: string): string | undefined {
  for (const key of Object.keys(expected)) {
    const at = pointerTo(pointer, key);
    if (!Object.hasOwn(actual, key)) return `${at}: expected ${brief(expected[key])}, found nothing`;
    const difference = firstDifference(expected[key]!, actual[key]!, at);
    if (difference !== undefined) return difference;
  }
  const extra = Object.keys(actual).find((key) => !Object.hasOwn(expected, key));
  if (extra === undefined) return undefined;
  return `${pointerTo(pointer, extra)}: nothing expected, found ${brief(actual[extra])}`;
}

function brief(value: Json | undefined): string {
  const text = JSON.stringify(value) ?? "nothing";
  return text.length > 120 ? `${text.slice(0, 119)}…` : text;
}
