/**
 * A definition as a drawing for Graphviz: kinds told apart by shape and colour, failed and exhausted routes by their
 * lines, and, when a run is laid over it, where the run was, is, and stands still. Pure text; layout comes later.
 */
import type { Definition, Node, NodeKind } from "@swl/definition/model";
import { edgeText, nodeLines, roleOf, titleLines } from "./captions.js";
import { layersOf, type Position, positionsOf } from "./layers.js";
import { type Overlay, tracesOf } from "./overlay.js";
import {
  type EdgeRole,
  type EdgeState,
  type NodeState,
  type Palette,
  paintEdge,
  paintNode,
} from "./palette.js";
import { dotString, escapeMarkup } from "./text.js";

export interface Drawing {
  readonly dot: string;
  /** `dot` lays the graph out; `nop` takes the positions that the drawing gives. */
  readonly engine: "dot" | "nop";
  /** What the picture is of, in one line. */
  readonly name: string;
  /** The classes used, for a style sheet of a second palette. */
  readonly nodeClasses: ReadonlyMap<string, { readonly kind: NodeKind; readonly state: NodeState }>;
  readonly edgeClasses: ReadonlyMap<string, { readonly role: EdgeRole; readonly state: EdgeState }>;
}

/** Graphviz knows the widths of this one, bold as well; the picture names its usual substitutes beside it. */
export const LAYOUT_FONT = "Arial";

const SHAPES: Readonly<Record<NodeKind, string>> = {
  activity: 'shape=box, style="rounded,filled", margin="0.2,0.12"',
  "await-signal": 'shape=hexagon, style="filled", margin="0.02,0.02"',
  "await-timer": 'shape=parallelogram, style="filled", margin="0.02,0.06"',
  choice: 'shape=diamond, style="filled", margin="0.02,0.02"',
  complete: 'shape=ellipse, style="filled", peripheries=2, margin="0.14,0.05"',
  fail: 'shape=octagon, style="filled", margin="0.08,0.05"',
};

const EDGE_STYLES: Readonly<Record<EdgeRole, string>> = {
  business: "solid",
  failed: "dashed",
  exhausted: "dotted",
};

const EDGE_WIDTHS: Readonly<Record<EdgeRole, number>> = { business: 1.3, failed: 1.3, exhausted: 2 };

/** Lines of a Graphviz HTML-like label; every text in it is escaped here. */
function bold(lines: readonly string[]): string {
  return lines.map((line) => `<B>${escapeMarkup(line) || " "}</B>`).join("<BR/>");
}

/** A line that makes room. */
const GAP = '<FONT POINT-SIZE="3"> </FONT>';

function nodeLabel({ name, small }: ReturnType<typeof nodeLines>): string {
  const print = small.map((line) => `<FONT POINT-SIZE="10">${escapeMarkup(line)}</FONT>`);
  return `<${[bold(name), GAP, ...print].join("<BR/>")}>`;
}

/** Spans up to which Graphviz may do its best, and may lay out at all; see `Layers`. */
const NICE_SPAN = 800;
const QUICK_SPAN = 3_000;

/** How much effort the layout is worth: attributes of the graph, and positions where Graphviz is not to look for any. */
function arrange({ start, nodes }: Definition): {
  readonly attributes: string;
  readonly positions?: ReadonlyMap<string, Position>;
} {
  const targets = Object.entries(nodes).map(([id, node]): [string, readonly string[]] => [
    id,
    "routes" in node ? Object.values(node.routes) : [],
  ]);
  const layers = layersOf(start, new Map(targets));
  const { span } = layers;
  if (span <= NICE_SPAN && targets.length <= NICE_SPAN) return { attributes: "" };
  if (span <= QUICK_SPAN && targets.length <= QUICK_SPAN) {
    return { attributes: ", splines=line, nslimit=1, nslimit1=1, mclimit=0.1, searchsize=5" };
  }
  return { attributes: ", splines=line", positions: positionsOf(layers) };
}

