/**
 * From a store's core to the store that callers see. Everything that is the same for every store is done here once:
 * arguments are checked, items are checked and their documents encoded, defaults are filled in, calls after `close`
 * are refused. A core gets only what is well-formed. Spec: STO-ids, STO-store-close.
 */
import type { Json } from "@swl/base";
import { type PreparedItem, prepareBatch } from "./batch.js";
import type { ClaimOptions, ListOptions, Store, StoreInfo } from "./contract.js";
import { type Documents, isFailure } from "./documents.js";
import { type StoreFailure, storeError } from "./failure.js";
import { createGate, type Gate } from "./gate.js";
import { checkCount, checkId, checkIds, checkWhole, longestSpan } from "./limits.js";
import { type WakeHub, wakesOf } from "./wakes.js";

type Awaitable<T> = T | Promise<T>;
/** The answer of a store's method. */
type AnswerOf<K extends keyof Store> = Store[K] extends (...input: never[]) => Promise<infer T>
  ? Awaitable<T>
  : never;

/** What an author writes. Documents come in as bytes and are decoded by the core when read. */
export interface StoreCore {
  /** A failure stands for an item that is refused already: its answer in its place. */
  append(items: readonly (PreparedItem | StoreFailure)[]): AnswerOf<"append">;
  head(stream: string): AnswerOf<"head">;
  load(stream: string): AnswerOf<"load">;
  read(stream: string, after: number, limit: number): AnswerOf<"read">;
  /** `before`: the number of the last stream of the page before, made by the core as `next`. */
  list(
    facets: NonNullable<ListOptions["facets"]>,
    before: number | undefined,
    limit: number,
  ): AnswerOf<"list">;
  blob(digest: string): AnswerOf<"blob">;
  receipt(scope: string, request: string): AnswerOf<"receipt">;
  note(stream: string, event: string, document: Uint8Array): AnswerOf<"note">;
  notes(stream: string): AnswerOf<"notes">;
  openHolder(holder: string, lease: number, exclusive: boolean): AnswerOf<"openHolder">;
  renewHolder(holder: string, lease: number): AnswerOf<"renewHolder">;
  closeHolder(holder: string): AnswerOf<"closeHolder">;
  claim(holder: string, options: ClaimOptions): AnswerOf<"claim">;
  holders(limit: number): AnswerOf<"holders">;
  queues(limit: number, after: string | undefined): AnswerOf<"queues">;
  held(holder: string): AnswerOf<"held">;
  unclaim(holder: string, work: readonly string[], delay: number): AnswerOf<"unclaim">;
  renewWork(holder: string, work: readonly string[], lease: number): AnswerOf<"renewWork">;
  unapplied(limit: number, after: string | undefined): AnswerOf<"unapplied">;
  orphaned(limit: number, after: string | undefined): AnswerOf<"orphaned">;
  abandoned(limit: number, after: string | undefined): AnswerOf<"abandoned">;
  due(limit: number, after: number): AnswerOf<"due">;
  prune(closedBefore: number, limit: number): AnswerOf<"prune">;
  stats(): AnswerOf<"stats">;
  check(limit: number): AnswerOf<"check">;
  now(): AnswerOf<"now">;
  /** Runs once, when no call is under way any more. */
  release(): Awaitable<void>;
}

interface Parts {
  readonly info: StoreInfo;
  readonly documents: Documents;
  readonly core: StoreCore;
  /** Carries the wake-ups as far as `info.capabilities.wakeUps` says; absent with `none`. */
  readonly hub?: WakeHub;
}

export function assembleStore(parts: Parts): Store {
  const gate = createGate(parts.info.name);
  return {
    info: parts.info,
    ...streamMethods(parts, gate),
    ...noteMethods(parts, gate),
    ...holderMethods(parts, gate),
    ...claimMethods(parts, gate),
    ...hostMethods(parts, gate),
    ...keepMethods(parts, gate),
    ...lifeMethods(parts, gate),
  };
}

function streamMethods({ core, documents, info, hub }: Parts, { run }: Gate) {
  return {
    append: (items) =>
      run(async () => {
        const batch = prepareBatch(items, documents, info.limits);
        const answers = await core.append(batch);
        // Also for what is repeated: the first answer was lost, and its wake-ups may be.
        const accepted = batch.filter((_, index) => answers[index]?.kind === "accepted");
        hub?.tell(wakesOf(accepted.flatMap((entry) => (isFailure(entry) ? [] : entry.item))));
        return answers;
      }),
    head: (stream) =>
      run(() => {
        checkId("stream", stream);
        return core.head(stream);
      }),
    load: (stream) =>
      run(() => {
        checkId("stream", stream);
        return core.load(stream);
      }),
    read: (stream, { after = 0, limit = 1_000 } = {}) =>
      run(() => {
        checkId("stream", stream);
        checkWhole("after", after);
        checkCount("limit", limit);
        return core.read(stream, after, limit);
      }),
    list: ({ facets = {}, after, limit = 100 } = {}) =>
      run(() => {
        const before = after === undefined ? undefined : Number(after);
        if (before !== undefined) checkWhole("after", before);
        checkIds("facets", Object.entries(facets).flat());
        checkCount("limit", limit);
        return core.list(facets, before, limit);
      }),
  } satisfies Partial<Store>;
}

