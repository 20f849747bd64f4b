/**
 * What a store removes is looked at just before: the oracles read it from here. Nothing may go that is open, or has been
 * over for less than was said. Spec: DUR-retention, STO-prune.
 */
import type { ControlService, RunResult, Verification } from "@swl/invocation-control";
import type { LogRecord, Note, Pruned, PruneOptions, Store, StreamState } from "@swl/store-provider";
import type { Books, KnownRun } from "./books.ts";
import type { World } from "./world.ts";

export interface Archived {
  readonly stream: StreamState;
  readonly records: readonly LogRecord[];
  readonly notes: readonly Note[];
  readonly verified: Verification;
  readonly result: RunResult;
}

export interface ArchiveParts {
  readonly world: World;
  readonly books: Books;
  /** Nobody's handle: no faults. */
  readonly peer: Store;
  readonly control: ControlService;
  readonly retention: number;
}

/** Keeps what goes, then has it removed. */
export async function archived(
  parts: ArchiveParts,
  options: PruneOptions,
  prune: () => Promise<Pruned>,
): Promise<Pruned> {
  const { world, books, peer, retention } = parts;
  const kept = new Map<KnownRun, Archived>();
  for (const run of books.runs.values()) {
    const over = run.closedTime !== undefined && run.closedTime < options.closedBefore;
    if (run.removed !== undefined || !over) continue;
    const copy = await copyOf(parts, run);
    if (copy !== undefined) kept.set(run, copy);
  }
  const pruned = await prune();
  if (pruned.streams === 0) return pruned;
  let gone = 0;
  for (const run of books.runs.values()) {
    if (run.removed !== undefined || (await peer.head(run.id)) !== undefined) continue;
    const copy = kept.get(run);
    gone += 1;
    if (copy === undefined) {
      world.wrong(`retention: ${run.id} was removed while it was ${run.status}`);
      continue;
    }
    run.removed = copy;
    const age = world.now - copy.records.at(-1)!.at;
    world.tell(`${run.id} removed`);
    if (age < retention) world.wrong(`retention: ${run.id} was removed ${age} ms after its end`);
  }
  if (gone !== pruned.streams)
    world.wrong(
      `retention: ${gone} runs are gone, ${pruned.streams} were said to be (${options.limit ?? 100})`,
    );
  return pruned;
}

async function copyOf({ peer, control }: ArchiveParts, { id }: KnownRun): Promise<Archived | undefined> {
  const stream = await peer.load(id);
  if (stream === undefined) return undefined;
  return {
    stream,
    records: await peer.read(id),
    notes: await peer.notes(id),
    verified: await control.verify(id),
    result: await control.result(id, { timeout: 1, reveal: true }),
  };
}
