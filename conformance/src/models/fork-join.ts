/**
 * A small execution model that is not SWL: three branches run side by side, each repeats its action for a number of
 * rounds, all join, the signal `go` ends the run. It keeps hosts and stores honest: several attempts of one run are out
 * at once, and nothing of SWL occurs in it. An unknown or retryable attempt is tried three times.
 */
import { contentDigest, type Diagnostic, isJsonObject, type Json, SwlError } from "@swl/base";
import type {
  AcceptedEvent,
  Blocker,
  Command,
  ErrorData,
  ExecutionModel,
  Requirements,
  Transition,
} from "@swl/execution/model";

export interface ForkJoin {
  readonly requirements: Requirements;
  readonly rounds: number;
}

interface Call {
  readonly action: string;
  readonly activation: string;
  readonly invocation: string;
  readonly round: number;
  readonly attempt: number;
  readonly since: number;
}

type Status = "created" | "forked" | "waiting" | "canceling" | "completed" | "failed" | "canceled";

interface Head {
  readonly status: Status;
  readonly run: string | null;
  readonly calls: readonly Call[];
  readonly cancel: { readonly requestId: string; readonly at: number } | null;
  readonly result: { readonly output?: Json; readonly error?: ErrorData };
  readonly time: number;
  readonly last: number;
}

export interface ForkJoinState {
  readonly head: Head;
  /** `input`, and the newest output of each branch under its name. */
  readonly slots: ReadonlyMap<string, Json>;
}

type Draft = { -readonly [K in keyof Head]: Head[K] } & {
  readonly slots: Map<string, Json>;
  readonly written: Map<string, Json>;
  readonly commands: Command[];
};

const branches = ["left", "middle", "right"];
const tries = 3;
const before: Head = { status: "created", run: null, calls: [], cancel: null, result: {}, time: 0, last: 0 };

function kept(state: ForkJoinState, code: Diagnostic["code"], refuse = false): Transition<ForkJoinState> {
  const message = "nothing waits for this";
  const changes = { head: state.head as unknown as Json, slots: new Map<string, Json>() };
  const diagnostics = [{ code, severity: "warning", message, pointer: "" } as const];
  const effect = { kind: "none", code, message, refuse } as const;
  return { state, changes, commands: [], diagnostics, edges: [], effect };
}

function write(draft: Draft, key: string, value: Json): void {
  draft.slots.set(key, value);
  draft.written.set(key, value);
}

function authorize(draft: Draft, action: string, round: number, attempt: number): void {
  const { run, slots } = draft;
  const call = { action, activation: `${action}#${round}`, invocation: `${run}/${action}#${round}`, attempt };
  draft.calls = [...draft.calls, { ...call, round, since: draft.time }];
  const input = { input: slots.get("input") ?? null, before: slots.get(action) ?? null };
  const more = {
    delay: attempt === 1 ? 0 : 10,
    parameters: null,
    idempotencyKey: `${run}/${action}/${round}`,
  };
  draft.commands.push({ kind: "invoke", ...call, input, ...more });
}

function end(draft: Draft, status: "completed" | "failed" | "canceled", result: Head["result"] = {}): void {
  Object.assign(draft, { status, result, calls: [] });
  draft.commands.push({ kind: "end", status, ...result });
}

function settle(rounds: number, draft: Draft, { action, round, attempt }: Call, event: AcceptedEvent): void {
  draft.calls = draft.calls.filter((call) => call.action !== action);
  const repeat = event.type === "unknown" || (event.type === "failure" && event.retryable);
  if (draft.status === "canceling") {
    if (draft.calls.length === 0) end(draft, "canceled");
  } else if (event.type === "result") {
    write(draft, action, event.output);
    if (round < rounds) authorize(draft, action, round + 1, 1);
    else if (draft.calls.length === 0) draft.status = "waiting";
  } else if (repeat && attempt < tries) authorize(draft, action, round, attempt + 1);
  else {
    const error = { code: "attempts.exhausted", message: "the branch does not get on", details: null };
    end(draft, "failed", { error: event.type === "failure" ? event.error : error });
  }
}

/** What an event does to a run that is open; a code when it does nothing. */
function apply(rounds: number, draft: Draft, event: AcceptedEvent): Diagnostic["code"] | undefined {
  switch (event.type) {
    case "start":
      if (draft.status !== "created") return "model.event-impossible";
      Object.assign(draft, { status: "forked", run: event.run });
      write(draft, "input", event.input);
      for (const action of branches) authorize(draft, action, 1, 1);
      return undefined;
    case "signal": {
      if (draft.status !== "waiting" || event.name !== "go") return "signal.unmatched";
      const last = branches.map((action) => draft.slots.get(action) ?? null);
      end(draft, "completed", { output: { last, signal: event.payload } });
      return undefined;
    }
    case "cancel":
      if (draft.cancel !== null) return "cancel.already-recorded";
      draft.cancel = { requestId: event.requestId, at: draft.time };
      if (draft.calls.length === 0) end(draft, "canceled");
      else draft.status = "canceling";
      for (const { invocation, attempt } of draft.calls)
        draft.commands.push({ kind: "withdraw", invocation, attempt });
      return undefined;
    case "result":
    case "failure":
    case "unknown":
    case "withdrawn":
    case "accepted": {
      const call = draft.calls.find(({ invocation }) => invocation === event.invocation);
      if (call?.attempt !== event.attempt) return "event.evidence";
      settle(rounds, draft, call, event);
      return undefined;
    }
    default:
      return event.type === "resolve" ? "resolve.not-parked" : "event.stale";
  }
}

