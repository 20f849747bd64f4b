/**
 * Where things stand in a source and how they are written: statements, lists of attributes, lines. Everything that an
 * edit writes takes its spelling, indentation and line ends from what is there. Spec: DOT-edit.
 */
import type { DotAttribute, DotDocument, DotEdge, DotStatement, DotToken } from "../dot/tree.js";
import { nameText, stringText } from "../print/dot-text.js";
import type { EditAttributes } from "./operation.js";
import { Changes, firstFrom } from "./text-change.js";

/** A name, as the one that it replaces is written. */
export function nameLike(token: DotToken, name: string): string {
  return token.form === "quoted" ? stringText(name) : nameText(name);
}

/** A value, bare where the one that it replaces is bare and it can be. */
export function valueLike({ form }: DotToken, value: string): string {
  if (form === "numeral" && /^-?(\.\d+|\d+(\.\d*)?)$/.test(value)) return value;
  return form === "bare" ? nameText(value) : stringText(value);
}

export function attributeText(attributes: EditAttributes): string {
  const written = Object.entries(attributes).map(([name, value]) => `${nameText(name)}=${stringText(value)}`);
  return written.length === 0 ? "" : ` [${written.join(", ")}]`;
}

export class Written {
  readonly document: DotDocument;
  readonly changes: Changes;

  constructor(document: DotDocument) {
    this.document = document;
    this.changes = new Changes(document);
  }

  /** A name or value as it is written, on one line and without the comments in it. */
  spelling({ start, end }: DotToken): string {
    const { tokens, source } = this.document;
    const pieces: string[] = [];
    for (let index = tokens.at(start); index < tokens.length && tokens.start(index) < end; index++) {
      pieces.push(source.slice(tokens.start(index), tokens.end(index)));
    }
    return pieces.join(" ");
  }

  /** The attributes as a list to be written once more. */
  list(attributes: readonly DotAttribute[]): string {
    const written = attributes.map(({ name, value }) => `${this.spelling(name)}=${this.spelling(value)}`);
    return written.length === 0 ? "" : ` [${written.join(", ")}]`;
  }

  replace({ start, end }: DotToken, text: string): void {
    this.changes.replace(start, end, text);
  }

  /** Takes a statement out with its `;`, and with its line when nothing else stands there. */
  removeStatement({ first, end }: DotStatement): void {
    const { tokens, source } = this.document;
    const start = tokens.start(first);
    const stop = tokens.kind(end) === ";" ? tokens.end(end) : tokens.end(end - 1);
    const line = this.lineStart(start);
    const rest = /[ \t]*(\r\n?|\n|$)?/y;
    rest.lastIndex = stop;
    const after = rest.exec(source);
    const alone = after?.[1] !== undefined && /^[ \t]*$/.test(source.slice(line, start));
    if (alone && !this.changes.hasComment(start, stop)) this.changes.cut(line, rest.lastIndex);
    else if (after?.[1] === undefined) this.changes.cut(start, rest.lastIndex);
    else this.changes.cut(alone ? start : line + source.slice(line, start).trimEnd().length, stop);
  }

