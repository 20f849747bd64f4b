/**
 * Text of a workflow on its way into a picture. Everything an author or a run may have written passes `escapeMarkup`:
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
  // Graphviz replaces `\N` and the like in labels, and a doubled backslash by one.
  "\\": "\\\\",
};

export function escapeMarkup(text: string): string {
  return text.replace(NOT_XML, "\ufffd").replace(/[&<>"'\\]/g, (character) => ENTITIES[character] ?? "");
}

const MAX_LABEL = 200;
const LINE = 26;

/** Lines of at most about `LINE` characters, broken at spaces; a label that is far too long is cut. */
export function wrap(label: string): readonly string[] {
  const last = label.charCodeAt(MAX_LABEL - 2);
  const length = last >= 0xd800 && last <= 0xdbff ? MAX_LABEL - 2 : MAX_LABEL - 1;
  const short = label.length > MAX_LABEL ? `${label.slice(0, length)}…` : label;
  const lines: string[] = [];
  for (const paragraph of short.split(/\r\n|\r|\n/)) {
    let line = "";
    for (const word of paragraph.split(/[ \t]+/)) {
      if (line !== "" && line.length + word.length + 1 > LINE) {
        lines.push(line);
        line = word;
      } else line = line === "" ? word : `${line} ${word}`;
    }
    lines.push(line);
  }
  return lines;
}

/** A text as a DOT string for Graphviz. */
export function dotString(text: string): string {
  return `"${text.replaceAll("\\", "\\\\").replaceAll('"', '\\"')}"`;
}
