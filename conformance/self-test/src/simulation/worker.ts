/** One process that pulls work, from its start to its end. */
import type {
  Invocation,
  ProviderAnswer,
  RemoteTask,
  RemoteWork,
  SettlementAnswer,
} from "@swl/invocation-control";
import type { Books } from "./books.ts";
import type { Calls } from "./calls.ts";
import type { LedgerCall } from "./ledger.ts";
import type { Life } from "./life.ts";
import { carryOut, type Doing, farActions, lost, takes, unwilling } from "./provider.ts";
import type { World } from "./world.ts";

export interface WorkerParts {
  readonly world: World;
  readonly calls: Calls;
  readonly books: Books;
  readonly doing: Doing;
  readonly life: Life;
  /** Also after a restart. */
  readonly name: string;
  readonly anyServer: () => RemoteWork | undefined;
  readonly claimed: (call: Invocation, task: string, worker: string) => Promise<boolean>;
}

/** Milliseconds. */
const lease = 1_600;
const patience = 1_200;

export class Worker {
  readonly #parts: WorkerParts;
  /** Attempts that it knows to be its, until they are settled. */
  readonly #mine = new Set<string>();
  /** The answer of a claim was lost: something may be held that is not known here. */
  #doubt = true;

  constructor(parts: WorkerParts) {
    this.#parts = parts;
  }

  start(): void {
    void this.#lane();
    void this.#beat();
  }

