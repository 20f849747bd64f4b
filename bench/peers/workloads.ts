/** What is measured, the same for all: runs with 50 in flight, one run at a time, a message to a run that waits. */
import { median } from "../lib/harness.ts";
import { type Counts, type Peer, pause } from "./peer.ts";

const IN_FLIGHT = 50;
/** Milliseconds between the moment from which a run waits and the message: for everybody's own work to be over. */
const REST = 50;

interface Size {
  /** Milliseconds for which each is at it before anything is counted: code is compiled while it is used. */
  readonly warm: number;
  readonly runs: number;
  readonly lone: number;
  readonly signals: number;
  /** Milliseconds for the lone ones: some look for work once a second. */
  readonly patience: number;
}

export const sizeOf = (quick: boolean): Size =>
  quick
    ? { warm: 1_000, runs: 200, lone: 20, signals: 5, patience: 1_000 }
    : { warm: 8_000, runs: 1_000, lone: 100, signals: 25, patience: 4_000 };

export const steps = ["warm", "many", "lone", "signal", "count"] as const;
export type Step = (typeof steps)[number];

/** Runs a second for `many`, the median of milliseconds for `lone` and `signal`; undefined where a peer has none. */
export type Outcome = number | Counts | undefined;

export async function work(step: Step, peer: Peer, size: Size): Promise<Outcome> {
  if (step === "warm") return warm(peer, size.warm);
  await pause(REST);
  if (step === "many") return (size.runs / (await timed(() => many(peer, size.runs)))) * 1_000;
  if (step === "count") return peer.counted?.((counting) => many(counting, size.runs));
  const { wait } = peer;
  if (step === "lone") return within(size.lone, size.patience, () => timed(() => peer.run()));
  return (
    wait &&
    within(size.signals, size.patience, async () => {
      const { finish } = await wait();
      await pause(REST);
      return timed(finish);
    })
  );
}

async function timed(what: () => Promise<void>): Promise<number> {
  const began = performance.now();
  await what();
  return performance.now() - began;
}

async function many(peer: Peer, runs: number): Promise<void> {
  let left = runs;
  await inFlight(async () => {
    while (left-- > 0) await peer.run();
  });
}

async function warm(peer: Peer, milliseconds: number): Promise<undefined> {
  const end = performance.now() + milliseconds;
  await inFlight(async () => {
    while (performance.now() < end) await peer.run();
  });
}

async function inFlight(worker: () => Promise<void>): Promise<void> {
  await Promise.all(Array.from({ length: IN_FLIGHT }, worker));
}

/** So many times, or as often as fits into the time, at least three times. */
async function within(times: number, patience: number, one: () => Promise<number>): Promise<number> {
  const end = performance.now() + patience;
  const took: number[] = [];
  while (took.length < times && (took.length < 3 || performance.now() < end)) took.push(await one());
  return median(took);
}
