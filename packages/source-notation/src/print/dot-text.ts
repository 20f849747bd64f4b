/**
 * Names and strings as DOT writes them: a name stands bare where it can, a value in quotes. What a string cannot carry
 * is told, not bent. Spec: DOT-strings, DOT-names, DOT-labels.
 */

const KEYWORD = /^(strict|(di|sub)?graph|node|edge)$/i;

/** A name of graph, node or attribute. */
export function nameText(name: string): string {
  return /^[A-Za-z_][A-Za-z0-9_]*$/.test(name) && !KEYWORD.test(name) ? name : stringText(name);
}

/** Text that is read as it is from `stringText`: no NUL, no CRLF, nothing that a backslash would take along. */
export function isStringText(text: string): boolean {
  return !/\0|\r\n/.test(text) && /^(?:[^\\]|\\[^"\r\n])*$/.test(text);
}

/** A string of DOT. In a quoted string only `"` is escaped; a backslash stands for itself. */
export function stringText(text: string): string {
  return `"${text.replaceAll('"', '\\"')}"`;
}

/** What steers a terminal or an editor instead of being seen, and what a line ending conversion would change. */
const UNSEEN =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is kept out of the graph
  /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]|\p{Surrogate}/u;

/** True for a label that the graph can carry; line feeds at its end would be dropped when it is read. */
export function isLabel(text: string): boolean {
  return !UNSEEN.test(text) && !text.endsWith("\n");
}

/** A label: backslashes and quotes are data, line feeds become `\n`. */
export function labelText(text: string): string {
  return stringText(text.replaceAll("\\", "\\\\").replaceAll("\n", "\\n"));
}