  /** One attempt after the other, as far as there are any. */
  async #lane(): Promise<void> {
    const { world, name } = this.#parts;
    for (;;) {
      if (this.#doubt) {
        const held = await this.#held();
        for (const task of held ?? []) if (!this.#mine.has(task.task)) await this.#attempt(task);
        if (held === undefined) await this.#sleep(100 + world.random.int(300));
        this.#doubt = held === undefined;
        continue;
      }
      const wait = world.random.oneIn(3) ? 0 : 400;
      const from = world.elapsed;
      const tasks = await this.#asked("claim", (work) =>
        work.claim({ worker: name, actions: farActions, lease, wait }),
      );
      if (tasks === undefined) this.#doubt = true;
      else this.#promised(tasks, from);
      for (let [task] = tasks ?? []; task !== undefined; ) task = await this.#attempt(task, from);
      await this.#sleep(50 + world.random.int(200));
    }
  }

  async #held(): Promise<readonly RemoteTask[] | undefined> {
    const { name, world } = this.#parts;
    const from = world.elapsed;
    const held = await this.#asked("held", (work) => work.held(name, lease));
    this.#promised(held ?? [], from);
    return held;
  }

  /** The next task, if one was claimed in the same trip. `from`: when the claim was asked for. */
  async #attempt(task: RemoteTask, from = this.#parts.world.elapsed): Promise<RemoteTask | undefined> {
    const { world, name, books } = this.#parts;
    this.#mine.add(task.task);
    const known = books.ledger.of(task.invocation).find(({ call }) => call.attempt === task.attempt);
    if (known !== undefined && !known.host.startsWith(`${name}.`))
      world.wrong(`claim: ${task.task} was begun by ${known.host} and is handed to ${name}`);
    if (known === undefined) {
      // Too late to begin anything, or it is given back for no reason.
      if (world.elapsed >= from + task.lease || world.random.oneIn(12)) {
        books.promised.delete(task.task);
        await this.#asked("release", (work) => work.release(name, [task.task]).then(() => true));
        this.#mine.delete(task.task);
        return undefined;
      }
    }
    const answer = known === undefined ? await this.#done(task) : await this.#remembered(known);
    return this.#settle(task, answer);
  }

  async #done(task: RemoteTask): Promise<ProviderAnswer> {
    const { world, calls, life, doing, claimed, name } = this.#parts;
    const { ledger } = doing;
    if (!(await claimed(task, task.task, name)))
      world.wrong(`dispatch: ${name} began ${task.task}, which the store does not hold for it`);
    const entry = ledger.begin(task, life.name);
    const answer = await calls.make(life, {
      name: "invoke",
      takes,
      perform: async () => carryOut(doing, entry),
      failed(carriedOut) {
        entry.underWay = false;
        entry.unwilling = !carriedOut;
        return { answer: carriedOut ? lost : unwilling };
      },
    });
    entry.answers += 1;
    return answer as ProviderAnswer;
  }

  /** What an earlier process of this name began: what became of it, once that can be told. */
  async #remembered(entry: LedgerCall): Promise<ProviderAnswer> {
    while (entry.underWay) await this.#sleep(30);
    entry.answers = Math.max(1, entry.answers);
    const done = this.#parts.books.ledger.done.get(entry.call.invocation);
    return entry.unwilling || done === undefined ? unwilling : { kind: "completed", ...done };
  }

  async #settle(task: RemoteTask, answer: ProviderAnswer): Promise<RemoteTask | undefined> {
    const { world, name, books } = this.#parts;
    const { run } = task;
    let first: SettlementAnswer | undefined;
    for (;;) {
      const more = !this.#doubt && world.random.oneIn(2);
      const from = world.elapsed;
      const told = await this.#asked("settle", async (work) => {
        const [settled] = await work.settle(name, [{ run, task: task.task, answer }]);
        const tasks = more ? await work.claim({ worker: name, actions: farActions, lease }) : [];
        return { settled: settled!, tasks };
      });
      if (told === undefined) {
        this.#doubt ||= more;
        await this.#sleep(50 + world.random.int(200));
        continue;
      }
      this.#checkSettled(task, told.settled, first);
      first ??= told.settled;
      this.#promised(told.tasks, from);
      // Once more for nothing: the answer is the first one.
      if (told.tasks.length === 0 && world.random.oneIn(6)) continue;
      this.#mine.delete(task.task);
      books.promised.delete(task.task);
      return told.tasks[0];
    }
  }

  #checkSettled(
    { run, task }: RemoteTask,
    told: SettlementAnswer,
    first: SettlementAnswer | undefined,
  ): void {
    const { world, books, name } = this.#parts;
    world.tell(`${name} settled ${task}: ${told.kind}`);
    const known = ["store.lease-lost", "run.not-found", "host.quarantined"];
    if (told.kind === "refused") {
      const taken = first !== undefined && first.kind !== "refused" && !books.isRemoved(run);
      if (!known.includes(told.code) || taken)
        world.wrong(`settlement: ${task} was refused as ${told.code} (${told.message})`);
      return;
    }
    if (told.position === undefined) return;
    if (first?.kind === told.kind && first.position !== told.position && !books.isRemoved(run))
      world.wrong(`settlement: ${task} was settled at ${first.position} and at ${told.position}`);
    books.settled.set(`${run} ${told.position}`, task);
  }

  /** As long as something is under way here. */
  async #beat(): Promise<void> {
    const { world, name } = this.#parts;
    for (;;) {
      await this.#sleep(lease / 3 - 100 + world.random.int(100));
      const tasks = [...this.#mine];
      if (tasks.length === 0) continue;
      const from = world.elapsed;
      const told = await this.#asked("heartbeat", (work) => work.heartbeat({ worker: name, tasks, lease }));
      for (const task of told?.held ?? []) this.#promise(task, from, lease);
    }
  }

  #promised(tasks: readonly RemoteTask[], from: number): void {
    for (const { task, lease: given } of tasks) this.#promise(task, from, given);
  }

  /** An attempt that has a time of its own is held no longer than that: the beat does not say how long. */
  #promise(task: string, from: number, given: number): void {
    const { promised } = this.#parts.books;
    const before = promised.get(task);
    const timed = task.includes("/b#") || (before !== undefined && before.until - before.from < lease);
    if (timed && before !== undefined) return;
    promised.set(task, { task, from, until: from + given });
  }

  /** Undefined: nobody answered in time, or what was asked could not be done. */
  async #asked<T>(name: string, ask: (work: RemoteWork) => Promise<T>): Promise<T | undefined> {
    const { life, calls, anyServer } = this.#parts;
    const work = anyServer();
    if (work === undefined) return undefined;
    const call = { name, takes: 4, perform: () => ask(work), failed: () => ({ error: undefined }) };
    const told = (calls.make(life, call) as Promise<T>).catch(() => undefined);
    return Promise.race([told, this.#sleep(patience).then(() => undefined)]);
  }

  #sleep(milliseconds: number): Promise<void> {
    return new Promise((resolve) => void this.#parts.life.after(milliseconds, resolve));
  }
}
