/**
 * From the grammar's flat items to one tree, refusing by name what DOT allows and SWL-DOT does not: nothing outside
 * the profile is guessed at. The tree that is left is good enough to look for further mistakes. Spec: DOT-profile.
 */
import type { Code, Diagnostic } from "@swl/base";
import { failure, quote } from "./finding.js";
import type { Item } from "./items.js";
import { isWord, KIND } from "./kinds.js";
import type { LineIndex } from "./lines.js";
import { WordTexts, wordEnd } from "./token.js";
import type { TokenList } from "./tokens.js";
import type { DotAttribute, DotStatement, DotToken, DotTokenRange } from "./tree.js";

export interface Structure {
  readonly name: DotToken | undefined;
  readonly statements: readonly DotStatement[];
  readonly body: DotTokenRange;
  readonly findings: readonly Diagnostic[];
  /** First tokens of statements of which a part may stand in what is refused behind them. */
  readonly unsure: readonly number[];
  /** So many findings more were counted and not kept. */
  readonly more: number;
}

export interface ReadingOutcome {
  /** There were syntax errors: a header that is missing may just be unread, and has been complained about. */
  readonly garbled: boolean;
  /** False when reading stopped early, so that a missing `}` is no finding. */
  readonly complete: boolean;
}

type ItemOf<Type extends Item["type"]> = Extract<Item, { readonly type: Type }>;

/** Enough to list the first ones in order; a file in which everything is wrong costs no more memory than another. */
const MAX_KEPT_FINDINGS = 1_000;

const ELEMENTS = { G: "graph", N: "node", E: "edge" } as const;
const NO_TOKENS: readonly DotToken[] = [];
const NO_ATTRIBUTES: readonly DotAttribute[] = [];

/** `[first, ...rest]`, which would take room for many more. */
function withFirst<T>(first: T, rest: readonly T[]): readonly T[] {
  const [second] = rest;
  return rest.length === 1 && second !== undefined ? [first, second] : [first].concat(rest);
}

function areAll<T>(list: readonly (T | undefined)[]): list is readonly T[] {
  return !list.includes(undefined);
}

/** Takes the items of one file, one after the other, and gives the tree. */
export class StructureBuilder {
  readonly #statements: DotStatement[] = [];
  readonly #findings: Diagnostic[] = [];
  #more = 0;
  #name: DotToken | undefined;
  #header: ItemOf<"header"> | undefined;
  /** Braces that are open. */
  #depth = 0;
  #bodyFirst = 0;
  #bodyEnd: number | undefined;
  #previous: Item["type"] | undefined;
  #previousStart = 0;
  readonly #unsure: number[] = [];
  /** Where the item before ended: what begins elsewhere follows an error. */
  #previousEnd = 0;
  /** An item stands where only the header may. */
  #misplaced: number | undefined;
  /** Nothing that follows belongs to the graph. */
  #ended = false;
  readonly #tokens: TokenList;
  readonly #lines: LineIndex;
  readonly #text: string;
  readonly #words: WordTexts;

  constructor(text: string, tokens: TokenList, lines: LineIndex) {
    this.#text = text;
    this.#tokens = tokens;
    this.#lines = lines;
    this.#words = new WordTexts(text, tokens);
  }

