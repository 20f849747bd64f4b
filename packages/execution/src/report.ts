/**
 * Settlements, as events and as the evidence that is kept of them, and what they report. Spec: EXE-evidence.
 */
import { excerpt, type Json } from "@swl/base";
import type { ErrorData, EventBody } from "./model.js";

export type Settlement = Extract<
  EventBody,
  { readonly type: "result" | "failure" | "accepted" | "withdrawn" | "completion" | "inspected" }
>;

/** What a provider reports of work that is over. */
export type Report =
  | { readonly outcome: string; readonly output: Json }
  | { readonly error: ErrorData; readonly retryable: boolean };

/** Slot `evidence:<position>`. */
export type EvidenceRecord = {
  readonly invocation: string;
  readonly attempt: number;
  readonly at: number;
} & (
  | { readonly type: "result"; readonly outcome: string; readonly output: Json }
  | { readonly type: "failure"; readonly error: ErrorData; readonly retryable: boolean }
  | { readonly type: "accepted"; readonly handle: string }
  | { readonly type: "withdrawn" }
  | {
      readonly type: "completion";
      readonly messageId: string;
      readonly handle: string | null;
      readonly result: Report;
    }
  | {
      readonly type: "inspected";
      readonly status: Extract<EventBody, { readonly type: "inspected" }>["status"];
      readonly result: Report | null;
    }
);

/** What an event or a piece of evidence reports of work that is over; null when it reports something else. */
export function reportOf(said: Settlement | EvidenceRecord): Report | null {
  switch (said.type) {
    case "result":
      return { outcome: said.outcome, output: said.output };
    case "failure":
      return { error: said.error, retryable: said.retryable };
    case "completion":
      return said.result;
    case "inspected": {
      const { result } = said;
      if (result === undefined || result === null) return null;
      // A provider that is asked says what happened; it does not ask for another attempt.
      return "error" in result ? { error: result.error, retryable: false } : result;
    }
    default:
      return null;
  }
}

/** One line for people, without the content. */
export function summaryOf(record: EvidenceRecord): string {
  const report = reportOf(record);
  const told = report === null ? "" : ` ${reported(report)}`;
  switch (record.type) {
    case "result":
      return `result${told}`;
    case "failure":
      return `failure${told}`;
    case "completion":
      return `completion${told}${record.handle === null ? "" : ` of ${excerpt(record.handle, 80)}`}`;
    case "inspected":
      return `inspected: ${record.status}${told}`;
    case "accepted":
      return "accepted";
    case "withdrawn":
      return "withdrawn: the attempt never began";
  }
}

function reported(report: Report): string {
  if ("outcome" in report) return report.outcome;
  return `${report.error.code}${report.retryable ? " (retryable)" : ""}`;
}
