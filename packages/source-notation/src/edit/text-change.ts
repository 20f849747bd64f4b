/**
 * Changes of a text as disjoint spans: what no span covers stays, byte for byte. A span that is cut leaves the comments
 * in it where they are, with the line ends that they need. Spec: DOT-edit.
 */
import type { DotComment, DotDocument } from "../dot/tree.js";

/** Offsets count UTF-16 code units of `DotDocument.source`. */
export interface TextChange {
  readonly start: number;
  readonly end: number;
  /** What stands there instead. */
  readonly text: string;
}

/** The text with the changes made. They are disjoint and in order. */
export function applyChanges(text: string, changes: readonly TextChange[]): string {
  const pieces: string[] = [];
  let last = 0;
  for (const { start, end, text: piece } of changes) {
    pieces.push(text.slice(last, start), piece);
    last = end;
  }
  pieces.push(text.slice(last));
  return pieces.join("");
}

const isWordCharacter = (character: string): boolean => /[\w.\u0080-\uffff]/.test(character);

/** Index of the first comment that begins at an offset or after it. */
export function firstFrom(comments: readonly DotComment[], offset: number): number {
  let first = 0;
  for (let high = comments.length; first < high; ) {
    const middle = (first + high) >> 1;
    if ((comments[middle]?.start ?? offset) < offset) first = middle + 1;
    else high = middle;
  }
  return first;
}

export class Changes {
  readonly #document: DotDocument;
  readonly #changes: TextChange[] = [];

  constructor(document: DotDocument) {
    this.#document = document;
  }

  insert(offset: number, text: string): void {
    this.#changes.push({ start: offset, end: offset, text });
  }

  /** Replaces a span but for the comments in it: the text stands before the first of them. */
  replace(start: number, end: number, text: string): void {
    let from = start;
    let rest = text;
    for (const [first, last] of this.#kept(start, end)) {
      if (first > from || rest !== "")
        this.#changes.push({ start: from, end: Math.max(first, from), text: rest });
      rest = "";
      from = Math.max(from, last);
    }
    if (from < end || rest !== "") this.#changes.push({ start: from, end: Math.max(from, end), text: rest });
  }

  /** Takes a span out; names that would then touch are kept apart. */
  cut(start: number, end: number): void {
    const { source } = this.#document;
    const touch =
      start > 0 && isWordCharacter(source.charAt(start - 1)) && isWordCharacter(source.charAt(end));
    this.replace(start, end, touch ? " " : "");
  }

  hasComment(start: number, end: number): boolean {
    return this.#comments(start, end).length > 0;
  }

  /** Those that begin in a span: no token reaches into a comment. */
  #comments(start: number, end: number): readonly DotComment[] {
    const { comments } = this.#document;
    const first = firstFrom(comments, start);
    let last = first;
    while ((comments[last]?.start ?? end) < end) last += 1;
    return comments.slice(first, last);
  }

  /** Disjoint and in order; cuts that overlap are one. */
  inOrder(): readonly TextChange[] {
    const sorted = [...this.#changes].sort((a, b) => a.start - b.start || a.end - b.end);
    const merged: TextChange[] = [];
    for (const change of sorted) {
      const last = merged.at(-1);
      if (last && change.start < last.end) {
        merged[merged.length - 1] = {
          start: last.start,
          end: Math.max(last.end, change.end),
          text: last.text + change.text,
        };
      } else merged.push(change);
    }
    return merged;
  }

  /** Comments in a span with the line ends that they begin or end with. */
  #kept(start: number, end: number): readonly (readonly [number, number])[] {
    return this.#comments(start, end).map((comment) => [this.#first(comment), this.#last(comment)] as const);
  }

  /** `#` begins a comment in the first column only. */
  #first({ text, start }: DotComment): number {
    const { source } = this.#document;
    if (!text.startsWith("#") || start === 0) return start;
    return source.startsWith("\r\n", start - 2) ? start - 2 : start - 1;
  }

  #last({ text, end }: DotComment): number {
    if (text.startsWith("/*")) return end;
    const lineEnd = /^(\r\n?|\n)/.exec(this.#document.source.slice(end, end + 2))?.[0] ?? "";
    return end + lineEnd.length;
  }
}
