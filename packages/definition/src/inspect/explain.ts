/**
 * A workflow in plain sentences. Labels and titles are shown beside IDs and never stand for them; two definitions that
 * differ in presentation only are explained alike but for these.
 */
import { own } from "@swl/base";
import { parseDuration } from "../durations.js";
import { lookingAtDefinition } from "../looking.js";
import type {
  ActionContract,
  ActivityNode,
  AwaitSignalNode,
  ChoiceNode,
  CompleteNode,
  Definition,
  FailNode,
  Id,
  Time,
} from "../model.js";
import { explainLoop } from "./explain-loop.js";
import { loopsOf } from "./loops.js";
import { allEdges, flood } from "./route-graph.js";
import { ruleWords } from "./rule-words.js";
import { type Survey, survey } from "./survey.js";
import { capital, duration, list, quoted, retries, shortJson, times, unknownResult } from "./words.js";

interface Reading extends Survey {
  /** By node: its place in reading order. */
  readonly rank: Int32Array;
}

/**
 * One text for the workflow, one for each node from start in reading order, one for each loop. Each is a line of one
 * or more sentences. Nodes that start does not lead to come last and are said to be so. Linear.
 */
export function explain(definition: Definition): string[] {
  return lookingAtDefinition(() => sentences(definition));
}

function sentences(definition: Definition): string[] {
  const found = survey(definition);
  const { graph, order } = found;
  const rank = new Int32Array(order.length);
  order.forEach((node, at) => {
    rank[node] = at;
  });
  const reading = { ...found, rank };
  const reached = flood(graph, graph.start, allEdges(graph));
  const nodes = order.map((node) => {
    const text = explainNode(reading, node);
    return reached[node] === 1 ? text : `${text} No path leads here from start.`;
  });
  return [...opening(definition), ...nodes, ...loopsOf(found).map((loop) => explainLoop(found, loop))];
}

function opening({ id, meta, start, limits, inputSchema, outputSchema, requires }: Definition): string[] {
  const title = meta?.title === undefined ? "" : ` (${quoted(meta.title)})`;
  const sentences = [`The workflow ${id}${title} starts at ${start}.`];
  const checked = [inputSchema !== undefined && "input", outputSchema !== undefined && "output"].filter(
    Boolean,
  );
  if (checked.length > 0) {
    const verb = checked.length === 1 ? "is checked against a schema" : "are checked against schemas";
    sentences.push(`Its ${checked.join(" and ")} ${verb}.`);
  }
  const more = requires.filter((profile) => profile !== "core");
  if (more.length > 0)
    sentences.push(`It needs the ${more.length === 1 ? "profile" : "profiles"} ${list(more)}.`);
  const single = limits.maxNodeVisits === undefined ? "" : `, a single node ${times(limits.maxNodeVisits)}`;
  sentences.push(
    `A run visits nodes at most ${times(limits.maxActivations)}${single}; beyond that it fails.`,
  );
  return [sentences.join(" ")];
}

function explainNode(reading: Reading, index: number): string {
  const { definition, graph } = reading;
  const id = graph.ids[index]!;
  const node = definition.nodes[id]!;
  const label = own(definition.meta?.labels ?? {}, id);
  const name = label === undefined || label === id ? id : `${id} (${quoted(label)})`;
  switch (node.kind) {
    case "activity":
      return `${name} ${explainActivity(reading, index, node)}`;
    case "await-signal":
      return `${name} ${explainWait(reading, index, node)}`;
    case "await-timer":
      return `${name} waits until ${timeOf(node)}. ${routesOf(reading, index)}`;
    case "choice":
      return `${name} ${explainChoice(reading, index, node)}`;
    case "complete":
      return `${name} ends the run as completed; ${outputOf(node)}.`;
    case "fail":
      return `${name} ends the run as failed, with the error ${errorOf(node)}.`;
  }
}

function explainActivity(reading: Reading, index: number, node: ActivityNode): string {
  const contract = own(reading.definition.actions, node.action);
  const sentences = [`calls the action ${node.action}${contract ? `: ${contractOf(contract)}` : ""}.`];
  if (contract) sentences.push(...conditionsOf(contract));
  sentences.push(routesOf(reading, index));
  if (own(node.routes, "failed") === undefined) sentences.push("When it fails, the run fails.");
  return sentences.join(" ");
}

function contractOf(contract: ActionContract): string {
  const unknown = unknownResult(contract.effect, contract.onExhausted);
  return `${contract.effect}, ${retries(contract.retry)}; an attempt whose result is unknown ${unknown}`;
}

