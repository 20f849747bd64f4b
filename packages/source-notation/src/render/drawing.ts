/**
 * A definition as a drawing for Graphviz: kinds told apart by shape and colour, failed and exhausted routes by their
 * lines, and, when a run is laid over it, where the run was, is, and stands still. Pure text; layout comes later.
 */
import { excerpt, own } from "@swl/base";
import type { Definition, Node, NodeKind, Time } from "@swl/definition/model";
import { layersOf, type Position, positionsOf } from "./layers.js";
import {
  type EdgeRole,
  type EdgeState,
  type NodeState,
  type Palette,
  paintEdge,
  paintNode,
} from "./palette.js";
import { dotString, escapeMarkup, wrap } from "./text.js";

/** What to show of one run. Names that the definition does not have are ignored. */
export interface Overlay {
  /** Edges taken, in order: the node that was left and the route it was left by. */
  readonly path: readonly { readonly node: string; readonly route: string }[];
  readonly current: readonly string[];
  /** Nodes that stand at needs-intervention. */
  readonly parked: readonly string[];
  readonly failed: readonly string[];
  /** Visits by node. */
  readonly counts: { readonly [node: string]: number };
}

export interface Drawing {
  readonly dot: string;
  /** `dot` lays the graph out; `nop` takes the positions that the drawing gives. */
  readonly engine: "dot" | "nop";
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

/** Said in words as well: colour alone reaches not everyone. */
const STATE_WORDS: Readonly<Partial<Record<NodeState, string>>> = {
  current: "here",
  parked: "needs intervention",
  failed: "failed",
};

export function roleOf(outcome: string): EdgeRole {
  return outcome === "failed" || outcome === "exhausted" ? outcome : "business";
}

function stateOf(id: string, overlay: Overlay | undefined): NodeState {
  if (overlay === undefined) return "plain";
  if (overlay.parked.includes(id)) return "parked";
  if (overlay.failed.includes(id)) return "failed";
  if (overlay.current.includes(id)) return "current";
  return (own(overlay.counts, id) ?? 0) > 0 || overlay.path.some(({ node }) => node === id)
    ? "visited"
    : "untouched";
}

/** Code units that a picture shows of a time; a right one has no more. */
const LONGEST_TIME = 64;

/** `after PT30S`, `until 2030-01-31T08:00:00Z`, or that a mapping yields it. */
function timeOf({ after, until }: Time): string {
  const word = until === undefined ? "after" : "until";
  const time = until ?? after;
  return `${word} ${typeof time === "string" ? excerpt(time, LONGEST_TIME) : "a time from data"}`;
}

/** The second, small line of a node: what its name does not tell. */
function subtitle(
  id: string,
  node: Node,
  definition: Definition,
  run: { visits: number; state: NodeState },
): string {
  const parts: string[] = [];
  if (node.kind === "activity") {
    if (node.action !== id) parts.push(node.action);
    parts.push(own(definition.actions, node.action)?.effect ?? "");
  } else if (node.kind === "await-signal") {
    parts.push(`signal ${node.signal}`, node.deadline ? timeOf(node.deadline) : "");
  } else if (node.kind === "await-timer") parts.push(timeOf(node));
  else if (node.kind === "choice") parts.push("choice");
  else parts.push(node.kind === "fail" ? node.error.code : "complete");
  if (run.visits > 0) parts.push(run.visits === 1 ? "1 visit" : `${run.visits} visits`);
  parts.push(STATE_WORDS[run.state] ?? "");
  return parts.filter((part) => part !== "").join(" · ");
}

/** A Graphviz HTML-like label; every text in it is escaped here. */
function nodeLabel(title: string, small: string): string {
  const lines = wrap(title).map((line) => `<B>${escapeMarkup(line) || " "}</B>`);
  return `<${lines.join("<BR/>")}<BR/><FONT POINT-SIZE="10">${escapeMarkup(small)}</FONT>>`;
}

function edgeLabel(outcome: string, node: Node, times: number): string {
  const limit = "loopLimits" in node && node.loopLimits ? own(node.loopLimits, outcome) : undefined;
  const limited = limit === undefined ? outcome : `${outcome} (at most ${limit})`;
  return times > 1 ? `${limited} × ${times}` : limited;
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
  const taken = new Map<string, number>();
  for (const { node, route } of overlay?.path ?? []) {
    taken.set(`${node} ${route}`, (taken.get(`${node} ${route}`) ?? 0) + 1);
  }
  const lines: string[] = [];
  // Straight edges cross each other's middles: what they are for stands where they begin.
  const edgeText = positions ? "labeldistance=3, labelangle=20, taillabel" : "label";

  const drawNode = (id: string, node: Node): void => {
    const state = stateOf(id, overlay);
    const name = `swl-${node.kind}-${state}`;
    nodeClasses.set(name, { kind: node.kind, state });
    const { fill, line, text } = paintNode(palette, node.kind, state);
    const title = own(definition.meta?.labels ?? {}, id) ?? id;
    const visits = overlay ? (own(overlay.counts, id) ?? 0) : 0;
    const label = nodeLabel(title, subtitle(id, node, definition, { visits, state }));
    const width = state === "plain" || state === "untouched" ? 1.3 : 2.6;
    lines.push(
      `${dotString(id)} [${SHAPES[node.kind]}, class="${name}", fillcolor="${fill}", color="${line}", fontcolor="${text}", penwidth=${width}${positionOf(positions?.get(id))}, label=${label}];`,
    );
  };

  const drawEdge = (from: string, node: Node, outcome: string, to: string): void => {
    const role = roleOf(outcome);
    const times = taken.get(`${from} ${outcome}`) ?? 0;
    const state = overlay === undefined ? "plain" : times > 0 ? "taken" : "untouched";
    const name = `swl-edge-${role}-${state}`;
    edgeClasses.set(name, { role, state });
    const { line, text } = paintEdge(palette, role, state);
    const label = `<${escapeMarkup(` ${edgeLabel(outcome, node, times)} `)}>`;
    lines.push(
      `${dotString(from)} -> ${dotString(to)} [class="${name}", style="${EDGE_STYLES[role]}", color="${line}", fontcolor="${text}", penwidth=${state === "taken" ? 3 : 1.3}, ${edgeText}=${label}];`,
    );
  };

  for (const [id, node] of Object.entries(definition.nodes)) drawNode(id, node);
  for (const [id, node] of Object.entries(definition.nodes)) {
    if (!("routes" in node)) continue;
    for (const [outcome, to] of Object.entries(node.routes)) drawEdge(id, node, outcome, to);
  }
  const first = positions?.get(definition.start);
  const above = first && { x: first.x, y: first.y + 100 };
  const title = wrap(definition.meta?.title ?? definition.id).map(
    (line) => `<B>${escapeMarkup(line) || " "}</B>`,
  );
  const dot = [
    `digraph {`,
    `graph [bgcolor="${palette.background}", pad=0.35, ranksep=0.55, nodesep=0.55, rankdir=TB, labelloc=t, fontname="${LAYOUT_FONT}", fontsize=18, fontcolor="${palette.title}", label=<${title.join("<BR/>")}<BR/> >${attributes}];`,
    `node [fontname="${LAYOUT_FONT}", fontsize=13];`,
    `edge [fontname="${LAYOUT_FONT}", fontsize=11, arrowsize=0.8];`,
    // No ID of a workflow holds a space, so these two are nobody's.
    `" start" [shape=circle, style=filled, class="swl-start", label="", width=0.2, fixedsize=true, color="${palette.title}", fillcolor="${palette.title}"${positionOf(above)}];`,
    `" start" -> ${dotString(definition.start)} [class="swl-start", color="${palette.title}", penwidth=1.3];`,
    ...lines,
    `}`,
  ].join("\n");
  return { dot, engine: positions ? "nop" : "dot", nodeClasses, edgeClasses };
}
