/** The sentences of a change: what it is, and what a running execution, which keeps its pinned definition, sees. */
import type { Json, JsonObject } from "@swl/base";
import { isJsonObject, own } from "@swl/base";
import type { Effect, Id } from "../model.js";
import type { ChangeSubject } from "./diff-rules.js";
import { duration, list, shortJson, times, unknownResult } from "./words.js";

export interface Said {
  readonly subject: ChangeSubject;
  readonly how: "added" | "removed" | "changed";
  readonly path: readonly string[];
  readonly before: Json | undefined;
  readonly after: Json | undefined;
  /** Nodes that call the action concerned. */
  readonly nodes: readonly Id[];
}

const bulky: readonly ChangeSubject[] = ["schema", "node", "action", "outcome"];

/** `the route ok of check changed from "a" to "b"`. What is long is shown by name, not by content. */
export function shownChange(said: Said): string {
  const { subject, how, before, after } = said;
  const what = nameOf(said);
  if (subject === "node" && how === "changed")
    return `${what} changed from ${kindOf(before)} to ${kindOf(after)}`;
  if (bulky.includes(subject)) return how === "changed" ? `${what} changed` : `${what} was ${how}`;
  if (how === "changed") return `${what} changed from ${shown(before)} to ${shown(after)}`;
  return `${what} was ${how}: ${shown(how === "added" ? after : before)}`;
}

function shown(value: Json | undefined): string {
  return value === undefined ? "nothing" : shortJson(value);
}

function nameOf({ subject, path }: Said): string {
  const [section, id, ...rest] = path;
  const last = path[path.length - 1] ?? "the definition";
  if (section === "nodes" && id !== undefined) {
    if (rest.length === 0) return `the node ${id}`;
    if (subject === "route") return `the route ${last} of ${id}`;
    if (subject === "loop-limit") return `the loop limit of ${last} at ${id}`;
    if (subject === "schema") return `the payload schema of ${last} at ${id}`;
    return `${rest.join(".")} of ${id}`;
  }
  if (section === "actions" && id !== undefined) {
    if (rest.length === 0) return `the action ${id}`;
    if (subject === "outcome") return `the outcome ${last} of the action ${id}`;
    return `${rest.join(".")} of the action ${id}`;
  }
  return path.length === 0 ? last : `${path.join(".")} of the workflow`;
}

function kindOf(node: Json | undefined): string {
  const kind = node !== undefined && isJsonObject(node) ? own(node as JsonObject, "kind") : undefined;
  return typeof kind === "string" ? kind : "nothing";
}

/** What still holds for a run that was started before the change. */
export function inRunning(said: Said): string {
  const [section, id] = said.path;
  if (section === "nodes" && id !== undefined) return atNode(said, id);
  if (section === "actions" && id !== undefined) return atAction(said, id);
  return inWorkflow(said);
}

function inWorkflow({ subject, path, before }: Said): string {
  const last = path[path.length - 1];
  switch (subject) {
    case "schema":
      return last === "inputSchema"
        ? "The input of a running execution was checked when it started and is not checked again."
        : before === undefined
          ? "The output of a running execution is still not checked."
          : "The output of a running execution is still checked against the schema before.";
    case "start":
      return `A running execution has begun at ${shown(before)} and stays where it is.`;
    case "limit":
      return before === undefined
        ? `A running execution still has no ${last}.`
        : `A running execution still fails beyond ${last} ${shown(before)}.`;
    case "name":
      return `A running execution is still one of the workflow ${shown(before)}; the new one is another workflow.`;
    case "sensitivity":
      return "In a running execution the marks before still say what is sensitive.";
    default:
      return "A running execution is still read and served by what its definition declared.";
  }
}

function atNode(said: Said, id: Id): string {
  const { subject, how, path, before } = said;
  const last = path[path.length - 1]!;
  const run = `A running execution that stands at ${id}, or comes to it,`;
  switch (subject) {
    case "node":
      if (how === "added")
        return "No running execution ever comes to it: its pinned definition does not have it.";
      if (how === "removed") return `${run} goes on there: its pinned definition still has it.`;
      return `${run} still finds the ${kindOf(before)} node there.`;
    case "route":
      return before === undefined
        ? noRoute(run, last)
        : `${run} still goes on ${last} to ${before as string}.`;
    case "loop-limit":
      return before === undefined
        ? `${run} still has no limit there on ${last}.`
        : `${run} still takes ${last} at most ${times(before as number)} in a row before exhausted.`;
    case "call":
      return `${run} still calls ${before as string}: keep a binding for it until such executions have ended.`;
    case "signal":
      return `${run} still waits for the signal ${shown(before)} and for no other.`;
    case "schema":
      return before === undefined
        ? `${run} still takes any payload with ${last}.`
        : `${run} still checks the payload of ${last} against the schema before.`;
    case "time":
      return before === undefined
        ? `${run} still waits without it.`
        : `${run} still waits by ${last} ${shown(before)}.`;
    case "choice":
      return `${run} still chooses by the ${last} before.`;
    case "error-code":
      return `${run} still fails with ${before as string}.`;
    case "parameters":
      return `${run} still passes the parameters before.`;
    case "sensitivity":
      return `${run} still goes by the marks before.`;
    default:
      return before === undefined
        ? `${run} still does without.`
        : `${run} still uses ${path.slice(2).join(".")} as it was.`;
  }
}

function noRoute(run: string, outcome: string): string {
  if (outcome === "failed") return `${run} still fails as a whole when that node fails.`;
  if (outcome === "exhausted") return `${run} still has no loop limit there.`;
  return `${run} still has no such route: an outcome ${outcome} is refused there.`;
}

function atAction(said: Said, id: Id): string {
  const { subject, how, path, before, nodes } = said;
  const last = path[path.length - 1]!;
  const where = nodes.length === 0 ? "" : ` at ${list(nodes)}`;
  if (nodes.length === 0) return "No running execution calls it: no node of its pinned definition does.";
  const run = `A running execution${where}`;
  switch (subject) {
    case "action":
      if (how === "removed")
        return `${run} still calls it: keep a binding for ${id} until such executions have ended.`;
      return "No running execution calls it.";
    case "effect":
      if (last !== "effect")
        return before === undefined
          ? `${run} still has no say in this: its action is not idempotent.`
          : `${run} still goes by onExhausted ${shown(before)}.`;
      return `${run} still treats it as ${before as string}: an attempt whose result is unknown ${unknownResult(before as Effect, undefined)}.`;
    case "retry":
      return `${run} still retries with ${last} ${shown(before)}.`;
    case "timeout":
      return before === undefined
        ? `${run} still has no ${last}.`
        : typeof before === "number"
          ? `${run} still gives it ${duration(before)} (${last}).`
          : `${run} still gives it any time.`;
    case "outcome":
      return how === "added"
        ? `${run} still does not know this outcome: an answer with it breaks the contract that was pinned.`
        : `${run} still knows and routes ${last}.`;
    case "schema":
      return before === undefined
        ? `${run} still does not check this.`
        : `${run} still checks by the ${last} before, so a provider of both must satisfy both.`;
    case "capability":
      return `${run} still has what was granted when it started.`;
    case "limit":
      return before === undefined
        ? `${run} still has no ${last}.`
        : `${run} still has ${last} ${shown(before)}.`;
    default:
      return `${run} still follows the contract that it pinned.`;
  }
}
