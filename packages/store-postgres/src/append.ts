/**
 * Appending. Most batches go in one statement, a lone plain visit in a smaller one. What they leave takes two: load what
 * `decide` looks up, then write what it accepted, if that is still so; if not, load again. Who loses a race has lost it
 * to somebody who got on.
 */
import {
  type Answer,
  answerItem,
  createBackoff,
  decide,
  isFailure,
  type PreparedItem,
  refused,
  type StoreFailure,
  storeError,
} from "@swl/store-provider";
import { Commit } from "./commit.js";
import type { Database, Statements } from "./database.js";
import { isDirect, movesStream, writeDirect } from "./direct.js";
import { classify, toStoreError } from "./driver-errors.js";
import { loadFacts } from "./facts.js";
import { portionsOf } from "./portions.js";
import type { Folding } from "./slots.js";
import { isPlainVisit, writeVisit } from "./visit.js";

export interface Appending {
  readonly name: string;
  readonly database: Database;
  readonly folding: Folding;
  /** Milliseconds during which lost races are repeated. */
  readonly patience: number;
  /** Null: the server's own clock. */
  readonly clock: () => number | null;
}

export async function append(
  context: Appending,
  items: readonly (PreparedItem | StoreFailure)[],
): Promise<readonly Answer[]> {
  const [only] = items;
  let call: Statements | undefined;
  if (items.length === 1 && only !== undefined && !isFailure(only) && isPlainVisit(only)) {
    call = context.database.call();
    const answer = await visited(context, call, only);
    if (answer !== undefined) {
      context.folding.note([only], [answer]);
      return [answer];
    }
  }
  const good = items.filter((item): item is PreparedItem => !isFailure(item));
  const answers: Answer[] = [];
  for (const portion of portionsOf(good)) {
    answers.push(...(await afterPart(context, answers.length > 0, () => appendGood(context, portion, call))));
  }
  context.folding.note(good, answers);
  return items.map((item) => (isFailure(item) ? refused(item) : (answers.shift() as Answer)));
}

/** A lone visit in its own statement; undefined where others were faster, or it has to be judged. */
async function visited(
  context: Appending,
  call: Statements,
  item: PreparedItem,
): Promise<Answer | undefined> {
  try {
    return await writeVisit(call, item, context.clock());
  } catch (error) {
    if (classify(error)?.remedy === "reload") return undefined;
    throw toStoreError(context.name, error, false);
  }
}

/** When a part of the batch stands, nothing weaker may be said of the whole. */
async function afterPart<T>(context: Appending, stands: boolean, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!stands) throw error;
    throw storeError("unknown-commit", `The store ${context.name} wrote a part of the batch.`, error);
  }
}

async function appendGood(
  context: Appending,
  items: readonly PreparedItem[],
  call = context.database.call(),
): Promise<readonly Answer[]> {
  if (items.length === 0) return [];
  const answers = await quickly(context, call, items);
  const left = items.filter((_, index) => answers[index] === undefined);
  if (left.length === 0) return answers as readonly Answer[];
  const stands = left.length < items.length;
  const judged = [...(await afterPart(context, stands, () => judge(context, call, left)))];
  return answers.map((answer) => answer ?? (judged.shift() as Answer));
}

type Answers = readonly (Answer | undefined)[];

/** What one statement can judge by itself; undefined for the others. */
async function quickly(
  context: Appending,
  call: Statements,
  items: readonly PreparedItem[],
): Promise<Answers> {
  const direct = items.filter(isDirect);
  if (direct.length === 0 || !areApart(items)) return items.map(() => undefined);
  const answers = new Map<PreparedItem, Answer | undefined>();
  const write = async (part: readonly PreparedItem[], changes: boolean): Promise<void> => {
    const answered = await attempted(context, call, part, changes);
    for (const [index, item] of part.entries()) answers.set(item, answered[index]);
  };
  // A lone visit comes here when its own statement has left it, or beside items that are refused.
  const changes = direct.some(movesStream) || (items.length === 1 && isPlainVisit(items[0]!));
  await write(direct, changes);
  if (changes) return items.map((item) => answers.get(item));
  // A visit to a stream whose row has to change: something waits to be applied there, or nobody owned it.
  const left = direct.filter((item) => item.item.applies === true && answers.get(item) === undefined);
  const stands = left.length < direct.length;
  if (left.length > 0) await afterPart(context, stands, () => write(left, true));
  return items.map((item) => answers.get(item));
}

/**
 * No item of the batch can see another one's: what is accepted does not depend on the order in which they are written,
 * and work that comes due at the same instant has none. A blob that an earlier one brings is found later, but not the
 * other way round. Work that goes with a stream that is closed is not looked at: IDs that two streams use are nobody's
 * plan.
 */
function areApart(items: readonly PreparedItem[]): boolean {
  if (items.length === 1) return true;
  const streams = new Set<string>();
  const receipts = new Set<string>();
  const ids = new Set<string>();
  const missed = new Set<string>();
  const isNew = (seen: Set<string>, name: string) => !seen.has(name) && seen.add(name);
  return items.every(({ item }) => {
    const { blobs = [], pins = [], settled = [], work = [] } = item;
    const isApart =
      isNew(streams, item.stream) &&
      (item.receipts ?? []).every(({ scope, request }) => isNew(receipts, `${scope}\0${request}`)) &&
      blobs.every(({ digest }) => !missed.has(digest)) &&
      (settled.length + work.length === 0 ||
        [...new Set([...settled, ...work.map(({ id }) => id)])].every((id) => isNew(ids, id)));
    const brought = blobs.length === 0 ? undefined : new Set(blobs.map(({ digest }) => digest));
    for (const digest of pins) if (!brought?.has(digest)) missed.add(digest);
    return isApart;
  });
}

/** Where somebody took a position between look and insert nothing was written. */
async function attempted(
  context: Appending,
  call: Statements,
  items: readonly PreparedItem[],
  changes: boolean,
): Promise<Answers> {
  try {
    return await writeDirect(call, items, context.clock(), changes);
  } catch (error) {
    if (classify(error)?.remedy === "reload") return items.map(() => undefined);
    throw toStoreError(context.name, error, false);
  }
}

async function judge(
  context: Appending,
  call: Statements,
  items: readonly PreparedItem[],
): Promise<readonly Answer[]> {
  const backoff = createBackoff({ total: context.patience });
  const begun = performance.now();
  for (;;) {
    try {
      return await judgeOnce(call, context.clock(), items);
    } catch (error) {
      const delay =
        classify(error)?.remedy === "reload" ? backoff.next(performance.now() - begun) : undefined;
      if (delay === undefined) throw toStoreError(context.name, error, false);
      await new Promise((resolve) => setTimeout(resolve, delay));
    }
  }
}

async function judgeOnce(
  call: Statements,
  clock: number | null,
  items: readonly PreparedItem[],
): Promise<readonly Answer[]> {
  const facts = await loadFacts(call, items, clock);
  const commit = new Commit(facts);
  const answers = items.map((prepared) =>
    answerItem(decide(prepared.item, facts.snapshot(prepared.item.stream), facts.now), (accepted) =>
      commit.add(prepared, accepted),
    ),
  );
  if (!commit.isEmpty) await commit.write(call);
  return answers;
}
