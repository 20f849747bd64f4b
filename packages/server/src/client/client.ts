/**
 * The control service over HTTP: the same operations with the same answers and the same errors as in the process itself.
 * Whatever may change something goes with the ID that the request has, so that a lost answer can be asked for again.
 * Spec: INV-http-client.
 */
import { SwlError } from "@swl/base";
import type {
  ChangingOperation,
  ControlAnswer,
  ControlRequests,
  ControlService,
  HistoryEntry,
  PublishAnswer,
  PublishRequest,
  ResultOptions,
  RunResult,
  StartRequest,
  WaitOptions,
} from "@swl/invocation-control";
import type { Operation } from "../routes.js";
import { runEvents } from "./events.js";
import { type CallOf, Transport, type TransportOptions } from "./transport.js";

export type ClientOptions = TransportOptions;

/** One record of a run's log, or its end. */
export type RunEvent =
  | ({ readonly type: "entry" } & HistoryEntry)
  | { readonly type: "end"; readonly position: number; readonly result: RunResult };

/** A definition as it was read, or as `defineWorkflow` typed it. */
type Defined<Request> = Omit<Request, "definition"> & { readonly definition?: unknown };

export interface Client extends Omit<ControlService, "as" | "start" | "publish"> {
  start(request: Defined<StartRequest>, options?: WaitOptions): Promise<ControlAnswer>;
  publish(request: Defined<PublishRequest>): Promise<PublishAnswer>;
  /**
   * The run's log after a position as it grows, until the run ends. A lost connection is taken up again where it was.
   * Throws `run.not-found` and what else the server refuses.
   */
  events(
    run: string,
    options?: { readonly after?: number; readonly reveal?: boolean; readonly signal?: AbortSignal },
  ): AsyncIterable<RunEvent>;
}

/** Longest wait that is asked of a server at once. */
const LONGEST = 30_000;

/** Throws `request.invalid` for what is no address of a server. Nothing is sent before the first operation. */
export function createClient(options: ClientOptions): Client {
  const transport = new Transport(options);
  const read = async <T>(operation: Operation, call: CallOf<never>): Promise<T> =>
    (await transport.call(operation, call)).body as T;
  const ofRun = (run: string, query?: object): CallOf<never> =>
    ({ parameters: { run }, ...(query !== undefined && { query }) }) as unknown as CallOf<never>;
  const change =
    <O extends Exclude<ChangingOperation, "publish">>(operation: O) =>
    async (request: ControlRequests[O], waiting?: WaitOptions): Promise<ControlAnswer> =>
      (await transport.call(operation, callOf(request, {}, waiting) as CallOf<O>))
        .body as unknown as ControlAnswer;
  return {
    publish: async (request) => read("publish", callOf(request)),
    published: async (name) => {
      try {
        return await read("published", { parameters: { name } });
      } catch (error) {
        if ((error as SwlError).code === "name.not-found") return undefined;
        throw error;
      }
    },
    start: (request, waiting) => change("start")(request as StartRequest, waiting),
    signal: change("signal"),
    update: change("update"),
    complete: change("complete"),
    resolve: change("resolve"),
    cancel: change("cancel"),
    terminate: change("terminate"),
    redrive: change("redrive"),
    release: change("release"),
    dryRun: (operation, request) => read(operation, callOf(request, { dryRun: true })),
    bulk: (request) => read("bulk", callOf(request)),
    status: (run, query) => read("status", ofRun(run, query)),
    why: (run, query) => read("why", ofRun(run, query)),
    list: (query) => read("list", { query } as CallOf<never>),
    history: (run, query) => read("history", ofRun(run, query)),
    path: (run) => read("path", ofRun(run)),
    definition: (run) => read("definition", ofRun(run)),
    verify: (run, query) => read("verify", ofRun(run, query)),
    result: (run, waiting) => awaited(transport, run, waiting),
    events: (run, following) => runEvents(transport, run, following),
  };
}

/** A request as its route takes it: the run in the path, ID and trace context in headers, the rest in the body. */
function callOf(
  request: object,
  query: object = {},
  { wait = 0, until, signal }: WaitOptions = {},
): CallOf<never> {
  const { run, requestId, messageId, startKey, traceparent, ...body } = request as {
    readonly run?: string;
    readonly requestId?: string;
    readonly messageId?: string;
    readonly startKey?: string;
    readonly traceparent?: string;
  };
  const asked = { ...query, ...(until !== undefined && { until }) };
  return {
    ...(run !== undefined && { parameters: { run } }),
    query: asked,
    body,
    key: requestId ?? messageId ?? startKey,
    ...(traceparent !== undefined && { traceparent }),
    wait,
    signal,
  } as unknown as CallOf<never>;
}

async function awaited(transport: Transport, run: string, options: ResultOptions = {}): Promise<RunResult> {
  const { timeout = Number.POSITIVE_INFINITY, signal, ...query } = options;
  for (let until = performance.now() + timeout; ; ) {
    const left = Math.max(0, until - performance.now());
    const wait = Math.min(left, LONGEST);
    const reply = await transport.call("result", { parameters: { run }, query, wait, signal });
    if (reply.status === 200) return reply.body as unknown as RunResult;
    if (until - performance.now() <= 0) {
      throw new SwlError("answer.timeout", `Run ${run} has not ended within ${timeout} ms.`);
    }
  }
}
