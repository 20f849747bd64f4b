/**
 * Changes a graph as its author would: `edit` does what operations say, and every byte that they do not speak of stays,
 * comments above all. The result means what the source meant, with the operations done. Spec: DOT-edit.
 */
import type { Diagnostic, Outcome, Place } from "@swl/base";
import { graphProblems, inReadingOrder } from "../compile/compile.js";
import { failure, quote } from "../dot/finding.js";
import { type Graph, readGraph } from "../dot/graph.js";
import { type ParseDotOptions, parseDot } from "../dot/parse.js";
import type { DotDocument } from "../dot/tree.js";
import { type EditOperation, shapeProblem } from "./operation.js";
import { Planner } from "./plan.js";
import { applyChanges, type TextChange } from "./text-change.js";

export interface PlanOptions {
  /** The operation's index in a list, for the pointers of findings. Default 0. */
  readonly index?: number;
}

/** What the graph of a document says; the findings when it says something wrong. */
function graphOf(document: DotDocument): Outcome<Graph> {
  const { graph, findings } = readGraph(document);
  return findings.length === 0
    ? { ok: true, value: graph, findings }
    : { ok: false, findings: inReadingOrder(findings) };
}

/** What no definition can say, and a start that is no node. */
function problemsOf(graph: Graph): readonly Diagnostic[] {
  const { document, start, nodes } = graph;
  const problems = [...graphProblems(graph)];
  if (start !== undefined && !nodes.has(start.text)) {
    const message = `there is no node ${quote(start.text)} to start at`;
    problems.push(failure("definition.start-unknown", message, document.placeAt(start.start)));
  }
  return problems;
}

function refused(findings: readonly Diagnostic[], index: number, place?: Place): Outcome<never> {
  const pointer = `/${index}`;
  return { ok: false, findings: findings.map((one) => ({ ...one, pointer, ...(place && { place }) })) };
}

/** As `planEdit`, with the graph that is there afterwards. */
export function planned(
  graph: Graph,
  operation: EditOperation,
  index: number,
): Outcome<{ readonly changes: readonly TextChange[]; readonly graph: Graph }> {
  const { document } = graph;
  const start = document.placeAt(document.name.start);
  const shape = shapeProblem(operation);
  if (shape !== undefined) return refused([failure("dot.edit-impossible", shape, start)], index);
  const planner = new Planner(graph);
  const problem = planner.plan(operation);
  if (problem !== undefined) return refused([problem], index);
  const changes = planner.written.changes.inOrder();
  const parsed = parseDot(applyChanges(document.source, changes), {
    file: document.file,
    maxBytes: Infinity,
  });
  const after = parsed.ok ? graphOf(parsed.value) : parsed;
  if (!after.ok) return refused(after.findings.slice(0, 1), index, start);
  const known = new Set(problemsOf(graph).map(({ code, node }) => `${code} ${node}`));
  const added = problemsOf(after.value).find(({ code, node }) => !known.has(`${code} ${node}`));
  if (added !== undefined) return refused([added], index, start);
  return { ok: true, value: { changes, graph: after.value }, findings: [] };
}

/**
 * The changes of the text by which one operation is done: disjoint, in order, offsets into `document.source`. Fails with
 * what is wrong with the graph, or with the one reason why the operation cannot be done, its pointer being the
 * operation's index.
 */
export function planEdit(
  document: DotDocument,
  operation: EditOperation,
  { index = 0 }: PlanOptions = {},
): Outcome<readonly TextChange[]> {
  const graph = graphOf(document);
  if (!graph.ok) return graph;
  const plan = planned(graph.value, operation, index);
  return plan.ok ? { ...plan, value: plan.value.changes } : plan;
}

/** The graph of a text that is to be edited, or everything that is wrong with it; operations may be a stranger's. */
export function firstGraph(
  text: string | Uint8Array,
  operations: readonly EditOperation[],
  options: ParseDotOptions,
): Outcome<Graph> {
  const parsed = parseDot(text, options);
  const graph = parsed.ok ? graphOf(parsed.value) : parsed;
  if (!graph.ok || Array.isArray(operations)) return graph;
  const place = { file: options.file, line: 1, column: 1 };
  return { ok: false, findings: [failure("dot.edit-impossible", "operations are a list", place)] };
}

/** The text of an edited graph, with the byte order mark that the text before had. */
export function sourceOf({ document }: Graph, before: string | Uint8Array): string {
  const mark =
    typeof before === "string" ? before.startsWith("\ufeff") : before[0] === 0xef && before[1] === 0xbb;
  return (mark ? "\ufeff" : "") + document.source;
}

/**
 * The text with the operations done, one after the other; all of them or none. A text that is no SWL-DOT is not edited,
 * its findings come back. An operation that cannot be done is refused: `dot.edit-impossible`, or the code of the rule
 * that the result would break. A byte order mark stays.
 */
export function edit(
  text: string | Uint8Array,
  operations: readonly EditOperation[],
  options: ParseDotOptions,
): Outcome<string> {
  const first = firstGraph(text, operations, options);
  if (!first.ok) return first;
  let graph = first.value;
  for (const [index, operation] of operations.entries()) {
    const plan = planned(graph, operation, index);
    if (!plan.ok) return plan;
    graph = plan.value.graph;
  }
  return { ok: true, value: sourceOf(graph, text), findings: [] };
}