function noteMethods({ core, documents }: Parts, { run }: Gate) {
  return {
    blob: (digest) =>
      run(() => {
        checkId("digest", digest);
        return core.blob(digest);
      }),
    receipt: (scope, request) =>
      run(() => {
        checkIds("scope and request", [scope, request]);
        return core.receipt(scope, request);
      }),
    note: (stream, event, document: Json) =>
      run(() => {
        checkIds("stream and event", [stream, event]);
        const bytes = documents.encode(document);
        if (isFailure(bytes)) throw storeError(bytes.kind, bytes.message);
        return core.note(stream, event, bytes);
      }),
    notes: (stream) =>
      run(() => {
        checkId("stream", stream);
        return core.notes(stream);
      }),
  } satisfies Partial<Store>;
}

function holderMethods({ core }: Parts, { run }: Gate) {
  return {
    openHolder: (holder, { lease, exclusive }) =>
      run(() => {
        checkId("holder", holder);
        checkLease(lease);
        return core.openHolder(holder, lease, exclusive);
      }),
    renewHolder: (holder, lease) =>
      run(() => {
        checkId("holder", holder);
        checkLease(lease);
        return core.renewHolder(holder, lease);
      }),
    holders: (limit) =>
      run(() => {
        checkCount("limit", limit);
        return core.holders(limit);
      }),
    closeHolder: (holder) =>
      run(() => {
        checkId("holder", holder);
        return core.closeHolder(holder);
      }),
  } satisfies Partial<Store>;
}

function claimMethods({ core }: Parts, { run }: Gate) {
  return {
    claim: (holder, options) =>
      run(() => {
        checkIds("holder and queue", [holder, ...options.queues.map((entry) => entry.queue)]);
        for (const { limit } of options.queues) checkWhole("limit", limit);
        if (options.lease !== undefined) checkLease(options.lease);
        return core.claim(holder, options);
      }),
    queues: (limit, after) =>
      run(() => {
        checkCount("limit", limit);
        if (after !== undefined) checkId("after", after);
        return core.queues(limit, after);
      }),
    held: (holder) =>
      run(() => {
        checkId("holder", holder);
        return core.held(holder);
      }),
    unclaim: (holder, work, { delay = 0 } = {}) =>
      run(() => {
        checkIds("holder and work", [holder, ...work]);
        checkWhole("delay", delay, longestSpan);
        return core.unclaim(holder, work, delay);
      }),
    renewWork: (holder, work, lease) =>
      run(() => {
        checkIds("holder and work", [holder, ...work]);
        checkLease(lease);
        return core.renewWork(holder, work, lease);
      }),
  } satisfies Partial<Store>;
}

function hostMethods({ core }: Parts, { run }: Gate) {
  const page = (limit: number, after: string | undefined) => {
    checkCount("limit", limit);
    if (after !== undefined) checkId("after", after);
  };
  return {
    unapplied: (limit, after) =>
      run(() => {
        page(limit, after);
        return core.unapplied(limit, after);
      }),
    orphaned: (limit, after) =>
      run(() => {
        page(limit, after);
        return core.orphaned(limit, after);
      }),
    abandoned: (limit, after) =>
      run(() => {
        page(limit, after);
        return core.abandoned(limit, after);
      }),
    due: (limit, after = 0) =>
      run(() => {
        checkCount("limit", limit);
        checkWhole("after", after);
        return core.due(limit, after);
      }),
  } satisfies Partial<Store>;
}

function keepMethods({ core }: Parts, { run }: Gate) {
  return {
    prune: ({ closedBefore, limit = 100 }) =>
      run(() => {
        checkWhole("closedBefore", closedBefore);
        checkCount("limit", limit);
        return core.prune(closedBefore, limit);
      }),
    stats: () => run(() => core.stats()),
    check: (limit = 100) =>
      run(() => {
        checkCount("limit", limit);
        return core.check(limit);
      }),
  } satisfies Partial<Store>;
}

function lifeMethods({ core, hub }: Parts, gate: Gate) {
  const listening = new Set<() => void>();
  return {
    watch(listener) {
      gate.pass();
      const end = hub?.listen(listener) ?? (() => {});
      listening.add(end);
      return () => {
        listening.delete(end);
        end();
      };
    },
    now: () => gate.run(() => core.now()),
    close: () =>
      gate.close(() => {
        for (const end of listening) end();
        return core.release();
      }),
  } satisfies Partial<Store>;
}

function checkLease(lease: unknown): void {
  checkCount("lease", lease, longestSpan);
}
