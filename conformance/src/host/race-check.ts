/**
 * Two hosts have the same state before them and commit what follows from it. Whether they do is not for a check to say:
 * it holds who comes first until the other one is there as well, and plays rounds until that has happened often enough.
 * Hosts of which one never comes have no race, and nothing to be wrong.
 */
import type { Item, Store } from "@swl/store-provider";
import { foreignSignal } from "./acceptance-checks.js";
import { completed, gate, type HostBench, type Opened, pause } from "./bench.js";
import { through } from "./mortal.js";
import { versioned } from "./workflows.js";

/** Rounds in which both came. */
const meetings = 4;
/** Rounds in a row in which one did not, until it is taken for one that never does. */
const misses = 3;
/** Turns of this process in which a second beginning would be seen. */
const turns = 40;
/** Milliseconds that the first waits for the other. */
const waitsFor = 5_000;

const words = ["one", "other"] as const;

/** One run's round: who stands before the store with a commit of it, at which position, and who has its answer. */
class Round {
  readonly run: string;
  readonly came = new Map<string, number>();
  readonly answered = new Set<string>();
  readonly #bothCame = gate();
  readonly #bothAnswered = gate();

  constructor(run: string) {
    this.run = run;
  }

  /** Both at once, or the one that came when the other did not in time. */
  async comes(word: string, position: number): Promise<void> {
    this.came.set(word, position);
    if (this.came.size === words.length) this.#bothCame.open();
    await Promise.race([this.#bothCame.opened, pause(waitsFor)]);
  }

  /** Nobody goes on before both have their answer: what the first one begins could end the run meanwhile. */
  async answers(word: string): Promise<void> {
    this.answered.add(word);
    if (this.answered.size === words.length) this.#bothAnswered.open();
    if (this.came.size === words.length) await Promise.race([this.#bothAnswered.opened, pause(waitsFor)]);
  }

  get met(): boolean {
    const [one, other] = words.map((word) => this.came.get(word));
    return one !== undefined && one === other;
  }
}

export async function sameRevision(bench: HostBench): Promise<readonly string[]> {
  let round: Round | undefined;
  const racing = (word: string) => (store: Store) =>
    through(store, async (name, call, given) => {
      const now = round;
      const item = name === "append" ? commitOf(now, given[0] as readonly Item[]) : undefined;
      if (now === undefined || item === undefined || now.came.has(word)) return call();
      await now.comes(word, Number(item.expect));
      try {
        return await call();
      } finally {
        await now.answers(word);
      }
    });
  const hosts: Opened[] = [];
  for (const word of words) hosts.push(await bench.host(() => completed(word), racing(word)));
  const problems: string[] = [];
  for (let met = 0, missed = 0; met < meetings && missed < misses && problems.length === 0; ) {
    const [{ host }] = hosts as [Opened];
    const run = await host.start(versioned("in"), { input: null });
    await bench.eventually(async () => (await host.why(run)).status === "waiting");
    round = new Round(run);
    problems.push(...(await played(bench, host, round)));
    if (round.met) met++;
    missed = round.met ? 0 : missed + 1;
  }
  const faults = await (await bench.peer()).check();
  return [...problems, ...faults.map(({ message }) => message)];
}

function commitOf(round: Round | undefined, batch: readonly Item[]): Item | undefined {
  return batch.find(({ stream, applies }) => stream === round?.run && applies === true);
}

async function played(bench: HostBench, host: Opened["host"], round: Round): Promise<readonly string[]> {
  const { run } = round;
  const peer = await bench.peer();
  await peer.append([{ ...foreignSignal(run, "go"), records: goRecord("go") }]);
  await host.result(run, bench.patience);
  await bench.eventually(() => [...round.came.keys()].every((word) => round.answered.has(word)));
  // Whoever takes its answer for an acceptance begins within a few turns: turns are counted, not time.
  const times = (): number => bench.calls.filter((call) => call.run === run).length;
  for (let turn = 0; turn < turns && times() === 1; turn++) await pause(5);
  const begun = times();
  const positions = (await peer.read(run)).map(({ position }) => position);
  return [
    ...(begun === 1 ? [] : [`two commits at one revision begin an action ${begun} times`]),
    ...(new Set(positions).size === positions.length ? [] : ["two records have one position"]),
  ];
}

function goRecord(id: string) {
  const event = { type: "signal", messageId: id, name: "go", payload: null, id, at: Date.now() };
  return [{ kind: "event", document: { event } }] as const;
}
