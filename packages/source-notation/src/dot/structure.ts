/**
 * From the grammar's flat items to one tree, refusing by name what DOT allows and SWL-DOT does not: nothing outside
 * the profile is guessed at. The tree that is left is good enough to look for further mistakes. Spec: DOT-profile.
 */
import type { Code, Diagnostic } from "@swl/base";
import { failure, quote } from "./finding.js";
import type { Item, RawAttribute, RawEnd, RawLink, RawToken } from "./items.js";
import type { LineIndex } from "./lines.js";
import { tokenText } from "./token.js";
import type { DotAttribute, DotStatement, DotToken } from "./tree.js";

export interface Structure {
  readonly name: DotToken | undefined;
  readonly statements: readonly DotStatement[];
  readonly findings: readonly Diagnostic[];
}

type ItemOf<Type extends Item["type"]> = Extract<Item, { readonly type: Type }>;

class Builder {
  readonly statements: DotStatement[] = [];
  readonly findings: Diagnostic[] = [];
  name: DotToken | undefined;
  depth = 0;
  readonly #text: string;
  readonly #lines: LineIndex;
  /** There were syntax errors: a header that is missing may just be unread, and has been complained about. */
  readonly #garbled: boolean;
  #header: ItemOf<"header"> | undefined;
  #previous: Item["type"] | undefined;

  constructor(text: string, lines: LineIndex, garbled: boolean) {
    this.#text = text;
    this.#lines = lines;
    this.#garbled = garbled;
  }

