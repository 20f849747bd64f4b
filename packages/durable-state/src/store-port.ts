/**
 * The control plane's port on a store: works inside a host, beside one, or with none. Reads are whole and unmasked; every
 * change is one item under its receipt. Spec: DUR-receipts, DUR-refused-before-acceptance.
 */
import { isSwlError, type Json, SwlError } from "@swl/base";
import type {
  Appended,
  AppliedAnswer,
  ControlChange,
  ControlEventChange,
  ControlPage,
  ControlPort,
  ControlReceipt,
  ControlRecord,
  ControlWatch,
  Folded,
  ListRequest,
  Look,
  NewPublication,
  NewRun,
  Publication,
  ReceiptOf,
  RedrivePlan,
  ResultOptions,
  RunResult,
  RunSummary,
} from "@swl/invocation-control";
import type { Answer, Item, LogRecord, Receipt } from "@swl/store-provider";
import { Admission } from "./admission.js";
import { Answers } from "./answers.js";
import type { ControlCore } from "./control.js";
import { controlRecords } from "./control-records.js";
import { foldLog } from "./fold.js";
import { eventRecord, readCreated } from "./formats.js";
import { lookAt, lookOf } from "./look.js";
import { creationItem, redriveItem, runIdOf } from "./new-runs.js";
import { releaseItem, terminationItem } from "./operator-items.js";
import { dryStepOf, Preparations, type Prepared } from "./preparation.js";
import { isPublication, publicationItem, publicationStream, readPublication } from "./publications.js";
import { RecentRuns } from "./recent-runs.js";
import { makeRedrive, type RedriveMade } from "./redrive.js";
import { awaitResult } from "./run-result.js";
import { type Reading, readRun, summaryOf } from "./run-status.js";
import { checkTraceparent } from "./trace-context.js";

export class StorePort implements ControlPort {
  readonly #core: ControlCore;
  readonly #preparations: Preparations;
  readonly #recent: RecentRuns;
  readonly #answers: Answers;
  readonly #admission = new Admission();

  constructor(core: ControlCore) {
    this.#core = core;
    this.#preparations = new Preparations(core.definitions);
    this.#recent = new RecentRuns(core.store);
    this.#answers = new Answers(core.store);
  }

  get poll(): number {
    return this.#core.poll;
  }

  monotonic(): number {
    return this.#core.clock.monotonic();
  }

  now(): number {
    return this.#core.storeClock.estimate();
  }

  watch(run: string): ControlWatch {
    const { watchers, clock } = this.#core;
    const watch = watchers.open(run);
    const answered = this.#answers.open(run);
    return {
      next: (milliseconds, signal) => watch.next(clock, milliseconds, signal),
      close: () => {
        watch.close();
        answered();
      },
      get stopped() {
        return watchers.stopped;
      },
    };
  }

  async look(run: string): Promise<Look | undefined> {
    const { store } = this.#core;
    const reading = await this.#reading(run);
    if (reading === undefined) return undefined;
    const { closed, facets } = "problem" in reading ? reading.stream : reading;
    const failed = closed && facets["status"] === "failed";
    const later = failed ? await store.list({ facets: { redriveOf: run } }) : { items: [] };
    return lookOf(reading, {
      holders: () => store.holders(1_000),
      redrives: later.items.map((head) => head.stream),
      now: this.now(),
    });
  }

  async lookAhead(run: string): Promise<Look | undefined> {
    const seen = await this.#recent.look(run, () => this.#reading(run));
    if ("ahead" in seen) return lookAt(seen.ahead, this.now());
    const { reading } = seen;
    return reading && lookOf(reading, { holders: async () => [], redrives: [], now: this.now() });
  }

  answer(run: string, position: number): Promise<AppliedAnswer | undefined> {
    return this.#answers.of(run, position);
  }

  async closed(run: string): Promise<boolean | undefined> {
    const head = await this.#core.store.head(run);
    return head === undefined || isPublication(head) ? undefined : head.closed;
  }

