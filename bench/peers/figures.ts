/** What came out over the rounds, and how it is printed. */
import { median } from "../lib/harness.ts";
import { type Counts, STEPS } from "./peer.ts";
import type { System } from "./systems.ts";

export interface Figures {
  /** Runs a second, each round. */
  readonly many: number[];
  /** Milliseconds: the median of each round. */
  readonly lone: number[];
  readonly signal: number[];
  /** Bytes of PostgreSQL's log for one run of `many`. */
  readonly log: number[];
  counts?: Counts & { readonly runs: number };
  /** Why it was not measured, or not to the end. */
  missing?: string;
}

export type Measured = ReadonlyMap<System, Figures>;
type Figure = "many" | "lone" | "signal" | "log";

export const noFigures = (): Figures => ({ many: [], lone: [], signal: [], log: [] });

/** Ours, the other, what is compared, and how many times better ours is asked to be. */
const comparisons: readonly (readonly [string, string, Figure, string])[] = [
  ["swl-postgres", "dbos", "many", "12"],
  ["swl-postgres", "openworkflow-postgres", "many", "12"],
  ["swl-postgres", "restate", "many", "8"],
  ["swl-postgres", "by-hand-postgres-coalesced", "many", "0.25"],
  ["swl-sqlite", "openworkflow-sqlite", "many", "20"],
  ["swl-sqlite", "by-hand-sqlite-coalesced", "many", "-"],
  ["swl-postgres", "dbos", "lone", "4"],
  ["swl-postgres", "restate", "lone", "4"],
  ["swl-postgres", "by-hand-postgres", "lone", "0.4"],
  ["swl-postgres", "dbos", "signal", "2"],
  ["swl-postgres", "restate", "signal", "-"],
];

const number = (value: number): string => value.toFixed(value < 100 ? 2 : 0);

/** Median, least and most. */
function spread(values: readonly number[]): string {
  if (values.length === 0) return "-".padStart(8).padEnd(28);
  const [least, most] = [Math.min(...values), Math.max(...values)].map(number);
  return `${number(median(values)).padStart(8)} ${`(${least} .. ${most})`.padEnd(19)}`;
}

export function report(measured: Measured): readonly string[] {
  const lines = [
    `${" ".repeat(44)}${["runs/s", "lone, ms", "message, ms"].map((title) => title.padStart(8).padEnd(28)).join("")}`,
  ];
  for (const [{ name }, { many, lone, signal, missing }] of measured) {
    const shown = many.length === 0 ? "" : [many, lone, signal].map(spread).join("");
    lines.push(`  ${name.padEnd(42)}${shown}${missing === undefined ? "" : `  ${missing}`}`.trimEnd());
  }
  return [...lines, ...ratios(measured), ...written(measured)];
}

function ratios(measured: Measured): readonly string[] {
  const of = (key: string, figure: Figure) => {
    const [system, figures] = [...measured].find(([{ key: one }]) => one === key) ?? [];
    const values = figures?.[figure] ?? [];
    return values.length === 0 ? undefined : { name: system?.name, value: median(values) };
  };
  const lines = comparisons.flatMap(([ours, theirs, figure, asked]) => {
    const [a, b] = [of(ours, figure), of(theirs, figure)];
    if (a === undefined || b === undefined) return [];
    const better = figure === "many" ? a.value / b.value : b.value / a.value;
    return [`  ${a.name} to ${b.name}, ${figure}: ${better.toFixed(2)}x (asked: ${asked})`];
  });
  return lines.length === 0 ? [] : ["times faster, of the medians", ...lines];
}

function written(measured: Measured): readonly string[] {
  const lines = [...measured].flatMap(([{ name }, { counts, log }]) => [
    ...(counts === undefined ? [] : [`  ${name}: ${countsText(counts)}`]),
    ...(log.length === 0 ? [] : [`  ${name}: ${Math.round(median(log))} bytes of PostgreSQL's log a run`]),
  ]);
  return lines.length === 0 ? [] : ["written for a run of many in flight", ...lines];
}

function countsText({ commits, items, bytes, runs }: Counts & { readonly runs: number }): string {
  const visits = runs * STEPS;
  const each = (value: number): string => `${number(value / runs)} a run (${number(value / visits)} a visit)`;
  return `${each(commits)} commits, ${number(items / commits)} runs a commit; ${each(bytes)} bytes of documents`;
}
