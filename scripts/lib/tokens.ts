/**
 * A tokenizer for TypeScript that is good for one thing: telling code from comments, strings, templates and regular
 * expressions, so that a rule about names or imports is not fooled by prose. TypeScript 7 has no compiler API to ask.
 * Whether a `/` divides or opens a regular expression is decided from the token before it.
 */

export type TokenKind = "word" | "number" | "string" | "template" | "regex" | "punctuation";

export interface Token {
  readonly kind: TokenKind;
  /** A string's value without quotes (escapes left as they are); the raw text of everything else. */
  readonly text: string;
  /** From 1. */
  readonly line: number;
}

/** After these a `/` opens a regular expression although they are words. */
const operators: ReadonlySet<string> = new Set(
  "return typeof instanceof in of new delete void throw case do else yield await extends default".split(" "),
);

const word = /[\p{ID_Start}$_#@][\p{ID_Continue}$\u200c\u200d]*/uy;
const number = /(?:0[xXoObB][\da-fA-F_]+|\d[\d_]*\.?[\d_]*(?:[eE][+-]?\d+)?|\.\d[\d_]*(?:[eE][+-]?\d+)?)n?/y;

class Reader {
  readonly tokens: Token[] = [];
  private readonly source: string;
  private at = 0;
  private line = 1;
  /** Depth of `{` at which each open `${` will be closed. */
  private readonly holes: number[] = [];
  private braces = 0;

  constructor(source: string) {
    this.source = source;
  }

  read(): readonly Token[] {
    while (this.at < this.source.length) this.next();
    return this.tokens;
  }

  private next(): void {
    const char = this.source[this.at]!;
    const starts = (mark: string) => this.source.startsWith(mark, this.at);
    if (/\s/.test(char)) this.skip(1);
    else if (starts("//") || (this.at === 0 && starts("#!"))) this.skipTo("\n", 0);
    else if (starts("/*")) this.skipTo("*/", 2);
    else if (char === '"' || char === "'") this.quoted(char);
    else if (char === "`") this.template(this.at + 1);
    else if (char === "/" && this.opensRegex()) this.regex();
    else if (!this.match(number, "number") && !this.match(word, "word")) this.punctuation(char);
  }

  private match(pattern: RegExp, kind: TokenKind): boolean {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.source);
    if (found === null) return false;
    this.push(kind, found[0]);
    this.skip(found[0].length);
    return true;
  }

  private punctuation(char: string): void {
    if (char === "}" && this.holes.at(-1) === this.braces) {
      this.holes.pop();
      this.template(this.at + 1);
      return;
    }
    if (char === "{") this.braces += 1;
    if (char === "}") this.braces -= 1;
    this.push("punctuation", char);
    this.skip(1);
  }

  private quoted(quote: string): void {
    let end = this.at + 1;
    while (end < this.source.length && this.source[end] !== quote && this.source[end] !== "\n") {
      end += this.source[end] === "\\" ? 2 : 1;
    }
    this.push("string", this.source.slice(this.at + 1, end));
    this.skip(end + 1 - this.at);
  }

  /** From just after a backtick or the `}` of a hole, to the next hole or the closing backtick. */
  private template(from: number): void {
    let end = from;
    while (end < this.source.length && this.source[end] !== "`" && !this.source.startsWith("${", end)) {
      end += this.source[end] === "\\" ? 2 : 1;
    }
    this.push("template", this.source.slice(from, end));
    const hole = this.source[end] === "$";
    if (hole) this.holes.push(this.braces);
    this.skip(end + (hole ? 2 : 1) - this.at);
  }

  private opensRegex(): boolean {
    const before = this.tokens.at(-1);
    if (before === undefined) return true;
    if (before.kind === "word") return operators.has(before.text);
    if (before.kind === "punctuation") return !/[)\]}]/.test(before.text);
    return false;
  }

  private regex(): void {
    let end = this.at + 1;
    let inClass = false;
    while (end < this.source.length && this.source[end] !== "\n") {
      const char = this.source[end]!;
      if (char === "\\") end += 1;
      else if (char === "[") inClass = true;
      else if (char === "]") inClass = false;
      else if (char === "/" && !inClass) break;
      end += 1;
    }
    const flags = /[a-z]*/y;
    flags.lastIndex = end + 1;
    const length = end + 1 + (flags.exec(this.source)?.[0].length ?? 0) - this.at;
    this.push("regex", this.source.slice(this.at, this.at + length));
    this.skip(length);
  }

  private push(kind: TokenKind, text: string): void {
    this.tokens.push({ kind, text, line: this.line });
  }

  private skipTo(mark: string, extra: number): void {
    const found = this.source.indexOf(mark, this.at + extra);
    this.skip((found < 0 ? this.source.length : found + extra) - this.at);
  }

  private skip(length: number): void {
    const end = Math.min(this.at + length, this.source.length);
    for (let at = this.at; at < end; at += 1) if (this.source[at] === "\n") this.line += 1;
    this.at = end;
  }
}