  async records(run: string, after: number): Promise<readonly ControlRecord[]> {
    return controlRecords(run, await this.#core.store.read(run, { after }));
  }

  async list(request: ListRequest): Promise<ControlPage<RunSummary>> {
    const { status, workflow, limit = 100 } = request;
    const facets = { ...(status !== undefined && { status }), ...(workflow !== undefined && { workflow }) };
    const items: RunSummary[] = [];
    for (let after = request.after; ; ) {
      const rest = { limit: limit - items.length, ...(after !== undefined && { after }) };
      const page = await this.#core.store
        .list({ facets, ...rest })
        .catch((error) => raiseCursor(error, after));
      items.push(...page.items.filter((head) => !isPublication(head)).map(summaryOf));
      after = page.next;
      if (after === undefined) return { items };
      if (items.length >= limit) return { items, next: after };
    }
  }

  /** What every request that changes something asks first: of a crowd, a portion a turn of the event loop. */
  async receipt(scope: string, requestId: string): Promise<ControlReceipt | undefined> {
    await this.#admission.enter();
    const receipt = await this.#core.store.receipt(scope, requestId);
    return receipt && receiptOf(receipt);
  }

  publication(name: string): Promise<Publication | undefined> {
    return readPublication(this.#core.store, name);
  }

  async definition(run: string): Promise<Json> {
    const created = readCreated(await this.#first(run));
    return (await this.#blob(created.definition)).document;
  }

  result(run: string, options: ResultOptions): Promise<RunResult> {
    return awaitResult(this.#core, run, options);
  }

  prepare(definition: Json): Prepared {
    return this.#preparations.of(definition);
  }

  async prepareStored(digest: string): Promise<Prepared> {
    const known = this.#preparations.known(digest);
    return known ?? this.#preparations.of((await this.#blob(digest)).document, digest);
  }

  async planRedrive(run: string): Promise<RedrivePlan> {
    const { created, served, records } = await this.#whole(run);
    const made = makeRedrive({ run, created, served }, records, runIdOf(this.#core.newId()), this.now());
    const { activation, event, step } = made;
    return { run, position: event.position, activation, step: dryStepOf(served, step), made };
  }

  async fold(run: string, position: number): Promise<Folded> {
    const { created, served, records } = await this.#whole(run);
    const applied = records.findLast((record) => record.applies)?.position ?? 0;
    const fold = foldLog(served, created, records, Math.min(position, applied));
    const { compared, differing } = fold;
    const view = fold.state === undefined ? undefined : served.model.view(served.prepared, fold.state);
    return { position: fold.position, compared, differing, ...(view !== undefined && { view }) };
  }

  async appendApplied(change: ControlEventChange, receipt: ReceiptOf): Promise<Appended | undefined> {
    const { run, event, traceparent } = change;
    checkTraceparent(traceparent);
    const takeIn = this.#core.direct(run);
    if (takeIn === undefined) return undefined;
    await this.#admission.enter();
    return takeIn({ event, receipt, ...(traceparent !== undefined && { traceparent }) });
  }

  async append(change: ControlChange, receipt: ReceiptOf): Promise<Appended> {
    const { run } = change;
    const { requestId, digest } = receipt;
    if (change.kind === "event") {
      checkTraceparent(change.traceparent);
      const appended = await this.#submit((at) => ({
        stream: run,
        commit: `request:${requestId}:${digest.slice(-32)}`,
        expect: change.after ?? "next",
        stamp: at,
        records: [eventRecord({ ...change.event, id: requestId, at }, undefined, change.traceparent)],
        receipts: [{ scope: run, request: requestId, digest }],
      }));
      if (appended.kind === "changed") this.#recent.forget(run);
      return appended;
    }
    const head = await this.#core.store.head(run);
    if (head === undefined) throw notFound(run);
    const { kind, run: _, ...words } = change;
    const made = kind === "terminate" ? terminationItem : releaseItem;
    return this.#submit((stamp) => made(head, { ...receipt, ...words, stamp }));
  }

  async publish(publication: NewPublication, receipt: ReceiptOf): Promise<Appended> {
    const head = await this.#core.store.head(publicationStream(publication.name));
    return this.#submit((stamp) => publicationItem(publication, receipt, head?.position ?? 0, stamp));
  }

  async create(run: NewRun, receipt: ReceiptOf | undefined): Promise<Appended> {
    checkTraceparent(run.traceparent);
    if (receipt === undefined) await this.#admission.enter();
    const { served } = run.preparation as Prepared;
    const id = runIdOf(this.#core.newId());
    return this.#submit((stamp) => creationItem(id, served, run, receipt, stamp));
  }

  redrive(plan: RedrivePlan, by: string | undefined, receipt: ReceiptOf): Promise<Appended> {
    const made = plan.made as RedriveMade;
    return this.#submit((stamp) => redriveItem(made, plan.run, by, receipt, stamp));
  }

  /** A lost answer is asked for once more under the same commit ID. */
  async #submit(item: (stamp: number) => Item): Promise<Appended> {
    const { store, storeClock, appended } = this.#core;
    for (let lost = 0; ; ) {
      const made = item(storeClock.estimate());
      let answer: Answer | undefined;
      try {
        [answer] = await store.append([made]);
      } catch (error) {
        if (!isSwlError(error) || error.code !== "store.unknown-commit") throw error;
        if (++lost > 1) return { kind: "lost", code: error.code, message: error.message };
        continue;
      }
      if (answer?.kind === "receipt") return { kind: "receipt", receipt: receiptOf(answer.receipt) };
      if (answer?.kind === "accepted") {
        if (!made.stream.startsWith("publication:")) appended(made.stream);
        return { kind: "accepted", run: made.stream, position: answer.first, repeated: answer.repeated };
      }
      const failure = answer!.failure;
      const first = made.receipts?.[0];
      if (failure.kind === "clock-ahead" && failure.now !== undefined) storeClock.correct(failure.now);
      else if (failure.kind === "conflict" && first !== undefined) {
        const other = await store.receipt(first.scope, first.request);
        // Another process made the stream first: look again.
        return other === undefined ? { kind: "changed" } : { kind: "receipt", receipt: receiptOf(other) };
      } else if (["stale", "closed", "held"].includes(failure.kind)) return { kind: "changed" };
      else if (failure.kind === "not-found" && (await this.#isGone(made))) return { kind: "changed" };
      else throw new SwlError(`store.${failure.kind}`, failure.message);
    }
  }

  /** The run that it is about was removed meanwhile: whoever looks again is told so. */
  async #isGone({ stream, expect, facets }: Item): Promise<boolean> {
    const run = expect === 0 ? facets?.["redriveOf"] : stream;
    return run !== undefined && (await this.#core.store.head(run)) === undefined;
  }

  async #reading(run: string): Promise<Reading | undefined> {
    const { store, definitions } = this.#core;
    const stream = await store.load(run);
    return stream === undefined || isPublication(stream) ? undefined : readRun(stream, definitions);
  }

  async #first(run: string): Promise<LogRecord> {
    const head = await this.#core.store.head(run);
    if (head === undefined || isPublication(head)) throw notFound(run);
    const [first] = await this.#core.store.read(run, { limit: 1 });
    // Removed since.
    if (first === undefined) throw notFound(run);
    return first;
  }

  async #blob(digest: string): Promise<{ readonly document: Json }> {
    const document = await this.#core.store.blob(digest);
    if (document !== undefined) return { document };
    throw new SwlError("host.definition-missing", `The store lacks definition ${digest}.`);
  }

  /** A run's whole log with what serves it. Throws `run.not-found`, `run.unreadable`. */
  async #whole(run: string) {
    const { store, definitions } = this.#core;
    const stream = await store.load(run);
    if (stream === undefined || isPublication(stream)) throw notFound(run);
    const reading = await readRun(stream, definitions);
    if ("problem" in reading) {
      const { message } = reading.problem;
      throw new SwlError("run.unreadable", `The run cannot be read here: ${message}`, {
        cause: reading.problem,
      });
    }
    const records: LogRecord[] = [];
    for (;;) {
      const more = await store.read(run, { after: records.at(-1)?.position ?? 0 });
      if (more.length === 0) break;
      records.push(...more);
    }
    return { created: reading.created, served: reading.served, records };
  }
}

export function notFound(run: string): SwlError {
  return new SwlError("run.not-found", `There is no run ${JSON.stringify(run)} in this store.`);
}

/** Where a list goes on is said by whoever asks: what no list ever said is a mistake of theirs. */
function raiseCursor(error: unknown, after: string | undefined): never {
  if (after === undefined || !isSwlError(error) || error.code !== "store.incompatible") throw error;
  const message =
    "A list goes on after what the `next` of the one before it said, and that is no such place.";
  throw new SwlError("request.invalid", message, { pointer: "/after", cause: error });
}

function receiptOf({ stream, request, digest, position }: Receipt): ControlReceipt {
  return { run: stream, requestId: request, digest, position };
}
