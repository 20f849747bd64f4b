/**
 * What became of an accepted request: read from the commit that applied its position. Looks at the log; a hint inside
 * the process only makes it faster. Spec: INV-answers.
 */
import { isSwlError } from "@swl/base";
import type { Accepted, ControlAnswer } from "./control-answers.js";
import type { ControlPort } from "./control-port.js";
import type { WaitOptions } from "./control-requests.js";

/** `accepted` when nobody applied it within `wait` milliseconds. */
export async function awaitAnswer(
  port: ControlPort,
  accepted: Accepted,
  options: WaitOptions,
): Promise<ControlAnswer> {
  const giveUp = port.monotonic() + (options.wait ?? 10_000);
  const answer = await awaitApplied(port, accepted, giveUp, options.signal);
  if (options.until !== "finished" || answer.kind !== "applied" || answer.effect === "none") return answer;
  const { signal } = options;
  try {
    const timeout = Math.max(0, giveUp - port.monotonic());
    const result = await port.result(accepted.run, { timeout, ...(signal !== undefined && { signal }) });
    return { kind: "finished", result, ...accepted };
  } catch (error) {
    if (signal?.aborted || (isSwlError(error) && error.code === "answer.timeout")) return answer;
    throw error;
  }
}

async function awaitApplied(
  port: ControlPort,
  accepted: Accepted,
  giveUp: number,
  signal: AbortSignal | undefined,
): Promise<ControlAnswer> {
  const watch = port.watch(accepted.run);
  try {
    for (;;) {
      const answer = await appliedAnswer(port, accepted);
      if (answer !== undefined) return answer;
      const left = giveUp - port.monotonic();
      if (left <= 0 || signal?.aborted || watch.stopped) return { kind: "accepted", ...accepted };
      await watch.next(Math.min(left, port.poll), signal);
    }
  } finally {
    watch.close();
  }
}

async function appliedAnswer(port: ControlPort, accepted: Accepted): Promise<ControlAnswer | undefined> {
  const answer = await answerInLog(port, accepted);
  if (answer !== undefined) return answer;
  if ((await port.closed(accepted.run)) !== true) return undefined;
  // It may have been closed by the very commit that applied it, after the log was read.
  const late = await answerInLog(port, accepted);
  const message = "The run was closed first.";
  return late ?? { kind: "applied", effect: "none", code: "event.too-late", message, ...accepted };
}

async function answerInLog(port: ControlPort, accepted: Accepted): Promise<ControlAnswer | undefined> {
  const { run, position } = accepted;
  for (let after = position - 1; ; ) {
    const records = await port.records(run, after);
    const applying = records.find((record) => record.applies);
    if (applying !== undefined) {
      const answer = applying.answers?.find((one) => one.position === position);
      if (answer === undefined) return { kind: "applied", effect: "moved", ...accepted };
      if (answer.effect === "buffered") return { kind: "applied", effect: "buffered", ...accepted };
      const { code = "event.stale", message = "" } = answer;
      return { kind: "applied", effect: "none", code, message, ...accepted };
    }
    const last = records.at(-1);
    if (last === undefined) return undefined;
    after = last.position;
  }
}