  /** `end` is the index after the item's last token. */
  take(item: Item, end: number): void {
    if (this.#ended) return;
    const previous = this.#previous;
    const follows = this.#previousEnd === item.start;
    this.#previous = item.type;
    this.#previousEnd = end;
    const { start } = item;
    if (previous === "entry" && follows && this.#isPartOf(item)) this.#unsure.push(this.#previousStart);
    this.#previousStart = start;
    if (item.type === "header") this.#takeHeader(item, end);
    else if (this.#header === undefined) {
      this.#misplaced = item.start;
      this.#ended = true;
    } else if (this.#depth === 0) this.#refuseTrailing(item.start);
    else if (item.type === "separator") this.#takeSeparator(item.start, follows ? previous : undefined);
    else this.#takeInside(item, end, previous);
  }

  finish({ garbled, complete }: ReadingOutcome): Structure {
    const { length } = this.#tokens;
    if (this.#misplaced !== undefined && !garbled) {
      const message = `expected "digraph", found ${quote(this.#written(this.#misplaced))}`;
      this.#refuse("dot.syntax", message, this.#misplaced, 'a workflow begins with: digraph "name" {');
    }
    if (complete && !this.#ended && this.#depth > 0) {
      const message = 'expected "}" at the end of the graph, found the end of the file';
      this.#refuse("dot.syntax", message, length);
    }
    return {
      name: this.#name,
      statements: this.#statements,
      body: { first: this.#bodyFirst, end: this.#bodyEnd ?? length },
      findings: this.#findings,
      unsure: this.#unsure,
      more: this.#more,
    };
  }

  /** True for what is refused in any case, and stands behind a statement where its attributes may be meant. */
  #isPartOf(item: Item): boolean {
    if (item.type === "open") return true;
    return item.type === "assignment" && /^(on|kind)$/.test(this.#words.of(item.start));
  }

  #refuse(code: Code, message: string, token: number, hint?: string): void {
    if (this.#findings.length === MAX_KEPT_FINDINGS) {
      this.#more += 1;
      return;
    }
    const place = this.#lines.at(this.#tokens.start(token));
    this.#findings.push(failure(code, message, place, { hint }));
  }

  #written(token: number): string {
    const start = this.#tokens.start(token);
    return this.#text.slice(
      start,
      this.#tokens.code(token) === KIND.string ? start + 1 : this.#tokens.end(token),
    );
  }

  #refuseTrailing(token: number): void {
    const message = `nothing may follow the "}" that closes the graph, found ${quote(this.#written(token))}`;
    this.#refuse("dot.syntax", message, token);
    this.#ended = true;
  }

