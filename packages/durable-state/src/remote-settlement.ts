/**
 * One settlement of a remote worker: applied under the precondition that its claim is still held, kept as evidence when
 * the claim was lost before. Which of the two is decided by the store in the commit itself. Repeated, it is found by its
 * receipt. Spec: INV-worker-settlement, DUR-late-answer.
 */
import { type Code, contentDigest, type Json, SwlError } from "@swl/base";
import type { SettlementAnswer, WorkSettlement } from "@swl/invocation-control";
import type { Answer, Item, Precondition } from "@swl/store-provider";
import { commandOf } from "./formats.js";
import { type OwnInput, settlement } from "./inputs.js";
import { broughtOnce, keepLateAnswer, keptAnswers, underNote } from "./late-answer.js";
import { type LoadedRun, loadRun } from "./loaded-run.js";
import { narrate } from "./narrate.js";
import { idOf, isScheduled } from "./notices.js";
import { fitted } from "./oversize.js";
import { refuseUnserved } from "./profiles.js";
import { type Proposal, propose } from "./proposal.js";
import { checkedAnswer } from "./provider-answer.js";
import type { RemoteCore } from "./remote-work.js";

/**
 * Never rejects for what is wrong with the settlement; a store that fails, it does. `handed`: the attempt is known to have
 * been this worker's. Of anybody else nothing is taken for evidence.
 */
export async function settleRemotely(
  core: RemoteCore,
  holder: string,
  given: WorkSettlement,
  handed: boolean,
): Promise<SettlementAnswer> {
  const { run: id, task } = given;
  const digest = contentDigest(given.answer as unknown as Json);
  for (const kind of ["applied", "evidence"] as const) {
    const first = await core.store.receipt(scopeOf(id), requestOf(kind, task));
    if (first !== undefined) return repeated(kind, task, first.digest === digest, first.position);
  }
  for (let kept = false; ; ) {
    const stream = await core.store.load(id);
    if (stream === undefined) return refused(task, "run.not-found", `There is no run ${JSON.stringify(id)}.`);
    const run = await loadRun(stream, core.definitions);
    const attempt = attemptOf(run, task);
    if (attempt === undefined) {
      return refused(task, "request.invalid", `Run ${id} has no attempt ${JSON.stringify(task)}.`);
    }
    const input = inputOf(run, attempt, given, holder);
    if (!run.work.has(task)) {
      // The same settlement may have come twice at once: what the other one has settled since is not late.
      const first = await core.store.receipt(scopeOf(id), requestOf("applied", task));
      if (first !== undefined) return repeated("applied", task, first.digest === digest, first.position);
    }
    if (input === "elsewhere" || (input.require === undefined && !handed)) {
      return refused(
        task,
        "store.lease-lost",
        "The attempt is not this worker's: it was given back or lost.",
      );
    }
    if (run.closed || run.hold !== undefined) {
      await keepLateAnswer(core, id, task, input.event!, run.closed);
      kept = !run.closed && (await core.store.head(id))?.hold === undefined;
      // The hold was lifted meanwhile, perhaps before this was kept: it is to be brought all the same.
      if (kept) continue;
      return { kind: "evidence", task, repeated: false };
    }
    refuseUnserved(run.served.requirements);
    const kind = input.require === undefined ? "evidence" : "applied";
    const answer = await commit(core, run, kept ? underNote(input) : input, {
      scope: scopeOf(id),
      request: requestOf(kind, task),
      digest,
    });
    if (answer === "again") continue;
    if (answer === "taken") return { kind: "evidence", task, repeated: false };
    if (answer.kind === "receipt") {
      return repeated(kind, task, answer.receipt.digest === digest, answer.receipt.position);
    }
    // Another settlement of the same attempt came between, here or elsewhere.
    if (answer.kind === "refused" && answer.failure.kind === "conflict") return conflicting(task);
    if (answer.kind === "refused") throw new SwlError(`store.${answer.failure.kind}`, answer.failure.message);
    return { kind, task, position: answer.first, repeated: answer.repeated };
  }
}

interface AttemptName {
  readonly invocation: string;
  readonly attempt: number;
}

/** The attempt that a task names: of its work, or of the name itself once the work is gone. */
function attemptOf(run: LoadedRun, task: string): AttemptName | undefined {
  const row = run.work.get(task);
  const command = row === undefined ? undefined : commandOf(row);
  if (command !== undefined) return command;
  const parts = /^(.+):([1-9]\d{0,8})$/s.exec(task);
  const invocation = parts?.[1];
  if (invocation === undefined || !invocation.startsWith(`${run.id}/`)) return undefined;
  return { invocation, attempt: Number(parts?.[2]) };
}

