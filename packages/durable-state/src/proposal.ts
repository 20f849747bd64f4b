/**
 * One commit of one run, worked out: foreign events first and in order, then what the host itself brings, each through
 * the model; then one item for the store. Pure apart from the calls it is given. Nothing here is dispatched: that
 * waits for the store's answer. Spec: DUR-dispatch-after-commit, DUR-accepted-order.
 */
import { type Diagnostic, excerpt, type Json } from "@swl/base";
import type {
  AcceptedEvent,
  AskCommand,
  Disposition,
  Edge,
  Effect,
  InvokeCommand,
  Outstanding,
  Transition,
} from "@swl/execution/model";
import type { Item, Precondition, RecordInput, WorkInput } from "@swl/store-provider";
import { isOf } from "./asks.js";
import type { Brought } from "./direct-event.js";
import { askOf, type EventAnswer, eventRecord, plainRecord, queueOf, workId } from "./formats.js";
import type { OwnInput } from "./inputs.js";
import type { LoadedRun } from "./loaded-run.js";
import { idOf, isScheduled, takeable } from "./notices.js";
import { type EndedAttempt, endedBy } from "./observing.js";
import { portionsOf } from "./portions.js";

export interface ProposalContext {
  readonly commit: string;
  readonly holder: string;
  /** Estimate of the store's clock. */
  readonly stamp: number;
  readonly adoptEvidence: boolean;
  readonly newEventId: () => string;
  /** True when the attempt can begin at once; it then holds a concurrency slot. */
  readonly reserve: (action: string) => boolean;
  /** An attempt born claimed stays under way after this commit. */
  readonly keepsOwnership: boolean;
  readonly ownsStream: boolean;
  /** Claimed by this host, which has not begun it. */
  readonly isUnbegun: (work: string) => boolean;
  /** Somebody wants to know which attempts end by this commit. */
  readonly observed?: boolean;
  /** The record of the one event that waits, where this commit brings it into the log itself. */
  readonly brings?: Brought | undefined;
  /** What a document of the store may hold. */
  readonly documentBytes: number;
}

export interface Proposal {
  readonly item: Item;
  readonly state: unknown;
  readonly head: Json | undefined;
  readonly disposition: Disposition;
  readonly status: string;
  /** Born claimed: to be begun once the commit is accepted. */
  readonly begin: readonly InvokeCommand[];
  readonly newWork: readonly WorkInput[];
  /** Nodes that it leaves. */
  readonly visits: number;
  /** Of events that others had appended: what did not simply apply. */
  readonly answers: readonly EventAnswer[];
  /** Attempts that it ends, where that is observed. */
  readonly ended: readonly EndedAttempt[];
  /** The run's own start is refused by the model: its input is not what the workflow takes. */
  readonly refused: Refused | undefined;
}

export interface Refused {
  readonly code: Diagnostic["code"];
  readonly message: string;
  readonly findings: readonly Diagnostic[];
}

export type Proposed = Proposal | { readonly quarantine: Diagnostic };

interface Draft {
  readonly run: LoadedRun;
  readonly context: ProposalContext;
  state: unknown;
  head: Json | undefined;
  /** Asked once for each state. */
  disposed: { readonly of: unknown; readonly disposition: Disposition } | undefined;
  position: number;
  readonly records: RecordInput[];
  readonly slots: Map<string, Json | undefined>;
  readonly dues: Map<string, number | null>;
  readonly invokes: Map<string, InvokeCommand>;
  /** By kind and invocation: the newest replaces the one before. */
  readonly asks: Map<string, AskCommand>;
  readonly work: WorkInput[];
  readonly settled: Set<string>;
  readonly withdraw: Set<string>;
  readonly require: Precondition[];
  readonly answers: EventAnswer[];
  readonly edges: Edge[];
  readonly ended: EndedAttempt[];
  refused: Refused | undefined;
  fence: boolean;
  disowns: boolean;
  readonly queue: OwnInput[];
}

