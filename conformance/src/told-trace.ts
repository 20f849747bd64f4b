/**
 * A trace that a subject tells, for one that hands over no model. Its states stay its own, so only what it says can be
 * probed: each event is told twice, and the second time must change nothing. Spec: CNF-state-probes, CNF-stdio-subject.
 */
import { isCode, isJsonObject, type Json, type JsonObject, type Outcome } from "@swl/base";
import type { AcceptedEvent } from "@swl/execution/model";
import { firstDifference } from "./compare.js";
import { findingProblems } from "./finding-shape.js";
import type { Subject } from "./subject.js";
import { portableStep, type Trace, type TraceStep } from "./trace.js";

/** Asks for the trace; it ends with the first impossible event. */
export async function toldTrace(
  subject: Subject,
  definition: Json,
  events: readonly AcceptedEvent[],
): Promise<Outcome<Trace>> {
  const told = await subject.trace!(
    definition,
    events.flatMap((event) => [event, event]),
  );
  if (!told.ok) return told;
  const steps: TraceStep[] = [];
  const problems: string[] = [];
  for (let index = 0; index < events.length; index++) {
    const [first, again] = [told.value[2 * index], told.value[2 * index + 1]];
    const wrong = [...shapeProblems(first), ...againProblems(first, again)];
    problems.push(...wrong.map((problem) => `event ${index + 1}: ${problem}`));
    if (first === undefined) break;
    const step = portableStep(first);
    steps.push(step);
    if (Object.hasOwn(step, "error")) break;
  }
  return { ok: true, value: { steps, problems }, findings: [] };
}

const shapes: { readonly [member: string]: (value: Json) => boolean } = {
  effect: isJsonObject,
  commands: Array.isArray,
  diagnostics: Array.isArray,
  edges: Array.isArray,
  disposition: isJsonObject,
  view: isJsonObject,
};

function shapeProblems(step: JsonObject | undefined): readonly string[] {
  if (step === undefined) return ["there is no step"];
  if (Object.hasOwn(step, "error")) return diagnosticProblems(step["error"]!);
  const problems = Object.entries(shapes)
    .filter(([member, fits]) => !Object.hasOwn(step, member) || !fits(step[member]!))
    .map(([member]) => `the step has no ${member}`);
  if (problems.length > 0) return problems;
  return (step["diagnostics"] as readonly Json[]).flatMap(diagnosticProblems);
}

/** A code alone, or `{code}`, or a whole finding. */
function diagnosticProblems(said: Json): readonly string[] {
  const code = isJsonObject(said) ? said["code"] : said;
  if (typeof code !== "string" || !isCode(code))
    return [`${JSON.stringify(code)} is no code of the closed list`];
  return isJsonObject(said) && Object.hasOwn(said, "severity")
    ? findingProblems(said, { placed: false })
    : [];
}

/** What the same event, told again, must not do. */
function againProblems(first: JsonObject | undefined, again: JsonObject | undefined): readonly string[] {
  if (first === undefined || again === undefined || Object.hasOwn(first, "error")) return [];
  if (Object.hasOwn(again, "error")) return ["the same event again is impossible"];
  const problems: string[] = [];
  const { commands, effect } = again;
  if (Array.isArray(commands) && commands.length > 0)
    problems.push("the same event again authorizes commands");
  if (isJsonObject(effect) && effect["kind"] !== "none")
    problems.push("the same event again is told to have had an effect");
  for (const member of ["disposition", "view"]) {
    const difference = firstDifference(first[member] ?? null, again[member] ?? null);
    if (difference !== undefined)
      problems.push(`the same event again changes the ${member} at ${difference}`);
  }
  return problems;
}
