/**
 * The report of a run as JSON lines: one `run` line, one `case` line a case, one `summary` line. The format is
 * `schema/report.schema.json`; no line holds a clock reading, so two runs of one subject give equal reports.
 * Spec: CNF-report.
 */
import { canonicalize, type Json } from "@swl/base";
import type { CaseResult, ResultKind } from "./run.js";
import type { Subject } from "./subject.js";

export interface Summary {
  readonly counts: { readonly [K in ResultKind]: number };
  /** Results that speak against the subject. */
  readonly against: number;
  readonly ok: boolean;
}

export function summaryOf(results: readonly CaseResult[]): Summary {
  const counts = { passed: 0, failed: 0, errored: 0, skipped: 0, "not-claimed": 0 };
  for (const result of results) counts[result.result]++;
  const against = results.filter((result) => result.against).length;
  return { counts, against, ok: against === 0 };
}

export interface ReportOptions {
  /** Revision of the cases. */
  readonly cases: string;
}

/** The lines of a report, each ended by a line feed. */
export function reportLines(
  subject: Pick<Subject, "name" | "claims">,
  results: readonly CaseResult[],
  options: ReportOptions,
): string {
  const { counts, against, ok } = summaryOf(results);
  const lines: Json[] = [
    { type: "run", subject: subject.name, claims: [...subject.claims].sort(), cases: options.cases },
    ...results.map((result) => ({ type: "case", ...result }) as unknown as Json),
    { type: "summary", counts, against, ok },
  ];
  return lines.map((line) => `${canonicalize(line)}\n`).join("");
}