export function propose(run: LoadedRun, inputs: readonly OwnInput[], context: ProposalContext): Proposed {
  const draft: Draft = {
    run,
    context,
    state: run.state,
    head: run.head,
    disposed: undefined,
    position: context.brings === undefined ? run.position : run.position + 1,
    records: context.brings === undefined ? [] : [context.brings.record],
    slots: new Map(),
    dues: new Map(),
    invokes: new Map(),
    asks: new Map(),
    work: [],
    settled: new Set(),
    withdraw: new Set(),
    require: [],
    answers: [],
    edges: [],
    ended: [],
    refused: undefined,
    fence: false,
    disowns: false,
    queue: [...inputs],
  };
  for (const event of run.unapplied) {
    const problem = apply(draft, event, true);
    if (problem !== undefined && !isStranger(draft, event, problem)) return { quarantine: problem };
  }
  if (needsStart(draft))
    draft.queue.push({ event: { type: "start", run: run.id, input: run.created.input } });
  let adopted = false;
  for (let next = 0; ; next++) {
    if (next === draft.queue.length && !adopted) {
      adopt(draft);
      adopted = true;
    }
    const input = draft.queue[next];
    if (input === undefined) break;
    const problem = bring(draft, input);
    if (problem !== undefined) return { quarantine: problem };
  }
  return finish(draft);
}

function needsStart(draft: Draft): boolean {
  if (draft.state === undefined) return true;
  const disposition = dispositionOf(draft);
  return disposition.kind === "open" && disposition.blockers[0]?.kind === "start";
}

/** DUR-completion: words about an operation that this run never had are told to be so, and harm nobody. */
function isStranger(draft: Draft, event: AcceptedEvent, problem: Diagnostic): boolean {
  if (event.type !== "completion" || problem.code !== "model.event-impossible") return false;
  const code = "operation.unknown";
  answer(draft, event.position, { kind: "none", code, message: problem.message, refuse: true });
  return true;
}

function bring(draft: Draft, input: OwnInput): Diagnostic | undefined {
  if (input.record !== undefined) {
    draft.records.push(input.record);
    draft.position++;
  }
  for (const id of input.settles ?? []) draft.settled.add(id);
  if (input.work !== undefined) draft.work.push(...input.work);
  if (input.require !== undefined) draft.require.push(...input.require);
  if (input.clearsDue !== undefined) draft.dues.set(input.clearsDue, null);
  draft.fence ||= input.fence === true;
  draft.disowns ||= input.disowns === true;
  if (input.event === undefined) return undefined;
  const stamped = { ...input.event, id: input.id ?? draft.context.newEventId(), at: draft.context.stamp };
  draft.records.push(eventRecord(stamped));
  draft.position++;
  return apply(draft, { ...stamped, position: draft.position }, false);
}

function apply(draft: Draft, event: AcceptedEvent, foreign: boolean): Diagnostic | undefined {
  const { model, prepared } = draft.run.served;
  const step: Transition<unknown> = model.transition(prepared, draft.state, event);
  if ("error" in step) return step.error;
  if (draft.context.observed && draft.state !== undefined) {
    draft.ended.push(...endedBy(outstandingOf(draft), model.outstanding(step.state), event));
  }
  draft.state = step.state;
  draft.head = step.changes.head;
  for (const [key, document] of step.changes.slots) draft.slots.set(key, document);
  draft.edges.push(...step.edges);
  if (event.type === "start" && step.effect.kind === "none" && step.effect.refuse) {
    const { code, message } = step.effect;
    draft.refused = { code, message, findings: step.diagnostics };
  }
  if (foreign) answer(draft, event.position, step.effect);
  for (const command of step.commands) {
    switch (command.kind) {
      case "invoke":
        draft.invokes.set(workId(command.invocation, command.attempt), command);
        break;
      case "withdraw":
        takeBack(draft, command.invocation, command.attempt);
        break;
      case "set-deadline":
        draft.dues.set(command.key, command.at);
        break;
      case "clear-deadline":
        draft.dues.set(command.key, null);
        break;
      case "end":
        break;
      case "cancel-invocation":
      case "inspect":
        draft.asks.set(`${command.kind} ${command.invocation}`, command);
        break;
    }
  }
  return undefined;
}

