/** One seed from its plan to its verdict. */
import { createControl } from "@swl/durable-state";
import { createMemoryBacking, openMemoryStore } from "@swl/store-memory";
import type { Store } from "@swl/store-provider";
import { Books } from "./books.ts";
import { Calls } from "./calls.ts";
import { Fleet, models, type Sabotage } from "./fleet.ts";
import { handleOf } from "./handle.ts";
import { isIntended } from "./intents.ts";
import { Life } from "./life.ts";
import { checkEverything } from "./oracles.ts";
import type { Plan } from "./plan.ts";
import { simulatedProvider } from "./provider.ts";
import { Resolver } from "./resolver.ts";
import { Senders } from "./senders.ts";
import { World } from "./world.ts";

export interface Verdict {
  /** What must never be; empty when nothing was. */
  readonly broken: readonly string[];
  /** Of everything that happened. */
  readonly digest: string;
  readonly lines: readonly string[];
  readonly calls: number;
  readonly kills: number;
  /** Milliseconds of simulated time. */
  readonly time: number;
  readonly books: Books;
}

/** Milliseconds after the last fault within which everything ends, and calls that it may take. */
const patience = 20_000;
const mostCalls = 50_000;

export async function simulate(
  plan: Plan,
  options: { readonly sabotage?: Sabotage; readonly told?: boolean } = {},
): Promise<Verdict> {
  const world = new World(plan.seed, options.told);
  const books = new Books(world);
  const backing = createMemoryBacking();
  const open = (): Store => openMemoryStore({ backing, clock: () => world.now });
  const peer = open();
  const calls = new Calls(world, plan.faults, (fault, life) => fleet.strike(fault, life));
  const handle = (life: Life): Store => handleOf(world, calls, life, listened(open(), books));
  const fleet: Fleet = new Fleet({
    ...{ world, plan, store: handle, sabotage: options.sabotage ?? {} },
    killed: ({ name }) => books.killed(name),
    provider: (life, lacking) =>
      simulatedProvider({
        ...{ world, calls, life, lacking, ledger: books.ledger },
        intended: (call) => isIntended(peer, call),
        began: (operation) => senders.complete(operation),
      }),
  });
  const outside = new Life(world, "outside");
  const control = createControl({
    store: handle(outside),
    models,
    clock: outside.clock,
    newId: world.newName,
  });
  const senders = new Senders({ world, books, control, hosts: () => fleet.open });
  new Resolver(world, books, control, senders).start();
  for (const [index, run] of plan.runs.entries()) senders.plan(run, index);
  watchForTheEnd(world, calls, books, senders);
  await world.run();
  const look = createControl({ store: peer, models, clock: outside.clock });
  const wrong = (what: string): void => world.wrong(what);
  await checkEverything({ plan, books, store: peer, control: look, wrong });
  const { lines = [] } = world;
  return {
    broken: world.broken,
    digest: world.digest(),
    lines,
    calls: world.calls,
    kills: fleet.kills,
    time: world.elapsed,
    books,
  };
}

/** What the store has carried out is known at that instant, whoever hears of it. */
function listened(store: Store, books: Books): Store {
  return new Proxy(store, {
    get(target, name) {
      const member = Reflect.get(target, name) as unknown;
      if (name === "append") {
        const append: Store["append"] = async (items) => {
          const answers = await target.append(items);
          books.appended(items, answers);
          return answers;
        };
        return append;
      }
      return typeof member === "function" ? (member.bind(target) as unknown) : member;
    },
  });
}

/** When nothing is left to be sent and every run has ended or waits for what nobody will bring. Too late is a fault. */
function watchForTheEnd(world: World, calls: Calls, books: Books, senders: Senders): void {
  world.after(200, () => {
    const left = [...books.starts.values()].filter(({ run }) => !books.isClosed(run));
    const waiting = left.every(
      ({ workflow, run }) => workflow === "waits" && books.runs.get(run)?.status === "waiting",
    );
    if (senders.busy === 0 && waiting) return world.end();
    if (world.now > calls.calmFrom + patience && world.elapsed > patience) {
      const stuck = left.map(
        ({ workflow, run }) => `${run} (${workflow}) ${books.runs.get(run)?.status ?? ""}`,
      );
      world.wrong(`liveness: ${stuck.join(", ") || "a request"} is left ${patience} ms after the last fault`);
      return world.end();
    }
    if (world.calls > mostCalls) {
      world.wrong(`liveness: more than ${mostCalls} calls`);
      return world.end();
    }
    watchForTheEnd(world, calls, books, senders);
  });
}
