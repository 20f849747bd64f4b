/**
 * Reads the regular expressions of ECMAScript (with the flag `u`) into parts: characters, repetitions, choices. Only
 * for sources that the engine accepted, so that nothing is checked twice. What cannot be said with these parts
 * (modifiers, which change what a character means; looking back, which goes the other way) gives `undefined`.
 */

export interface Char {
  readonly kind: "char";
  /** The source of one character: `a`, `\d`, `[a-z]`. */
  readonly source: string;
  /** The character, when it is exactly this one. */
  readonly literal?: string;
}

export type Part =
  | Char
  /** An assertion that looks at one place: `^`, `$`, `\b`. */
  | { readonly kind: "edge"; readonly edge: "start" | "end" | "word" }
  /** What a group matched before: `\1`. */
  | { readonly kind: "back" }
  | { readonly kind: "look"; readonly body: Part }
  | { readonly kind: "sequence"; readonly items: readonly Part[] }
  | { readonly kind: "choice"; readonly options: readonly Part[] }
  | { readonly kind: "loop"; readonly body: Part; readonly min: number; readonly max: number };

export function parsePattern(source: string): Part | undefined {
  const parser = new Parser(source);
  const part = parser.choice();
  return parser.unknown ? undefined : part;
}

const escaped =
  /\\(?:k<[^>]*>|[1-9][0-9]*|[pP]\{[^}]*\}|u\{[^}]*\}|u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|c[a-zA-Z]|.)/uy;
const brackets = /\[(?:[^\]\\]|\\.)*\]/uy;
const opening = /\((?:\?(?:[=!:]|<(?![=!])[^>]*>))?/uy;
const quantifier = /(?:[*+?]|\{([0-9]+)(,([0-9]*))?\})\??/uy;

class Parser {
  readonly #source: string;
  #at = 0;
  unknown = false;

  constructor(source: string) {
    this.#source = source;
  }

  choice(): Part {
    const options = [this.#sequence()];
    while (this.#source[this.#at] === "|") {
      this.#at++;
      options.push(this.#sequence());
    }
    return options.length === 1 ? options[0]! : { kind: "choice", options };
  }

  #sequence(): Part {
    const items: Part[] = [];
    while (this.#at < this.#source.length && !this.unknown) {
      const next = this.#source[this.#at];
      if (next === "|" || next === ")") break;
      items.push(this.#repeated(this.#part()));
    }
    return items.length === 1 ? items[0]! : { kind: "sequence", items };
  }

  #repeated(body: Part): Part {
    const found = this.#take(quantifier);
    if (found === undefined) return body;
    const [text, least, comma, most] = found;
    const counted = least !== undefined;
    const min = counted ? Number(least) : text.startsWith("+") ? 1 : 0;
    const open = counted ? comma !== undefined && most === "" : !text.startsWith("?");
    const max = open ? Number.POSITIVE_INFINITY : counted ? Number(most ?? least) : 1;
    return { kind: "loop", body, min, max };
  }

  #part(): Part {
    const next = this.#source[this.#at];
    if (next === "(") return this.#group();
    if (next === "[") return { kind: "char", source: this.#take(brackets)![0] };
    if (next === "\\") return this.#escaped();
    const char = String.fromCodePoint(this.#source.codePointAt(this.#at)!);
    this.#at += char.length;
    if (char === "^" || char === "$") return { kind: "edge", edge: char === "^" ? "start" : "end" };
    return char === "." ? { kind: "char", source: char } : { kind: "char", source: char, literal: char };
  }

  #escaped(): Part {
    const source = this.#take(escaped)![0];
    if (source === "\\b" || source === "\\B") return { kind: "edge", edge: "word" };
    if (/^\\(?:k<|[1-9])/.test(source)) return { kind: "back" };
    return /^\\[^a-zA-Z0-9]$/u.test(source)
      ? { kind: "char", source, literal: source.slice(1) }
      : { kind: "char", source };
  }

  #group(): Part {
    const start = this.#take(opening)![0];
    if (start === "(" && this.#source[this.#at] === "?") {
      this.unknown = true;
      return { kind: "back" };
    }
    const body = this.choice();
    this.#at++;
    return /[=!]$/.test(start) ? { kind: "look", body } : body;
  }

  #take(expression: RegExp): RegExpExecArray | undefined {
    expression.lastIndex = this.#at;
    const found = expression.exec(this.#source);
    if (!found) return undefined;
    this.#at = expression.lastIndex;
    return found;
  }
}
