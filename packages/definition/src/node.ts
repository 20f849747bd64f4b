/**
 * Reading one node: its structure by the schema of its kind, then its routes against what can come out of it and its
 * mappings by form. What it says about the graph is returned also when something else in it is wrong.
 * Spec: DEF-node-kinds, DEF-routes-complete.
 */
import { isJsonObject, type Json, own } from "@swl/base";
import * as z from "zod/mini";
import { readChoice } from "./choice.js";
import { quote } from "./findings.js";
import { reservedOutcomes } from "./grammar.js";
import { word } from "./members.js";
import type { ActivityNode, CompleteNode, FailNode, Node } from "./model.js";
import { parse, type Said } from "./parse.js";
import { type At, checkCoverage, checkLoopLimits, checkRoutes, drawn } from "./routes.js";
import {
  activityNode,
  awaitSignalNode,
  awaitTimerNode,
  choiceNode,
  completeNode,
  failNode,
} from "./schemas.js";
import { readAwaitSignal, readAwaitTimer } from "./waiting.js";

/** Without a kind no member can be judged but the kind itself. */
const kindOnly = z.looseObject(
  { kind: word(["activity", "await-signal", "await-timer", "choice", "complete", "fail"]) },
  { error: "an object" },
);

export function readNode(id: string, value: Json, around: Omit<At, "id">): Node | undefined {
  const { spot, check } = around;
  const { findings } = check;
  const at = { ...around, id };
  switch (isJsonObject(value) ? own(value, "kind") : undefined) {
    case "activity":
      return readActivity(parse(activityNode, value, spot, findings), at);
    case "await-signal":
      return readAwaitSignal(parse(awaitSignalNode, value, spot, findings), at);
    case "await-timer":
      return readAwaitTimer(parse(awaitTimerNode, value, spot, findings), at);
    case "choice":
      return readChoice(parse(choiceNode, value, spot, findings), at);
    case "complete":
      return readComplete(parse(completeNode, value, spot, findings), at);
    case "fail":
      return readFail(parse(failNode, value, spot, findings), at);
  }
  parse(kindOnly, value, spot, findings);
  return undefined;
}

function readActivity(said: Said<ActivityNode> | undefined, at: At): Node | undefined {
  const { spot, check, around } = at;
  if (!said) return undefined;
  const { action } = said;
  const routes = drawn(said.routes);
  check.mapping(said.input ?? null, spot.to("input"), at.id);
  if (action !== undefined && !Object.hasOwn(around.actions, action)) {
    const hint = check.findings.suggest(action, around.actions);
    const message = `there is no action ${quote(action)}`;
    check.findings.error("definition.action-unknown", message, spot.to("action"), hint);
  }
  checkRoutes(routes, at);
  checkLoopLimits(said, routes, at);
  const contract = action === undefined ? undefined : around.contracts.get(action);
  if (contract && routes) {
    const outcomes = Object.keys(contract.outcomes);
    checkCoverage(routes, { outcomes, besides: reservedOutcomes, whose: "the action", verb: "declares" }, at);
  }
  if (action === undefined || !routes) return undefined;
  return { kind: "activity", action, input: null, parameters: null, ...said, routes };
}

function readComplete(said: Said<CompleteNode> | undefined, at: At): Node | undefined {
  if (!said) return undefined;
  const { output = null } = said;
  at.check.mapping(output, at.spot.to("output"), at.id);
  return { kind: "complete", ...said, output };
}

function readFail(said: Said<FailNode> | undefined, { id, spot, check }: At): Node | undefined {
  const error: Said<FailNode["error"]> | undefined = said?.error;
  if (!said || !error) return undefined;
  const { code, message, details } = error;
  const inside = spot.to("error");
  if (message !== undefined) check.textMapping(message, inside.to("message"), id);
  if (details !== undefined) check.mapping(details, inside.to("details"), id);
  if (code === undefined || message === undefined) return undefined;
  return { kind: "fail", ...said, error: { ...error, code, message } };
}
