/**
 * A workflow as Mermaid text, for a README: the same kinds, words and marks as in an SVG. The same definition gives
 * the same text. Labels cannot break out of it: they are quoted strings in which everything but letters, digits and
 * spaces is a numeric entity, which Mermaid shows as the character and neither reads as syntax, Markdown, icon or
 * formula, nor as markup.
 */
import type { Definition, Node, NodeKind } from "@swl/definition/model";
import { edgeText, nodeLines, roleOf } from "./captions.js";
import { type Overlay, type Traces, tracesOf } from "./overlay.js";
import { anywhere, type EdgeRole, type EdgeState, light, type NodeState, paintNode } from "./palette.js";
import { checkSize } from "./size.js";
import { printable } from "./text.js";

export interface MermaidOptions {
  /** One run, drawn over the workflow. */
  readonly overlay?: Overlay;
}

const SHAPES: Readonly<Record<NodeKind, readonly [open: string, close: string]>> = {
  activity: ["(", ")"],
  "await-signal": ["{{", "}}"],
  "await-timer": ["[/", "/]"],
  choice: ["{", "}"],
  complete: ["([", "])"],
  fail: ["[[", "]]"],
};

/** Letters, digits and their marks; `_` and `-` within a word of ASCII. */
const SPECIAL = /[^\p{L}\p{N}\p{M} _-]|(?<![A-Za-z0-9])[_-]|[_-](?![A-Za-z0-9])/gu;

/**
 * What Mermaid still acts on when it has decoded the entities: `$$` begins a formula, `:fa-` an icon; `ﬂ°` and `¶ß` are
 * how it writes `&` and `;`.
 */
const ACTED_ON = /\$(?=\$)|:(?=fa-)|\ufb02(?=\u00b0)|\u00b6(?=\u00df)/g;

function escapeText(text: string): string {
  // A word joiner takes no room and keeps the two apart.
  const inert = printable(text).replace(ACTED_ON, (character) => `${character}\u2060`);
  return inert.replace(SPECIAL, (character) => `#${character.codePointAt(0)};`);
}

function quoted(lines: readonly string[]): string {
  const texts = lines.map((line) => escapeText(line).trim()).filter((line) => line !== "");
  return `"${texts.join("<br/>") || " "}"`;
}

/** No word of Mermaid begins with `n_`; `.`, which is in no ID, stands for `-`, of which Mermaid makes arrows. */
function nameOf(id: string): string {
  return `n_${id.replaceAll("-", ".").replace(/[^A-Za-z0-9_.]/gu, (character) => `.${character.codePointAt(0)}.`)}`;
}

function arrow(role: EdgeRole, state: EdgeState): string {
  if (role !== "business") return "-.->";
  return state === "taken" ? "==>" : "-->";
}

/** What an edge looks like beyond its arrow; a plain route looks as the viewer's theme has it. */
function edgeStyle(role: EdgeRole, state: EdgeState): string | undefined {
  if (role === "business" && state === "plain") return undefined;
  const strong = state === "taken" && role === "business" ? anywhere.taken : anywhere.edges[role];
  const dashes = { business: "", failed: ",stroke-dasharray:6 3", exhausted: ",stroke-dasharray:2 4" }[role];
  const width = state === "taken" ? ",stroke-width:4px" : "";
  return `stroke:${state === "untouched" ? anywhere.faint : strong}${dashes}${width}`;
}

function classLine(name: string, kind: NodeKind, state: NodeState): string {
  const { fill, line, text } = paintNode(light, kind, state);
  const width = state === "plain" || state === "untouched" ? "" : ",stroke-width:3px";
  return `  classDef ${name} fill:${fill},stroke:${line},color:${text}${width}`;
}

function nodeLine(id: string, node: Node, definition: Definition, traces: Traces, name: string): string {
  const { name: title, small } = nodeLines(id, node, definition, traces);
  const [open, close] = SHAPES[node.kind];
  return `  ${nameOf(id)}${open}${quoted([...title, ...small])}${close}:::${name}`;
}

/**
 * Writes a workflow as a Mermaid flowchart, and over it one run when `overlay` is given. Nodes have their own colours,
 * readable on light and dark pages. Viewers draw 500 routes at most unless told otherwise. Throws `render.unavailable`
 * beyond 10,000 nodes and routes.
 */
export function renderMermaid(definition: Definition, options: MermaidOptions = {}): string {
  checkSize(definition);
  const traces = tracesOf(options.overlay);
  const classes = new Map<string, string>();
  const styles = new Map<string, number[]>();
  const nodes: string[] = [];
  // The first edge is the one from the start.
  const edges = [`  start((start)) --> ${nameOf(definition.start)}`];
  for (const [id, node] of Object.entries(definition.nodes)) {
    const state = traces.stateOf(id);
    const name = state === "plain" ? node.kind : `${node.kind}-${state}`;
    classes.set(name, classLine(name, node.kind, state));
    nodes.push(nodeLine(id, node, definition, traces, name));
    if (!("routes" in node)) continue;
    for (const [outcome, target] of Object.entries(node.routes)) {
      const role = roleOf(outcome);
      const edgeState = traces.edgeStateOf(id, outcome);
      const style = edgeStyle(role, edgeState);
      if (style !== undefined) {
        const indexes = styles.get(style) ?? [];
        styles.set(style, indexes);
        indexes.push(edges.length);
      }
      const text = quoted([edgeText(outcome, id, node, traces)]);
      edges.push(`  ${nameOf(id)} ${arrow(role, edgeState)}|${text}| ${nameOf(target)}`);
    }
  }
  const looks = [...styles].map(([style, indexes]) => `  linkStyle ${indexes.join(",")} ${style}`);
  return `${["flowchart TB", ...nodes, ...edges, ...classes.values(), ...looks].join("\n")}\n`;
}
