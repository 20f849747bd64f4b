/** Option values that are more than text: read strictly, refused as a usage error with what was expected. */
import { InvalidArgumentError } from "commander";

/** A whole number of at least `least`. */
export function whole(least: number, most = Number.MAX_SAFE_INTEGER): (text: string) => number {
  return (text) => {
    const value = /^[0-9]{1,16}$/.test(text) ? Number(text) : Number.NaN;
    if (!(value >= least && value <= most)) {
      const upTo = most === Number.MAX_SAFE_INTEGER ? `${least} or more` : `${least} to ${most}`;
      throw new InvalidArgumentError(`a whole number is expected, ${upTo}.`);
    }
    return value;
  };
}

/** `action=N`, repeatable: how many attempts of an action may be under way at once. */
export function actionLimit(
  text: string,
  before: { readonly [action: string]: number } = {},
): { readonly [action: string]: number } {
  const match = /^([A-Za-z_][A-Za-z0-9_-]{0,63})=([1-9][0-9]{0,8})$/.exec(text);
  if (match === null) throw new InvalidArgumentError("ACTION=N is expected, with N of 1 or more.");
  return Object.fromEntries([...Object.entries(before), [match[1]!, Number(match[2])]]);
}

/** What is wrong with the name of a file is said by whoever reads it. */
export function files(text: string, before: readonly string[] = []): readonly string[] {
  return [...before, text];
}

/** A repeatable option's values, in order. */
export function several(text: string, before: readonly string[] = []): readonly string[] {
  if (text.trim() === "") throw new InvalidArgumentError("a name is expected.");
  return [...before, text];
}
