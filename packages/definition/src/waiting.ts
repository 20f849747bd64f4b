/**
 * Reading nodes that wait: for a signal, with or without a deadline, and for a time. A time that is written out is
 * parsed; one that a mapping yields is known at run time only.
 * Spec: DEF-await-signal, DEF-deadline, DEF-timer, DEF-duration, DEF-instant.
 */
import type { Outcome } from "@swl/base";
import { checkMarks } from "./contract.js";
import { parseDuration, parseInstant } from "./durations.js";
import { quote, type Spot } from "./findings.js";
import { maxOutcomes, reservedOutcomes } from "./grammar.js";
import type { Path } from "./issues.js";
import type { AwaitSignalNode, AwaitTimerNode, Deadline, Node, Routes, Time } from "./model.js";
import { type Said, without } from "./parse.js";
import { type At, checkCoverage, checkLoopLimits, checkRoutes, drawn } from "./routes.js";
import { isMapped, writtenTime } from "./written-time.js";

export function readAwaitSignal(said: Said<AwaitSignalNode> | undefined, at: At): Node | undefined {
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
  if (routes && Object.hasOwn(routes, "failed") && !isMapped(said.deadline)) {
    const message = `nothing can take the route "failed" of a node that waits for a signal`;
    check.findings.warning("definition.route-dead", message, spot.to("routes").to("failed"));
  }
  const allowed = outcomes.filter((outcome) => !reservedOutcomes.includes(outcome));
  const refused = payloads ? refusedPayloads(payloads, allowed, at) : [];
  const marks = said.sensitive?.payloads;
  if (marks) checkMarks(marks, allowed, spot.to("sensitive").to("payloads"), check);
  if (said.deadline) checkDeadline(said.deadline, routes, at);
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

export function readAwaitTimer(said: Said<AwaitTimerNode> | undefined, at: At): Node | undefined {
  at.check.profile("timers", `the node kind "await-timer"`, at.spot.to("kind"));
  if (!said) return undefined;
  const routes = drawn(said.routes);
  checkRoutes(routes, at);
  if (routes) checkCoverage(routes, { outcomes: ["elapsed"], whose: "a timer" }, at);
  checkTime(said, at.spot, at);
  return routes && { kind: "await-timer", ...said, routes };
}

function checkDeadline(said: Said<Deadline>, routes: Routes | undefined, at: At): void {
  const spot = at.spot.to("deadline");
  at.check.profile("timers", `"deadline"`, spot);
  checkTime(said, spot, at);
  const { outcome } = said;
  if (outcome === undefined || !routes || Object.hasOwn(routes, outcome)) return;
  const hint = at.check.findings.suggest(outcome, routes) ?? `add an edge with on=${quote(outcome)}`;
  const message = `the outcome ${quote(outcome)} of the deadline has no route`;
  at.check.findings.error("definition.route-missing", message, spot.to("outcome"), hint);
}

/** Exactly one of `after` and `until`, and a time where one is written out. */
function checkTime(said: Said<Time>, spot: Spot, { id, check }: At): void {
  const hasAfter = Object.hasOwn(said, "after");
  const hasUntil = Object.hasOwn(said, "until");
  if (hasAfter && hasUntil) {
    check.findings.error("definition.value", `"after" and "until" stand side by side: say one of them`, spot);
  } else if (!hasAfter && !hasUntil) {
    const hint = `say "after": "PT30S", or "until" with an instant`;
    check.findings.error("definition.missing-member", `one of "after" and "until" is missing`, spot, hint);
  }
  for (const [key, form] of [
    ["after", parseDuration],
    ["until", parseInstant],
  ] as const) {
    const value = said[key];
    if (value === undefined) continue;
    check.textMapping(value, spot.to(key), id);
    const written = writtenTime(value);
    const outcome: Outcome<number> | undefined = written !== undefined ? form(written) : undefined;
    for (const { code, message } of outcome?.findings ?? [])
      check.findings.error(code, message, spot.to(key));
  }
}