function transition(prepared: ForkJoin, given: ForkJoinState | undefined, event: AcceptedEvent) {
  const state = given ?? { head: before, slots: new Map() };
  if (event.position <= state.head.last) return kept(state, "event.stale");
  if (state.head.status.endsWith("ed") && !["created", "forked"].includes(state.head.status))
    return kept(state, "event.too-late", event.type === "signal" || event.type === "resolve");
  const time = Math.max(state.head.time, event.at);
  const fresh = { slots: new Map(state.slots), written: new Map(), commands: [] };
  const draft: Draft = { ...state.head, time, last: event.position, ...fresh };
  const code = apply(prepared.rounds, draft, event);
  if (code === "model.event-impossible")
    return { error: { code, severity: "error", message: "the run has started", pointer: "" } } as const;
  if (code !== undefined) return kept(state, code, code === "resolve.not-parked");
  const { slots, written, commands, ...head } = draft;
  const changes = { head: head as unknown as Json, slots: written };
  return {
    state: { head, slots },
    changes,
    commands,
    diagnostics: [],
    edges: [],
    effect: { kind: "applied" },
  } as const;
}

function disposition({ head }: ForkJoinState) {
  const { status, result, calls, time } = head;
  if (status === "completed" || status === "failed" || status === "canceled")
    return { kind: "closed", status, ...result } as const;
  const go = { name: "go", outcomes: [] };
  const blockers: Blocker[] = calls.map(({ action, invocation, attempt, since }) => {
    const message = `waits for ${action}`;
    return { kind: "invocation", message, action, invocation, attempt, since, options: ["cancel"] };
  });
  if (status === "created")
    blockers.push({ kind: "start", message: "not started", since: time, options: [] });
  if (status === "waiting")
    blockers.push({ kind: "signal", message: "waits for go", signal: go, since: time, options: ["signal"] });
  return { kind: "open", blockers } as const;
}

const outstanding = ({ head: { status, calls } }: ForkJoinState) =>
  calls.map(({ round: _round, since: _since, ...call }) => {
    return { kind: "invoke", ...call, phase: "scheduled", withdraw: status === "canceling" } as const;
  });

/** Definitions of it: `{"model": "fork-join", "id": "…", "rounds": n}`. */
export const forkJoin: ExecutionModel<ForkJoin, ForkJoinState> = {
  id: "fork-join",
  semantics: { writes: 1, reads: [1] },
  prepare(definition) {
    const { model, id, rounds } = isJsonObject(definition) ? definition : {};
    if (model !== "fork-join" || typeof id !== "string" || typeof rounds !== "number") {
      const message = "this is no fork-join workflow";
      return {
        ok: false,
        findings: [{ code: "model.unsupported", severity: "error", message, pointer: "" }],
      };
    }
    const rest = { contract: contentDigest("fork-join"), effect: "idempotent" as const, capabilities: [] };
    const actions = branches.map((action) => ({ action, ...rest }));
    const requirements = { definition: contentDigest(definition), workflow: id, profiles: [], actions };
    return { ok: true, value: { requirements, rounds }, findings: [] };
  },
  requirements: (prepared) => prepared.requirements,
  transition,
  disposition,
  outstanding,
  view({ requirements: { workflow, definition } }, state) {
    const { run, status, calls, cancel, result, time } = state.head;
    const said = disposition(state);
    const ended =
      "output" in result || "error" in result ? (result as ReturnType<typeof forkJoin.view>["result"]) : null;
    const positions = calls.map(({ action, activation, round, since }) => ({
      node: action,
      visit: round,
      activation,
      since,
    }));
    const blockers = said.kind === "closed" ? [] : said.blockers;
    const counters = { activations: 0, near: [] };
    const open = { outstanding: outstanding(state), blockers, positions, nodes: {}, cancel, counters };
    return { run, workflow, definition, status, ...open, result: ended, time };
  },
  toJSON: ({ head, slots }) => ({ head: head as unknown as Json, slots: Object.fromEntries(slots) }),
  fromJSON({ head, slots }) {
    if (!isJsonObject(head) || !Array.isArray(head["calls"])) {
      throw new SwlError("model.state-invalid", "This is no state of a fork-join run.");
    }
    return { head: head as unknown as Head, slots: new Map(Object.entries(slots)) };
  },
};
