/**
 * Reading one node: its structure by the schema of its kind, then its routes against what can come out of it and its
 * mappings by form. What it says about the graph is returned also when something else in it is wrong.
 * Spec: DEF-node-kinds, DEF-routes-complete, DEF-exhausted-route, DEF-loop-limits.
 */
import { isJsonObject, type Json, type JsonObject, own } from "@swl/base";
import * as z from "zod/mini";
import type { Check } from "./check.js";
import { checkMarks } from "./contract.js";
import { quote, type Spot } from "./findings.js";
import { maxOutcomes, reservedOutcomes } from "./grammar.js";
import type { Path } from "./issues.js";
import { word } from "./members.js";
import type {
  ActionContract,
  ActivityNode,
  AwaitSignalNode,
  CompleteNode,
  FailNode,
  LoopLimits,
  Node,
  Routes,
} from "./model.js";
import { parse, type Said, without } from "./parse.js";
import { activityNode, awaitSignalNode, completeNode, failNode } from "./schemas.js";

/** What a node needs of the rest of the definition. */
export interface Surroundings {
  readonly nodes: JsonObject;
  readonly actions: JsonObject;
  /** Contracts that were read without a mistake. */
  readonly contracts: ReadonlyMap<string, ActionContract>;
}

/** Where a node stands. */
interface At {
  readonly id: string;
  readonly spot: Spot;
  readonly check: Check;
  readonly around: Surroundings;
}

/** Kinds of profiles that are not built: known by name, refused by name. */
const profileKinds: ReadonlyMap<string, string> = new Map([
  ["await-timer", "timers"],
  ["choice", "expressions-jsonlogic"],
]);

/** Without a kind no member can be judged but the kind itself. */
const kindOnly = z.looseObject(
  { kind: word(["activity", "await-signal", "complete", "fail", ...profileKinds.keys()]) },
  { error: "an object" },
);

export function readNode(id: string, value: Json, at: Omit<At, "id">): Node | undefined {
  const { spot, check } = at;
  const { findings } = check;
  const kind = isJsonObject(value) ? own(value, "kind") : undefined;
  switch (kind) {
    case "activity":
      return readActivity(parse(activityNode, value, spot, findings), { ...at, id });
    case "await-signal":
      return readAwaitSignal(parse(awaitSignalNode, withoutDeadline(value, at), spot, findings), {
        ...at,
        id,
      });
    case "complete":
      return readComplete(parse(completeNode, value, spot, findings), { ...at, id });
    case "fail":
      return readFail(parse(failNode, value, spot, findings), { ...at, id });
  }
  const profile = typeof kind === "string" ? profileKinds.get(kind) : undefined;
  if (profile === undefined) parse(kindOnly, value, spot, findings);
  else check.profile(profile, `the node kind ${quote(kind as string)}`, spot.to("kind"));
  return undefined;
}

/** A deadline belongs to a profile that is not built: refused by name, whatever it says. */
function withoutDeadline(value: Json, { spot, check }: Omit<At, "id">): Json {
  if (!Object.hasOwn(value as JsonObject, "deadline")) return value;
  check.profile("timers", `"deadline"`, spot.to("deadline"));
  return without(value, [["deadline"]]);
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
  if (contract && routes) checkCoverage(routes, contract, at);
  if (action === undefined || !routes) return undefined;
  return { kind: "activity", action, input: null, parameters: null, ...said, routes };
}

/** Every declared outcome is routed, and nothing else but the reserved routes. */
function checkCoverage(routes: Routes, contract: ActionContract, at: At): void {
  const spot = at.spot.to("routes");
  const { findings } = at.check;
  for (const outcome of Object.keys(contract.outcomes)) {
    if (Object.hasOwn(routes, outcome) || reservedOutcomes.includes(outcome)) continue;
    const hint = `add an edge with on=${quote(outcome)}`;
    const message = `the outcome ${quote(outcome)} of the action has no route`;
    findings.error("definition.route-missing", message, spot, hint);
  }
  for (const outcome of Object.keys(routes)) {
    if (Object.hasOwn(contract.outcomes, outcome) || reservedOutcomes.includes(outcome)) continue;
    const hint = findings.suggest(outcome, contract.outcomes);
    const message = `the action declares no outcome ${quote(outcome)}`;
    findings.error("definition.route-undeclared", message, spot.to(outcome), hint);
  }
}

