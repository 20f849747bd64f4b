/**
 * What the simulation knows from outside: what was acknowledged, what the store took, which runs stand where. Kept at
 * the instant at which it happens, and compared with the store at the end.
 */
import type { ControlAnswer } from "@swl/invocation-control";
import type { Answer, Item } from "@swl/store-provider";
import type { Archived } from "./archive.ts";
import { Ledger } from "./ledger.ts";
import type { WorkflowName } from "./workflows.ts";
import type { World } from "./world.ts";

export interface KnownRun {
  readonly id: string;
  status: string;
  /** Position of its last record when it was closed. */
  closedAt: number | undefined;
  /** The store's clock then. */
  closedTime: number | undefined;
  /** The store's clock when it was made. */
  readonly since: number;
  /** What was there of it when it was removed. */
  removed: Archived | undefined;
  /** Commits that the store said it took: the ID at each position. */
  readonly commits: Map<number, string>;
}

/** A run that somebody asked for, or that goes on from one. */
export interface Expected {
  /** Of the run in the plan. */
  readonly index: number;
  readonly workflow: WorkflowName;
  readonly run: string;
}

/** What a worker was told that its attempt is held for: from when it asked, in milliseconds since the beginning. */
export interface Promised {
  readonly task: string;
  readonly from: number;
  readonly until: number;
}

interface Logged {
  readonly event?: {
    readonly type: string;
    readonly reason?: string;
    readonly invocation?: string;
    readonly attempt?: number;
  };
}

export class Books {
  readonly ledger = new Ledger();
  readonly runs = new Map<string, KnownRun>();
  /** By number in the plan. */
  readonly starts = new Map<number, { readonly workflow: WorkflowName; readonly run: string }>();
  /** Run and request ID → position. */
  readonly acknowledged = new Map<string, number>();
  /** Attempts that somebody had to decide: work ID → action. */
  readonly decided = new Map<string, string>();
  /** Actions of the attempts that were under way on hosts when they were killed. */
  readonly struck: string[] = [];
  /** Old run and request ID → the run that goes on from it. */
  readonly redriven = new Map<string, Expected & { readonly of: string }>();
  /** Quarantined runs that nobody is going to release any more. */
  readonly leftHeld = new Set<string>();
  /** The newest for each attempt that a worker holds. */
  readonly promised = new Map<string, Promised>();
  /** Run and position → the attempt whose settlement was acknowledged there. */
  readonly settled = new Map<string, string>();
  /** Deadlines that fired while a run waited for them. */
  timers = 0;
  readonly #replaced: Expected[] = [];
  readonly #world: World;

  constructor(world: World) {
    this.#world = world;
  }

  /** True: it came in the place of one that had been removed, with which its key was free again. */
  started(index: number, workflow: WorkflowName, run: string): boolean {
    const first = this.starts.get(index);
    if (first?.run === run) return false;
    if (first !== undefined && !this.isRemoved(first.run)) {
      // Whoever heard late of the first one: the key was free again, and is taken.
      if (this.isRemoved(run)) this.#replaced.push({ index, workflow, run });
      else this.#world.wrong(`start: one key gave ${first.run} and ${run}`);
      return false;
    }
    if (first !== undefined) this.#replaced.push({ index, ...first });
    this.starts.set(index, { workflow, run });
    return first !== undefined;
  }

  /** Everything that somebody asked for. */
  expected(): readonly Expected[] {
    const started = [...this.starts].map(([index, start]) => ({ index, ...start }));
    return [...started, ...this.#replaced, ...this.redriven.values()];
  }

  redrove(of: Expected, requestId: string, run: string): void {
    const key = `${of.run} ${requestId}`;
    const first = this.redriven.get(key);
    if (first !== undefined && first.run !== run && !this.isRemoved(of.run))
      this.#world.wrong(`redrive: one request made ${first.run} and ${run}`);
    this.redriven.set(key, { ...of, run, of: of.run });
  }

  /** Those that go on from it. */
  after(run: string): readonly Expected[] {
    return [...this.redriven.values()].filter(({ of }) => of === run);
  }

  isRemoved(run: string): boolean {
    return this.runs.get(run)?.removed !== undefined;
  }

  answered(answer: ControlAnswer): void {
    if (answer.kind === "refused" || answer.kind === "received") return;
    const key = `${answer.run} ${answer.requestId}`;
    if (answer.repeated) this.#world.tell(`${key} was answered again`);
    const first = this.acknowledged.get(key);
    if (first !== undefined && first !== answer.position)
      this.#world.wrong(`receipt: ${answer.requestId} has positions ${first} and ${answer.position}`);
    this.acknowledged.set(key, answer.position);
  }

  /** An append that the store itself has carried out. */
  appended(items: readonly Item[], answers: readonly Answer[]): void {
    for (const [index, item] of items.entries()) {
      const answer = answers[index];
      if (answer?.kind === "refused") this.#world.tell(`${item.stream} refused as ${answer.failure.kind}`);
      if (answer?.kind !== "accepted") continue;
      if (answer.repeated) this.#world.tell(`${item.stream} was asked again for what it has`);
      const run = this.#run(item.stream);
      for (let position = answer.first; position <= answer.last; position++)
        run.commits.set(position, item.commit);
      for (const { document } of item.records) this.#checkLost(document as Logged);
      const status = item.facets?.["status"];
      if (status !== undefined && !answer.repeated) {
        run.status = status;
        this.#world.tell(`${item.stream} ${status}`);
      }
      if (item.close) {
        run.closedAt ??= answer.last;
        run.closedTime ??= this.#world.now;
      }
    }
  }

  /** Nobody takes for lost what a worker was told that it holds. */
  #checkLost({ event }: Logged): void {
    if (event?.type !== "unknown" || event.reason !== "lease-lost") return;
    const task = `${event.invocation}:${event.attempt}`;
    const left = (this.promised.get(task)?.until ?? 0) - this.#world.elapsed;
    if (left > 0) this.#world.wrong(`claim: ${task} was taken for lost ${left} ms before its lease ended`);
    this.promised.delete(task);
  }

  killed(host: string): void {
    for (const { call, host: of, answers } of this.ledger.calls)
      if (of === host && answers === 0) this.struck.push(call.action);
  }

  isClosed(run: string): boolean {
    return this.runs.get(run)?.closedAt !== undefined;
  }

  /** Open ones. */
  withStatus(status: string): readonly string[] {
    return [...this.runs.values()]
      .filter((run) => run.closedAt === undefined && run.status === status)
      .map(({ id }) => id);
  }

  /** Somebody was told that the run is being canceled. */
  isCanceled(run: string): boolean {
    return [...this.acknowledged.keys()].some((key) => key.startsWith(`${run} cancel`));
  }

  #run(id: string): KnownRun {
    let run = this.runs.get(id);
    if (run === undefined) {
      run = {
        ...{ id, status: "created", since: this.#world.now, commits: new Map() },
        ...{ closedAt: undefined, closedTime: undefined, removed: undefined },
      };
      this.runs.set(id, run);
    }
    return run;
  }
}