  /** Writes a statement after another one: on a line of its own, unless that one shares its line with what is before. */
  addStatement(after: DotStatement | undefined, text: string): void {
    const { tokens, source, body } = this.document;
    if (after === undefined) {
      const open = tokens.end(body.first - 1);
      const onOneLine = !/[\r\n]/.test(source.slice(open, tokens.start(body.end)));
      if (onOneLine) this.changes.insert(open, ` ${text} `);
      else this.changes.insert(this.#lineEndAfter(open) ?? open, `${this.lineEnd()}  ${text}`);
      return;
    }
    const separated = tokens.kind(after.end) === ";";
    const stop = separated ? tokens.end(after.end) : tokens.end(after.end - 1);
    const start = tokens.start(after.first);
    const indent = source.slice(this.lineStart(start), start);
    const alone = /^[ \t]*$/.test(indent);
    if (alone) this.changes.insert(this.#lineEndAfter(stop) ?? stop, this.lineEnd() + indent + text);
    else this.changes.insert(stop, `${separated ? "" : ";"} ${text}`);
  }

  /** Where the line ends, when nothing but comments that end on it follow the offset. */
  #lineEndAfter(offset: number): number | undefined {
    const { source, comments } = this.document;
    let at = offset;
    for (;;) {
      while (source[at] === " " || source[at] === "\t") at += 1;
      if (at >= source.length || source[at] === "\r" || source[at] === "\n") return at;
      const comment = comments[firstFrom(comments, at)];
      if (comment?.start !== at || /[\r\n]/.test(comment.text)) return undefined;
      at = comment.end;
    }
  }

  lineStart(offset: number): number {
    return offset + 1 - this.document.placeAt(offset).column;
  }

  lineEnd(): string {
    const found = /\r\n?|\n/.exec(this.document.source)?.[0];
    return found === "\r\n" ? "\r\n" : "\n";
  }

  /** Writes an attribute at the end of a statement's last list, or in a list of its own. */
  addAttribute(statement: Exclude<DotStatement, { type: "assignment" }>, text: string): void {
    const { tokens, source } = this.document;
    const last = statement.attributes.at(-1);
    if (last === undefined) {
      const closing = statement.end - 1;
      if (tokens.kind(closing) === "]") this.changes.insert(tokens.start(closing), text);
      else this.changes.insert(tokens.end(closing), ` [${text}]`);
      return;
    }
    const indent = source.slice(this.lineStart(last.name.start), last.name.start);
    const onItsLine = /^[ \t]*$/.test(indent);
    this.changes.insert(last.value.end, onItsLine ? `,${this.lineEnd()}${indent}${text}` : `, ${text}`);
  }

  /** Takes an attribute out with one separator, and with its list when that is then empty. */
  removeAttribute({ name, value }: DotAttribute): void {
    const { tokens, source } = this.document;
    const first = tokens.at(name.start);
    const next = tokens.at(value.end);
    const separated = tokens.kind(next) === "," || tokens.kind(next) === ";";
    const after = separated ? next + 1 : next;
    if (tokens.kind(first - 1) === "[" && tokens.kind(after) === "]") {
      const whole = [tokens.start(first - 1), tokens.end(after)] as const;
      if (this.changes.hasComment(...whole)) this.changes.cut(name.start, tokens.end(after - 1));
      else this.changes.cut(this.#blankBefore(whole[0]), whole[1]);
      return;
    }
    const stop = tokens.end(after - 1);
    const before = tokens.kind(first - 1);
    const last = !separated && (before === "," || before === ";") ? tokens.start(first - 1) : undefined;
    const line = this.lineStart(name.start);
    const rest = /^[ \t]*(\r\n?|\n)?/.exec(source.slice(stop)) as RegExpExecArray;
    const alone = rest[1] !== undefined && /^[ \t]*$/.test(source.slice(line, name.start));
    if (last !== undefined && !this.changes.hasComment(last, name.start)) this.changes.cut(last, stop);
    else if (alone && !this.changes.hasComment(name.start, stop))
      this.changes.cut(line, stop + rest[0].length);
    else if (separated && rest[1] === undefined) this.changes.cut(name.start, stop + rest[0].length);
    else this.changes.cut(this.#blankBefore(name.start), stop);
  }

  /** Where the white space before an offset begins. */
  #blankBefore(offset: number): number {
    const { source, comments } = this.document;
    let at = offset;
    while (at > 0 && /[ \t\r\n]/.test(source.charAt(at - 1))) at -= 1;
    // White space at the end of a line comment is the comment's, and so is the line end after it.
    const before = comments[firstFrom(comments, offset) - 1];
    const ended = before !== undefined && before.end >= at && !before.text.startsWith("/*");
    return ended ? this.lineStart(offset) : at;
  }

  /** Makes a route of a chain a statement of its own up to its target; `list` is what it is written with. */
  splitAfter({ ids }: DotEdge, segment: number, list: string): void {
    const target = ids[segment + 1] as DotToken;
    this.changes.insert(target.end, `${list}; ${this.spelling(target)}`);
  }
}