/** The claim is held: applied under that condition. Gone: the model says what it is worth. Somebody else's: nothing. */
function inputOf(
  run: LoadedRun,
  name: AttemptName,
  { task, answer }: WorkSettlement,
  holder: string,
): OwnInput | "elsewhere" {
  const row = run.work.get(task);
  const outstanding = run.state === undefined ? [] : run.served.model.outstanding(run.state);
  const open = outstanding.filter(isScheduled).find((one) => idOf(one) === task);
  // A run that was closed in the store keeps its last state, and has no work any more.
  if (row !== undefined ? row.holder !== holder : open !== undefined && !run.closed) return "elsewhere";
  const action = open?.action ?? (row && commandOf(row)?.action);
  const effect = run.served.requirements.actions.find((one) => one.action === action)?.effect ?? "unsafe";
  const settled = settlement(name, checkedAnswer(answer, effect), row && task);
  const require: readonly Precondition[] = [{ kind: "work-held", work: task, holder }];
  return row === undefined ? settled : { ...settled, require };
}

/** `again`: something came between; read and judged anew. `taken`: another one has taken in what was kept of it. */
async function commit(
  core: RemoteCore,
  run: LoadedRun,
  input: OwnInput,
  receipt: { readonly scope: string; readonly request: string; readonly digest: string },
): Promise<Answer | "again" | "taken"> {
  // What was kept beside the log while the run was held comes first: this commit takes the release in.
  const once = broughtOnce(await keptAnswers(core.store, run, [input]), [input]);
  if (once.over.length > 0) return "taken";
  const proposal = proposed(core, run, [...once.kept, ...once.own]);
  if (proposal === undefined) {
    await keepLateAnswer(core, run.id, taskOf(receipt.request), input.event!, false);
    throw new SwlError(
      "host.quarantined",
      `Run ${run.id} cannot take the settlement; it is kept beside its log.`,
    );
  }
  const item: Item = { ...proposal.item, receipts: [receipt] };
  const answer = await core.committer.submit(item);
  if (answer.kind === "accepted") {
    narrate(core.log, run, [input], proposal.disposition);
    core.observing?.committed(run, proposal, () => undefined, core.storeClock.estimate());
  }
  if (answer.kind !== "refused") return answer;
  const { kind, now, message } = answer.failure;
  if (kind === "clock-ahead" && now !== undefined) core.storeClock.correct(now);
  else if (kind === "quota" || kind === "incompatible") {
    const smaller = fitted(input, run, core.store.info.limits.documentBytes, message);
    return smaller === input ? answer : commit(core, run, smaller, receipt);
  } else if (!passing.has(kind)) return answer;
  return "again";
}

/** Refusals that say that the run was read too early. */
const passing: ReadonlySet<string> = new Set([
  "stale",
  "lease-lost",
  "claimed",
  "not-found",
  "closed",
  "held",
]);

/** Undefined: the model cannot take it. Nothing begins here: every intent becomes work. */
function proposed(core: RemoteCore, run: LoadedRun, inputs: readonly OwnInput[]): Proposal | undefined {
  const made = propose(run, inputs, {
    commit: core.newId(),
    holder: "",
    stamp: core.storeClock.estimate(),
    adoptEvidence: core.adoptEvidence,
    newEventId: core.newId,
    reserve: () => false,
    keepsOwnership: true,
    ownsStream: false,
    isUnbegun: () => false,
    observed: core.observing !== undefined,
    documentBytes: core.store.info.limits.documentBytes,
  });
  return "quarantine" in made ? undefined : made;
}

/** Not the run itself: no request about the run may take the place of a worker's receipt. */
function scopeOf(run: string): string {
  return `work:${run}`;
}

/** Under which request its receipt is kept: what was applied and what came too late are two requests. */
function requestOf(kind: "applied" | "evidence", task: string): string {
  return `${kind}:${task}`;
}

function taskOf(request: string): string {
  return request.slice(request.indexOf(":") + 1);
}

function repeated(
  kind: "applied" | "evidence",
  task: string,
  same: boolean,
  position: number,
): SettlementAnswer {
  if (same) return { kind, task, position, repeated: true };
  return conflicting(task);
}

function conflicting(task: string): SettlementAnswer {
  return refused(task, "request.conflict", "The attempt was settled before with another answer.");
}

function refused(task: string, code: Code, message: string): SettlementAnswer {
  return { kind: "refused", task, code, message };
}
