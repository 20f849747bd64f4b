/**
 * What became of an accepted request: read from the commit that applied its position. Polls the log; a hint inside
 * the process only makes it faster. Spec: INV-answers.
 */
import type { Accepted, ControlAnswer, WaitOptions } from "@swl/invocation-control";
import type { ControlCore } from "./control.js";
import { readCommit } from "./formats.js";

const DEFAULT_WAIT = 10_000;

/** `accepted` when nobody applied it within `wait` milliseconds. */
export async function awaitAnswer(
  core: ControlCore,
  accepted: Accepted,
  options: WaitOptions,
): Promise<ControlAnswer> {
  const wait = options.wait ?? DEFAULT_WAIT;
  const giveUp = core.clock.monotonic() + wait;
  const watch = core.watchers.open(accepted.run);
  try {
    for (;;) {
      const answer = await appliedAnswer(core, accepted);
      if (answer !== undefined) return answer;
      const left = giveUp - core.clock.monotonic();
      if (left <= 0 || options.signal?.aborted || core.watchers.stopped)
        return { kind: "accepted", ...accepted };
      await watch.next(core.clock, Math.min(left, core.poll), options.signal);
    }
  } finally {
    watch.close();
  }
}

async function appliedAnswer(core: ControlCore, accepted: Accepted): Promise<ControlAnswer | undefined> {
  const answer = await answerInLog(core, accepted);
  if (answer !== undefined) return answer;
  const head = await core.store.head(accepted.run);
  if (head?.closed !== true) return undefined;
  // It may have been closed by the very commit that applied it, after the log was read.
  const late = await answerInLog(core, accepted);
  const message = "The run was closed first.";
  return late ?? { kind: "applied", effect: "none", code: "event.too-late", message, ...accepted };
}

async function answerInLog(core: ControlCore, accepted: Accepted): Promise<ControlAnswer | undefined> {
  const { run, position } = accepted;
  for (let after = position - 1; ; ) {
    const records = await core.store.read(run, { after });
    const applying = records.find((record) => record.applies);
    if (applying !== undefined) {
      const answer = readCommit(applying)?.answers?.find((one) => one.position === position);
      if (answer === undefined) return { kind: "applied", effect: "moved", ...accepted };
      if (answer.effect === "buffered") return { kind: "applied", effect: "buffered", ...accepted };
      const { code = "event.stale", message = "" } = answer;
      return { kind: "applied", effect: "none", code, message, ...accepted };
    }
    if (records.length === 0) return undefined;
    after = records.at(-1)!.position;
  }
}
