/**
 * The verbs that change a run end the same way: how far the request got, in a sentence and in the exit code.
 */
import type { Code } from "@swl/base";
import type { ControlAnswer, WaitOptions } from "@swl/invocation-control";
import type { Store } from "@swl/store-provider";
import { type ExitCode, exit } from "../exit-codes.js";
import { print, printJson, remark, type Session } from "./session.js";
import { type StoreOption, storeArgument } from "./store.js";
import { oneLine, shellWord } from "./visible.js";

export interface VerbOptions extends StoreOption {
  /** Milliseconds; `false` comes from `--no-wait`. */
  readonly wait?: number | false;
  readonly dryRun?: boolean;
}

export const defaultWait = 10_000;
/** Milliseconds after which people are told what is waited for, when a host is there that could act at once. */
const patience = 1_000;

/**
 * Sends a request and reports its answer. It is accepted first and waited for then, so that nobody looks at a silent
 * prompt without knowing that the request is safe.
 */
export async function carry(
  session: Session,
  options: VerbOptions,
  store: Store,
  send: (options: WaitOptions) => Promise<ControlAnswer>,
): Promise<ExitCode> {
  const wait = options.wait === false ? 0 : (options.wait ?? defaultWait);
  const first = await send({ wait: 0 });
  if (first.kind !== "accepted" || wait === 0) return reportAnswer(session, first, wait, options);
  const alone = (await store.holders(1)).length === 0;
  const why = alone ? "no host serves this store now; " : "";
  const accepted = `accepted at position ${first.position}; ${why}waiting up to ${wait} ms for a host to apply it`;
  const timer = setTimeout(() => remark(session, accepted), alone ? 0 : patience);
  try {
    const answer = await send({ wait });
    return reportAnswer(
      session,
      "repeated" in answer ? { ...answer, repeated: first.repeated } : answer,
      wait,
      options,
    );
  } finally {
    clearTimeout(timer);
  }
}

/**
 * `applied` with an effect, and `accepted` when nobody wanted to wait, are successes. `accepted` after a wait is exit
 * code `stands`: the request is durable, and a host will apply it.
 */
export function reportAnswer(
  session: Session,
  answer: ControlAnswer,
  wait: number,
  store: StoreOption,
): ExitCode {
  if (session.json) printJson(session, answer);
  else print(session, sentence(session, answer, wait));
  lookNext(session, answer, store);
  if (answer.kind === "refused") return exit.refused;
  if (answer.kind === "received") return exit.stands;
  if (answer.kind === "finished") return exit.ok;
  if (answer.kind === "applied") return answer.effect === "none" ? exit.refused : exit.ok;
  return wait > 0 ? exit.stands : exit.ok;
}

function sentence({ paint }: Session, answer: ControlAnswer, wait: number): string {
  if (answer.kind === "refused") {
    return `${paint.red(`refused ${answer.code}`)}: ${oneLine(answer.message).replace(/\.$/, "")}; nothing was written`;
  }
  if (answer.kind === "received") {
    const { code, message, requestId } = answer;
    const again = requestId === undefined ? "" : ` (ask again as request ${requestId})`;
    return `${paint.yellow(`received ${code}`)}: ${oneLine(message)}${again}`;
  }
  const { run, position, requestId } = answer;
  const request = requestId === undefined ? "" : `, request ${requestId}`;
  const where = oneLine(`${run}, position ${position}${request}`);
  const again = answer.repeated ? " (this request had been accepted before)" : "";
  if (answer.kind === "accepted") {
    const why = wait > 0 ? `no host applied it within ${wait} ms` : "not waited for";
    return `${paint.yellow("accepted")}: ${where}; ${why}${again}`;
  }
  if (answer.kind === "finished") {
    return `${paint.green("finished")}: ${where}; the run has ended as ${answer.result.status}${again}`;
  }
  if (answer.effect === "none") {
    return `${paint.yellow(`no effect ${answer.code}`)}: ${oneLine(answer.message)} (${where})${again}`;
  }
  return `${paint.green(answer.effect === "buffered" ? "buffered" : "applied")}: ${where}${again}`;
}

/** What to look at where the request met a run that stands elsewhere than its sender thought. */
const looks = new Map<Code, string>([
  ["event.too-late", "status"],
  ["signal.unmatched", "why"],
  ["update.not-waiting", "why"],
  ["resolve.not-parked", "why"],
  ["resolve.invocation-unknown", "why"],
]);

const says: { readonly [verb: string]: string } = {
  status: "how it ended",
  why: "where it stands and what it waits for",
};

/** A remark beside the answer, which with `--json` is the whole of it. */
function lookNext(session: Session, answer: ControlAnswer, store: StoreOption): void {
  const code = "code" in answer ? answer.code : undefined;
  const verb = code === undefined ? undefined : looks.get(code);
  if (verb === undefined || answer.run === "") return;
  remark(session, `  hint: swl ${verb} ${shellWord(answer.run)}${storeArgument(store)} says ${says[verb]}`);
}