function conditionsOf({ timeouts, capabilities = [], deferred, cancellation }: ActionContract): string[] {
  const sentences: string[] = [];
  const { attemptMs, operationMs } = timeouts ?? {};
  const attempt = attemptMs === undefined ? [] : [`an attempt may take ${duration(attemptMs)}`];
  const whole =
    operationMs === undefined
      ? []
      : [`all attempts together ${attempt.length > 0 ? "" : "may take "}${duration(operationMs)}`];
  const time = [...attempt, ...whole].join(", ");
  if (time !== "") sentences.push(`${capital(time)}.`);
  if (capabilities.length > 0) sentences.push(`It must be granted ${list(capabilities.map(quoted))}.`);
  if (deferred) sentences.push("Its provider may answer later.");
  if (cancellation === "requestable") sentences.push("It may be asked to stop.");
  return sentences;
}

function explainWait(reading: Reading, index: number, node: AwaitSignalNode): string {
  const checked = Object.keys(node.payloads ?? {}).sort();
  const payloads =
    checked.length === 0 ? "" : ` The payload of ${list(checked)} is checked against a schema.`;
  const { deadline } = node;
  const limit = deadline
    ? ` until ${timeOf(deadline)}; then it is ${deadline.outcome}`
    : ", however long it takes";
  const sentences = `waits for the signal ${quoted(node.signal)}${limit}.${payloads}`;
  return `${sentences} ${routesOf(reading, index)}`;
}

/** `30 s have passed`, `2030-01-01T00:00:00Z`, or what yields it. */
function timeOf({ after, until }: Time): string {
  if (typeof until === "string") return until;
  if (until !== undefined) return `the instant ${shortJson(until)}`;
  const ms = typeof after === "string" ? parseDuration(after) : undefined;
  if (ms?.ok) return `${duration(ms.value)} have passed`;
  return `the duration ${shortJson(after ?? null)} has passed`;
}

/** `chooses by data, the first that holds: big when input.amount > 100; otherwise small.` */
function explainChoice(reading: Reading, index: number, { cases, otherwise }: ChoiceNode): string {
  const ways = cases.map(({ when, outcome }) => `${outcome} when ${ruleWords(when)}`);
  const shown = ways.length <= 8 ? ways : [...ways.slice(0, 7), `${ways.length - 7} more`];
  const first = cases.length === 1 ? "" : ", the first that holds";
  return `chooses by data${first}: ${shown.join("; ")}; otherwise ${otherwise}. ${routesOf(reading, index)}`;
}

/** `On ok it goes on to b, on again back to a (at most twice in a row, then to c).` */
function routesOf(reading: Reading, index: number): string {
  const { graph, live, rank } = reading;
  const byTarget = new Map<number, string[]>();
  const dead: string[] = [];
  let exhausted: Id | undefined;
  for (let edge = graph.offsets[index]!; edge < graph.offsets[index + 1]!; edge++) {
    const outcome = graph.outcomes[edge]!;
    if (outcome === "exhausted") exhausted = graph.ids[graph.targets[edge]!];
    if (live[edge] === 0 && outcome !== "exhausted") dead.push(outcome);
  }
  for (let edge = graph.offsets[index]!; edge < graph.offsets[index + 1]!; edge++) {
    const outcome = graph.outcomes[edge]!;
    if (outcome === "exhausted" || live[edge] === 0) continue;
    const limit = graph.limits[edge]!;
    const then = limit === 0 ? "" : ` (at most ${times(limit)} in a row, then to ${exhausted})`;
    const target = graph.targets[edge]!;
    const group = byTarget.get(target) ?? [];
    group.push(`${outcome === "failed" ? "when it fails" : `on ${outcome}`}${then}`);
    byTarget.set(target, group);
  }
  const clauses = [...byTarget].map(([target, ways], at) => {
    const to = graph.ids[target]!;
    const back =
      target === index ? "to itself again" : rank[target]! <= rank[index]! ? `back to ${to}` : `to ${to}`;
    return `${list(ways, "or")} ${at === 0 ? "it goes " : ""}${back}`;
  });
  const text = clauses.join("; ");
  const taken = text === "" ? "" : `${capital(text)}.`;
  const untaken = dead.length === 0 ? "" : `Nothing can take ${list(dead)}.`;
  return [taken, untaken].filter((sentence) => sentence !== "").join(" ");
}

function outputOf({ output }: CompleteNode): string {
  if (output === null) return "its output is null";
  return `its output is ${shortJson(output)}`;
}

function errorOf({ error }: FailNode): string {
  const message = typeof error.message === "string" ? quoted(error.message) : shortJson(error.message);
  const details = error.details === undefined ? "" : ` and details ${shortJson(error.details)}`;
  return `${error.code}, message ${message}${details}`;
}
