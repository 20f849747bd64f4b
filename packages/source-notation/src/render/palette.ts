/**
 * The colours of pictures, light and dark, by what a thing is and by what happened to it. Text stands out from what is
 * behind it by 4.5 to 1 at least, lines by 3 to 1 (WCAG 2 AA), and nothing is said by colour alone.
 */
import type { NodeKind } from "@swl/definition/model";

export interface NodePaint {
  readonly fill: string;
  readonly line: string;
  readonly text: string;
}

/** What a run did at a node; `plain` when no run is shown, `untouched` when one is and it was not there. */
export type NodeState =
  | "plain"
  | "untouched"
  | "visited"
  | "current"
  | "parked"
  | "failed"
  | "completed"
  | "canceled";
export type EdgeRole = "business" | "failed" | "exhausted";
export type EdgeState = "plain" | "untouched" | "taken";

export interface Palette {
  readonly background: string;
  readonly title: string;
  readonly kinds: Readonly<Record<NodeKind, NodePaint>>;
  readonly states: Readonly<Partial<Record<NodeState, NodePaint>>>;
  readonly edges: Readonly<Record<EdgeRole, string>>;
  readonly taken: string;
  readonly faint: string;
  readonly faintText: string;
}

export const light: Palette = {
  background: "#ffffff",
  title: "#0f172a",
  kinds: {
    activity: { fill: "#eef2ff", line: "#6366f1", text: "#1e1b4b" },
    "await-signal": { fill: "#fef3c7", line: "#b45309", text: "#451a03" },
    "await-timer": { fill: "#e0f2fe", line: "#0284c7", text: "#082f49" },
    choice: { fill: "#fae8ff", line: "#c026d3", text: "#4a044e" },
    complete: { fill: "#dcfce7", line: "#15803d", text: "#052e16" },
    fail: { fill: "#fee2e2", line: "#dc2626", text: "#450a0a" },
  },
  states: {
    untouched: { fill: "#f8fafc", line: "#7c8aa0", text: "#64748b" },
    current: { fill: "#2563eb", line: "#1e3a8a", text: "#ffffff" },
    parked: { fill: "#c2410c", line: "#7c2d12", text: "#ffffff" },
    failed: { fill: "#dc2626", line: "#7f1d1d", text: "#ffffff" },
    completed: { fill: "#15803d", line: "#14532d", text: "#ffffff" },
    canceled: { fill: "#475569", line: "#0f172a", text: "#ffffff" },
  },
  edges: { business: "#475569", failed: "#dc2626", exhausted: "#c2410c" },
  taken: "#2563eb",
  faint: "#7c8aa0",
  faintText: "#64748b",
};

export const dark: Palette = {
  background: "#0f172a",
  title: "#e2e8f0",
  kinds: {
    activity: { fill: "#312e81", line: "#a5b4fc", text: "#eef2ff" },
    "await-signal": { fill: "#713f12", line: "#fbbf24", text: "#fef3c7" },
    "await-timer": { fill: "#0c4a6e", line: "#38bdf8", text: "#e0f2fe" },
    choice: { fill: "#701a75", line: "#e879f9", text: "#fae8ff" },
    complete: { fill: "#14532d", line: "#4ade80", text: "#dcfce7" },
    fail: { fill: "#7f1d1d", line: "#f87171", text: "#fee2e2" },
  },
  states: {
    untouched: { fill: "#111c33", line: "#64748b", text: "#94a3b8" },
    current: { fill: "#2563eb", line: "#dbeafe", text: "#ffffff" },
    parked: { fill: "#c2410c", line: "#fed7aa", text: "#ffffff" },
    failed: { fill: "#dc2626", line: "#fecaca", text: "#ffffff" },
    completed: { fill: "#15803d", line: "#bbf7d0", text: "#ffffff" },
    canceled: { fill: "#475569", line: "#e2e8f0", text: "#ffffff" },
  },
  edges: { business: "#94a3b8", failed: "#f87171", exhausted: "#fb923c" },
  taken: "#60a5fa",
  faint: "#64748b",
  faintText: "#94a3b8",
};

/** Lines of a picture whose background is not ours: they show on white and on near-black. */
export const anywhere: Pick<Palette, "edges" | "taken" | "faint"> = {
  edges: { business: "#708090", failed: "#e5484d", exhausted: "#d2691e" },
  taken: "#3b82f6",
  faint: "#808b9c",
};

export function paintNode(palette: Palette, kind: NodeKind, state: NodeState): NodePaint {
  return palette.states[state] ?? palette.kinds[kind];
}

export function paintEdge(palette: Palette, role: EdgeRole, state: EdgeState): Omit<NodePaint, "fill"> {
  if (state === "untouched") return { line: palette.faint, text: palette.faintText };
  const line = state === "taken" && role === "business" ? palette.taken : palette.edges[role];
  return { line, text: line };
}
