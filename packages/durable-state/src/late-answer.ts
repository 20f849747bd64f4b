/**
 * What a provider says of a run that takes no more settlements: kept once beside the log, in each of its words. That
 * nobody knows is no news of a run that is over; that an answer came and could not be stored is. Spec: DUR-late-answer.
 */
import { isJsonObject, isSwlError, type Json } from "@swl/base";
import type { EventBody } from "@swl/execution/model";
import type { Note, Store } from "@swl/store-provider";
import { readEvent } from "./formats.js";
import type { HostCore } from "./host-core.js";
import type { OwnInput } from "./inputs.js";
import type { LoadedRun } from "./loaded-run.js";

const PREFIX = "settlement:";

/**
 * `attempt`: the work ID. `over`: the run is closed; of one that is only held, every word will be needed when it is
 * released. Throws what the store says when a retry can help.
 */
export async function keepLateAnswer(
  core: Pick<HostCore, "store" | "log">,
  run: string,
  attempt: string,
  event: EventBody,
  over: boolean,
): Promise<void> {
  if (over && event.type === "unknown" && event.reason !== "ack-lost") return;
  const name = `${PREFIX}${attempt}:${event.type}`;
  try {
    await core.store.note(run, name, { ...event } as unknown as Json);
  } catch (error) {
    if (!isSwlError(error) || error.details?.["retry"] !== "never") throw error;
    // Better that it came than nothing: the answer itself is more than the store holds.
    const message = `A late ${event.type} could not be kept: ${error.message}`;
    core.log({ level: "error", code: error.code, run, message });
    await core.store.note(run, name, { type: event.type, omitted: error.message });
  }
}

/** Of what is kept beside the log, and of what a host brings of it. */
export function underNote(input: OwnInput): OwnInput {
  return { ...input, id: input.id ?? `note:${PREFIX}${input.ends ?? ""}:${input.event?.type ?? ""}` };
}

export interface Kept {
  /** As the host brings it, under the note's name. */
  readonly inputs: readonly OwnInput[];
  /** IDs of what the run has taken in already, as far as they were looked for. */
  readonly taken: ReadonlySet<string>;
}

/**
 * What was kept of a run while it was held, brought when the hold is lifted: each once, however often the run is held
 * again. The model says what it is worth. `own`: what this host has to bring itself. Spec: DUR-release.
 */
export function keptAnswers(store: Store, run: LoadedRun, own: readonly OwnInput[]): Kept | Promise<Kept> {
  const isNew = own.every(({ id }) => id === undefined);
  return !run.released && isNew ? nothingKept : readKept(store, run, isNew);
}

const nothingKept: Kept = { inputs: [], taken: new Set() };

async function readKept(store: Store, run: LoadedRun, isNew: boolean): Promise<Kept> {
  const notes = run.released ? await store.notes(run.id) : [];
  const kept = notes.filter(({ event }) => event.startsWith(PREFIX));
  if (kept.length === 0 && isNew) return nothingKept;
  const taken = await eventIds(store, run);
  return { inputs: kept.filter(({ event }) => !taken.has(`note:${event}`)).flatMap(broughtBy), taken };
}

/**
 * The hold may have been lifted while what was said was being kept: this host still has it to bring, under the note's
 * name and instead of the note, unless another host has taken the note in.
 */
export function broughtOnce(
  { inputs, taken }: Kept,
  own: readonly OwnInput[],
): {
  readonly kept: readonly OwnInput[];
  readonly own: readonly OwnInput[];
  readonly over: readonly OwnInput[];
} {
  if (inputs.length === 0 && taken.size === 0) return { kept: [], own, over: [] };
  const named = own.map((input): OwnInput => {
    const note = underNote(input);
    return inputs.some(({ id }) => id === note.id) ? note : input;
  });
  const isOver = ({ id }: OwnInput): boolean => id !== undefined && taken.has(id);
  return {
    kept: inputs.filter(({ id }) => !named.some((input) => input.id === id)),
    own: named.filter((input) => !isOver(input)),
    over: named.filter(isOver),
  };
}

function broughtBy({ event: name, document }: Note): readonly OwnInput[] {
  const attempt = name.slice(PREFIX.length, name.lastIndexOf(":"));
  const cut = attempt.lastIndexOf(":");
  const invocation = attempt.slice(0, cut);
  if (!isJsonObject(document)) return [];
  const event =
    document["omitted"] === undefined
      ? (document as unknown as EventBody)
      : ({
          type: "unknown",
          invocation,
          attempt: Number(attempt.slice(cut + 1)),
          reason: "ack-lost",
          message: `What was said (${String(document["type"])}) could not be kept.`,
        } as const);
  return [{ event, id: `note:${name}`, settles: [attempt] }];
}

async function eventIds(store: Store, run: LoadedRun): Promise<ReadonlySet<string>> {
  const ids = new Set<string>();
  for (let after = 0; ; ) {
    const records = await store.read(run.id, { after });
    for (const record of records) {
      const event = readEvent(record, run.created);
      if (event !== undefined) ids.add(event.id);
    }
    if (records.length === 0) return ids;
    after = records.at(-1)!.position;
  }
}
