/**
 * The three verbs that change a run end the same way: how far the request got, in a sentence and in the exit code.
 */
import type { ControlAnswer, WaitOptions } from "@swl/invocation-control";
import { type ExitCode, exit } from "../exit-codes.js";
import { print, printJson, type Session } from "./session.js";

export interface VerbOptions {
  readonly store?: string;
  /** Milliseconds; `false` comes from `--no-wait`. */
  readonly wait?: number | false;
}

export const defaultWait = 10_000;

export function waitOf(options: VerbOptions): Required<Pick<WaitOptions, "wait">> {
  return { wait: options.wait === false ? 0 : (options.wait ?? defaultWait) };
}

/**
 * `applied` with an effect, and `accepted` when nobody wanted to wait, are successes. `accepted` after a wait is exit
 * code `stands`: the request is durable, and a host will apply it.
 */
export function reportAnswer(session: Session, answer: ControlAnswer, wait: number): ExitCode {
  if (session.json) printJson(session, answer);
  else print(session, sentence(session, answer, wait));
  if (answer.kind === "refused") return exit.refused;
  if (answer.kind === "applied") return answer.effect === "none" ? exit.refused : exit.ok;
  return wait > 0 ? exit.stands : exit.ok;
}

function sentence({ paint }: Session, answer: ControlAnswer, wait: number): string {
  if (answer.kind === "refused") {
    return `${paint.red(`refused ${answer.code}`)}: ${answer.message}; nothing was written`;
  }
  const where = `${answer.run}, position ${answer.position}, request ${answer.requestId}`;
  const again = answer.repeated ? " (this request had been accepted before)" : "";
  if (answer.kind === "accepted") {
    const why = wait > 0 ? `no host applied it within ${wait} ms` : "not waited for";
    return `${paint.yellow("accepted")}: ${where}; ${why}${again}`;
  }
  if (answer.effect === "none") {
    return `${paint.yellow(`no effect ${answer.code}`)}: ${answer.message} (${where})${again}`;
  }
  return `${paint.green(answer.effect === "buffered" ? "buffered" : "applied")}: ${where}${again}`;
}
