/** What each phase asks of a subject, and how its answer is judged against verdict, codes and golden of the case. */
import { type Diagnostic, type Json, type JsonObject, type Outcome, readJson, SwlError } from "@swl/base";
import { type Case, eventsFile, operationsFile, type Phase } from "./case.js";
import { firstDifference } from "./compare.js";
import { findingProblems } from "./finding-shape.js";
import { askPrint, editProblems, layoutProblems } from "./source-phases.js";
import type { SourceFile, Subject } from "./subject.js";
import { toldTrace } from "./told-trace.js";
import { portableStep, projectOnto, stampedEvents, type Trace, traceOf } from "./trace.js";

/** The operations of a subject of which a phase needs one. */
export const operationsOf: { readonly [P in Phase]: readonly (keyof Subject)[] } = {
  read: ["readJson"],
  validate: ["validateDefinition"],
  compile: ["compileSources"],
  print: ["printDefinition"],
  format: ["formatSource"],
  edit: ["editSources"],
  prepare: ["model", "prepare"],
  transition: ["model", "trace"],
};

/** Why the subject does not pass the case; empty when it passes. Throws what the subject throws. */
export async function judge(item: Case, subject: Subject): Promise<readonly string[]> {
  if (item.phase === "transition") return judgeTrace(item, subject);
  const answer = await ask(item, subject);
  if (typeof answer?.ok !== "boolean" || !Array.isArray(answer.findings)) return ["the answer is no outcome"];
  const problems = [...shapeProblems(item, answer), ...verdictProblems(item, answer)];
  if (problems.length > 0 || !answer.ok || item.expect === undefined) return problems;
  if (item.phase === "format") return layoutProblems(item, subject, answer.value);
  if (item.phase === "edit") return editProblems(item, answer.value);
  const difference = firstDifference(jsonFile(item, item.expect), answer.value);
  return difference === undefined ? [] : [`differs from ${item.expect} at ${difference}`];
}

async function ask(item: Case, subject: Subject): Promise<Outcome<Json>> {
  const options = item.options ?? {};
  switch (item.phase) {
    case "read":
      return subject.readJson!(sourceOf(item), options);
    case "validate":
      return subject.validateDefinition!(sourceOf(item), options);
    case "compile":
      return subject.compileSources!(`${item.folder}/${item.input.folder}`, options);
    case "print":
      return askPrint(sourceOf(item), subject, options);
    case "format":
      return subject.formatSource!(sourceOf(item), options);
    case "edit": {
      const operations = jsonFile(item, operationsFile(item.input));
      return subject.editSources!(`${item.folder}/${item.input.folder}`, operations, options);
    }
    default: {
      const definition = jsonFile(item, item.input.file!);
      if (subject.model === undefined) return subject.prepare!(definition);
      const prepared = subject.model.prepare(definition);
      return prepared.ok ? { ...prepared, value: null } : prepared;
    }
  }
}

/** A trace is accepted when every event has a cell, and rejected when the last one has none. */
async function judgeTrace(item: Case, subject: Subject): Promise<readonly string[]> {
  const events = eventsOf(item);
  const trace = await foldTrace(item, subject, events);
  if (!trace.ok) return [`the definition of the trace was refused: ${codesIn(trace.findings).join(", ")}`];
  const { steps, problems } = trace.value;
  return [...problems, ...traceProblems(item, events.length, steps)];
}

async function foldTrace(item: Case, subject: Subject, events: readonly Json[]): Promise<Outcome<Trace>> {
  const definition = jsonFile(item, item.input.file!);
  const { model } = subject;
  if (model === undefined) return toldTrace(subject, definition, stampedEvents(events));
  const prepared = model.prepare(definition);
  if (!prepared.ok) return prepared;
  return { ...prepared, value: traceOf(model, prepared.value, stampedEvents(events)) };
}

function eventsOf(item: Case): readonly Json[] {
  return jsonFile(item, eventsFile(item.input)) as readonly Json[];
}

