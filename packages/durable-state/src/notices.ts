/**
 * What a patrol or a dispatcher noticed about a run, judged anew against every state that is read until a commit has
 * taken it in. A notice is a hint: it says where to look, the state says whether anything follows.
 * Spec: DUR-recovery, DUR-takeover.
 */
import type { InvokeCommand, Outstanding } from "@swl/execution/model";
import type { Precondition, Work } from "@swl/store-provider";
import { commandOf, plainRecord, workId } from "./formats.js";
import { type OwnInput, unknownAttempt } from "./inputs.js";
import type { LoadedRun } from "./loaded-run.js";
import { workOf } from "./proposal.js";

export type Notice =
  /** The stream's owner has lost its lease. */
  | { readonly kind: "orphaned"; readonly owner: string }
  | { readonly kind: "due"; readonly key: string }
  /** Claimed work whose lease ran out, or marked work that came back unstarted. */
  | { readonly kind: "abandoned"; readonly work: Work }
  /** Claimed by this host and not begun yet. */
  | { readonly kind: "claimed"; readonly work: Work }
  /** Born claimed and not begun. */
  | { readonly kind: "handback"; readonly command: InvokeCommand };

/** Two notices with one key say the same. */
export function keyOf(notice: Notice): string {
  switch (notice.kind) {
    case "orphaned":
      return `orphaned ${notice.owner}`;
    case "due":
      return `due ${notice.key}`;
    case "abandoned":
      return `abandoned ${notice.work.id}`;
    case "claimed":
      return `claimed ${notice.work.id}`;
    case "handback":
      return `handback ${workId(notice.command.invocation, notice.command.attempt)}`;
  }
}

export interface Judge {
  readonly run: LoadedRun;
  readonly outstanding: readonly Outstanding[];
  readonly holder: string;
  /** Estimate of the store's clock. */
  readonly now: number;
  /** Under way in this host's memory. */
  readonly isLive: (work: string) => boolean;
  /** Claimed by this host, which has not begun it. */
  readonly isUnbegun: (work: string) => boolean;
}

/** What follows from a notice in this state; nothing when it is out of date. */
export function judged(notice: Notice, judge: Judge): readonly OwnInput[] {
  switch (notice.kind) {
    case "orphaned":
      return judge.run.owner === notice.owner ? takeover(notice.owner, judge) : [];
    case "due":
      // A key may have been armed anew since: only the instant that stands now counts.
      return (judge.run.dues.get(notice.key) ?? Number.POSITIVE_INFINITY) <= judge.now
        ? dueDeadline(notice.key, judge)
        : [];
    case "abandoned":
      return abandoned(notice.work, judge);
    case "handback":
      return handback(notice.command, judge);
    case "claimed":
      return [];
  }
}

/** The owner's lease ran out: raise the fence, and say of every attempt born claimed that nobody knows. */
function takeover(owner: string, { run, outstanding, holder, isLive }: Judge): readonly OwnInput[] {
  const born = outstanding.filter(isScheduled).filter((one) => !run.work.has(idOf(one)));
  // Of an earlier incarnation of this very host, and still in its memory: it may yet settle them itself.
  if (born.some((one) => isLive(idOf(one)))) return [];
  const require = [{ kind: "owner-expired", owner }] as const;
  const record = plainRecord("takeover", { from: owner, by: holder });
  return [
    { record, require, fence: true, disowns: true },
    ...born.map((one) => unknownAttempt(one, "lease-lost", { require })),
  ];
}

