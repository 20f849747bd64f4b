/**
 * What must hold when everything is over: for every run the log is what was acknowledged, in order and once; effects are
 * no more than the log allows; runs are where they should be.
 */
import { canonicalize, type Json } from "@swl/base";
import type { EventBody } from "@swl/execution/model";
import type { ControlService } from "@swl/invocation-control";
import type { LogRecord, Note, Store } from "@swl/store-provider";
import type { Books, Expected, KnownRun } from "./books.ts";
import { checkHolds, checkRedrives } from "./oracles-operated.ts";
import { checkTimers } from "./oracles-timed.ts";
import type { Plan } from "./plan.ts";
import { effectOf, type WorkflowName } from "./workflows.ts";

export type LoggedEvent = EventBody & { readonly id: string };

/** A run as it is at the end, or as it was when it was removed. */
export interface Seen {
  readonly run: KnownRun;
  readonly records: readonly LogRecord[];
  readonly notes: readonly Note[];
  readonly events: readonly LoggedEvent[];
}

export interface OracleParts {
  readonly plan: Plan;
  readonly books: Books;
  /** Nobody's handle: no faults. */
  readonly store: Store;
  readonly control: ControlService;
  readonly wrong: (what: string) => void;
}

export async function checkEverything(parts: OracleParts): Promise<void> {
  const { books, store, wrong } = parts;
  for (const fault of await store.check()) wrong(`store: ${fault.stream ?? ""} ${fault.message}`);
  for (const run of books.runs.values()) {
    const seen = await seenOf(store, run);
    checkLog(parts, seen);
    checkEvents(parts, seen);
    checkEffects(parts, seen);
    checkHolds(parts, seen);
    checkTimers(parts, seen);
    await checkState(parts, run);
  }
  checkRedrives(parts);
  for (const expected of books.expected()) {
    await checkEnd(parts, expected).catch((error: unknown) => wrong(`end: ${expected.run} ${String(error)}`));
  }
}

async function seenOf(store: Store, run: KnownRun): Promise<Seen> {
  const { records, notes } = run.removed ?? {
    records: await store.read(run.id),
    notes: await store.notes(run.id),
  };
  return { run, records, notes, events: records.flatMap(eventOf) };
}

function eventOf(record: LogRecord): readonly LoggedEvent[] {
  const event = (record.document as { readonly event?: unknown }).event;
  return record.kind === "event" ? [event as LoggedEvent] : [];
}

/** Every state that was stored is the one that the log gives. */
async function checkState({ control, wrong }: OracleParts, { id, removed }: KnownRun): Promise<void> {
  try {
    const { differing } = removed?.verified ?? (await control.verify(id));
    if (differing.length > 0) wrong(`order: ${id} differs from its log at ${differing.join(", ")}`);
  } catch (error) {
    wrong(`order: ${id} cannot be folded: ${String(error)}`);
  }
}

/** What the store said that it had taken is there, and nothing came after the end. */
function checkLog({ wrong, books }: OracleParts, { run, records }: Seen): void {
  const at = new Map(records.map((record) => [record.position, record]));
  for (const [position, commit] of run.commits)
    if (at.get(position)?.commit !== commit) wrong(`lost: ${run.id} has lost its record ${position}`);
  const last = records.at(-1)?.position ?? 0;
  if (run.closedAt !== undefined && last !== run.closedAt) wrong(`terminal: ${run.id} went on after its end`);
  if (run.commits.size !== records.length) wrong(`lost: ${run.id} has records that nobody heard of`);
  for (const [key, position] of books.acknowledged) {
    const [of, request] = key.split(" ");
    const event = of === run.id ? at.get(position) : undefined;
    if (of === run.id && position > 1 && (event === undefined || requestOf(event) !== request))
      wrong(`lost: ${run.id} has lost the request ${request}`);
  }
  for (const [key, task] of books.settled) {
    const [of, position] = key.split(" ");
    if (of !== run.id) continue;
    const record = at.get(Number(position));
    const [event] = record === undefined ? [] : eventOf(record);
    const settles = event !== undefined && "invocation" in event && "attempt" in event;
    if (!settles || `${event.invocation}:${event.attempt}` !== task)
      wrong(`lost: ${run.id} has lost the settlement of ${task}`);
  }
}

function requestOf(record: LogRecord): string | undefined {
  const { requestId } = record.document as { readonly requestId?: string };
  return eventOf(record)[0]?.id ?? requestId;
}