function traceProblems(item: Case, events: number, steps: readonly JsonObject[]): readonly string[] {
  const last = steps.at(-1);
  const error = last !== undefined && Object.hasOwn(last, "error") ? String(last["error"]) : undefined;
  const problems: string[] = [];
  if (error !== undefined && steps.length < events) problems.push(`event ${steps.length} ended it: ${error}`);
  if (item.verdict === "accept" && error !== undefined)
    problems.push(`event ${steps.length} was impossible: ${error}`);
  if (item.verdict === "reject") {
    const expected = (item.codes ?? []).join(", ");
    if (error !== expected) problems.push(`expected ${expected}, found ${error ?? "acceptance"}`);
  }
  return problems.length > 0 || item.expect === undefined
    ? problems
    : traceDifferences(jsonFile(item, item.expect) as readonly JsonObject[], steps);
}

function traceDifferences(expected: readonly JsonObject[], steps: readonly JsonObject[]): readonly string[] {
  if (expected.length !== steps.length) return [`expected ${expected.length} steps, found ${steps.length}`];
  return expected.flatMap((step, index) => {
    const actual = projectOnto(step, JSON.parse(JSON.stringify(steps[index])) as JsonObject);
    const difference = firstDifference(portableStep(step), actual);
    return difference === undefined ? [] : [`step ${index + 1} differs at ${difference}`];
  });
}

function verdictProblems(item: Case, answer: Outcome<Json>): readonly string[] {
  const errors = codesIn(answer.findings, "error");
  switch (item.verdict) {
    case "unspecified":
      return [];
    case "reject":
      return answer.ok
        ? [`expected ${item.codes?.join(", ")}, found acceptance`]
        : listDifference(item.codes ?? [], errors);
    case "accept":
      if (!answer.ok) return [`expected acceptance, found ${errors.join(", ")}`];
      return item.warnings === undefined
        ? []
        : listDifference(item.warnings, codesIn(answer.findings, "warning"));
  }
}

function listDifference(expected: readonly string[], found: readonly string[]): readonly string[] {
  const same = expected.length === found.length && expected.every((code, index) => code === found[index]);
  return same ? [] : [`expected ${expected.join(", ") || "nothing"}, found ${found.join(", ") || "nothing"}`];
}

/** Answers of the phases that read a text must place every error in it. */
function shapeProblems(item: Case, answer: Outcome<Json>): readonly string[] {
  const errors = codesIn(answer.findings, "error");
  const problems = answer.findings.flatMap((finding) =>
    findingProblems(finding, { placed: item.phase !== "prepare" }),
  );
  if (answer.ok && errors.length > 0) problems.push("an accepted answer holds errors");
  if (!answer.ok && errors.length === 0) problems.push("a refusal names no error");
  return problems;
}

function codesIn(findings: readonly Diagnostic[], severity?: string): readonly string[] {
  const chosen = findings.filter((finding) => severity === undefined || finding.severity === severity);
  return [...new Set<string>(chosen.map((finding) => finding.code))].sort();
}

function sourceOf(item: Case): SourceFile {
  const name = item.input.file!;
  return { name, bytes: item.read(name) };
}

/** What a golden of the case says when this subject writes it. Throws `case.invalid` when there is nothing to write. */
export async function goldenOf(item: Case, subject: Subject): Promise<Json> {
  const value =
    item.phase === "transition"
      ? (accepted(item, await foldTrace(item, subject, eventsOf(item))).steps as unknown as Json)
      : accepted(item, await ask(item, subject));
  return JSON.parse(JSON.stringify(value)) as Json;
}

function accepted<T>(item: Case, answer: Outcome<T>): T {
  if (answer.ok) return answer.value;
  throw new SwlError("case.invalid", `${item.id} is refused: there is no golden to write`);
}

/** A JSON file of the case. `readCases` has shown that it can be read. */
export function jsonFile(item: Case, name: string): Json {
  const read = readJson(item.read(name), { file: name });
  if (!read.ok)
    throw new SwlError("case.invalid", `${item.id}/${name} is not JSON`, { findings: read.findings });
  return read.value.value;
}
