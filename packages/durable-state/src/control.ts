/**
 * The control plane on a store: works inside a host, beside one, or with none. Every mutation looks for its receipt
 * first, is judged against the state where that is known, and is accepted by one append; what became of it is read
 * from the commit that applied it. Spec: INV-answers, DUR-receipts, DUR-refused-before-acceptance.
 */
import { type Code, contentDigest, type Json, SwlError } from "@swl/base";
import type { Edge, EventBody, ExecutionModel } from "@swl/execution/model";
import type {
  CancelRequest,
  ControlAnswer,
  ResolveRequest,
  RunSummary,
  SignalRequest,
  WaitOptions,
} from "@swl/invocation-control";
import type { Page, Receipt, Store, StreamHead } from "@swl/store-provider";
import { awaitAnswer } from "./answers.js";
import { StoreClock, systemClock } from "./clock.js";
import { Definitions } from "./definitions.js";
import { dryRun } from "./dry-run.js";
import { explain } from "./explain.js";
import { eventRecord, readCommit, readCreated } from "./formats.js";
import { historyOf } from "./history.js";
import type {
  Control,
  ControlOptions,
  Explanation,
  HistoryEntry,
  HostClock,
  RunResult,
  RunStatus,
} from "./host-types.js";
import { awaitResult } from "./run-result.js";
import { type Reading, readRun, runStatus, summaryOf } from "./run-status.js";
import { Watchers } from "./watchers.js";

export interface ControlCore {
  readonly store: Store;
  readonly definitions: Definitions;
  readonly clock: HostClock;
  readonly storeClock: StoreClock;
  /** Milliseconds. */
  readonly poll: number;
  readonly watchers: Watchers;
  /** Something was appended to this run. */
  readonly appended: (run: string) => void;
}

/** A control plane without a host: needs only the store and the models that its runs pin. */
export function createControl(options: ControlOptions): Control {
  const clock = options.clock ?? systemClock;
  return new StoreControl({
    store: options.store,
    definitions: new Definitions(options.store, options.models as readonly ExecutionModel[]),
    clock,
    storeClock: new StoreClock(clock),
    poll: options.poll ?? 25,
    watchers: new Watchers(options.store),
    appended: () => undefined,
  });
}

/** Room for what the host puts before it in a commit ID. */
const MAX_REQUEST_ID = 200;

const SIGNAL_NAME = /^[A-Za-z0-9_.-]{1,64}$/;

interface Mutation {
  readonly run: string;
  readonly requestId: string;
  /** What makes two requests with one ID the same. */
  readonly content: Json;
  readonly event: (run: Reading) => EventBody;
}

export class StoreControl implements Control {
  readonly #core: ControlCore;

  constructor(core: ControlCore) {
    this.#core = core;
  }

  async signal(request: SignalRequest, options?: WaitOptions): Promise<ControlAnswer> {
    const { run, messageId, name, outcome, payload = null } = request;
    if (!SIGNAL_NAME.test(name)) {
      throw new SwlError("request.invalid", "A signal's name has 1..64 characters of A-Z a-z 0-9 _ . -");
    }
    const body = {
      type: "signal",
      messageId,
      name,
      ...(outcome !== undefined && { outcome }),
      payload,
    } as const;
    return this.#mutate({ run, requestId: messageId, content: body as Json, event: () => body }, options);
  }

  cancel(request: CancelRequest, options?: WaitOptions): Promise<ControlAnswer> {
    const { run, requestId, reason } = request;
    const body = { type: "cancel", requestId, ...(reason !== undefined && { reason }) } as const;
    return this.#mutate({ run, requestId, content: body as Json, event: () => body }, options);
  }

  resolve(request: ResolveRequest, options?: WaitOptions): Promise<ControlAnswer> {
    const { run, requestId, invocation, error, ...decided } = request;
    const rest = {
      ...decided,
      ...(error !== undefined && {
        error: { code: error.code, message: error.message, details: error.details ?? null },
      }),
    };
    const content = {
      type: "resolve",
      ...rest,
      ...(invocation !== undefined && { invocation }),
    } as unknown as Json;
    const event = (reading: Reading): EventBody => ({
      ...rest,
      type: "resolve",
      requestId,
      invocation: invocation ?? parkedInvocation(reading),
    });
    return this.#mutate({ run, requestId, content, event }, options);
  }