  refuse(code: Code, message: string, offset: number, hint?: string): void {
    this.findings.push(failure(code, message, this.#lines.at(offset), { hint }));
  }

  /** Takes one item; false when nothing after it belongs to this graph. */
  take(item: Item): boolean {
    const previous = this.#previous;
    this.#previous = item.type;
    if (item.type === "header") return this.#takeHeader(item);
    if (item.type === "separator" && this.#header === undefined) return this.#outside(item);
    if (item.type === "separator") return true;
    if (this.#header === undefined || this.depth === 0) return this.#outside(item);
    if (item.type === "open") this.#takeOpen(item);
    else if (item.type === "close") this.depth -= 1;
    else if (item.type === "tail") this.#takeTail(item, previous);
    else if (item.type === "entry") this.#takeEntry(item);
    else if (item.type === "assignment") {
      const name = this.#identifier(item.name, "an attribute name");
      const value = this.#value(item.value);
      if (name && value) this.statements.push({ type: "assignment", name, value });
    } else {
      this.statements.push({ type: "defaults", of: item.of, attributes: this.#attributes(item.attributes) });
    }
    return true;
  }

  #outside(item: Item): boolean {
    if (this.#header === undefined && this.#garbled) return false;
    const token = this.#text.slice(item.start).match(/^("|[\w\u0080-\u{10ffff}]+|->|--|\S)/u)?.[0] ?? "";
    if (this.#header === undefined) {
      const message = `expected "digraph", found ${quote(token)}`;
      this.refuse("dot.syntax", message, item.start, 'a workflow begins with: digraph "name" {');
    } else {
      const message = `nothing may follow the "}" that closes the graph, found ${quote(token)}`;
      this.refuse("dot.syntax", message, item.start);
    }
    return false;
  }

  #takeHeader(item: ItemOf<"header">): boolean {
    if (this.#header !== undefined) {
      if (this.depth > 0)
        this.refuse("dot.syntax", 'expected "}" before a graph, found another one', item.start);
      const hint = "write each workflow into a file of its own";
      this.refuse(
        "dot.several-graphs",
        "a second graph begins here; a file holds one workflow",
        item.start,
        hint,
      );
      this.depth = 0;
      return false;
    }
    this.#header = item;
    this.depth = 1;
    if (item.strict) {
      const hint = 'remove "strict": a repeated outcome is an error anyway';
      this.refuse(
        "dot.strict",
        '"strict" would merge edges silently, so it is not accepted',
        item.start,
        hint,
      );
    }
    if (item.kind === "graph") {
      const hint = 'write "digraph", and "->" for edges';
      this.refuse(
        "dot.undirected",
        "a workflow is a directed graph, this one is undirected",
        item.start,
        hint,
      );
    }
    if (item.id === null) {
      const hint = 'name it: digraph "name" {';
      this.refuse("dot.anonymous-graph", "the graph has no name, which is the workflow's", item.start, hint);
    } else {
      this.name = this.#identifier(item.id, "a graph name");
    }
    // Without a name there is no workflow, but the rest of it can be looked at.
    this.name ??= { text: "", form: "bare", start: item.start, end: item.start };
    return true;
  }

  #takeOpen(item: ItemOf<"open">): void {
    if (this.depth === 1) {
      const what = item.subgraph ? "a subgraph" : 'a group in "{ }"';
      const hint = "list nodes and edges in the graph itself; subgraphs have no meaning in a workflow";
      this.refuse("dot.subgraph", `${what} is not part of SWL-DOT`, item.start, hint);
    }
    if (item.brace) this.depth += 1;
  }

  #takeTail(item: ItemOf<"tail">, previous: Item["type"] | undefined): void {
    if (previous !== "close") {
      const arrow = item.links[0]?.operator.text ?? "->";
      this.refuse("dot.syntax", `expected a node ID before ${quote(arrow)}`, item.start);
    }
    this.#links(item.links);
    this.#attributes(item.attributes);
  }

  #takeEntry(item: ItemOf<"entry">): void {
    const ids = [this.#end(item.first), ...this.#links(item.links)];
    const attributes = this.#attributes(item.attributes);
    const known = ids.filter((id) => id !== undefined);
    if (known.length !== ids.length) return;
    const [first] = known;
    if (known.length > 1) this.statements.push({ type: "edge", ids: known, attributes });
    else if (first) this.statements.push({ type: "node", id: first, attributes });
  }

  /** The targets of the links; undefined where a group or something else that is refused stands. */
  #links(links: readonly RawLink[]): readonly (DotToken | undefined)[] {
    const undirected = links.find((link) => link.operator.text === "--");
    if (undirected && this.#header?.kind === "digraph") {
      const message = '"--" draws an undirected edge; a route has a direction';
      this.refuse("dot.undirected", message, undirected.operator.start, 'write "->"');
    }
    return links.map((link) => link.target && this.#end(link.target)).map((token) => token ?? undefined);
  }

  #end(end: RawEnd): DotToken | undefined {
    if (end.port !== null) {
      const hint = "leave the part after the node ID away: routes leave nodes by outcome, not by port";
      this.refuse("dot.port", "ports are not part of SWL-DOT", end.port, hint);
    }
    return this.#identifier(end.id, "a node ID");
  }

  #attributes(attributes: readonly RawAttribute[]): readonly DotAttribute[] {
    const read: DotAttribute[] = [];
    for (const attribute of attributes) {
      const name = this.#identifier(attribute.name, "an attribute name");
      const value = this.#value(attribute.value);
      if (name && value) read.push({ name, value });
    }
    return read;
  }

  #identifier(token: RawToken, what: string): DotToken | undefined {
    const text = tokenText(this.#text, token);
    if (token.form === "numeral" || token.form === "malformed") {
      const hint = "names begin with a letter or an underscore";
      this.refuse(
        "dot.numeral-id",
        `${what} cannot be a number or begin with one, found ${quote(text)}`,
        token.start,
        hint,
      );
      return undefined;
    }
    return this.#plain(token, text);
  }

  #value(token: RawToken): DotToken | undefined {
    const text = tokenText(this.#text, token);
    if (token.form !== "malformed") return this.#plain(token, text);
    const message = `${quote(text)} is neither a number nor a name`;
    this.refuse("dot.attribute-value", message, token.start, `quote it: ${quote(text)}`);
    return undefined;
  }

  #plain({ form, start, end }: RawToken, text: string): DotToken | undefined {
    if (form === "bare" || form === "quoted" || form === "numeral") return { text, form, start, end };
    const hint = 'write plain text in double quotes; "\\n" breaks a line';
    this.refuse("dot.html-string", "HTML strings are not part of SWL-DOT", start, hint);
    return undefined;
  }
}

export interface StructureOptions {
  /** There were syntax errors. */
  readonly garbled: boolean;
  /** False when reading stopped early, so that a missing `}` is no finding. */
  readonly complete: boolean;
}

/** Builds the tree of one file from the items that could be read. */
export function buildStructure(
  text: string,
  items: readonly Item[],
  lines: LineIndex,
  { garbled, complete }: StructureOptions,
): Structure {
  const builder = new Builder(text, lines, garbled);
  let ended = false;
  for (const item of items) {
    if (!builder.take(item)) {
      ended = true;
      break;
    }
  }
  if (complete && !ended && builder.depth > 0) {
    builder.refuse(
      "dot.syntax",
      'expected "}" at the end of the graph, found the end of the file',
      text.length,
    );
  }
  return builder;
}
