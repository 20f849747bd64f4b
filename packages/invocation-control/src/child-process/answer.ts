/**
 * What the end of a program means. Exit code 0: the answer stands on standard output. 75 (`EX_TEMPFAIL`) and 65
 * (`EX_DATAERR`): the program's word that nothing happened, and that another attempt may or will not succeed; standard
 * output may say more. Any other end is read by effect class, as a thrown error is. Spec: INV-child-answer.
 */
import type { Secrets } from "../bindings/secrets.js";
import type { ProviderAnswer } from "../provider.js";
import { readAnswer } from "../reading/answer-document.js";
import { brokenOff, failed, stopReason, unreadable } from "../reading/ending.js";
import { type ForeignText, readForeign } from "../reading/foreign.js";
import type { ChildAction } from "./binding.js";
import type { ProcessEnd } from "./process.js";

export interface ChildCall {
  readonly action: string;
  readonly effect: string;
  /** Of the host, or of the binding's own time limit. */
  readonly signal: AbortSignal;
  readonly secrets: Secrets;
}

/** The program's word that nothing happened. */
const reports: ReadonlyMap<number, { readonly retryable: boolean }> = new Map([
  [75, { retryable: true }],
  [65, { retryable: false }],
]);

export function answerOfProcess(end: ProcessEnd, binding: ChildAction, call: ChildCall): ProviderAnswer {
  const program = `the program of action ${call.action}`;
  if (end.kind === "not-started") {
    const message = `${program} could not be started: ${end.errno}`;
    return failed("provider.start-failed", message, end.retryable, { errno: end.errno });
  }
  if (end.overflow) {
    return unreadable(`${program} printed more than ${binding.maxOutputBytes} bytes`, call.effect);
  }
  if (end.exit === 0) return answerOfOutput(end.stdout, binding, call, program);
  const meaning = end.exit === null ? undefined : binding.exitCodes.get(String(end.exit));
  const how =
    end.exit === null ? `was ended by ${end.signal ?? "a signal"}` : `ended with exit code ${end.exit}`;
  const details = end.exit === null ? { signal: end.signal } : { exitCode: end.exit };
  switch (meaning?.kind) {
    case "outcome":
      return outcomeOf(end.stdout, meaning.outcome, binding, call, program);
    case "failed":
      return failed(meaning.code ?? "provider.failed", `${program} ${how}`, meaning.retryable, details);
    case "unknown":
      return { kind: "unknown", reason: "crash", message: `${program} ${how}` };
    default: {
      const report = end.exit === null ? undefined : reports.get(end.exit);
      if (report !== undefined) {
        return reportOf(textOf(end.stdout, binding, call), report.retryable, `${program} ${how}`, details);
      }
      const reason = stopReason(call.signal);
      return brokenOff({
        effect: call.effect,
        reason,
        code: "provider.failed",
        message: `${program} ${how}`,
        details,
      });
    }
  }
}

function answerOfOutput(
  stdout: Uint8Array,
  binding: ChildAction,
  call: ChildCall,
  program: string,
): ProviderAnswer {
  if (binding.answer === "output") return outcomeOf(stdout, "ok", binding, call, program);
  const said = readAnswer(textOf(stdout, binding, call));
  return said.ok ? said.answer : unreadable(`${program} printed no answer: ${said.why}`, call.effect);
}

/** The output is what was printed; nothing printed is `null`. */
function outcomeOf(
  stdout: Uint8Array,
  outcome: string,
  binding: ChildAction,
  call: ChildCall,
  program: string,
): ProviderAnswer {
  if (stdout.length === 0) return { kind: "completed", outcome, output: null };
  const read = readForeign(textOf(stdout, binding, call));
  if (!read.ok) return unreadable(`${program} printed no JSON: ${read.why}`, call.effect);
  return { kind: "completed", outcome, output: read.value };
}

function textOf(
  bytes: Uint8Array,
  { maxOutputBytes: maxBytes }: ChildAction,
  { secrets }: ChildCall,
): ForeignText {
  return { bytes, maxBytes, secrets };
}

/** The exit code is the word; the document, where there is one, says which failure it was. */
function reportOf(
  stdout: ForeignText,
  retryable: boolean,
  message: string,
  details: { readonly exitCode: number } | { readonly signal: string | null },
): ProviderAnswer {
  const said = readAnswer(stdout);
  if (said.ok && said.answer.kind === "failed") return { ...said.answer, retryable };
  return failed("provider.failed", message, retryable, details);
}