/** Every event once, every answer of a provider settled once. */
function checkEvents({ wrong, books }: OracleParts, { run: { id }, events, records }: Seen): void {
  // The first event of a redriven run is one of the run before it.
  const inherited = records.some(({ kind }) => kind === "redriven") ? events[0] : undefined;
  const ids = new Set<string>();
  const requests = new Set<string>();
  const settled = new Map<string, number>();
  for (const event of events) {
    if (ids.has(event.id)) wrong(`twice: ${id} has the event ${event.id} twice`);
    ids.add(event.id);
    const request =
      "requestId" in event ? event.requestId : "messageId" in event ? event.messageId : undefined;
    if (request !== undefined && requests.has(`${event.type} ${request}`))
      wrong(`twice: ${id} has the request ${request} twice`);
    if (request !== undefined) requests.add(`${event.type} ${request}`);
    if (event === inherited) continue;
    if (event.type === "result" || event.type === "failure" || event.type === "accepted") {
      const attempt = `${event.invocation}:${event.attempt}`;
      settled.set(attempt, (settled.get(attempt) ?? 0) + 1);
    }
  }
  for (const [attempt, times] of settled) {
    const cut = attempt.lastIndexOf(":");
    const calls = books.ledger
      .of(attempt.slice(0, cut))
      .filter(({ call }) => `${call.attempt}` === attempt.slice(cut + 1));
    const answers = calls.reduce((sum, call) => sum + call.answers, 0);
    if (times > answers) wrong(`twice: ${attempt} was answered ${answers} times and settled ${times} times`);
  }
}

/** Unsafe work is begun once, and once more for every decision to repeat it and every word that nothing happened. */
function checkEffects({ wrong, books }: OracleParts, { run: { id }, events }: Seen): void {
  for (const [invocation, calls] of books.ledger.invocations()) {
    const first = calls[0]!.call;
    if (first.run !== id) continue;
    if (calls.some(({ call }) => call.idempotencyKey !== first.idempotencyKey))
      wrong(`key: ${invocation} has two keys`);
    const effect = effectOf(first.action);
    if (effect !== "unsafe" && effect !== "reconcilable") continue;
    const again = events.filter((event) => allowsAgain(event, invocation)).length;
    const begun = calls.filter(({ unwilling }) => !unwilling).length;
    if (begun > 1 + again)
      wrong(`effects: ${invocation} (${effect}) was begun ${begun} times, ${again} decisions to repeat it`);
  }
}

function allowsAgain(event: LoggedEvent, invocation: string): boolean {
  if (event.type === "resolve") return event.invocation === invocation && event.decision === "retry";
  if (event.type !== "inspected" || event.invocation !== invocation) return false;
  return event.status === "not-found" || event.status === "failed";
}

const outputs: { readonly [name in WorkflowName]?: Json } = {
  chain: "readonly_work of c#1",
  loop: "work_again of a#3",
  unsafe: "unsafe_charge of c#1",
  signal: "work of b#1",
  inspected: "work of b#1",
  deferred: "operation b#1",
  update: "unsafe_charge of b#1",
  stopped: "work of b#1",
  classes: "unsafe_charge of e#1",
  far: "unsafe_far of c#1",
  near: "unsafe_far of d#1",
  classes_far: "work_far of c#1",
  flawed: "work of b#1",
  failing: "work of c#1",
};

/** As an undisturbed run would have ended. One that somebody canceled may have been over, or not. */
async function checkEnd(parts: OracleParts, { index, workflow, run }: Expected): Promise<void> {
  const { books, plan, control, wrong } = parts;
  if (!books.isClosed(run)) {
    const { blockers } = await control.why(run);
    const waits = workflow === "waits" && blockers[0]?.kind === "signal";
    const held = books.leftHeld.has(run) && blockers[0]?.kind === "host";
    if (!waits && !held)
      wrong(`end: ${run} (${workflow}) has not ended: ${blockers.map(({ message }) => message).join(" ")}`);
    return;
  }
  const result =
    books.runs.get(run)?.removed?.result ?? (await control.result(run, { timeout: 1, reveal: true }));
  const planned = plan.runs[index]?.acts.some(({ kind }) => kind === "cancel" || kind === "terminate");
  const canceled = planned || books.isCanceled(run) || isSwept(plan, workflow);
  const mayFail = workflow === "fork" || workflow === "failing";
  if (result.status === "completed") {
    const expected = outputs[workflow];
    if (expected !== undefined && canonicalize(result.output) !== canonicalize(expected))
      wrong(`end: ${run} (${workflow}) gave ${canonicalize(result.output)}`);
    if (workflow === "buffered") checkOrder(parts, run, Object.values(result.output as object) as string[]);
  } else if (!canceled && !(mayFail && result.status === "failed")) {
    wrong(`end: ${run} (${workflow}) ended ${result.status} ${result.error?.code ?? ""}`);
  }
}

const isSwept = ({ sweeps }: Plan, workflow: WorkflowName): boolean =>
  sweeps.some((sweep) => sweep.operation === "cancel" && sweep.workflow === workflow);

/** Signals are taken in the order in which they were accepted, where each was accepted under one ID and somebody knows it. */
function checkOrder({ books, wrong }: OracleParts, run: string, taken: readonly string[]): void {
  const positions = taken.flatMap((name) => {
    const position = books.acknowledged.get(`${run} ${name}`);
    return position === undefined || books.acknowledged.has(`${run} ${name}.1`) ? [] : [position];
  });
  const inOrder = positions.every((position, index) => index === 0 || position > positions[index - 1]!);
  if (!inOrder) wrong(`order: ${run} took ${taken.join(", ")}, accepted at ${positions.join(", ")}`);
}
