/**
 * Reading a choice: which outcome it has follows from data alone, by rules in the dialect `jsonlogic`.
 * Spec: DEF-choice, DEF-logic.
 */
import { pointerSegments } from "@swl/base";
import type { Spot } from "./findings.js";
import { compileLogic, logicFindings } from "./logic.js";
import type { ChoiceNode, LogicRule, Node } from "./model.js";
import type { Said } from "./parse.js";
import { type At, checkCoverage, checkRoutes, drawn } from "./routes.js";

export function readChoice(said: Said<ChoiceNode> | undefined, at: At): Node | undefined {
  const { spot, check } = at;
  check.profile("expressions-jsonlogic", `the node kind "choice"`, spot.to("kind"));
  if (check.listed.has("expressions-jsonlogic")) check.firstLogic ??= spot;
  if (!said) return undefined;
  const routes = drawn(said.routes);
  checkRoutes(routes, at);
  // Of a case that is no object nothing is known, and of one that is wrong only what is right.
  const cases: readonly (Said<ChoiceNode["cases"][number]> | undefined)[] = said.cases ?? [];
  const outcomes: (string | undefined)[] = [];
  cases.forEach((one, index) => {
    outcomes.push(one?.outcome);
    if (one?.when !== undefined) checkLogic(one.when, spot.to("cases").to(index).to("when"), at);
  });
  outcomes.push(said.otherwise);
  const known = outcomes.filter((outcome) => outcome !== undefined);
  // One outcome that could not be read may be the one that a route is for.
  if (routes && said.cases && known.length === outcomes.length) {
    checkCoverage(routes, { outcomes: [...new Set(known)], whose: "the choice" }, at);
  }
  if (!said.cases || said.otherwise === undefined || !routes || known.length < outcomes.length)
    return undefined;
  return { kind: "choice", ...said, cases: said.cases, otherwise: said.otherwise, routes };
}

function checkLogic(rule: LogicRule, spot: Spot, { check, id }: At): void {
  const problems = logicFindings(rule);
  for (const { code, message, pointer } of problems) {
    check.findings.error(code, message, spot.within(pointerSegments(pointer) ?? []));
  }
  if (problems.length > 0) return;
  for (const { path, pointer } of compileLogic(rule).reads) {
    check.lookups.push({ node: id, path, spot: spot.within(pointerSegments(pointer) ?? []) });
  }
}
