/**
 * One operation as changes of the text: what it names is looked up, what cannot be done is refused, and of what can be
 * done only the operation's own tokens change. An edge of a chain is split off where the rest of the chain must not
 * change with it. Spec: DOT-edit.
 */
import { isSwlError, raise } from "@swl/base";
import { isOutcomeName } from "@swl/definition";
import { failure, isId, quote } from "../dot/finding.js";
import type { Graph } from "../dot/graph.js";
import type { DotAttribute, DotEdge, DotStatement, DotToken } from "../dot/tree.js";
import { isStringText, nameText, stringText } from "../print/dot-text.js";
import type { EditAttributes, EditElement, EditOperation } from "./operation.js";
import { attributeText, nameLike, valueLike, Written } from "./written.js";

type Refusal = ReturnType<typeof failure>;
type Operation<Op extends EditOperation["op"]> = Extract<EditOperation, { readonly op: Op }>;
type Listed = Exclude<DotStatement, { readonly type: "assignment" }>;

/** An edge of the graph: its statement, and which of the statement's edges it is. */
interface Route {
  readonly statement: DotEdge;
  readonly segment: number;
}

const MEANING: ReadonlySet<string> = new Set(["start", "kind", "on"]);

export class Planner {
  readonly written: Written;
  readonly #graph: Graph;
  readonly #statements: readonly DotStatement[];

  constructor(graph: Graph) {
    this.#graph = graph;
    this.#statements = graph.document.statements;
    this.written = new Written(graph.document);
  }

  /** The reason why it cannot be done, or undefined when the changes are planned. */
  plan(operation: EditOperation): Refusal | undefined {
    try {
      this.#plan(operation);
    } catch (thrown) {
      const [finding] = isSwlError(thrown) ? (thrown.findings ?? []) : [];
      if (finding === undefined) throw thrown;
      return finding;
    }
    return undefined;
  }

