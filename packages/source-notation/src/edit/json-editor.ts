/**
 * Changes of a JSON text by pointer: a key, a text, a member; every other byte stays. Only texts that the strict reader
 * reads are edited, so strings and brackets can be taken at their word. Spec: DOT-edit.
 */
import type { Json, JsonDocument, Outcome, Place, readJson } from "@swl/base";
import { readSettingsJson } from "../compile/settings.js";
import { jsonString } from "../print/json-text.js";
import { applyChanges, type TextChange } from "./text-change.js";

interface Span {
  readonly start: number;
  readonly end: number;
}

function skipBlank(text: string, from: number): number {
  let at = from;
  while (/[ \t\r\n]/.test(text.charAt(at))) at += 1;
  return at;
}

function stringSpan(text: string, start: number): Span {
  const token = /"(?:[^"\\]|\\.)*"/y;
  token.lastIndex = start;
  token.exec(text);
  return { start, end: token.lastIndex };
}

/** End of the value that begins at an offset. */
function valueEnd(text: string, start: number): number {
  if (!/[{[]/.test(text.charAt(start))) {
    const scalar = /"(?:[^"\\]|\\.)*"|[^,\]}\s]+/y;
    scalar.lastIndex = start;
    scalar.exec(text);
    return scalar.lastIndex;
  }
  const stop = /["{}[\]]/g;
  stop.lastIndex = start;
  let depth = 0;
  for (let found = stop.exec(text); found; found = stop.exec(text)) {
    if (found[0] === '"') stop.lastIndex = stringSpan(text, found.index).end;
    else depth += found[0] === "{" || found[0] === "[" ? 1 : -1;
    if (depth === 0) return stop.lastIndex;
  }
  return text.length;
}

export class JsonEditor {
  readonly value: Json;
  /** A byte order mark at the beginning, which no place counts. */
  readonly #mark: string;
  readonly #text: string;
  readonly #document: JsonDocument;
  readonly #changes: TextChange[] = [];
  readonly #lines: readonly number[];

  constructor(text: string, document: JsonDocument) {
    this.#mark = text.startsWith("\ufeff") ? "\ufeff" : "";
    this.#text = text.slice(this.#mark.length);
    this.#document = document;
    this.value = document.value;
    const lines = [0];
    for (const { index, 0: end } of this.#text.matchAll(/\r\n?|\n/g)) lines.push(index + end.length);
    this.#lines = lines;
  }

  /** Reads settings for editing: the findings when they are no JSON. */
  static read(source: string | Uint8Array, file: string): Outcome<JsonEditor> {
    const read: ReturnType<typeof readJson> = readSettingsJson(source, file);
    if (!read.ok) return read;
    const text =
      typeof source === "string" ? source : new TextDecoder("utf-8", { ignoreBOM: true }).decode(source);
    return { ok: true, value: new JsonEditor(text, read.value), findings: [] };
  }

  placeOf(pointer: string): Place | undefined {
    return this.#document.placeOf(pointer);
  }

  edited(): string {
    const inOrder = [...this.#changes].sort((a, b) => a.start - b.start);
    return this.#mark + applyChanges(this.#text, inOrder);
  }

  /** Writes another text: in place of a member's key, or of an element that is a text. */
  rewrite(pointer: string, text: string): void {
    this.#changes.push({ ...stringSpan(this.#text, this.#offset(pointer)), text: jsonString(text) });
  }

  /** Writes another text in place of a member's value that is one. */
  rewriteValue(pointer: string, text: string): void {
    this.#changes.push({ ...stringSpan(this.#text, this.#valueStart(pointer)), text: jsonString(text) });
  }

  /** Adds a member, written as `text`, before all others of an object. */
  insert(pointer: string, key: string, text: string): void {
    const open = (pointer === "" ? skipBlank(this.#text, 0) : this.#valueStart(pointer)) + 1;
    const first = skipBlank(this.#text, open);
    const member = `${jsonString(key)}: ${text}`;
    if (this.#text.charAt(first) === "}")
      this.#changes.push({ start: open, end: first, text: ` ${member} ` });
    else {
      const gap = this.#text.slice(open, first);
      this.#changes.push({ start: open, end: open, text: `${gap}${member},${gap === "" ? " " : ""}` });
    }
  }

  /** Takes a member out with one comma. */
  remove(pointer: string): void {
    const start = this.#offset(pointer);
    const end = valueEnd(this.#text, this.#valueStart(pointer));
    const after = skipBlank(this.#text, end);
    let before = start - 1;
    while (/[ \t\r\n]/.test(this.#text.charAt(before))) before -= 1;
    const cut =
      this.#text.charAt(after) === ","
        ? { start, end: skipBlank(this.#text, after + 1) }
        : this.#text.charAt(before) === ","
          ? { start: before, end }
          : { start: before + 1, end: after };
    this.#changes.push({ ...cut, text: "" });
  }

  /** Of a member its key, of an element its first character. */
  #offset(pointer: string): number {
    const { line, column } = this.#document.placeOf(pointer) ?? { line: 1, column: 1 };
    return (this.#lines[line - 1] ?? 0) + column - 1;
  }

  #valueStart(pointer: string): number {
    const key = stringSpan(this.#text, this.#offset(pointer));
    return skipBlank(this.#text, skipBlank(this.#text, key.end) + 1);
  }
}
