/**
 * From the tree to what it means: nodes with kinds, edges with outcomes, a start. Everything that is said twice,
 * unknown or in the wrong place is a finding here. Spec: DOT-attributes, DOT-nodes, DOT-edges.
 */
import { type Diagnostic, own } from "@swl/base";
import { isNamespaced, renderAttributes, semanticAttributes } from "./attributes.js";
import { failure, isId, quote, Suggestions } from "./finding.js";
import type { DotAttribute, DotDocument, DotEdge, DotNode, DotToken } from "./tree.js";

export interface GraphNode {
  readonly id: DotToken;
  /** Absent for the default, `activity`. */
  kind?: DotToken;
  /** A kind was named that there is not; it has been refused. */
  kindUnknown?: boolean;
  label?: DotToken;
}

export interface GraphEdge {
  readonly from: DotToken;
  readonly to: DotToken;
  readonly outcome: string;
  /** Where the outcome is written; absent for the default `ok`. */
  readonly on: DotToken | undefined;
}

/** A namespaced attribute of somebody else's: kept, without meaning. */
export interface PresentationAttribute {
  readonly element:
    | { readonly graph: true }
    | { readonly node: string }
    | { readonly edge: readonly [from: string, to: string]; readonly outcome: string };
  readonly name: string;
  readonly value: string;
}

export interface Graph {
  readonly document: DotDocument;
  start?: DotToken;
  label?: DotToken;
  readonly nodes: Map<string, GraphNode>;
  /** By the node they leave, then by outcome. */
  readonly routes: Map<string, Map<string, GraphEdge>>;
  readonly presentation: PresentationAttribute[];
}

/** Every kind of the language. Whether a kind's profile is listed and supported is for validation to say. */
export const nodeKinds = ["activity", "await-signal", "complete", "fail", "await-timer", "choice"] as const;

type Element = "graph" | "node" | "edge";

const SAID_BY: Readonly<Record<Element, string>> = {
  graph: '"start" says where to start',
  node: '"kind" says the kind of a node',
  edge: '"on" says the outcome of an edge',
};

const withArticle = (element: Element): string => (element === "edge" ? "an edge" : `a ${element}`);

function isKnown(attribute: string): boolean {
  return (
    own(renderAttributes, attribute) !== undefined ||
    own(semanticAttributes, attribute) !== undefined ||
    isNamespaced(attribute)
  );
}

class Reader {
  readonly graph: Graph;
  readonly findings: Diagnostic[] = [];
  readonly #document: DotDocument;
  readonly #suggestions = new Suggestions();
  /** A start that stands where it cannot: it has been refused, and missing it would be said twice. */
  #misplacedStart: DotToken | undefined;

  /** First tokens of statements of which a part may be unread. */
  readonly #unsure: ReadonlySet<number>;

  constructor(document: DotDocument, unsure: ReadonlySet<number>) {
    this.#document = document;
    this.#unsure = unsure;
    this.graph = { document, nodes: new Map(), routes: new Map(), presentation: [] };
  }

  read(): void {
    for (const statement of this.#document.statements) {
      if (statement.type === "node") this.#readNode(statement);
    }
    for (const statement of this.#document.statements) {
      if (statement.type === "edge") this.#readEdge(statement);
      else if (statement.type === "assignment") {
        if (!this.#unsure.has(statement.first)) this.#readAssignment(statement);
      } else if (statement.type === "defaults") {
        for (const attribute of statement.attributes) this.#readDefault(statement.of, attribute);
      }
    }
    if (this.graph.start === undefined && this.#misplacedStart) this.graph.start = this.#misplacedStart;
  }

  #refuse(code: Diagnostic["code"], message: string, token: DotToken, hint?: string, node?: string): void {
    this.findings.push(failure(code, message, this.#document.placeAt(token.start), { hint, node }));
  }

  /** The value of the semantic attribute `wanted`, if the attribute is it; anything that is not allowed is refused. */
  #semantic(
    element: Element,
    wanted: string,
    { name, value }: DotAttribute,
    node?: string,
  ): DotToken | undefined {
    if (name.text === wanted) return value;
    this.#checkPresentation(element, { name, value }, node);
    return undefined;
  }

  #checkPresentation(element: Element, { name, value }: DotAttribute, node?: string): void {
    if (name.text === "charset" && !/^utf-?8$/i.test(value.text)) {
      this.#refuse("dot.encoding", `SWL-DOT is UTF-8, found charset ${quote(value.text)}`, value);
    }
    if (isKnown(name.text) && own(semanticAttributes, name.text) === undefined) return;
    const home = own(semanticAttributes, name.text);
    if (home !== undefined) {
      const message = `attribute ${quote(name.text)} belongs on ${withArticle(home)}, not on ${withArticle(element)}`;
      this.#refuse("dot.attribute-unknown", message, name, undefined, node);
      return;
    }
    const meaningful = Object.keys(semanticAttributes).filter(
      (known) => semanticAttributes[known] === element,
    );
    const elsewhere =
      'workflow settings belong into settings.json; presentation of your own is named "x_name" or "ns:name"';
    const hint = this.#suggestions.hint(
      name.text,
      [...meaningful, ...Object.keys(renderAttributes)],
      `${SAID_BY[element]}; ${elsewhere}`,
    );
    this.#refuse("dot.attribute-unknown", `unknown attribute ${quote(name.text)}`, name, hint, node);
  }

