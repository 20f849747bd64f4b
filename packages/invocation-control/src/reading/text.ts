/** Text that may enter a run's state: bounded, well-formed, and without the frames of a stack. */

/** UTF-16 code units of a message that is kept. */
export const maxMessage = 1_000;

const frame = /\r?\n\s+at [^\n]*/g;
const lone = /\p{Surrogate}/gu;

/** One message: stack frames taken out, cut at `maxMessage`, halves of surrogate pairs replaced by U+FFFD. */
export function keepable(text: string): string {
  // What lies far beyond the cut is not looked at: a message may be megabytes of a server's answer.
  const bare = text.slice(0, maxMessage * 20).replace(frame, "");
  const cut = bare.length > maxMessage ? `${bare.slice(0, maxMessage - 1)}…` : bare;
  return cut.replace(lone, "\ufffd");
}