/** Only what did not simply apply is said, and briefly: a backlog may be long. */
function answer(draft: Draft, position: number, effect: Effect): void {
  if (effect.kind === "buffered") draft.answers.push({ position, effect: "buffered" });
  if (effect.kind !== "none") return;
  const message = draft.answers.length < 32 ? excerpt(effect.message, 200) : undefined;
  draft.answers.push({
    position,
    effect: "none",
    code: effect.code,
    ...(message !== undefined && { message }),
  });
}

/** DUR-withdraw: an attempt that nobody has claimed never began; the store decides whether that is still so. */
function takeBack(draft: Draft, invocation: string, attempt: number): void {
  const id = workId(invocation, attempt);
  // A word that settled the invocation takes its attempt back as well: nobody waits to hear that it never began.
  const awaited = outstandingOf(draft)
    .filter(isScheduled)
    .some((one) => idOf(one) === id);
  const withdrawn: OwnInput = awaited ? { event: { type: "withdrawn", invocation, attempt } } : {};
  if (draft.invokes.delete(id)) {
    draft.queue.push(withdrawn);
    return;
  }
  const free = takeable(draft.run, id, draft.context);
  if (free !== undefined) draft.queue.push({ ...withdrawn, settles: [id], require: [free] });
  else if (draft.run.work.has(id)) draft.withdraw.add(id);
}

function adopt(draft: Draft): void {
  if (!draft.context.adoptEvidence || draft.state === undefined) return;
  const disposition = dispositionOf(draft);
  if (disposition.kind !== "parked" || disposition.adopt === undefined) return;
  const requestId = `adopt:${disposition.adopt.fromEvidence}`;
  draft.queue.push({ event: { type: "resolve", requestId, ...disposition.adopt, by: "system" } });
}

function finish(draft: Draft): Proposal {
  const { run, context } = draft;
  // All that the model is asked comes before the slots that are reserved: it may fail.
  const disposition = dispositionOf(draft);
  const { put, leftBehind } = questionsOf(draft);
  for (const id of leftBehind) draft.settled.add(id);
  const begin: InvokeCommand[] = [];
  const mayOwn = run.owner === undefined || context.ownsStream || draft.disowns;
  // What an event asked for before another one of this commit ended the run never begins.
  const wanted = disposition.kind === "closed" ? [] : draft.invokes;
  for (const [id, command] of wanted) {
    if (command.delay === 0 && mayOwn && context.reserve(command.action)) begin.push(command);
    else draft.work.push(workOf(run, id, command));
  }
  draft.work.push(...put);
  const status = statusOf(disposition);
  const portions = portionsOf(draft.answers, context.documentBytes / 2);
  const answers = portions.pop();
  const part = {
    ...(draft.head !== undefined && { head: draft.head }),
    ...(run.boundLate && { bindings: run.created.bindings }),
    ...(draft.edges.length > 0 && { edges: draft.edges }),
    ...(answers !== undefined && { answers }),
  };
  const records = [
    ...draft.records,
    ...portions.map((some) => plainRecord("applied", {}, { answers: some })),
  ];
  if (draft.records.length === 0 || portions.length > 0) records.push(plainRecord("applied", {}));
  const last = records.at(-1)!;
  records[records.length - 1] = {
    kind: last.kind,
    document: { ...(last.document as object), commit: part as Json },
  };
  const owner = begin.length > 0 ? context.holder : ownerAfter(draft);
  const item: Item = {
    stream: run.id,
    commit: context.commit,
    expect: run.position,
    stamp: context.stamp,
    records,
    applies: true,
    ...(context.brings !== undefined && { receipts: [context.brings.receipt] }),
    ...(draft.slots.size > 0 && { slots: [...draft.slots].map(slotOf) }),
    ...(draft.dues.size > 0 && { dues: [...draft.dues].map(([key, at]) => ({ key, at })) }),
    ...(draft.work.length > 0 && { work: draft.work }),
    ...(draft.settled.size > 0 && { settled: [...draft.settled] }),
    ...(draft.withdraw.size > 0 && { withdraw: [...draft.withdraw] }),
    ...(draft.require.length > 0 && { require: draft.require }),
    ...(draft.fence && { fence: true }),
    ...(owner !== undefined && { owner }),
    ...(status !== run.facets["status"] && { facets: { status } }),
    ...(disposition.kind === "closed" && { close: true }),
  };
  const { state, head, work: newWork, answers: told, ended, edges, refused } = draft;
  const visits = edges.length;
  return { item, state, head, disposition, status, begin, newWork, visits, answers: told, ended, refused };
}

