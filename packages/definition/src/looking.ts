/**
 * The border for values that a caller says are JSON, or a definition, and that nobody has checked: a getter, a proxy or
 * another shape may throw anything when it is looked at, and the caller gets one error with a code all the same.
 */
import { type Code, isSwlError, SwlError } from "@swl/base";

/** Runs work that looks at such a value; what it throws without a code becomes the cause of an error with this one. */
export function looking<T>(code: Code, message: string, work: () => T): T {
  try {
    return work();
  } catch (thrown) {
    if (isSwlError(thrown)) throw thrown;
    throw new SwlError(code, message, { cause: thrown });
  }
}

/** The same for what only `validate` makes. Throws `definition.invalid`. */
export function lookingAtDefinition<T>(work: () => T): T {
  return looking("definition.invalid", "this is no definition as `validate` returns it", work);
}