/** The tokens of a TypeScript or JavaScript source, without comments. Never fails: odd input gives odd tokens. */
export function tokenize(source: string): readonly Token[] {
  return new Reader(source).read();
}

export interface Import {
  readonly specifier: string;
  readonly line: number;
  /** `import type …` or `export type … from`: gone after compilation. */
  readonly typeOnly: boolean;
}

/** Every module that a source names: static, re-exported, dynamic, `require`d, or in an `import("…")` type. */
export function importsOf(tokens: readonly Token[]): readonly Import[] {
  const found: Import[] = [];
  for (let at = 0; at < tokens.length; at += 1) {
    const token = tokens[at]!;
    if (token.kind !== "word" || tokens[at - 1]?.text === ".") continue;
    if (token.text === "import" || token.text === "export" || token.text === "require") {
      const specifier = specifierAfter(tokens, at);
      if (specifier === undefined) continue;
      const typeOnly = tokens[at + 1]?.text === "type" && tokens[at + 2]?.text !== "from";
      found.push({ specifier: specifier.text, line: specifier.line, typeOnly });
    }
  }
  return found;
}

function specifierAfter(tokens: readonly Token[], at: number): Token | undefined {
  const next = tokens[at + 1];
  const isText = (token: Token | undefined) => token?.kind === "string" || token?.kind === "template";
  if (next === undefined) return undefined;
  const keyword = tokens[at]!.text;
  if (next.text === "(" && keyword !== "export") return isText(tokens[at + 2]) ? tokens[at + 2] : undefined;
  if (keyword === "require") return undefined;
  if (keyword === "import" && next.kind === "string") return next;
  if (keyword === "import" && next.text === ".") return resolvedBy(tokens, at + 2);
  return fromClause(tokens, at + 1, keyword);
}

/** The string in `import.meta.resolve("…")`, from `meta` on. */
function resolvedBy(tokens: readonly Token[], at: number): Token | undefined {
  const words = tokens.slice(at, at + 4).map(({ text }) => text);
  const argument = tokens[at + 4];
  return words.join("") === "meta.resolve(" && argument?.kind === "string" ? argument : undefined;
}

/** The string after `from` when what stands before it can only be an import or export clause. */
function fromClause(tokens: readonly Token[], start: number, keyword: string): Token | undefined {
  for (let at = start; at < tokens.length; at += 1) {
    const token = tokens[at]!;
    const next = tokens[at + 1];
    if (token.kind === "word" && token.text === "from" && next?.kind === "string") return next;
    const clause =
      token.kind === "word" ||
      token.kind === "string" ||
      (token.kind === "punctuation" && "{},*".includes(token.text));
    if (!clause) return undefined;
    const braced =
      tokens[start]!.text === "{" || tokens[start]!.text === "*" || tokens[start]!.text === "type";
    if (keyword === "export" && !braced) return undefined;
  }
  return undefined;
}