  /** What was said first, unless the second says something else: then that is a finding. */
  #once(first: DotToken | undefined, second: DotToken, what: string, node?: string): DotToken {
    if (first === undefined || first.text === second.text) return first ?? second;
    const { line } = this.#document.placeAt(first.start);
    const message = `${what} is ${quote(second.text)} here and ${quote(first.text)} in line ${line}`;
    this.#refuse("dot.attribute-conflict", message, second, "keep one of them", node);
    return first;
  }

  #keep(element: PresentationAttribute["element"], { name, value }: DotAttribute): void {
    if (isNamespaced(name.text)) {
      this.graph.presentation.push({ element, name: name.text, value: value.text });
    }
  }

  #readNode({ id, attributes }: DotNode): void {
    const node: GraphNode = this.graph.nodes.get(id.text) ?? { id };
    this.graph.nodes.set(id.text, node);
    for (const attribute of attributes) {
      const kind = this.#semantic("node", "kind", attribute, id.text);
      if (kind && !this.#isKind(kind, id.text)) node.kindUnknown = true;
      else if (kind) {
        node.kind = this.#once(node.kind, kind, `the kind of node ${quote(id.text)}`, id.text);
      }
      if (attribute.name.text === "label") node.label = attribute.value;
      this.#keep({ node: id.text }, attribute);
    }
  }

  #isKind(kind: DotToken, node: string): boolean {
    if ((nodeKinds as readonly string[]).includes(kind.text)) return true;
    const hint = this.#suggestions.hint(kind.text, nodeKinds, `the kinds are ${nodeKinds.join(", ")}`);
    this.#refuse("dot.kind-unknown", `unknown kind ${quote(kind.text)}`, kind, hint, node);
    return false;
  }

  #readEdge({ first, ids, attributes }: DotEdge): void {
    let on: DotToken | undefined;
    for (const attribute of attributes) {
      const value = this.#semantic("edge", "on", attribute);
      if (value) on = this.#once(on, value, "the outcome of this edge");
    }
    const declared = ids.map((id) => this.#isDeclared(id));
    // An unknown attribute, which has been refused, may be a mistyped "on"; so may what could not be read.
    const isRead = !this.#unsure.has(first) && attributes.every(({ name: { text } }) => isKnown(text));
    const isSure = on !== undefined || isRead;
    for (let index = 1; index < ids.length; index++) {
      const [from, to] = [ids[index - 1], ids[index]];
      if (from && to && declared[index - 1]) {
        const outcome = on?.text ?? "ok";
        this.#addRoute({ from, to, outcome, on }, isSure);
        for (const attribute of attributes) this.#keep({ edge: [from.text, to.text], outcome }, attribute);
      }
    }
  }

  #isDeclared(id: DotToken): boolean {
    if (this.graph.nodes.has(id.text)) return true;
    const written = id.form === "quoted" ? quote(id.text) : id.text;
    const declare = isId(id.text) ? `declare it: ${written} [kind="activity"];` : undefined;
    const hint = this.#suggestions.hint(id.text, this.graph.nodes.keys(), declare ?? "declare it");
    this.#refuse("dot.node-undeclared", `node ${quote(id.text)} is not declared`, id, hint);
    return false;
  }

  #addRoute(edge: GraphEdge, isSure: boolean): void {
    const routes = this.graph.routes.get(edge.from.text) ?? new Map<string, GraphEdge>();
    this.graph.routes.set(edge.from.text, routes);
    const first = routes.get(edge.outcome);
    if (first === undefined) {
      routes.set(edge.outcome, edge);
      return;
    }
    if (!isSure) return;
    const { line } = this.#document.placeAt(first.to.start);
    const message = `node ${quote(edge.from.text)} already routes outcome ${quote(edge.outcome)} to ${quote(first.to.text)} in line ${line}`;
    const hint = edge.on
      ? "an outcome takes one edge"
      : 'an edge without "on" stands for outcome "ok"; say which outcome this one is for';
    this.#refuse("dot.outcome-duplicate", message, edge.on ?? edge.to, hint, edge.from.text);
  }

  #readAssignment(attribute: DotAttribute): void {
    const start = this.#semantic("graph", "start", attribute);
    if (start) {
      if (start.form === "numeral") {
        const message = `a node ID cannot be a number, found ${quote(start.text)}`;
        this.#refuse("dot.numeral-id", message, start, "names begin with a letter or an underscore");
      }
      this.graph.start = this.#once(this.graph.start, start, '"start"');
    }
    if (attribute.name.text === "label") this.graph.label = attribute.value;
    this.#keep({ graph: true }, attribute);
  }

  #readDefault(of: Element, attribute: DotAttribute): void {
    const { name, value } = attribute;
    if (own(semanticAttributes, name.text) !== undefined) {
      const message = `attribute ${quote(name.text)} has a meaning, so it cannot be a default`;
      const hint =
        name.text === "start" && isId(value.text)
          ? `write: start = ${quote(value.text)};`
          : name.text === "kind" && of !== "node"
            ? `write it on each node; a node that is called ${quote(of)} is written in quotes`
            : `write it on ${name.text === "start" ? "the graph" : `each ${semanticAttributes[name.text]}`}`;
      if (name.text === "start") this.#misplacedStart ??= value;
      this.#refuse("dot.default-semantic", message, name, hint);
      return;
    }
    this.#checkPresentation(of, attribute);
    if (of === "graph" && name.text === "label") this.graph.label = value;
    if (of === "graph") this.#keep({ graph: true }, attribute);
  }
}

/** Reads the meaning of a tree; the graph holds what could be understood. `unsure` is as `PartialDot` has it. */
export function readGraph(
  document: DotDocument,
  unsure: ReadonlySet<number> = new Set(),
): {
  readonly graph: Graph;
  readonly findings: readonly Diagnostic[];
} {
  const reader = new Reader(document, unsure);
  reader.read();
  return reader;
}