/** Questions that the commit puts, and IDs of those that it leaves behind: one in force is work until it is answered. */
function questionsOf(draft: Draft): {
  readonly put: readonly WorkInput[];
  readonly leftBehind: readonly string[];
} {
  const { run, context, asks } = draft;
  const old = [...run.work.values()].flatMap((work) => {
    const ask = askOf(work);
    return ask === undefined ? [] : [{ id: work.id, ask }];
  });
  if (old.length === 0 && asks.size === 0) return { put: [], leftBehind: [] };
  const inForce = outstandingOf(draft);
  const isInForce = (ask: AskCommand) => inForce.some((one) => isOf(one, ask));
  const isReplaced = (ask: AskCommand) => asks.has(`${ask.kind} ${ask.invocation}`);
  const put = [...asks.values()].filter(isInForce).map((ask) => ({
    id: `${workId(ask.invocation, ask.attempt)}:${ask.kind}:${context.commit}`,
    queue: queueOf(
      ask.action,
      run.created.actions[ask.action] ?? "",
      run.created.bindings[ask.action] ?? "",
      true,
    ),
    delay: ask.kind === "inspect" ? ask.delay : 0,
    document: { ask: ask as unknown as Json },
  }));
  const leftBehind = old.filter(({ ask }) => isReplaced(ask) || !isInForce(ask)).map(({ id }) => id);
  return { put, leftBehind };
}

function outstandingOf(draft: Draft): readonly Outstanding[] {
  return draft.state === undefined ? [] : draft.run.served.model.outstanding(draft.state);
}

/** Giving one attempt back leaves the others under way where they are; a takeover ends them whatever memory says. */
function ownerAfter({ context, disowns, fence }: Draft): null | undefined {
  if (context.ownsStream && context.keepsOwnership && !fence) return undefined;
  return disowns || context.ownsStream ? null : undefined;
}

function dispositionOf(draft: Draft): Disposition {
  if (draft.state === undefined) return { kind: "open", blockers: [] };
  if (draft.disposed === undefined || draft.disposed.of !== draft.state) {
    draft.disposed = { of: draft.state, disposition: draft.run.served.model.disposition(draft.state) };
  }
  return draft.disposed.disposition;
}

function slotOf([key, document]: [string, Json | undefined]): { key: string; document?: Json } {
  return document === undefined ? { key } : { key, document };
}

export function workOf(run: LoadedRun, id: string, command: InvokeCommand): WorkInput {
  const contract = run.created.actions[command.action] ?? "";
  return {
    id,
    queue: queueOf(command.action, contract, run.created.bindings[command.action] ?? ""),
    delay: command.delay,
    document: { command: command as unknown as Json },
  };
}

/** The host's own word for lists; a model's status word stays in its view. */
export function statusOf(disposition: Disposition): string {
  if (disposition.kind === "closed") return disposition.status;
  if (disposition.kind === "parked") return "needs-intervention";
  return disposition.blockers[0]?.kind === "signal" || disposition.blockers[0]?.kind === "timer"
    ? "waiting"
    : "running";
}
