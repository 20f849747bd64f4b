/**
 * The routes of one node: where they lead, and whether they are those that something can take.
 * Spec: DEF-routes-complete, DEF-exhausted-route, DEF-loop-limits.
 */
import type { JsonObject } from "@swl/base";
import type { Check } from "./check.js";
import { quote, type Spot } from "./findings.js";
import type { ActionContract, LoopLimits, Routes } from "./model.js";
import { without } from "./parse.js";

/** What a node needs of the rest of the definition. */
export interface Surroundings {
  readonly nodes: JsonObject;
  readonly actions: JsonObject;
  /** Contracts that were read without a mistake. */
  readonly contracts: ReadonlyMap<string, ActionContract>;
}

/** Where a node stands. */
export interface At {
  readonly id: string;
  readonly spot: Spot;
  readonly check: Check;
  readonly around: Surroundings;
}

/** Routes that name a target. */
export function drawn(routes: Routes | undefined): Routes | undefined {
  if (!routes) return undefined;
  const wrong = Object.keys(routes).filter((outcome) => routes[outcome] === undefined);
  if (wrong.length === 0) return routes;
  return without(
    routes,
    wrong.map((outcome) => [outcome]),
  );
}

export function checkRoutes(routes: Routes | undefined, { spot, check, around }: At): void {
  for (const [outcome, target] of Object.entries(routes ?? {})) {
    if (Object.hasOwn(around.nodes, target)) continue;
    const at = spot.to("routes").to(outcome);
    const hint = check.findings.suggest(target, around.nodes);
    check.findings.error("definition.route-target", `there is no node ${quote(target)}`, at, hint);
  }
}

/** `exhausted` is routed exactly when there are loop limits; limits are on other routes only. */
export function checkLoopLimits(
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

/** Every outcome is routed, and nothing else but what may be routed besides. */
export function checkCoverage(routes: Routes, cover: Cover, at: At): void {
  const spot = at.spot.to("routes");
  const { findings } = at.check;
  const { outcomes, besides = [], whose } = cover;
  for (const outcome of outcomes) {
    if (Object.hasOwn(routes, outcome) || besides.includes(outcome)) continue;
    const hint = `add an edge with on=${quote(outcome)}`;
    const message = `the outcome ${quote(outcome)} of ${whose} has no route`;
    findings.error("definition.route-missing", message, spot, hint);
  }
  const known = new Set(outcomes);
  for (const outcome of Object.keys(routes)) {
    if (known.has(outcome) || besides.includes(outcome)) continue;
    const hint = findings.suggest(outcome, outcomes);
    const message = `${whose} ${cover.verb ?? "has"} no outcome ${quote(outcome)}`;
    findings.error("definition.route-undeclared", message, spot.to(outcome), hint);
  }
}

/** What the routes of a node have to cover. */
interface Cover {
  readonly outcomes: readonly string[];
  /** Routes that may be there or not, by rules of their own. */
  readonly besides?: readonly string[];
  /** For messages: what has the outcomes. */
  readonly whose: string;
  readonly verb?: string;
}