  #takeHeader(header: ItemOf<"header">, end: number): void {
    const { start, strict, directed, named } = header;
    if (this.#header !== undefined) {
      if (this.#depth > 0) {
        this.#refuse("dot.syntax", 'expected "}" before a graph, found another one', start);
      }
      const hint = "write each workflow into a file of its own";
      const message = "a second graph begins here; a file holds one workflow";
      this.#refuse("dot.several-graphs", message, start, hint);
      this.#ended = true;
      return;
    }
    this.#header = header;
    this.#depth = 1;
    this.#bodyFirst = end;
    if (strict) {
      const hint = 'remove "strict": a repeated outcome is an error anyway';
      this.#refuse("dot.strict", '"strict" would merge edges silently, so it is not accepted', start, hint);
    }
    if (!directed) {
      const hint = 'write "digraph", and "->" for edges';
      this.#refuse("dot.undirected", "a workflow is a directed graph, this one is undirected", start, hint);
    }
    if (!named) {
      const hint = 'name it: digraph "name" {';
      this.#refuse("dot.anonymous-graph", "the graph has no name, which is the workflow's", start, hint);
    } else {
      this.#name = this.#identifier(start + (strict ? 2 : 1), "a graph name");
    }
    // Without a name there is no workflow, but the rest of it can be looked at.
    const place = this.#tokens.start(start);
    this.#name ??= { text: "", form: "bare", start: place, end: place };
  }

  #takeInside(item: Item, end: number, previous: Item["type"] | undefined): void {
    const first = item.start;
    if (item.type === "entry") this.#takeEntry(item, end);
    else if (item.type === "assignment") {
      const name = this.#identifier(first, "an attribute name");
      const value = this.#value(wordEnd(this.#tokens, first) + 1);
      // What a group says of itself has been refused with it.
      if (name && value && this.#depth === 1)
        this.#statements.push({ type: "assignment", first, end, name, value });
    } else if (item.type === "defaults") {
      const attributes = this.#attributes(item.attributes);
      this.#statements.push({ type: "defaults", first, end, of: ELEMENTS[item.of], attributes });
    } else if (item.type === "open") this.#takeOpen(item);
    else if (item.type === "close") {
      this.#depth -= 1;
      if (this.#depth > 0) return;
      this.#bodyEnd = first;
      if (end > first + 1) this.#refuseTrailing(first + 1);
    } else if (item.type === "tail") this.#takeTail(item, previous);
  }

  /** Statements may be followed by one `;`, and nothing else may. */
  #takeSeparator(start: number, previous: Item["type"] | undefined): void {
    if (previous !== "separator" && previous !== "header" && previous !== "open") return;
    const after = quote(this.#written(start - 1));
    this.#refuse(
      "dot.syntax",
      `expected a statement or "}" after ${after}, found ";"`,
      start,
      'remove the ";"',
    );
  }

  #takeOpen(item: ItemOf<"open">): void {
    if (this.#depth === 1) {
      const what = item.subgraph ? "a subgraph" : 'a group in "{ }"';
      const before = this.#tokens.code(item.start - 1);
      const hint =
        isWord(before) && !item.subgraph
          ? 'attributes stand in "[ ]"'
          : "list nodes and edges in the graph itself; subgraphs have no meaning in a workflow";
      this.#refuse("dot.subgraph", `${what} is not part of SWL-DOT`, item.start, hint);
    }
    if (item.brace) this.#depth += 1;
  }

  #takeTail(item: ItemOf<"entry" | "tail">, previous: Item["type"] | undefined): void {
    if (previous !== "close") {
      const hint = this.#tokens.code(item.start) === KIND["--"] ? 'a comment begins with "//"' : undefined;
      const message = `expected a node ID before ${quote(this.#written(item.start))}`;
      this.#refuse("dot.syntax", message, item.start, hint);
      return;
    }
    this.#links(item.links);
    this.#attributes(item.attributes);
  }

  #takeEntry(item: ItemOf<"entry" | "tail">, end: number): void {
    const first = item.start;
    const id = this.#node(first);
    const targets = this.#links(item.links);
    const attributes = this.#attributes(item.attributes);
    if (!id || !targets) return;
    if (targets.length === 0) this.#statements.push({ type: "node", first, end, id, attributes });
    else this.#statements.push({ type: "edge", first, end, ids: withFirst(id, targets), attributes });
  }

  /** The targets of the links; undefined where one is a group or something else that is refused. */
  #links(links: readonly number[] | null): readonly DotToken[] | undefined {
    if (links === null) return NO_TOKENS;
    const undirected = links.find((link) => this.#tokens.code(link) === KIND["--"]);
    const targets = links.map((link) => this.#node(link + 1));
    if (undirected !== undefined && this.#header?.directed) {
      const message = '"--" draws an undirected edge; a route has a direction';
      this.#refuse("dot.undirected", message, undirected, 'write "->"');
    }
    return areAll(targets) ? targets : undefined;
  }

  /** The ID that begins at a token; undefined where a group begins, which is refused when it is read. */
  #node(first: number): DotToken | undefined {
    const tokens = this.#tokens;
    if (!isWord(tokens.code(first))) return undefined;
    const end = wordEnd(tokens, first);
    if (tokens.code(end) === KIND[":"] && isWord(tokens.code(end + 1))) {
      const hint = "leave the part after the node ID away: routes leave nodes by outcome, not by port";
      this.#refuse("dot.port", "ports are not part of SWL-DOT", end, hint);
    }
    return this.#identifier(first, "a node ID");
  }

  #attributes(names: readonly number[] | null): readonly DotAttribute[] {
    if (names === null || names.length === 0) return NO_ATTRIBUTES;
    const read = names.map((first) => {
      const name = this.#identifier(first, "an attribute name");
      const value = this.#value(wordEnd(this.#tokens, first) + 1);
      return name && value && { name, value };
    });
    return areAll(read) ? read : read.filter((attribute) => attribute !== undefined);
  }

  #identifier(token: number, what: string): DotToken | undefined {
    const code = this.#tokens.code(token);
    if (code !== KIND.number && code !== KIND.malformed) return this.#plain(token, code);
    const hint = "names begin with a letter or an underscore";
    const message = `${what} cannot be a number or begin with one, found ${quote(this.#words.of(token))}`;
    this.#refuse("dot.numeral-id", message, token, hint);
    return undefined;
  }

  #value(token: number): DotToken | undefined {
    const code = this.#tokens.code(token);
    if (code !== KIND.malformed) return this.#plain(token, code);
    const text = this.#words.of(token);
    const message = `${quote(text)} is neither a number nor a name`;
    this.#refuse("dot.attribute-value", message, token, `quote it: ${quote(text)}`);
    return undefined;
  }

  #plain(token: number, code: number): DotToken | undefined {
    const tokens = this.#tokens;
    if (code !== KIND.html) {
      const form = code === KIND.string ? "quoted" : code === KIND.number ? "numeral" : "bare";
      const end = tokens.end(wordEnd(tokens, token) - 1);
      return { text: this.#words.of(token), form, start: tokens.start(token), end };
    }
    const hint = 'write plain text in double quotes; "\\n" breaks a line';
    this.#refuse("dot.html-string", "HTML strings are not part of SWL-DOT", token, hint);
    return undefined;
  }
}