function readAwaitSignal(said: Said<AwaitSignalNode> | undefined, at: At): Node | undefined {
  const { spot, check } = at;
  if (!said) return undefined;
  const { signal, payloads } = said;
  const routes = drawn(said.routes);
  checkRoutes(routes, at);
  checkLoopLimits(said, routes, at);
  const outcomes = Object.keys(routes ?? {});
  if (routes && (outcomes.length === 0 || outcomes.length > maxOutcomes)) {
    const message = `a waiting node has 1 to ${maxOutcomes} routes, found ${outcomes.length}`;
    const code = outcomes.length === 0 ? "definition.route-missing" : "definition.value";
    check.findings.error(code, message, spot.to("routes"));
  }
  if (routes && Object.hasOwn(routes, "failed")) {
    const message = `nothing can take the route "failed" of a node that waits for a signal`;
    check.findings.warning("definition.route-dead", message, spot.to("routes").to("failed"));
  }
  const allowed = outcomes.filter((outcome) => !reservedOutcomes.includes(outcome));
  const refused = payloads ? refusedPayloads(payloads, allowed, at) : [];
  const marks = said.sensitive?.payloads;
  if (marks) checkMarks(marks, allowed, spot.to("sensitive").to("payloads"), check);
  if (signal === undefined || !routes) return undefined;
  return without({ kind: "await-signal", ...said, signal, routes }, refused);
}

function refusedPayloads(
  payloads: NonNullable<AwaitSignalNode["payloads"]>,
  allowed: readonly string[],
  { spot: nodeSpot, check }: At,
): readonly Path[] {
  const known = new Set(allowed);
  return Object.keys(payloads).flatMap((outcome) => {
    const spot = nodeSpot.to("payloads").to(outcome);
    if (!known.has(outcome)) {
      const hint = check.findings.suggest(outcome, allowed);
      const message = `${quote(outcome)} has a payload schema but no route that a signal can take`;
      check.findings.error("definition.route-undeclared", message, spot, hint);
    }
    return check.schema(payloads, outcome, spot) ? [] : [["payloads", outcome]];
  });
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

/** Routes that name a target. */
function drawn(routes: Routes | undefined): Routes | undefined {
  if (!routes) return undefined;
  const wrong = Object.keys(routes).filter((outcome) => routes[outcome] === undefined);
  return without(
    routes,
    wrong.map((outcome) => [outcome]),
  );
}

function checkRoutes(routes: Routes | undefined, { spot, check, around }: At): void {
  for (const [outcome, target] of Object.entries(routes ?? {})) {
    if (Object.hasOwn(around.nodes, target)) continue;
    const at = spot.to("routes").to(outcome);
    const hint = check.findings.suggest(target, around.nodes);
    check.findings.error("definition.route-target", `there is no node ${quote(target)}`, at, hint);
  }
}

/** `exhausted` is routed exactly when there are loop limits; limits are on other routes only. */
function checkLoopLimits(
  said: { readonly loopLimits?: LoopLimits },
  routes: Routes | undefined,
  at: At,
): void {
  const { findings } = at.check;
  const limits = said.loopLimits;
  const spot = at.spot.to("loopLimits");
  const routed = routes !== undefined && Object.hasOwn(routes, "exhausted");
  if (limits === undefined) {
    if (routed && !Object.hasOwn(said, "loopLimits")) {
      const message = `the route "exhausted" needs "loopLimits": without a limit nothing can take it`;
      findings.error("definition.exhausted-route", message, at.spot.to("routes").to("exhausted"));
    }
    return;
  }
  if (routes && !routed) {
    const hint = `add an edge with on="exhausted"`;
    findings.error("definition.exhausted-route", `"loopLimits" needs a route "exhausted"`, spot, hint);
  }
  const outcomes = Object.keys(limits);
  if (outcomes.length === 0) findings.error("definition.loop-limit", `"loopLimits" is empty`, spot);
  for (const outcome of outcomes) {
    if (outcome !== "exhausted" && (!routes || Object.hasOwn(routes, outcome))) continue;
    const message =
      outcome === "exhausted"
        ? `"exhausted" itself has no limit`
        : `${quote(outcome)} is limited but not routed`;
    const hint = findings.suggest(outcome, routes ?? {});
    findings.error("definition.loop-limit", message, spot.to(outcome), hint);
  }
}
