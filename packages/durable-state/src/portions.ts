/**
 * What a commit says of a long backlog, in portions that documents of the store can hold: one commit applies all that
 * waits, however much that is, and only its words are divided among records. Spec: DUR-accepted-order.
 */
import type { EventAnswer } from "./formats.js";

/** So many are never measured: each has a code, and few have a message, of at most 200 characters. */
const SMALL = 256;

/** In order, each of at most so many characters as JSON, or of one answer; none when there is none. */
export function portionsOf(answers: readonly EventAnswer[], most: number): EventAnswer[][] {
  if (answers.length === 0) return [];
  if (answers.length <= SMALL && most >= SMALL * 400) return [[...answers]];
  const portions: EventAnswer[][] = [];
  let size = Number.POSITIVE_INFINITY;
  for (const answer of answers) {
    const length = JSON.stringify(answer).length + 1;
    size += length;
    if (size <= most) portions.at(-1)!.push(answer);
    else {
      portions.push([answer]);
      size = length;
    }
  }
  return portions;
}
