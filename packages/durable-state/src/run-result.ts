/** How a closed run ended, read from its state; and waiting for that without changing anything. */
import { SwlError } from "@swl/base";
import type { Disposition } from "@swl/execution/model";
import { checkWait, type ResultOptions, type RunResult } from "@swl/invocation-control";
import { turn } from "./clock.js";
import type { ControlCore } from "./control.js";
import { explain } from "./explain.js";
import { terminationError } from "./operator-items.js";
import { isPublication } from "./publications.js";
import { type Reading, readRun, terminationOf } from "./run-status.js";

export function resultOf(disposition: Disposition): RunResult | undefined {
  if (disposition.kind !== "closed") return undefined;
  switch (disposition.status) {
    case "completed":
      return { status: "completed", output: disposition.output ?? null };
    case "failed":
      return {
        status: "failed",
        error: disposition.error ?? { code: "workflow.failed", message: "The run failed.", details: null },
      };
    case "canceled":
      return { status: "canceled", ...(disposition.error !== undefined && { error: disposition.error }) };
  }
}

/** Undefined while the run has not ended, and of one that cannot be read here, unless it was terminated. */
export function endOf(reading: Reading): RunResult | undefined {
  const { closed } = "problem" in reading ? reading.stream : reading;
  if (!closed) return undefined;
  const terminated = "problem" in reading ? terminationOf(reading.stream) : reading.terminated;
  if (terminated !== undefined) return { status: "canceled", error: terminationError(terminated) };
  if ("problem" in reading) return undefined;
  const { state, served } = reading;
  return (
    (state === undefined ? undefined : resultOf(served.model.disposition(state))) ?? { status: "canceled" }
  );
}

/** Throws `request.invalid` for a timeout that is none, `run.not-found`, `answer.timeout`, `host.stopped`, and the signal's reason when aborted. */
export async function awaitResult(
  core: ControlCore,
  run: string,
  options: ResultOptions,
): Promise<RunResult> {
  checkWait("timeout", options.timeout);
  const giveUp = core.clock.monotonic() + (options.timeout ?? Number.POSITIVE_INFINITY);
  const throwParked = options.whenParked === "throw";
  const watch = core.watchers.open(run, throwParked ? "change" : "end");
  try {
    // Waiters in this process are woken by the commit itself; the store is looked at rarely, for what other hosts do,
    // and not at all while this host commits, nor in the first second of a run that it has open in its memory.
    for (let pause = core.poll; ; pause = Math.min(pause * 2, 1_000)) {
      const known = !throwParked && (core.isCommittingHere(run) || (pause < 1_000 && core.isOpenHere(run)));
      const result = watch.result ?? (known ? undefined : await storedResult(core, run, throwParked));
      if (result !== undefined) return result;
      options.signal?.throwIfAborted();
      if (core.watchers.stopped)
        throw new SwlError("host.stopped", "The host stopped while a result was awaited.");
      const left = giveUp - core.clock.monotonic();
      if (left <= 0)
        throw new SwlError("answer.timeout", `Run ${run} has not ended within ${options.timeout} ms.`);
      await watch.next(core.clock, Math.min(left, pause), options.signal);
      // A store tells that a run was closed before it answers whoever closed it, who may be here and say how it ended.
      if (watch.result === undefined) await turn();
    }
  } finally {
    watch.close();
  }
}

async function storedResult(
  core: ControlCore,
  run: string,
  throwParked: boolean,
): Promise<RunResult | undefined> {
  const head = await core.store.head(run);
  if (head === undefined || isPublication(head)) throw notFound(run);
  if (throwParked && head.facets["status"] === "needs-intervention") await raiseParked(core, run);
  if (!head.closed) return undefined;
  const reading = await readingOf(core, run);
  const result = endOf(reading);
  if (result === undefined && "problem" in reading) throw reading.problem;
  return result;
}

/** It may have been removed since it was looked for. */
async function readingOf({ store, definitions }: ControlCore, run: string): Promise<Reading> {
  const stream = await store.load(run);
  if (stream === undefined) throw notFound(run);
  return readRun(stream, definitions);
}

function notFound(run: string): SwlError {
  return new SwlError("run.not-found", `There is no run ${JSON.stringify(run)} in this store.`);
}

async function raiseParked(core: ControlCore, run: string): Promise<void> {
  const reading = await readingOf(core, run);
  // Somebody has decided, and it waits to be applied.
  if (!("problem" in reading) && reading.unapplied.length > 0) return;
  const { status, summary } = explain(reading, [], core.storeClock.estimate());
  if (status !== "needs-intervention") return;
  throw new SwlError("run.parked", `Run ${run} needs a decision: ${summary}`, {
    details: { run },
    hint: `swl why ${run} shows the evidence and what can be done.`,
  });
}
