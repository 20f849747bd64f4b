/**
 * Reading one node: its members by kind, its routes against what can come out of it, its mappings by form. What it
 * says about the graph is returned also when something else in it is wrong. Spec: DEF-node-kinds, DEF-routes-complete,
 * DEF-exhausted-route, DEF-loop-limits.
 */
import { isJsonObject, type Json, type JsonObject, own, setOwn } from "@swl/base";
import type { Check } from "./check.js";
import { readMarks } from "./contract.js";
import { quote, type Spot } from "./findings.js";
import {
  errorCodeRule,
  idRule,
  maxOutcomes,
  outcomeRule,
  ranges,
  reservedOutcomes,
  signalRule,
} from "./grammar.js";
import type { ActionContract, JsonSchema, LoopLimits, Node, Routes } from "./model.js";
import { Members, readInteger } from "./shape.js";

/** What a node needs of the rest of the definition. */
export interface Surroundings {
  readonly nodes: JsonObject;
  readonly actions: JsonObject;
  /** Contracts that were read without a mistake. */
  readonly contracts: ReadonlyMap<string, ActionContract>;
}

const kinds = {
  activity: ["kind", "action", "input", "parameters", "routes", "loopLimits"],
  "await-signal": ["kind", "signal", "routes", "payloads", "loopLimits", "deadline", "sensitive"],
  complete: ["kind", "output"],
  fail: ["kind", "error"],
} as const;

/** Kinds of profiles that are not built: known by name, refused by name. */
const profileKinds: ReadonlyMap<string, string> = new Map([
  ["await-timer", "timers"],
  ["choice", "expressions-jsonlogic"],
]);

export function readNode(
  id: string,
  value: Json,
  spot: Spot,
  check: Check,
  around: Surroundings,
): Node | undefined {
  const { findings } = check;
  const kind = isJsonObject(value) ? own(value, "kind") : undefined;
  const profile = typeof kind === "string" ? profileKinds.get(kind) : undefined;
  if (profile !== undefined) {
    check.profile(profile, `the node kind ${quote(kind as string)}`, spot.to("kind"));
    return undefined;
  }
  const known =
    typeof kind === "string" && Object.hasOwn(kinds, kind) ? kinds[kind as keyof typeof kinds] : undefined;
  if (known === undefined) {
    // Without a kind no member can be judged but the kind itself.
    const all = isJsonObject(value) ? Object.keys(value) : [];
    const node = Members.read(value, spot, findings, all);
    node?.word("kind", [...Object.keys(kinds), ...profileKinds.keys()], true);
    return undefined;
  }
  const node = Members.read(value, spot, findings, known);
  if (!node) return undefined;
  if (kind === "activity") return readActivity(id, node, check, around);
  if (kind === "await-signal") return readAwaitSignal(node, check, around);
  return kind === "complete" ? readComplete(id, node, check) : readFail(id, node, check);
}

function readActivity(id: string, node: Members, check: Check, around: Surroundings): Node | undefined {
  const action = node.text("action", idRule, true);
  const input = node.get("input") ?? null;
  check.mapping(input, node.spot.to("input"), id);
  const parameters = node.get("parameters") ?? null;
  const contract = action === undefined ? undefined : around.contracts.get(action);
  if (action !== undefined && !Object.hasOwn(around.actions, action)) {
    const hint = check.findings.suggest(action, around.actions);
    const message = `there is no action ${quote(action)}`;
    check.findings.error("definition.action-unknown", message, node.spot.to("action"), hint);
  }
  const routes = readRoutes(node, check, around);
  const loopLimits = readLoopLimits(node, routes, check);
  if (contract && routes) checkCoverage(node, routes, contract, check);
  if (action === undefined || !routes) return undefined;
  const rest = { routes, ...(loopLimits && { loopLimits }), ...node.extensions() };
  return { kind: "activity", action, input, parameters, ...rest };
}

/** Every declared outcome is routed, and nothing else but the reserved routes. */
function checkCoverage(node: Members, routes: Routes, contract: ActionContract, check: Check): void {
  const spot = node.spot.to("routes");
  for (const outcome of Object.keys(contract.outcomes)) {
    if (Object.hasOwn(routes, outcome)) continue;
    const hint = `add an edge with on=${quote(outcome)}`;
    const message = `the outcome ${quote(outcome)} of the action has no route`;
    check.findings.error("definition.route-missing", message, spot, hint);
  }
  for (const outcome of Object.keys(routes)) {
    if (Object.hasOwn(contract.outcomes, outcome) || reservedOutcomes.includes(outcome)) continue;
    const hint = check.findings.suggest(outcome, contract.outcomes);
    const message = `the action declares no outcome ${quote(outcome)}`;
    check.findings.error("definition.route-undeclared", message, spot.to(outcome), hint);
  }
}

function readAwaitSignal(node: Members, check: Check, around: Surroundings): Node | undefined {
  const signal = node.text("signal", signalRule, true);
  const routes = readRoutes(node, check, around);
  const loopLimits = readLoopLimits(node, routes, check);
  if (node.has("deadline")) check.profile("timers", `"deadline"`, node.spot.to("deadline"));
  const spot = node.spot.to("routes");
  const outcomes = Object.keys(routes ?? {});
  if (routes && (outcomes.length === 0 || outcomes.length > maxOutcomes)) {
    const message = `a waiting node has 1 to ${maxOutcomes} routes, found ${outcomes.length}`;
    check.findings.error("definition.route-missing", message, spot);
  }
  if (routes && Object.hasOwn(routes, "failed")) {
    const message = `nothing can take the route "failed" of a node that waits for a signal`;
    check.findings.warning("definition.route-dead", message, spot.to("failed"));
  }
  const allowed = outcomes.filter((outcome) => !reservedOutcomes.includes(outcome));
  const payloads = readPayloads(node, allowed, check);
  const sensitive = readSignalMarks(node, allowed, check);
  if (signal === undefined || !routes) return undefined;
  return {
    kind: "await-signal",
    signal,
    routes,
    ...(payloads && { payloads }),
    ...(loopLimits && { loopLimits }),
    ...(sensitive && { sensitive }),
    ...node.extensions(),
  };
}