/** A due entry fired. One that the state no longer knows is only cleared. */
function dueDeadline(key: string, judge: Judge): readonly OwnInput[] {
  const { outstanding } = judge;
  const present = { kind: "due-present", key } as const;
  const deadline = outstanding.find((one) => one.kind === "deadline" && one.key === key);
  if (deadline?.kind !== "deadline") return [{ clearsDue: key, require: [present] }];
  const late = { type: "deadline", kind: deadline.deadline, key, generation: deadline.generation } as const;
  const ids = deadline.deadline === "operation" ? outstanding.filter(isScheduled).map(idOf) : [];
  for (const id of ids) {
    const free = takeable(judge.run, id, judge);
    // On its way back to the store: judged at the next look, when the store knows whose it is.
    if (free === undefined && judge.run.work.get(id)?.holder === judge.holder && !judge.isLive(id)) return [];
    if (free === undefined) continue;
    const event = { ...late, unclaimed: true };
    return [{ event, clearsDue: key, settles: [id], require: [present, free] }];
  }
  return [{ event: late, clearsDue: key, require: [present] }];
}

/** Work that nobody has begun can be taken back under this precondition: unclaimed, or claimed by us and not begun. */
export function takeable(
  run: LoadedRun,
  id: string,
  { holder, isUnbegun }: { readonly holder: string; readonly isUnbegun: (work: string) => boolean },
): Precondition | undefined {
  const row = run.work.get(id);
  if (row === undefined) return undefined;
  if (row.holder === undefined) return { kind: "work-unclaimed", work: id };
  return row.holder === holder && isUnbegun(id) ? { kind: "work-held", work: id, holder } : undefined;
}

function abandoned(work: Work, { run, isLive, outstanding }: Judge): readonly OwnInput[] {
  const command = commandOf(work);
  const now = run.work.get(work.id);
  if (command === undefined || now === undefined || now.holder !== work.holder || isLive(work.id)) return [];
  const settles = [work.id];
  if (work.holder !== undefined) {
    const require = [{ kind: "work-expired", work: work.id, holder: work.holder }] as const;
    return [unknownAttempt(command, "lease-lost", { settles, require })];
  }
  const { invocation, attempt } = command;
  const require = [{ kind: "work-unclaimed", work: work.id }] as const;
  if (!outstanding.filter(isScheduled).some((one) => idOf(one) === work.id)) return [{ settles, require }];
  return [{ event: { type: "withdrawn", invocation, attempt }, settles, require }];
}

/** DUR-dispatch-after-commit: said durably that it was not begun, so that anyone may begin it, or nobody if canceled. */
function handback(command: InvokeCommand, { run, outstanding, isLive }: Judge): readonly OwnInput[] {
  const { invocation, attempt } = command;
  const id = workId(invocation, attempt);
  const wanted = outstanding.filter(isScheduled).find((one) => idOf(one) === id);
  if (wanted === undefined || run.work.has(id) || isLive(id)) return [];
  const record = plainRecord("handback", { invocation, attempt });
  if (wanted.withdraw) return [{ record, event: { type: "withdrawn", invocation, attempt }, disowns: true }];
  return [{ record, work: [workOf(run, id, { ...command, delay: 0 })], disowns: true }];
}

/** Born claimed by this host, in nobody's memory, and nothing of it under way: nobody knows what became of it. */
export function lostAttempts(judge: Judge, under: readonly OwnInput[]): readonly OwnInput[] {
  return judge.outstanding
    .filter(isScheduled)
    .filter((one) => !judge.isLive(idOf(one)) && !judge.run.work.has(idOf(one)))
    .filter((one) => !under.some((input) => concerns(input, one)))
    .map((one) => unknownAttempt(one, "crash", { disowns: true }));
}

function concerns(input: OwnInput, one: Scheduled): boolean {
  if (input.work?.some((work) => work.id === idOf(one))) return true;
  return (
    input.event !== undefined && "invocation" in input.event && input.event.invocation === one.invocation
  );
}

type Scheduled = Outstanding & { readonly kind: "invoke" };

export function isScheduled(one: Outstanding): one is Scheduled {
  return one.kind === "invoke" && one.phase === "scheduled";
}

export function idOf(one: Scheduled): string {
  return workId(one.invocation, one.attempt);
}