/** `, pos="x,y"` for a node that has a position. */
function positionOf(position: Position | undefined): string {
  return position ? `, pos="${position.x},${position.y}"` : "";
}

export function draw(definition: Definition, palette: Palette, overlay?: Overlay): Drawing {
  const { attributes, positions } = arrange(definition);
  const nodeClasses = new Map<string, { readonly kind: NodeKind; readonly state: NodeState }>();
  const edgeClasses = new Map<string, { readonly role: EdgeRole; readonly state: EdgeState }>();
  const traces = tracesOf(overlay);
  const lines: string[] = [];
  // Straight edges cross each other's middles: what they are for stands where they begin, each a little further on.
  const labelOf = (order: number) =>
    positions ? `labeldistance=${2 + (order % 8) * 1.5}, labelangle=20, taillabel` : "label";

  const drawNode = (id: string, node: Node): void => {
    const state = traces.stateOf(id);
    const name = `swl-${node.kind}-${state}`;
    nodeClasses.set(name, { kind: node.kind, state });
    const { fill, line, text } = paintNode(palette, node.kind, state);
    const width = state === "plain" || state === "untouched" ? 1.3 : 2.6;
    lines.push(
      `${dotString(id)} [${SHAPES[node.kind]}, class="${name}", fillcolor="${fill}", color="${line}", fontcolor="${text}", penwidth=${width}${positionOf(positions?.get(id))}, label=${nodeLabel(nodeLines(id, node, definition, traces))}];`,
    );
  };

  const drawEdge = (from: string, node: Node, outcome: string, to: string, order: number): void => {
    const role = roleOf(outcome);
    const state = traces.edgeStateOf(from, outcome);
    const name = `swl-edge-${role}-${state}`;
    edgeClasses.set(name, { role, state });
    const { line, text } = paintEdge(palette, role, state);
    const width = state === "taken" ? 3 : EDGE_WIDTHS[role];
    lines.push(
      `${dotString(from)} -> ${dotString(to)} [class="${name}", style="${EDGE_STYLES[role]}", color="${line}", fontcolor="${text}", penwidth=${width}, ${labelOf(order)}=<${escapeMarkup(` ${edgeText(outcome, from, node, traces)} `)}>];`,
    );
  };

  for (const [id, node] of Object.entries(definition.nodes)) drawNode(id, node);
  for (const [id, node] of Object.entries(definition.nodes)) {
    if (!("routes" in node)) continue;
    for (const [order, [outcome, to]] of Object.entries(node.routes).entries()) {
      drawEdge(id, node, outcome, to, order);
    }
  }
  const first = positions?.get(definition.start);
  const above = first && { x: first.x, y: first.y + 100 };
  const title = titleLines(definition);
  const dot = [
    `digraph {`,
    `graph [bgcolor="${palette.background}", pad=0.35, ranksep=0.55, nodesep=0.55, rankdir=TB, labelloc=t, fontname="${LAYOUT_FONT}", fontsize=18, fontcolor="${palette.title}", label=<${bold(title)}<BR/> >${attributes}];`,
    `node [fontname="${LAYOUT_FONT}", fontsize=13];`,
    `edge [fontname="${LAYOUT_FONT}", fontsize=11, arrowsize=0.8];`,
    // No ID of a workflow holds a space, so these two are nobody's.
    `" start" [shape=circle, style=filled, class="swl-start", label="", width=0.2, fixedsize=true, color="${palette.title}", fillcolor="${palette.title}"${positionOf(above)}];`,
    `" start" -> ${dotString(definition.start)} [class="swl-start", color="${palette.title}", penwidth=1.3];`,
    ...lines,
    `}`,
  ].join("\n");
  return { dot, engine: positions ? "nop" : "dot", name: title.join(" "), nodeClasses, edgeClasses };
}
