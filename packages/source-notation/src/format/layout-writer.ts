/**
 * Writes the tokens of a file in a new layout and brings every comment along, in order: on a line of its own where it
 * had one, behind what it stood behind where not. What ends the line (`//`, `#`) goes on ending it. Spec: DOT-format.
 */
import { withoutEnd } from "../dot/token.js";
import type { DotComment, DotDocument, DotTokens } from "../dot/tree.js";

/** Where writing stood, to go back to. */
interface Mark {
  readonly length: number;
  readonly comment: number;
  readonly last: number;
  readonly broken: boolean;
}

const isLineComment = ({ text }: DotComment): boolean => !text.startsWith("/*");

/** The line end of a file: of the first line that does not end inside a name or a string. */
function lineEndOf({ source, tokens }: DotDocument): string {
  for (let index = 0, from = 0; index <= tokens.length; index++) {
    const to = index < tokens.length ? tokens.start(index) : source.length;
    const found = /\r\n?|\n/.exec(source.slice(from, to));
    if (found) return found[0] === "\r\n" ? "\r\n" : "\n";
    from = tokens.end(index);
  }
  return "\n";
}

export class LayoutWriter {
  /** Between the brackets of an attribute list: a comment that takes a line there spreads the list. */
  inside = false;
  readonly #source: string;
  readonly #tokens: DotTokens;
  readonly #comments: readonly DotComment[];
  readonly #lineEnd: string;
  /** What is written and stays, by line or more: one text that grows would be copied for every look at it. */
  readonly #done: string[] = [];
  /** What is written since the last token that began a line, with what stands before that. */
  #text = "";
  #started = false;
  #nextComment = 0;
  /** End in the source of what was written last. */
  #last = 0;
  /** The line cannot go on: it ends with a comment that would take what follows along. */
  #broken = false;
  #afterComment = false;
  #interrupted = false;
  /** Nothing but comments stands on the line. */
  #leading = false;
  #opened = true;

  constructor(document: DotDocument) {
    this.#source = document.source;
    this.#tokens = document.tokens;
    this.#comments = document.comments;
    this.#lineEnd = lineEndOf(document);
  }

  newLine(indent: string): string {
    return this.#lineEnd + indent;
  }

  /** A token that begins a line, with the comments before it. */
  line(index: number, indent: string): void {
    const start = this.#tokens.start(index);
    this.#done.push(this.#text);
    this.#text = "";
    this.comments(start, indent);
    const goesOn = this.#leading && !this.#broken;
    this.#write(goesOn ? " " : this.#freshLine(start, indent), index);
  }

  /** A token within a statement. `gap` is what stands before it, `indent` where it stands when the line cannot go on. */
  token(index: number, gap: string, indent: string, commentIndent = indent): void {
    this.#within(this.#tokens.start(index), commentIndent);
    const otherwise = this.#afterComment && gap === "" ? " " : gap;
    this.#write(this.#broken && !/^[\r\n]/.test(gap) ? this.newLine(indent) : otherwise, index);
  }

  /** The brace that ends the graph. */
  close(index: number): void {
    this.#write(this.#lineEnd, index);
    this.#opened = false;
  }

  /** A separator, right after the token before it. */
  append(separator: string): void {
    this.#text += separator;
  }

  /** Comments between statements, up to an offset. */
  comments(until: number, indent: string): void {
    for (let comment = this.#comment(until); comment; comment = this.#comment(until)) {
      const gap = this.#source.slice(this.#last, comment.start);
      const fresh = !this.#started || this.#broken || /[\r\n]/.test(gap);
      const at = comment.text.startsWith("#") ? "" : indent;
      if (fresh) this.#leading = true;
      this.#writeComment(fresh ? this.#freshLine(comment.start, at) : " ", comment);
      const next = Math.min(until, this.#comments[this.#nextComment]?.start ?? until);
      this.#broken = isLineComment(comment) || /[\r\n]/.test(this.#source.slice(comment.end, next));
    }
  }

  finish(): string {
    this.comments(this.#source.length, "");
    this.#done.push(this.#text, this.#lineEnd);
    return this.#done.join("");
  }

  mark(): Mark {
    this.#interrupted = false;
    return {
      length: this.#text.length,
      comment: this.#nextComment,
      last: this.#last,
      broken: this.#broken,
    };
  }

  reset({ length, comment, last, broken }: Mark): void {
    this.#text = this.#text.slice(0, length);
    this.#nextComment = comment;
    this.#last = last;
    this.#broken = broken;
    this.#afterComment = false;
    this.#interrupted = false;
    this.inside = false;
  }

  /** A comment took a line inside a list since the mark. */
  get isInterrupted(): boolean {
    return this.#interrupted;
  }

  /** Length of the longest line since the mark, or of the first one; the line of the mark counts whole. */
  width({ length }: Mark, firstOnly: boolean): number {
    const lines = this.#text.slice(this.#lineStart(length)).split(/\r\n?|\n/);
    return firstOnly ? (lines[0] ?? "").length : Math.max(...lines.map((line) => line.length));
  }

  #lineStart(offset: number): number {
    return Math.max(this.#text.lastIndexOf("\n", offset - 1), this.#text.lastIndexOf("\r", offset - 1)) + 1;
  }

  #comment(until: number): DotComment | undefined {
    const comment = this.#comments[this.#nextComment];
    return comment && comment.start < until ? comment : undefined;
  }

  /** Comments inside a statement: a line of their own stays one, a line end after them is layout. */
  #within(until: number, indent: string): void {
    for (let comment = this.#comment(until); comment; comment = this.#comment(until)) {
      const fresh = this.#broken || /[\r\n]/.test(this.#source.slice(this.#last, comment.start));
      const at = comment.text.startsWith("#") ? "" : indent;
      if (this.inside && (fresh || isLineComment(comment))) this.#interrupted = true;
      this.#writeComment(fresh ? this.newLine(at) : " ", comment);
      this.#broken = isLineComment(comment);
    }
  }

  #freshLine(start: number, indent: string): string {
    if (!this.#started) return indent;
    const gap = this.#source.slice(this.#last, start).replace(/\r\n?/g, "\n");
    const blank = !this.#opened && /\n[ \t]*\n/.test(gap);
    return (blank ? this.#lineEnd : "") + this.newLine(indent);
  }

  #writeComment(gap: string, comment: DotComment): void {
    const text = isLineComment(comment)
      ? withoutEnd(comment.text, " \t")
      : comment.text.replace(/\r\n?|\n/g, this.#lineEnd);
    this.#text += gap + text;
    this.#started = true;
    this.#last = comment.end;
    this.#nextComment += 1;
    this.#afterComment = true;
    this.#opened = false;
  }

  #write(gap: string, index: number): void {
    const end = this.#tokens.end(index);
    this.#text += gap + this.#source.slice(this.#tokens.start(index), end);
    this.#started = true;
    this.#last = end;
    this.#broken = false;
    this.#afterComment = false;
    this.#leading = false;
    this.#opened = this.#tokens.kind(index) === "{";
  }
}
