/**
 * Exit codes as data: what scripts may rely on. `swl --help`, docs/guide/cli.md and the tests all read this table, and
 * `exitOf` is the only place where an error code becomes a number.
 */
import type { Code } from "@swl/base";

export const exit = {
  ok: 0,
  invalid: 1,
  usage: 2,
  notFound: 3,
  refused: 4,
  store: 5,
  ended: 6,
  stands: 7,
  differs: 8,
  internal: 70,
  interrupted: 130,
} as const;

export type ExitName = keyof typeof exit;
export type ExitCode = (typeof exit)[ExitName];

/** One sentence for each, in the order of `exit`. */
export const exitMeanings: { readonly [K in ExitName]: string } = {
  ok: "done",
  invalid: "a source, input, binding or schema is invalid; the findings say where",
  usage: "the command line was not understood",
  notFound: "a file, folder, store or run is not there, or cannot be read or written",
  refused: "the request was refused, or was applied without effect",
  store: "the store failed",
  ended: "the run ended as failed or canceled",
  stands: "the run waits or stands, or no answer came in time",
  differs: "what was compared differs: two definitions, a file and its layout",
  internal: "an error of swl itself, or a Node that is too old",
  interrupted: "interrupted before the work was done",
};

/** Codes that do not follow the rule of their group. */
const single: ReadonlyMap<Code, ExitCode> = new Map<Code, ExitCode>([
  ["source.not-found", exit.notFound],
  ["source.unreadable", exit.notFound],
  ["cli.store-missing", exit.notFound],
  ["run.not-found", exit.notFound],
  ["name.not-found", exit.notFound],
  ["store.not-found", exit.notFound],
  ["request.invalid", exit.usage],
  ["host.option-invalid", exit.usage],
  ["server.option-invalid", exit.usage],
  ["server.open-address", exit.usage],
  ["cli.usage", exit.usage],
  ["event.invalid", exit.invalid],
  ["part.not-built", exit.usage],
  ["cli.output-lost", exit.notFound],
  ["store.host-active", exit.refused],
  ["store.closed", exit.refused],
  ["store.held", exit.refused],
  ["answer.timeout", exit.stands],
  ["outcome.unknown", exit.stands],
  ["run.parked", exit.stands],
]);

const groups: { readonly [group: string]: ExitCode } = {
  json: exit.invalid,
  definition: exit.invalid,
  mapping: exit.invalid,
  input: exit.invalid,
  time: exit.invalid,
  logic: exit.invalid,
  dot: exit.invalid,
  source: exit.invalid,
  binding: exit.invalid,
  render: exit.invalid,
  request: exit.refused,
  signal: exit.refused,
  update: exit.refused,
  resolve: exit.refused,
  cancel: exit.refused,
  run: exit.refused,
  event: exit.refused,
  token: exit.refused,
  host: exit.refused,
  server: exit.refused,
  client: exit.store,
  part: exit.refused,
  model: exit.refused,
  store: exit.store,
};

/** The exit code of an error. A group that nobody named here is an internal error. */
export function exitOf(code: Code): ExitCode {
  const group = code.slice(0, code.indexOf("."));
  return single.get(code) ?? (Object.hasOwn(groups, group) ? groups[group]! : exit.internal);
}

/** The table as lines of text for `--help`. */
export function exitTable(): string {
  const names = Object.keys(exit) as ExitName[];
  return names.map((name) => `  ${String(exit[name]).padStart(3)}  ${exitMeanings[name]}`).join("\n");
}
