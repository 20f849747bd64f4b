/**
 * Text of strangers on a terminal: what would move the cursor, turn the direction of reading or forge a line is shown
 * as its escape. JSON escapes the same characters the same way, so a printed document stays the same document.
 */

/** Control characters, those that change the direction of reading, line separators, halves of surrogate pairs. */
const unsafe = /[\p{Cc}\p{Bidi_Control}\p{Zl}\p{Zp}\p{Surrogate}]/gu;
const named: ReadonlyMap<string, string> = new Map([
  ["\n", "\\n"],
  ["\r", "\\r"],
  ["\t", "\\t"],
]);

const escaped = (character: string): string =>
  named.get(character) ?? `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;

/** A value from outside as part of one line. */
export function oneLine(text: string): string {
  return text.replace(unsafe, escaped);
}

const start = String.fromCharCode(27);
/** The colors of `Paint`, which can do no harm whoever wrote them. */
const colors = new RegExp(`(${start}\\[(?:1|2|22|31|32|33|39)m)`);

/** The last look at lines that are about to be printed: keeps line ends, tabs and, where there are any, colors. */
export function printable(text: string, color: boolean): string {
  const parts = color ? text.split(colors) : [text];
  return parts.map((part, index) => (index % 2 === 1 ? part : part.replace(unsafe, keepsLines))).join("");
}

const keepsLines = (character: string): string =>
  character === "\n" || character === "\t" ? character : escaped(character);

/** SVG and other XML: the same characters as references, which mean the same to every reader. */
export function printableXml(text: string): string {
  return text.replace(unsafe, (character) => {
    const code = character.charCodeAt(0);
    if (character === "\n" || character === "\t") return character;
    return (code < 0x20 && character !== "\r") || (code >= 0xd800 && code <= 0xdfff)
      ? "\ufffd"
      : `&#x${code.toString(16)};`;
  });
}

/**
 * A word that a POSIX shell reads back as one, without doing anything that stands in it. On Windows a path is one for both
 * of its shells, also with spaces; whatever else needs quotes gets those of PowerShell and POSIX.
 */
export function shellWord(text: string, windows = process.platform === "win32"): string {
  if (/^[A-Za-z0-9_./:=@%+,-]+$/.test(text)) return text;
  if (windows && /^[A-Za-z0-9_./:=@+,\\-]+$/.test(text)) return text;
  if (windows && /^[A-Za-z0-9_./:=@+,\\ ()-]+$/.test(text)) return `"${text}"`;
  if (oneLine(text) === text) return `'${text.replaceAll("'", `'\\''`)}'`;
  return `$'${oneLine(text.replace(/[\\']/g, (character) => `\\${character}`))}'`;
}
