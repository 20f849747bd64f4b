/**
 * Workers that pull their work, and the servers that hand it to them: each a process of its own that can be killed,
 * stopped and cut off. A worker claims, says that it is alive, settles and claims the next in one trip, and after a
 * restart under its name goes on with what it held, by what it can find out. Spec: INV-worker-lease, INV-worker-settlement.
 */
import { createRemoteWork } from "@swl/durable-state";
import type { ExecutionModel } from "@swl/execution/model";
import type { Invocation, RemoteWork } from "@swl/invocation-control";
import type { Store } from "@swl/store-provider";
import type { Books } from "./books.ts";
import type { Calls } from "./calls.ts";
import type { Sabotage } from "./fleet.ts";
import { Life } from "./life.ts";
import type { Fault } from "./plan.ts";
import type { Doing } from "./provider.ts";
import { Worker } from "./worker.ts";
import type { World } from "./world.ts";

export interface SiteParts {
  readonly world: World;
  readonly calls: Calls;
  readonly books: Books;
  readonly doing: Doing;
  readonly models: readonly ExecutionModel[];
  readonly store: (life: Life) => Store;
  readonly sabotage: Sabotage;
  /** Whether the store holds the intent of this attempt, and the claim of this worker, now. */
  readonly claimed: (call: Invocation, task: string, worker: string) => Promise<boolean>;
}

const servers = 2;

interface Process {
  readonly name: string;
  life: Life;
  lives: number;
  readonly begin: (life: Life) => void;
}

export class Site {
  readonly #parts: SiteParts;
  readonly #processes: Process[] = [];
  readonly #works = new Map<Life, RemoteWork>();

  constructor(parts: SiteParts, workers: number) {
    this.#parts = parts;
    if (workers === 0) return;
    for (let index = 0; index < servers; index++) this.#add(`server${index}`, (life) => this.#serve(life));
    for (let index = 0; index < workers; index++) this.#add(`worker${index}`, (life) => this.#work(life));
  }

  /** False: it is none of ours that called, or nothing that could happen to it. */
  strike = (fault: Fault, caller: Life): boolean => {
    const { world } = this.#parts;
    const process = this.#processes.find(({ life }) => life === caller);
    if (process === undefined || caller.dead) return false;
    if (fault.kind === "crash") {
      caller.kill();
      world.after(fault.for, () => this.#open(process));
    } else if (fault.kind === "freeze") caller.freeze(fault.for);
    else if (fault.kind === "clock-jump") caller.setClock(fault.for);
    else if (fault.kind === "deaf") caller.deafUntil = world.now + fault.for;
    else return false;
    return true;
  };

  #add(name: string, begin: (life: Life) => void): void {
    const life = new Life(this.#parts.world, name);
    const process: Process = { name, life, lives: 0, begin };
    this.#processes.push(process);
    this.#parts.world.after(this.#processes.length, () => this.#open(process));
  }

  #open(process: Process): void {
    process.lives += 1;
    process.life = new Life(this.#parts.world, `${process.name}.${process.lives}`);
    this.#parts.world.tell(`${process.life.name} is open`);
    process.begin(process.life);
  }

  #serve(life: Life): void {
    const { world, models, store, sabotage } = this.#parts;
    const handle = store(life);
    const work = createRemoteWork({
      store: sabotage.store?.(handle, life) ?? handle,
      models,
      clock: life.clock,
      newId: world.newName,
      poll: 200,
      grace: 300,
      log: ({ level, message, run }) => world.tell(`${life.name} ${level} ${run ?? ""} ${message}`),
    });
    this.#works.set(life, work);
  }

  #work(life: Life): void {
    const { world, calls, books, doing, claimed } = this.#parts;
    const name = life.name.split(".")[0]!;
    const anyServer = (): RemoteWork | undefined => {
      const open = [...this.#works].filter(([one]) => !one.dead);
      return open.length === 0 ? undefined : world.random.pick(open)[1];
    };
    new Worker({ world, calls, books, doing, claimed, life, name, anyServer }).start();
  }
}
