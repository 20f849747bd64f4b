/**
 * Requests about one run, read into what is to be appended. What a request is by itself is checked here and thrown as
 * `request.invalid`; whether the run takes it is judged where its state is known. Spec: INV-operations.
 */
import { type Code, type Json, raise, SwlError, toJson } from "@swl/base";
import type { ControlChange, ControlEvent, ControlEventChange, Look } from "./control-port.js";
import type {
  CancelRequest,
  CompleteRequest,
  ReleaseRequest,
  RequestError,
  ResolveRequest,
  SignalRequest,
  TerminateRequest,
  Traced,
  UpdateRequest,
} from "./control-requests.js";
import { keepable } from "./reading/text.js";

/** The requests about one existing run, of which one record is appended. */
export interface RunRequests {
  readonly signal: SignalRequest;
  readonly update: UpdateRequest;
  readonly complete: CompleteRequest;
  readonly resolve: ResolveRequest;
  readonly cancel: CancelRequest;
  readonly terminate: TerminateRequest;
  readonly release: ReleaseRequest;
}

export type RunOperation = keyof RunRequests;

export interface Refusal {
  readonly code: Code;
  readonly message: string;
}

/** A request that was read. */
export interface Change {
  readonly run: string;
  readonly requestId: string;
  /** What makes two requests with one ID the same. */
  readonly content: Json;
  of(look: Look): ControlChange | Refusal;
  /** What `of` makes of it, where that is the same however the run looks. */
  readonly event?: ControlEventChange;
}

/** Room for what a host puts before it in a commit ID. */
const maxRequestId = 200;

const signalName = /^[A-Za-z0-9_.-]{1,64}$/;
const errorCode = /^[a-z0-9][a-z0-9.-]{0,63}$/;

export function changeOf<O extends RunOperation>(operation: O, request: RunRequests[O]): Change {
  const readers: { readonly [K in RunOperation]: (request: RunRequests[K]) => Change } = {
    signal: readSignal,
    update: readUpdate,
    complete: readCompletion,
    resolve: readResolution,
    cancel: readCancel,
    terminate: (given) => storeChange("terminate", given),
    release: (given) => storeChange("release", given),
  };
  const change = traced(readers[operation](request), (request as Traced).traceparent);
  if (typeof change.run !== "string" || change.run === "" || change.run.length > 256) {
    throw new SwlError("request.invalid", "A run ID has 1..256 characters.");
  }
  checkRequestId(change.requestId);
  return change;
}

/** The sender's trace goes beside the event: two requests that differ in it alone are the same. */
function traced(change: Change, traceparent: string | undefined): Change {
  if (traceparent === undefined) return change;
  const of = (look: Look): ControlChange | Refusal => {
    const made = change.of(look);
    return "kind" in made && made.kind === "event" ? { ...made, traceparent } : made;
  };
  const { event } = change;
  return { ...change, of, ...(event !== undefined && { event: { ...event, traceparent } }) };
}

/** Throws `request.invalid`. */
export function checkRequestId(id: string, longest = maxRequestId, what = "request ID"): void {
  if (
    typeof id === "string" &&
    id !== "" &&
    id.length <= longest &&
    !id.includes("\0") &&
    !/\p{Surrogate}/u.test(id)
  )
    return;
  throw new SwlError("request.invalid", `A ${what} has 1..${longest} characters without NUL.`);
}

/** Throws `request.invalid` for what is no JSON. */
export function jsonOf(what: string, value: unknown): Json {
  const outcome = toJson(value === undefined ? null : value);
  return outcome.ok ? outcome.value : raise("request.invalid", `The ${what} is not JSON`, outcome.findings);
}

function readSignal(request: SignalRequest): Change {
  const { run, messageId } = request;
  return eventChange(run, messageId, { type: "signal", messageId, ...messageOf("signal", request) });
}

function readUpdate(request: UpdateRequest): Change {
  const { run, requestId } = request;
  return eventChange(run, requestId, { type: "update", requestId, ...messageOf("update", request) });
}

function messageOf(
  what: string,
  { name, outcome, payload }: Pick<SignalRequest, "name" | "outcome" | "payload">,
) {
  if (typeof name !== "string" || !signalName.test(name)) {
    throw new SwlError("request.invalid", `A ${what}'s name has 1..64 characters of A-Z a-z 0-9 _ . -`);
  }
  return { name, ...(outcome !== undefined && { outcome }), payload: jsonOf("payload", payload) };
}

function readCancel({ run, requestId, reason }: CancelRequest): Change {
  return eventChange(run, requestId, { type: "cancel", requestId, ...(reason !== undefined && { reason }) });
}

function eventChange(run: string, requestId: string, event: ControlEvent): Change {
  const made = { kind: "event", run, event } as const;
  return { run, requestId, content: event as unknown as Json, of: () => made, event: made };
}

