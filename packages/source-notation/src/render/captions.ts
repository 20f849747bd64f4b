/**
 * What a picture says in words, the same in every format: the name of a node, the small print below it, and what
 * stands at a route. Plain text; whoever writes it into a format escapes it.
 */
import { excerpt, own } from "@swl/base";
import type { Definition, Node, Time } from "@swl/definition/model";
import type { Traces } from "./overlay.js";
import type { EdgeRole, NodeState } from "./palette.js";
import { columnsOf, wrap } from "./text.js";

/** Columns of a title above a picture, of a node's name, and of the small print. */
const TITLE = 64;
const NAME = 26;
const SMALL = 44;

/** Said in words as well: colour alone reaches not everyone. */
const STATE_WORDS: Readonly<Partial<Record<NodeState, string>>> = {
  current: "here",
  parked: "needs intervention",
  failed: "failed here",
  completed: "ended here",
  canceled: "canceled here",
};

export function roleOf(outcome: string): EdgeRole {
  return outcome === "failed" || outcome === "exhausted" ? outcome : "business";
}

export function titleLines({ meta, id }: Definition): readonly string[] {
  return wrap(meta?.title?.trim() || id, TITLE);
}

/** Code units that a picture shows of a time or of a signal's name; a right time has no more. */
const LONGEST = 64;

/** `after PT30S`, `until 2030-01-31T08:00:00Z`, or that a mapping yields it. */
function timeOf({ after, until }: Time): string {
  const word = until === undefined ? "after" : "until";
  const time = until ?? after;
  return `${word} ${typeof time === "string" ? excerpt(time, LONGEST) : "a time from data"}`;
}

/** What the name of a node does not tell. */
function kindWords(id: string, node: Node, { actions }: Definition): readonly string[] {
  switch (node.kind) {
    case "activity":
      return [node.action === id ? "" : node.action, own(actions, node.action)?.effect ?? ""];
    case "await-signal":
      return [`signal ${excerpt(node.signal, LONGEST)}`, node.deadline ? timeOf(node.deadline) : ""];
    case "await-timer":
      return [timeOf(node)];
    case "fail":
      return [`fails: ${node.error.code}`];
    default:
      return [node.kind];
  }
}

/** The parts of the small print, as many in a line as there is room for. */
function inLines(parts: readonly string[]): readonly string[] {
  const lines: string[] = [];
  for (const part of parts.map((text) => wrap(text, LONGEST).join(" "))) {
    const line = lines.at(-1);
    if (line === undefined || columnsOf(line) + columnsOf(part) + 3 > SMALL) lines.push(part);
    else lines[lines.length - 1] = `${line} · ${part}`;
  }
  return lines;
}

/** The name of a node and its small print, in lines. */
export function nodeLines(
  id: string,
  node: Node,
  definition: Definition,
  { stateOf, visitsOf }: Traces,
): { readonly name: readonly string[]; readonly small: readonly string[] } {
  const visits = visitsOf(id);
  const label = own(definition.meta?.labels ?? {}, id)?.trim() || id;
  const parts = [
    ...kindWords(id, node, definition),
    visits === 0 ? "" : visits === 1 ? "1 visit" : `${visits} visits`,
    STATE_WORDS[stateOf(id)] ?? "",
  ];
  const said = parts.filter((part) => part !== "");
  return {
    name: wrap(label, NAME),
    small: inLines(said),
  };
}

/** `short (at most 2) × 3`: the outcome, its limit, and how often a run took it when that was more than once. */
export function edgeText(outcome: string, id: string, node: Node, { timesOf }: Traces): string {
  const limit = "loopLimits" in node && node.loopLimits ? own(node.loopLimits, outcome) : undefined;
  const limited = limit === undefined ? outcome : `${outcome} (at most ${limit})`;
  const times = timesOf(id, outcome);
  return times > 1 ? `${limited} × ${times}` : limited;
}