  #plan(operation: EditOperation): void {
    switch (operation.op) {
      case "rename-node":
        this.#renameNode(operation);
        break;
      case "add-node":
        this.#addNode(operation);
        break;
      case "remove-node":
        this.#removeNode(operation.node);
        break;
      case "add-route":
        this.#addRoute(operation);
        break;
      case "retarget-route":
        this.#retargetRoute(operation);
        break;
      case "remove-route":
        this.#removeRoute(this.#route(operation.from, operation.outcome));
        break;
      case "set-attribute":
        this.#setAttribute(operation);
        break;
      case "remove-attribute":
        this.#removeAttribute(operation);
        break;
    }
  }

  #refuse(message: string, at?: DotToken, code: Refusal["code"] = "dot.edit-impossible"): never {
    const { document } = this.#graph;
    raise(code, message, [failure(code, message, document.placeAt((at ?? document.name).start))]);
  }

  #node(id: string): DotToken {
    return this.#graph.nodes.get(id)?.id ?? this.#refuse(`there is no node ${quote(id)}`);
  }

  /** A name for a node that is not there yet. */
  #freeName(id: string): void {
    if (!isId(id)) this.#refuse(`${quote(id)} is no name of a node`, undefined, "definition.id-grammar");
    const taken = this.#graph.nodes.get(id);
    if (taken) this.#refuse(`there is a node ${quote(id)} already`, taken.id);
  }

  #route(from: string, outcome = "ok"): Route {
    const node = this.#node(from);
    const edge = this.#graph.routes.get(from)?.get(outcome);
    if (edge === undefined) {
      this.#refuse(`node ${quote(from)} has no route for outcome ${quote(outcome)}`, node);
    }
    for (const statement of this.#edges()) {
      const segment = statement.ids.indexOf(edge.from);
      if (segment >= 0 && statement.ids[segment + 1] === edge.to) return { statement, segment };
    }
    return this.#refuse(`the edge of outcome ${quote(outcome)} cannot be found`, edge.from);
  }

  #edges(): readonly DotEdge[] {
    return this.#statements.filter((statement) => statement.type === "edge");
  }

  #strings(attributes: EditAttributes): void {
    for (const [name, value] of Object.entries(attributes)) {
      if (isStringText(value) && isStringText(name)) continue;
      this.#refuse(`no string can hold the value of ${quote(name)}`, undefined, "dot.attribute-value");
    }
  }

  #renameNode({ node, to }: Operation<"rename-node">): void {
    this.#node(node);
    if (node === to) return;
    this.#freeName(to);
    for (const statement of this.#statements) {
      const names =
        statement.type === "node"
          ? [statement.id]
          : statement.type === "edge"
            ? statement.ids
            : statement.type === "assignment" && statement.name.text === "start"
              ? [statement.value]
              : [];
      for (const name of names) if (name.text === node) this.written.replace(name, nameLike(name, to));
    }
  }

  #addNode({ node, kind = "activity", attributes = {} }: Operation<"add-node">): void {
    this.#freeName(node);
    this.#strings({ ...attributes, kind });
    const said = kind === "activity" ? attributes : { kind, ...attributes };
    const last = this.#last(({ type }) => type === "node") ?? this.#last(({ type }) => type !== "edge");
    this.written.addStatement(last, `${nameText(node)}${attributeText(said)};`);
  }

  #last(fits: (statement: DotStatement) => boolean): DotStatement | undefined {
    return this.#statements.filter(fits).at(-1);
  }

  #removeNode(id: string): void {
    this.#node(id);
    const { start } = this.#graph;
    if (start?.text === id) this.#refuse(`runs start at node ${quote(id)}; let them start elsewhere`, start);
    for (const { ids } of this.#edges()) {
      const entered = ids.find((to, index) => to.text === id && index > 0 && ids[index - 1]?.text !== id);
      if (entered) this.#refuse(`an edge leads to node ${quote(id)}; retarget or remove it first`, entered);
    }
    for (const statement of this.#statements) {
      if (statement.type === "node" && statement.id.text === id) this.written.removeStatement(statement);
      if (statement.type === "edge" && statement.ids[0]?.text === id) this.#leave(statement, id);
    }
  }

  /** Takes the edges out that leave a node which only begins the chain, since no other edge leads to it. */
  #leave(statement: DotEdge, id: string): void {
    const { ids } = statement;
    const next = ids.findIndex(({ text }) => text !== id);
    if (next < 0 || next === ids.length - 1) this.written.removeStatement(statement);
    else this.written.changes.cut((ids[0] as DotToken).start, (ids[next] as DotToken).start);
  }

  #addRoute({ from, outcome = "ok", to, attributes = {} }: Operation<"add-route">): void {
    this.#node(from);
    this.#node(to);
    this.#outcome(outcome);
    this.#strings(attributes);
    const said = outcome === "ok" ? attributes : { on: outcome, ...attributes };
    const leaves = (statement: DotStatement): boolean =>
      statement.type === "edge" && statement.ids.slice(0, -1).some(({ text }) => text === from);
    const last = this.#last(leaves) ?? this.#last(({ type }) => type === "edge") ?? this.#last(() => true);
    this.written.addStatement(last, `${nameText(from)} -> ${nameText(to)}${attributeText(said)};`);
  }

  #outcome(outcome: string): void {
    if (isOutcomeName(outcome)) return;
    this.#refuse(`${quote(outcome)} is no outcome`, undefined, "definition.outcome-grammar");
  }

  #retargetRoute({ from, outcome, to }: Operation<"retarget-route">): void {
    const { statement, segment } = this.#route(from, outcome);
    this.#node(to);
    const target = statement.ids[segment + 1] as DotToken;
    if (target.text === to) return;
    if (segment === statement.ids.length - 2) this.written.replace(target, nameLike(target, to));
    else {
      const list = this.written.list(statement.attributes);
      this.written.changes.insert(target.start, `${nameLike(target, to)}${list}; `);
    }
  }

  #removeRoute({ statement, segment }: Route): void {
    const { ids } = statement;
    const { changes } = this.written;
    const [from, to] = [ids[segment] as DotToken, ids[segment + 1] as DotToken];
    if (ids.length === 2) this.written.removeStatement(statement);
    else if (segment === 0) changes.cut(from.start, to.start);
    else if (segment === ids.length - 2) changes.cut(from.end, to.end);
    else changes.replace(from.end, to.start, `${this.written.list(statement.attributes)}; `);
  }

  /** The statements on which attributes of an element stand; of a route the one after splitting. */
  #places(element: EditElement): readonly DotStatement[] {
    if ("graph" in element) {
      return this.#statements.filter(
        (statement) =>
          statement.type === "assignment" || (statement.type === "defaults" && statement.of === "graph"),
      );
    }
    if ("from" in element) return [this.#route(element.from, element.outcome).statement];
    this.#node(element.node);
    return this.#statements.filter(
      (statement) => statement.type === "node" && statement.id.text === element.node,
    );
  }

  #setAttribute({ of, name, value }: Operation<"set-attribute">): void {
    this.#strings({ [name]: value });
    if (name === "on") this.#outcome(value);
    const places = this.#places(of);
    const found = said(places, name);
    // What has a meaning counts wherever it is said; of the rest the last one counts.
    const changed = MEANING.has(name) ? found : found.slice(-1);
    if ("from" in of && this.#splitFor(of, name, value)) return;
    for (const { attribute } of changed) {
      if (attribute.value.text !== value)
        this.written.replace(attribute.value, valueLike(attribute.value, value));
    }
    if (changed.length > 0) return;
    const last = places.filter((place): place is Listed => place.type !== "assignment").at(-1);
    if ("graph" in of) {
      const before = this.#last(({ type }) => type === "assignment");
      this.written.addStatement(before, `${nameText(name)} = ${stringText(value)};`);
    } else if (last) this.written.addAttribute(last, `${nameText(name)}=${stringText(value)}`);
  }

  #removeAttribute({ of, name }: Operation<"remove-attribute">): void {
    const found = said(this.#places(of), name);
    if (found.length === 0) this.#refuse(`there is no attribute ${quote(name)} to remove`);
    if ("from" in of && this.#splitFor(of, name, undefined)) return;
    for (const { statement, attribute } of found) {
      if (statement.type === "assignment") this.written.removeStatement(statement);
      else this.written.removeAttribute(attribute);
    }
  }

  /**
   * Splits an edge off its chain, so that an attribute can change for it alone. True when the edge was written anew
   * with the change; false when the statement's own list is now the edge's, and is still to be changed.
   */
  #splitFor(
    of: { readonly from: string; readonly outcome?: string },
    name: string,
    value: string | undefined,
  ): boolean {
    const { statement, segment } = this.#route(of.from, of.outcome);
    const { ids, attributes } = statement;
    const found = attributes.filter((attribute) => attribute.name.text === name);
    if (ids.length === 2 || (found.length > 0 && found.every(({ value: { text } }) => text === value)))
      return false;
    if (segment > 0) this.written.splitAfter(statement, segment - 1, this.written.list(attributes));
    if (segment === ids.length - 2) return false;
    this.written.splitAfter(statement, segment, this.#changedList(attributes, name, value));
    return true;
  }

  #changedList(attributes: readonly DotAttribute[], name: string, value: string | undefined): string {
    const others = attributes.filter((attribute) => attribute.name.text !== name);
    const list = this.written.list(others);
    if (value === undefined) return list;
    const text = `${nameText(name)}=${stringText(value)}`;
    return list === "" ? ` [${text}]` : `${list.slice(0, -1)}, ${text}]`;
  }
}

/** Where an attribute of a name is said, in order. */
function said(
  statements: readonly DotStatement[],
  name: string,
): readonly { readonly statement: DotStatement; readonly attribute: DotAttribute }[] {
  return statements.flatMap((statement) => {
    const attributes = statement.type === "assignment" ? [statement] : statement.attributes;
    return attributes
      .filter((attribute) => attribute.name.text === name)
      .map((attribute) => ({ statement, attribute }));
  });
}
