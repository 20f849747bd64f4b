/**
 * A run that takes no commits: set aside with its reason in its log, and what is still said of it kept beside the log.
 * Spec: DUR-quarantine, DUR-late-answer.
 */
import { type Code, excerpt } from "@swl/base";
import { sleep } from "./clock.js";
import { plainRecord } from "./formats.js";
import type { HostCore } from "./host-core.js";
import type { OwnInput } from "./inputs.js";
import { keepLateAnswer } from "./late-answer.js";

/**
 * Holds the run at this position; when that was refused, it is to be read again, a little later. A store that refuses
 * this host its right says nothing of the run: it is not held for that, and goes on when the right is there again.
 */
export async function quarantine(
  core: HostCore,
  run: string,
  position: number,
  reason: { readonly code: Code; readonly message: string },
): Promise<void> {
  const { code, message } = reason;
  if (code === "store.unauthorized") {
    core.log({ level: "error", code, run, message: `The run waits for its store: ${message}` });
    return await sleep(core.clock, 1_000);
  }
  core.log({ level: "error", code, run, message: `The run is quarantined: ${message}` });
  const answer = await core.committer.submit({
    stream: run,
    commit: core.newId(),
    expect: position,
    stamp: core.storeClock.estimate(),
    records: [plainRecord("hold", { hold: "quarantine", code, message: excerpt(message, 1_000) })],
    facets: { status: "quarantined" },
    hold: "quarantine",
  });
  if (answer.kind === "refused" && answer.failure.kind !== "stale") await sleep(core.clock, 1_000);
}

/**
 * Keeps a settlement of a run that is closed (`over`) or held. False: the hold was lifted meanwhile, perhaps before this
 * was kept, so it is to be brought all the same.
 */
export async function noted(core: HostCore, run: string, input: OwnInput, over: boolean): Promise<boolean> {
  const { ends, event } = input;
  if (ends === undefined) return true;
  if (event !== undefined) await keepLateAnswer(core, run, ends, event, over);
  return over || (await core.store.head(run))?.hold !== undefined;
}