  async status(run: string): Promise<RunStatus> {
    return runStatus(await this.#read(run));
  }

  async why(run: string): Promise<Explanation> {
    const reading = await this.#read(run);
    return explain(reading, await this.#core.store.holders(1_000));
  }

  async path(run: string): Promise<readonly Edge[]> {
    await this.#head(run);
    const edges: Edge[] = [];
    for (let after = 0; ; ) {
      const records = await this.#core.store.read(run, { after });
      for (const record of records) edges.push(...(readCommit(record)?.edges ?? []));
      if (records.length === 0) return edges;
      after = records.at(-1)!.position;
    }
  }

  async history(run: string): Promise<readonly HistoryEntry[]> {
    await this.#head(run);
    return historyOf(this.#core.store, run);
  }

  async definition(run: string): Promise<Json> {
    await this.#head(run);
    const [first] = await this.#core.store.read(run, { limit: 1 });
    const created = readCreated(first!);
    const definition = await this.#core.store.blob(created.definition);
    if (definition === undefined) {
      throw new SwlError("host.definition-missing", `The store lacks definition ${created.definition}.`);
    }
    return definition;
  }

  async list(options: Parameters<Control["list"]>[0] = {}): Promise<Page<RunSummary>> {
    const { status, workflow, after, limit } = options;
    const page = await this.#core.store.list({
      facets: { ...(status !== undefined && { status }), ...(workflow !== undefined && { workflow }) },
      ...(after !== undefined && { after }),
      ...(limit !== undefined && { limit }),
    });
    return { items: page.items.map(summaryOf), ...(page.next !== undefined && { next: page.next }) };
  }

  async result(run: string, options: Parameters<Control["result"]>[1] = {}): Promise<RunResult> {
    return awaitResult(this.#core, run, options);
  }

  async #mutate(mutation: Mutation, options: WaitOptions = {}): Promise<ControlAnswer> {
    const { run, requestId } = mutation;
    if (requestId === "" || requestId.length > MAX_REQUEST_ID || requestId.includes("\0")) {
      throw new SwlError("request.invalid", `A request ID has 1..${MAX_REQUEST_ID} characters without NUL.`);
    }
    const digest = contentDigest(mutation.content);
    const first = await this.#core.store.receipt(run, requestId);
    if (first !== undefined) return this.#repeated(first, digest, options);
    for (;;) {
      const reading = await this.#read(run);
      const event = mutation.event(reading);
      const refusal = this.#judge(reading, event);
      if (refusal !== undefined) return { kind: "refused", run, requestId, ...refusal };
      const at = this.#core.storeClock.estimate();
      const [answer] = await this.#core.store.append([
        {
          stream: run,
          commit: `request:${requestId}:${digest.slice(-32)}`,
          expect: "next",
          stamp: at,
          records: [eventRecord({ ...event, id: requestId, at })],
          receipts: [{ scope: run, request: requestId, digest }],
        },
      ]);
      if (answer!.kind === "receipt") return this.#repeated(answer!.receipt, digest, options);
      if (answer!.kind === "accepted") {
        this.#core.appended(run);
        const { first: position, repeated } = answer!;
        return awaitAnswer(this.#core, { run, requestId, position, repeated }, options);
      }
      const { failure } = answer!;
      if (failure.kind === "clock-ahead" && failure.now !== undefined)
        this.#core.storeClock.correct(failure.now);
      else if (failure.kind === "conflict") throw conflict(requestId);
      else if (failure.kind !== "closed") throw new SwlError(`store.${failure.kind}`, failure.message);
    }
  }

  /** Undefined: acceptable, or not to be judged here; the host that applies it will. */
  #judge(reading: Reading, event: EventBody): { code: Code; message: string } | undefined {
    const { closed, hold, position } = "problem" in reading ? reading.stream : reading;
    if (closed)
      return { code: "event.too-late", message: `The run has ended as ${runStatus(reading).status}.` };
    if (hold === "export") return { code: "store.held", message: "The run is being exported." };
    if (hold !== undefined || "problem" in reading) return undefined;
    const at = this.#core.storeClock.estimate();
    const effect = dryRun(reading, { ...event, id: "dry", position: position + 1, at });
    return effect?.kind === "none" && effect.refuse
      ? { code: effect.code, message: effect.message }
      : undefined;
  }

  #repeated(receipt: Receipt, digest: string, options: WaitOptions): Promise<ControlAnswer> {
    if (receipt.digest !== digest) throw conflict(receipt.request);
    const { stream: run, request: requestId, position } = receipt;
    return awaitAnswer(this.#core, { run, requestId, position, repeated: true }, options);
  }

  async #read(run: string): Promise<Reading> {
    const stream = await this.#core.store.load(run);
    if (stream === undefined) throw notFound(run);
    return readRun(stream, this.#core.definitions);
  }

  async #head(run: string): Promise<StreamHead> {
    const head = await this.#core.store.head(run);
    if (head === undefined) throw notFound(run);
    return head;
  }
}

function parkedInvocation(reading: Reading): string {
  const state = "problem" in reading ? undefined : reading.state;
  const parked =
    state === undefined || "problem" in reading ? undefined : reading.served.model.disposition(state);
  const blocker =
    parked?.kind === "parked" ? parked.blockers.find((one) => one.invocation !== undefined) : undefined;
  // Without one the model refuses the resolution by name; the ID only has to be none of its own.
  return blocker?.invocation ?? "none";
}

function notFound(run: string): SwlError {
  return new SwlError("run.not-found", `There is no run ${JSON.stringify(run)} in this store.`);
}

function conflict(requestId: string): SwlError {
  return new SwlError(
    "request.conflict",
    `Request ID ${JSON.stringify(requestId)} was used before with other content.`,
    {
      hint: "A new request needs a new ID; a repeated one must be the same to the letter.",
    },
  );
}
