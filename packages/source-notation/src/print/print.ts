/**
 * A definition as a source folder: a readable graph, and settings with what no graph can say. What is printed compiles
 * to the same definition again, presentation included. Deterministic: nodes and routes stand in reading order, whatever
 * the order of keys. Spec: DOT-print.
 */
import { isJsonObject, type JsonObject, own } from "@swl/base";
import { type Definition, reservedOutcomes } from "@swl/definition";
import { WORKFLOW_FILE } from "../compile/compile.js";
import type { PresentationAttribute } from "../dot/graph.js";
import { format } from "../format/format.js";
import { isLabel, isStringText, labelText, nameText, stringText } from "./dot-text.js";
import { jsonText } from "./json-text.js";
import { settingsOf } from "./settings.js";

export interface PrintOptions {
  /** Namespaced attributes to draw, as `Compiled.presentation` has them; those of other elements are left out. */
  readonly presentation?: readonly PresentationAttribute[];
}

export interface Printed {
  /** The content of `workflow.dot`. */
  readonly dot: string;
  /** The content of `settings.json`; absent when the graph says everything. */
  readonly settings?: string;
}

type Routes = readonly (readonly [outcome: string, target: string])[];

/** `ok` first, then the author's outcomes, the reserved ones last. */
function rank(outcome: string): number {
  return outcome === "ok" ? 0 : reservedOutcomes.indexOf(outcome) + 2;
}

function routesOf(node: JsonObject): Routes {
  const routes = own(node, "routes");
  if (!isJsonObject(routes)) return [];
  const entries = Object.entries(routes as { readonly [outcome: string]: string });
  return entries.sort(([a], [b]) => rank(a) - rank(b) || (a < b ? -1 : 1));
}

/** Nodes as one reads: from the start, each with what its routes lead to before what lies further away. */
function readingOrder(start: string, routes: ReadonlyMap<string, Routes>): readonly string[] {
  const order = new Set([start]);
  for (const id of order) for (const [, target] of routes.get(id) ?? []) order.add(target);
  for (const id of [...routes.keys()].sort()) order.add(id);
  return [...order];
}

type Attribute = readonly [name: string, value: string];

function attributeList(attributes: readonly Attribute[]): string {
  if (attributes.length === 0) return "";
  return ` [${attributes.map(([name, value]) => `${nameText(name)}=${value}`).join(", ")}]`;
}

/** The presentation of each element, by what `keyOf` calls it. */
function byElement(
  presentation: readonly PresentationAttribute[],
): ReadonlyMap<string, readonly Attribute[]> {
  const kept = new Map<string, Map<string, string>>();
  for (const { element, name, value } of presentation) {
    // A string cannot end in a backslash, nor keep one before a quote or a line end.
    if (!isStringText(value)) continue;
    const key = keyOf(element);
    kept.set(key, (kept.get(key) ?? new Map<string, string>()).set(name, stringText(value)));
  }
  return new Map([...kept].map(([key, attributes]) => [key, [...attributes]]));
}

function keyOf(element: PresentationAttribute["element"]): string {
  if ("node" in element) return JSON.stringify([element.node]);
  return "edge" in element ? JSON.stringify([...element.edge, element.outcome]) : "";
}

/**
 * Prints a valid, normalized definition: `compileSources` makes of it the same definition, with the same labels and the
 * same identity; `$schema`, which belongs to a file, is left out. Throws nothing for what `validate` returned.
 */
export function print(definition: Definition, options: PrintOptions = {}): Printed {
  const nodes = definition.nodes as unknown as { readonly [id: string]: JsonObject };
  const routes = new Map(Object.entries(nodes).map(([id, node]) => [id, routesOf(node)]));
  const order = readingOrder(definition.start, routes);
  const settings = settingsOf(definition, order);
  const drawn = byElement(options.presentation ?? []);
  const { title, labels = {} } = definition.meta ?? {};
  const lines = [`digraph ${nameText(definition.id)} {`];
  if (title !== undefined && isLabel(title)) lines.push(`  label = ${labelText(title)};`);
  lines.push(`  start = ${nameText(definition.start)};`);
  for (const [name, value] of drawn.get("") ?? []) lines.push(`  ${nameText(name)} = ${value};`);
  lines.push("");
  for (const id of order) {
    const kind = own(nodes[id] as JsonObject, "kind") as string;
    const label = own(labels, id);
    lines.push(
      `  ${nameText(id)}${attributeList([
        ...(kind === "activity" ? [] : [["kind", stringText(kind)] as const]),
        ...(label !== undefined && isLabel(label) ? [["label", labelText(label)] as const] : []),
        ...(drawn.get(keyOf({ node: id })) ?? []),
      ])};`,
    );
  }
  if (order.some((id) => routes.get(id)?.length)) lines.push("");
  for (const from of order) {
    for (const [outcome, to] of routes.get(from) ?? []) {
      lines.push(
        `  ${nameText(from)} -> ${nameText(to)}${attributeList([
          ...(outcome === "ok" ? [] : [["on", stringText(outcome)] as const]),
          ...(drawn.get(keyOf({ edge: [from, to], outcome })) ?? []),
        ])};`,
      );
    }
  }
  lines.push("}", "");
  const text = lines.join("\n");
  const laidOut = format(text, { file: WORKFLOW_FILE });
  return {
    dot: laidOut.ok ? laidOut.value : text,
    ...(Object.keys(settings).length > 0 && { settings: jsonText(settings) }),
  };
}
