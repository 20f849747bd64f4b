/**
 * One layout for every file: `format` moves white space and separators, and nothing else. The spelling of every name,
 * string and number stays, so do order, comments, and one blank line where there were some. What it gives formats to
 * itself and means the same. Spec: DOT-format.
 */
import type { Outcome } from "@swl/base";
import { type ParseDotOptions, parseDot } from "../dot/parse.js";
import type { DotDocument, DotStatement } from "../dot/tree.js";
import { LayoutWriter } from "./layout-writer.js";

/** A statement that would be wider is spread over lines. */
export const FORMAT_WIDTH = 120;

const INDENT = "  ";
const DEEPER = "    ";
const JOINED = "      ";

/** What of a statement stands on lines of its own. */
interface Spread {
  readonly attributes: boolean;
  readonly chain: boolean;
}

class Formatter {
  readonly #document: DotDocument;
  readonly #writer: LayoutWriter;
  /** What comes next of an attribute; undefined outside of brackets. */
  #expected: "name" | "=" | "value" | undefined;

  constructor(document: DotDocument) {
    this.#document = document;
    this.#writer = new LayoutWriter(document);
  }

  format(): string {
    const { tokens, body, statements } = this.#document;
    const writer = this.#writer;
    for (let index = 0; index < body.first; index++) {
      if (index === 0) writer.line(index, "");
      else writer.token(index, this.#joint(index, " "), INDENT);
    }
    for (const statement of statements) this.#statement(statement);
    writer.comments(tokens.start(body.end), INDENT);
    writer.close(body.end);
    return writer.finish();
  }

  /** Tries the layouts from one line to many, and takes the first that fits. */
  #statement(statement: DotStatement): void {
    const writer = this.#writer;
    writer.line(statement.first, INDENT);
    const from = writer.mark();
    const layouts: readonly Spread[] = [
      { attributes: false, chain: false },
      { attributes: true, chain: false },
    ];
    for (const layout of layouts) {
      this.#rest(statement, layout);
      const fits = layout.attributes || !writer.isInterrupted;
      if (fits && writer.width(from, layout.attributes) <= FORMAT_WIDTH) return;
      writer.reset(from);
    }
    this.#rest(statement, { attributes: true, chain: statement.type === "edge" });
  }

  /** What follows the first token of a statement. */
  #rest({ first, end }: DotStatement, spread: Spread): void {
    const writer = this.#writer;
    this.#expected = undefined;
    for (let index = first + 1; index < end; index++) {
      const kind = this.#document.tokens.kind(index);
      if (kind === "," || kind === ";") continue;
      if (this.#expected !== undefined) this.#inList(index, spread.attributes);
      else if (kind === "[") {
        writer.token(index, " ", DEEPER);
        writer.inside = true;
        this.#expected = "name";
      } else if (kind === "->") writer.token(index, spread.chain ? writer.newLine(DEEPER) : " ", DEEPER);
      else writer.token(index, this.#joint(index, " "), DEEPER);
    }
    writer.append(";");
  }

  #inList(index: number, spread: boolean): void {
    const { tokens } = this.#document;
    const writer = this.#writer;
    const kind = tokens.kind(index);
    const opens = tokens.kind(index - 1) === "[";
    if (kind === "]") {
      writer.token(index, spread && !opens ? writer.newLine(INDENT) : "", INDENT, DEEPER);
      writer.inside = false;
      this.#expected = undefined;
    } else if (kind === "+" || tokens.kind(index - 1) === "+") {
      writer.token(index, this.#joint(index, " "), DEEPER);
    } else if (kind === "=" || this.#expected === "value") {
      writer.token(index, "", DEEPER);
      this.#expected = kind === "=" ? "value" : "name";
    } else {
      if (!opens) writer.append(",");
      writer.token(index, spread ? writer.newLine(DEEPER) : opens ? "" : " ", DEEPER);
      this.#expected = "=";
    }
  }

  /** Strings that are joined stay on the lines on which they stand. */
  #joint(index: number, otherwise: string): string {
    const { tokens, source } = this.#document;
    if (tokens.kind(index - 1) !== "+") return tokens.kind(index) === "+" ? " " : otherwise;
    const gap = source.slice(tokens.end(index - 2), tokens.start(index));
    return /[\r\n]/.test(gap) ? this.#writer.newLine(JOINED) : " ";
  }
}

/**
 * The text in the layout of the house, or every reason why the text is no SWL-DOT: what `parseDot` says. Whether the
 * graph means something is not asked. Line ends are those of the first line, a byte order mark is dropped.
 */
export function format(text: string | Uint8Array, options: ParseDotOptions): Outcome<string> {
  const parsed = parseDot(text, options);
  if (!parsed.ok) return parsed;
  return { ok: true, value: new Formatter(parsed.value).format(), findings: [] };
}