function readResolution(request: ResolveRequest): Change {
  const { run, requestId, invocation, error, traceparent: _, ...decided } = request;
  const rest = {
    ...decided,
    ...(decided.output !== undefined && { output: jsonOf("output", decided.output) }),
    ...(error !== undefined && { error: errorOf(error) }),
  };
  const content = { type: "resolve", ...rest, ...(invocation !== undefined && { invocation }) };
  const of = (look: Look): ControlChange => {
    const event = { ...rest, type: "resolve", requestId, invocation: invocation ?? parkedOf(look) } as const;
    return { kind: "event", run, event };
  };
  return { run, requestId, content: content as unknown as Json, of };
}

/** Without one the model refuses the resolution by name; the ID only has to be none of its own. */
function parkedOf({ status }: Look): string {
  const parked = status.view?.blockers.find(
    (one) => one.kind === "intervention" && one.invocation !== undefined,
  );
  return parked?.invocation ?? "none";
}

function readCompletion(request: CompleteRequest): Change {
  const { run, messageId, invocation, handle, attempt } = request;
  if (attempt !== undefined && (!Number.isSafeInteger(attempt) || attempt < 1)) {
    throw new SwlError("request.invalid", "An attempt is a whole number from 1.");
  }
  if (invocation === undefined && handle === undefined) {
    throw new SwlError(
      "request.invalid",
      "A completion names the operation by its invocation or its handle.",
    );
  }
  const result =
    "error" in request
      ? { error: keptOf(request.error), retryable: request.retryable ?? false }
      : { outcome: request.outcome, output: jsonOf("output", request.output) };
  const named = { ...(invocation !== undefined && { invocation }), ...(handle !== undefined && { handle }) };
  const bound = attempt === undefined ? {} : { attempt };
  const content = { type: "completion", messageId, ...named, ...bound, result } as unknown as Json;
  const of = (look: Look): ControlChange | Refusal => {
    const found = invocation ?? invocationOf(look, handle);
    if (found === undefined)
      return { code: "operation.unknown", message: "The run waits for no operation with this handle." };
    const event = { type: "completion", messageId, ...named, invocation: found, result } as const;
    if (attempt === undefined) return { kind: "event", run, event };
    const latest = latestOf(look, found);
    if (latest > attempt)
      return { code: "event.stale", message: "A later attempt of this operation was begun." };
    if (latest > 0 && latest < attempt)
      return { code: "operation.unknown", message: `This operation has no attempt ${attempt} yet.` };
    // The answer holds for what was looked at: were something appended meanwhile, it is looked at again.
    return { kind: "event", run, event, after: look.status.position };
  };
  return { run, requestId: messageId, content, of };
}

/** The latest attempt of an invocation that is open, 0 where none is. */
function latestOf({ status: { view } }: Look, invocation: string): number {
  const open = (view?.outstanding ?? []).map((one) =>
    one.kind !== "deadline" && one.invocation === invocation ? one.attempt : 0,
  );
  const parked = (view?.blockers ?? []).map((one) =>
    one.invocation === invocation ? (one.attempt ?? 0) : 0,
  );
  return Math.max(0, ...open, ...parked);
}

function invocationOf({ status }: Look, handle: string | undefined): string | undefined {
  const outstanding = status.view?.outstanding ?? [];
  const found = outstanding.find((one) => one.kind !== "deadline" && one.handle === handle);
  if (found !== undefined && found.kind !== "deadline") return found.invocation;
  const parked = status.view?.blockers.find((one) => one.handle === handle)?.invocation;
  return parked ?? status.view?.unsettled?.find((one) => one.handle === handle)?.invocation;
}

function storeChange(kind: "terminate" | "release", request: TerminateRequest | ReleaseRequest): Change {
  const { run, requestId, by } = request;
  const reason = "reason" in request ? request.reason : undefined;
  const words = { ...(reason !== undefined && { reason }), ...(by !== undefined && { by }) };
  return { run, requestId, content: { type: kind, ...words }, of: () => ({ kind, run, ...words }) };
}

/** What a provider says of its operation is kept as what it answers: INV-nothing-leaks. */
function keptOf(error: RequestError) {
  const { message, ...rest } = errorOf(error);
  return { ...rest, message: typeof message === "string" ? keepable(message) : message };
}

function errorOf(error: RequestError) {
  if (!errorCode.test(error.code)) {
    throw new SwlError("request.invalid", "An error's code has 1..64 characters of a-z 0-9 . -");
  }
  return { code: error.code, message: error.message, details: jsonOf("error's details", error.details) };
}

/** Why the run does not take this; undefined: it does, or only the host that applies it can say. */
export function judge(look: Look, change: ControlChange): Refusal | undefined {
  const { closed, hold, status } = look.status;
  if (closed) return { code: "event.too-late", message: `The run has ended as ${status}.` };
  if (hold === "export") return { code: "store.held", message: "The run is being exported." };
  if (change.kind === "terminate") return undefined;
  if (change.kind === "release") {
    return hold === "quarantine"
      ? undefined
      : { code: "run.not-held", message: "The run is not quarantined." };
  }
  if (hold !== undefined) return undefined;
  const effect = look.dry(change.event)?.effect;
  return effect?.kind === "none" && effect.refuse
    ? { code: effect.code, message: effect.message }
    : undefined;
}
