/**
 * The runner: every case through one subject, one result a case. A subject that throws, rejects or answers in a shape
 * of its own is a result like any other; nothing that a subject does ends the run. Spec: CNF-verdicts.
 */
import { isSwlError } from "@swl/base";
import type { Case } from "./case.js";
import { errorProblems } from "./finding-shape.js";
import type { KnownFailures } from "./known-failures.js";
import { jsonFile, judge, operationsOf } from "./phases.js";
import { schemaKeywordsOf } from "./schema-keywords.js";
import type { Subject } from "./subject.js";

/**
 * `passed`; `failed`: another answer than the case demands; `errored`: no answer at all; `skipped`: the caller left
 * it out and says why; `not-claimed`: the subject does not claim what the case requires.
 */
export type ResultKind = "passed" | "failed" | "errored" | "skipped" | "not-claimed";

export interface CaseResult {
  readonly case: string;
  readonly result: ResultKind;
  /** Why it is not `passed`; absent when it is. */
  readonly reasons?: readonly string[];
  /** Listed as a known failure, for this reason. */
  readonly known?: string;
  /** True when the result speaks against the subject: everything that failed or errored unknown, or passed known. */
  readonly against: boolean;
}

export interface RunOptions {
  readonly knownFailures?: KnownFailures;
  /** The reason to leave a case out, or `undefined` to run it. */
  readonly skip?: (item: Case) => string | undefined;
}

/** Runs the cases in their order. Known failures that name no case are results as well, and speak against it. */
export async function runCases(
  cases: readonly Case[],
  subject: Subject,
  options: RunOptions = {},
): Promise<readonly CaseResult[]> {
  const results: CaseResult[] = [];
  for (const item of cases) results.push(await runCase(item, subject, options));
  const ids = new Set(cases.map((item) => item.id));
  for (const [id, known] of options.knownFailures ?? []) {
    if (ids.has(id)) continue;
    results.push({
      case: id,
      result: "failed",
      reasons: ["is a known failure of no case"],
      known,
      against: true,
    });
  }
  return results;
}

async function runCase(item: Case, subject: Subject, options: RunOptions): Promise<CaseResult> {
  const left = options.skip?.(item);
  if (left !== undefined) return { case: item.id, result: "skipped", reasons: [left], against: false };
  const missing = missingOf(item, subject);
  if (missing.length > 0) return { case: item.id, result: "not-claimed", reasons: missing, against: false };
  const known = options.knownFailures?.get(item.id);
  const [result, reasons] = await resultOf(item, subject);
  const base = { case: item.id, result, ...(reasons.length > 0 && { reasons }) };
  if (known === undefined) return { ...base, against: result !== "passed" };
  if (result !== "passed") return { ...base, known, against: false };
  return {
    case: item.id,
    result: "failed",
    reasons: ["passes, but is a known failure"],
    known,
    against: true,
  };
}

/** What the case needs and the subject does not claim. */
function missingOf(item: Case, { claims, keywords }: Subject): readonly string[] {
  const missing = item.requires.filter((claim) => !claims.includes(claim)).map((claim) => `needs ${claim}`);
  const ofModel = item.phase === "prepare" || item.phase === "transition";
  if (keywords === undefined || !ofModel || missing.length > 0) return missing;
  return schemaKeywordsOf(jsonFile(item, item.input.file!))
    .filter((keyword) => !keywords.includes(keyword))
    .map((keyword) => `needs schema keyword ${keyword}`);
}

async function resultOf(
  item: Case,
  subject: Subject,
): Promise<readonly ["passed" | "failed" | "errored", readonly string[]]> {
  const operations = operationsOf[item.phase];
  if (operations.every((operation) => subject[operation] === undefined)) {
    return ["failed", [`claims ${item.requires.join(", ")}, but offers no ${operations.join(" or ")}`]];
  }
  try {
    const problems = await judge(item, subject);
    return [problems.length === 0 ? "passed" : "failed", problems];
  } catch (thrown) {
    const shape = errorProblems(thrown);
    const what = isSwlError(thrown) ? `${thrown.code}: ${thrown.message}` : describe(thrown);
    return ["errored", [`threw instead of answering: ${what}`, ...shape]];
  }
}

function describe(thrown: unknown): string {
  return thrown instanceof Error ? `${thrown.name}: ${thrown.message.slice(0, 200)}` : typeof thrown;
}
