/** One loop in sentences: its way in, what ends it, its ways out, and what it may cost. */
import type { Definition } from "../model.js";
import type { Loop } from "./loops.js";
import type { Survey } from "./survey.js";
import { visitBound } from "./visits.js";
import { list, times } from "./words.js";

export function explainLoop(found: Survey, loop: Loop): string {
  const [only] = loop.nodes;
  const where = loop.nodes.length === 1 ? `${only} leads to itself` : `${list(loop.nodes)} form a loop`;
  const into = loop.nodes.length === 1 ? "" : `, entered at ${list(loop.entries)}`;
  return [`${where}${into}.`, endOf(found.definition, loop), exitsOf(loop), costOf(found, loop)]
    .filter((sentence) => sentence !== "")
    .join(" ");
}

function endOf({ limits }: Definition, { bounds, unbounded = [], nodes }: Loop): string {
  if (bounds === "unbounded") {
    const part = unbounded.length === nodes.length ? "it" : list(unbounded);
    const { maxActivations, maxNodeVisits } = limits;
    const single = maxNodeVisits === undefined ? "" : `, or of one node ${times(maxNodeVisits)},`;
    return `No loop limit ends ${part}: only ${maxActivations} visits of nodes in all${single} do, and they fail the run.`;
  }
  if (bounds.length === 0)
    return "It is not gone round for ever: what closes it cannot be taken again and again.";
  const ends = bounds.map(
    ({ node, outcome, limit, to }) =>
      `at ${node} ${outcome} is taken at most ${times(limit)} in a row, then exhausted leads to ${to}`,
  );
  return `A limit ends it: ${list(ends)}.`;
}

function exitsOf({ exits }: Loop): string {
  const ways = exits
    .filter(({ outcome }) => outcome !== "exhausted")
    .map(({ node, outcome, to }) => `${outcome} at ${node} to ${to}`);
  return ways.length === 0 ? "" : `It is left by ${list(ways)}.`;
}

function costOf(found: Survey, { bounds, nodes }: Loop): string {
  if (bounds === "unbounded" || bounds.length === 0) return "";
  const { indexOf } = found.graph;
  const costs = nodes.map((node) => `${node} at most ${times(visitBound(found, indexOf.get(node)!).atMost)}`);
  return `A run visits ${list(costs)}.`;
}