function readPayloads(
  node: Members,
  allowed: readonly string[],
  check: Check,
): { readonly [outcome: string]: JsonSchema } | undefined {
  const value = node.object("payloads");
  if (value === undefined) return undefined;
  const known = new Set(allowed);
  const payloads: { [outcome: string]: JsonSchema } = {};
  for (const outcome of Object.keys(value)) {
    const spot = node.spot.to("payloads").to(outcome);
    if (!known.has(outcome)) {
      const hint = check.findings.suggest(outcome, allowed);
      const message = `${quote(outcome)} has a payload schema but no route that a signal can take`;
      check.findings.error("definition.route-undeclared", message, spot, hint);
    }
    const schema = check.schema(value[outcome], spot);
    if (schema !== undefined) setOwn(payloads, outcome, schema);
  }
  return payloads;
}

function readSignalMarks(node: Members, allowed: readonly string[], check: Check) {
  const value = node.get("sensitive");
  if (value === undefined) return undefined;
  const spot = node.spot.to("sensitive");
  const sensitive = Members.read(value, spot, check.findings, ["payloads"]);
  const byOutcome = sensitive?.object("payloads");
  const payloads = byOutcome && readMarks(byOutcome, allowed, spot.to("payloads"), check);
  return { ...(payloads && { payloads }), ...sensitive?.extensions() };
}

function readComplete(id: string, node: Members, check: Check): Node {
  const output = node.get("output") ?? null;
  check.mapping(output, node.spot.to("output"), id);
  return { kind: "complete", output, ...node.extensions() };
}

function readFail(id: string, node: Members, check: Check): Node | undefined {
  const value = node.require("error");
  if (value === undefined) return undefined;
  const error = Members.read(value, node.spot.to("error"), check.findings, ["code", "message", "details"]);
  if (!error) return undefined;
  const code = error.text("code", errorCodeRule, true);
  const message = error.require("message");
  if (message !== undefined) check.textMapping(message, error.spot.to("message"), id);
  const details = error.get("details");
  if (details !== undefined) check.mapping(details, error.spot.to("details"), id);
  if (code === undefined || message === undefined) return undefined;
  const said = { code, message, ...(details !== undefined && { details }), ...error.extensions() };
  return { kind: "fail", error: said, ...node.extensions() };
}

function readRoutes(node: Members, check: Check, around: Surroundings): Routes | undefined {
  const value = node.object("routes", true);
  if (value === undefined) return undefined;
  const routes: { [outcome: string]: string } = {};
  for (const outcome of Object.keys(value)) {
    const spot = node.spot.to("routes").to(outcome);
    const target = value[outcome]!;
    if (!outcomeRule.test(outcome)) {
      const message = `${quote(outcome)} is not ${outcomeRule.expected}`;
      check.findings.error("definition.outcome-grammar", message, spot);
    }
    if (typeof target !== "string") {
      check.findings.error("definition.type", "a route names its target node", spot);
      continue;
    }
    if (!Object.hasOwn(around.nodes, target)) {
      const hint = check.findings.suggest(target, around.nodes);
      check.findings.error("definition.route-target", `there is no node ${quote(target)}`, spot, hint);
    }
    setOwn(routes, outcome, target);
  }
  return routes;
}

/** `exhausted` is routed exactly when there are loop limits; limits are on other routes only. */
function readLoopLimits(node: Members, routes: Routes | undefined, check: Check): LoopLimits | undefined {
  const { findings } = check;
  const value = node.object("loopLimits");
  const routed = routes !== undefined && Object.hasOwn(routes, "exhausted");
  if (value === undefined) {
    if (routed && !node.has("loopLimits")) {
      const message = `the route "exhausted" needs "loopLimits": without a limit nothing can take it`;
      findings.error("definition.exhausted-route", message, node.spot.to("routes").to("exhausted"));
    }
    return undefined;
  }
  const spot = node.spot.to("loopLimits");
  if (routes && !routed) {
    const hint = `add an edge with on="exhausted"`;
    findings.error("definition.exhausted-route", `"loopLimits" needs a route "exhausted"`, spot, hint);
  }
  const limits: { [outcome: string]: number } = {};
  const outcomes = Object.keys(value);
  if (outcomes.length === 0) findings.error("definition.loop-limit", `"loopLimits" is empty`, spot);
  for (const outcome of outcomes) {
    if (outcome === "exhausted" || (routes && !Object.hasOwn(routes, outcome))) {
      const message =
        outcome === "exhausted"
          ? `"exhausted" itself has no limit`
          : `${quote(outcome)} is limited but not routed`;
      const hint = findings.suggest(outcome, routes ?? {});
      findings.error("definition.loop-limit", message, spot.to(outcome), hint);
    }
    const limit = readInteger(value[outcome]!, ranges.loopLimit, spot.to(outcome), findings);
    if (limit !== undefined) setOwn(limits, outcome, limit);
  }
  return limits;
}
