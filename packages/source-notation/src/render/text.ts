/**
 * Text of a workflow on its way into a picture. Everything an author or a run may have written passes `escapeXml`:
 * after it there is no character left that begins or ends markup, so nothing of it can become live in an SVG.
 */

/** Characters that XML cannot hold, halves of surrogate pairs among them. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is replaced
const NOT_XML = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Surrogate}/gu;

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** The text with U+FFFD for what no document can hold. */
export function printable(text: string): string {
  return text.replace(NOT_XML, "\ufffd");
}

/** As text or in an attribute of XML. */
export function escapeXml(text: string): string {
  return printable(text).replace(/[&<>"']/g, (character) => ENTITIES[character] ?? "");
}

/** In an HTML-like label, where Graphviz also replaces `\N` and the like, and a doubled backslash by one. */
export function escapeMarkup(text: string): string {
  return escapeXml(text).replaceAll("\\", "\\\\");
}

/** East Asian characters and emoji: as wide as two others. */
const WIDE =
  /^[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe4f\uff00-\uff60\uffe0-\uffe6\u{1b000}-\u{1b2ff}\u{20000}-\u{3fffd}\p{Emoji_Presentation}]/u;

const characters = new Intl.Segmenter("en", { granularity: "grapheme" });

/** Characters as people count them: with their marks, joined emoji in one. */
function charactersOf(text: string): readonly string[] {
  return [...characters.segment(text)].map(({ segment }) => segment);
}

/** How wide a text is, in columns. */
export function columnsOf(text: string): number {
  return charactersOf(text).reduce((sum, character) => sum + (WIDE.test(character) ? 2 : 1), 0);
}

/** A word in pieces of at most so many columns. */
function pieces(word: string, columns: number): readonly string[] {
  if (word.length * 2 <= columns || columnsOf(word) <= columns) return [word];
  const parts: string[] = [];
  let part = "";
  let width = 0;
  for (const character of charactersOf(word)) {
    const wide = WIDE.test(character) ? 2 : 1;
    if (width + wide > columns) {
      parts.push(part);
      part = "";
      width = 0;
    }
    part += character;
    width += wide;
  }
  return [...parts, part];
}

const MAX_LABEL = 200;
const MAX_LINES = 8;

function shorten(label: string): string {
  if (label.length <= MAX_LABEL) return label;
  const last = label.charCodeAt(MAX_LABEL - 2);
  const length = last >= 0xd800 && last <= 0xdbff ? MAX_LABEL - 2 : MAX_LABEL - 1;
  return `${label.slice(0, length)}…`;
}

/**
 * Lines of at most `columns`, broken at spaces, and within a word that alone is longer. A label that is far too long
 * is cut: there is always a first line, and never more than a few.
 */
export function wrap(label: string, columns: number): readonly string[] {
  const lines: string[] = [];
  for (const paragraph of shorten(label).split(/\r\n|[\r\n\u2028\u2029]/)) {
    let line = "";
    for (const word of paragraph.split(/[ \t]+/).flatMap((part) => pieces(part, columns))) {
      if (line !== "" && columnsOf(line) + columnsOf(word) + 1 > columns) {
        lines.push(line);
        line = word;
      } else line = line === "" ? word : `${line} ${word}`;
    }
    lines.push(line);
  }
  return lines.length > MAX_LINES ? [...lines.slice(0, MAX_LINES - 1), "…"] : lines;
}

/** A text as a DOT string for Graphviz. */
export function dotString(text: string): string {
  return `"${text.replaceAll("\\", "\\\\").replaceAll('"', '\\"')}"`;
}
