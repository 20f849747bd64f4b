/**
 * What the simulation knows from outside: what was acknowledged, what the store took, which runs stand where. Kept at
 * the instant at which it happens, and compared with the store at the end.
 */
import type { ControlAnswer } from "@swl/invocation-control";
import type { Answer, Item } from "@swl/store-provider";
import { Ledger } from "./ledger.ts";
import type { WorkflowName } from "./workflows.ts";
import type { World } from "./world.ts";

export interface KnownRun {
  readonly id: string;
  status: string;
  /** Position of its last record when it was closed. */
  closedAt: number | undefined;
  /** Commits that the store said it took: the ID at each position. */
  readonly commits: Map<number, string>;
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
  readonly #world: World;

  constructor(world: World) {
    this.#world = world;
  }

  started(index: number, workflow: WorkflowName, run: string): void {
    const first = this.starts.get(index);
    if (first !== undefined && first.run !== run)
      this.#world.wrong(`start: one key gave ${first.run} and ${run}`);
    else this.starts.set(index, { workflow, run });
  }

  answered(answer: ControlAnswer): void {
    if (answer.kind === "refused" || answer.kind === "received") return;
    const key = `${answer.run} ${answer.requestId}`;
    const first = this.acknowledged.get(key);
    if (first !== undefined && first !== answer.position)
      this.#world.wrong(`receipt: ${answer.requestId} has positions ${first} and ${answer.position}`);
    this.acknowledged.set(key, answer.position);
  }

  /** An append that the store itself has carried out. */
  appended(items: readonly Item[], answers: readonly Answer[]): void {
    for (const [index, item] of items.entries()) {
      const answer = answers[index];
      if (answer?.kind !== "accepted") continue;
      const run = this.#run(item.stream);
      for (let position = answer.first; position <= answer.last; position++)
        run.commits.set(position, item.commit);
      const status = item.facets?.["status"];
      if (status !== undefined && !answer.repeated) {
        run.status = status;
        this.#world.tell(`${item.stream} ${status}`);
      }
      if (item.close) run.closedAt ??= answer.last;
    }
  }

  killed(host: string): void {
    for (const { call, host: of, answers } of this.ledger.calls)
      if (of === host && answers === 0) this.struck.push(call.action);
  }

  isClosed(run: string): boolean {
    return this.runs.get(run)?.closedAt !== undefined;
  }

  parked(): readonly string[] {
    return [...this.runs.values()]
      .filter((run) => run.closedAt === undefined && run.status === "needs-intervention")
      .map(({ id }) => id);
  }

  /** Somebody was told that the run is being canceled. */
  isCanceled(run: string): boolean {
    return this.acknowledged.has(`${run} cancel`);
  }

  #run(id: string): KnownRun {
    let run = this.runs.get(id);
    if (run === undefined) {
      run = { id, status: "created", closedAt: undefined, commits: new Map() };
      this.runs.set(id, run);
    }
    return run;
  }
}
