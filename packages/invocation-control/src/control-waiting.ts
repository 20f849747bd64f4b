/**
 * What became of an accepted request: read from the commit that applied its position. Looks at the log; a hint inside
 * the process only makes it faster. Spec: INV-answers.
 */
import { isSwlError, SwlError } from "@swl/base";
import type { Accepted, ControlAnswer } from "./control-answers.js";
import type { AppliedAnswer, ControlPort } from "./control-port.js";
import type { WaitOptions } from "./control-requests.js";

/** Milliseconds to wait, for ever too. Throws `request.invalid`, before anything is written. */
export function checkWait(name: string, milliseconds: number | undefined): void {
  if (milliseconds === undefined || (typeof milliseconds === "number" && milliseconds >= 0)) return;
  throw new SwlError("request.invalid", `${name} is a number of milliseconds from 0.`, {
    pointer: `/${name}`,
  });
}

/** `accepted` when nobody applied it within `wait` milliseconds. `known`: how it fared. */
export async function awaitAnswer(
  port: ControlPort,
  accepted: Accepted,
  options: WaitOptions,
  known: AppliedAnswer | undefined,
): Promise<ControlAnswer> {
  const giveUp = port.monotonic() + (options.wait ?? 10_000);
  const answer =
    known === undefined
      ? await awaitApplied(port, accepted, giveUp, options.signal)
      : appliedAs(known, accepted);
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
  const answer = await port.answer(accepted.run, accepted.position);
  return answer && appliedAs(answer, accepted);
}

function appliedAs(answer: AppliedAnswer, accepted: Accepted): ControlAnswer {
  switch (answer.effect) {
    case "moved":
    case "buffered":
      return { kind: "applied", effect: answer.effect, ...accepted };
    case "closed": {
      const message = "The run was closed first.";
      return { kind: "applied", effect: "none", code: "event.too-late", message, ...accepted };
    }
    case "none": {
      const { code = "event.stale", message = "" } = answer;
      return { kind: "applied", effect: "none", code, message, ...accepted };
    }
  }
}
