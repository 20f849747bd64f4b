/** One seed from its plan to its verdict. */
import { through } from "@swl/conformance";
import { createControl } from "@swl/durable-state";
import { core } from "@swl/execution";
import type { Invocation } from "@swl/invocation-control";
import type { Answer, Item, Pruned, PruneOptions, Store } from "@swl/store-provider";
import { type ArchiveParts, archived } from "./archive.ts";
import { Books } from "./books.ts";
import { Calls } from "./calls.ts";
import { flawed } from "./engine.ts";
import { Fleet, models, type Sabotage } from "./fleet.ts";
import { handleOf } from "./handle.ts";
import { isIntended } from "./intents.ts";
import { Life } from "./life.ts";
import { Operator } from "./operators.ts";
import { checkEverything } from "./oracles.ts";
import type { Plan } from "./plan.ts";
import { type Doing, simulatedProvider } from "./provider.ts";
import { Resolver } from "./resolver.ts";
import { Senders } from "./senders.ts";
import { type Storage, storageOf } from "./storage.ts";
import { Site } from "./workers.ts";
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
  const storage = await storageOf(plan.store, () => world.now);
  try {
    return await simulated(world, storage, plan, options.sabotage ?? {});
  } finally {
    await storage.dispose();
  }
}

async function simulated(world: World, storage: Storage, plan: Plan, sabotage: Sabotage): Promise<Verdict> {
  const books = new Books(world);
  const peer = storage.open();
  const calls = new Calls(world, plan.faults, (fault, life) => {
    if (!site.strike(fault, life)) fleet.strike(fault, life);
  });
  const outside = new Life(world, "outside");
  const look = createControl({ store: peer, models, clock: outside.clock });
  const retention = plan.retention ?? Number.POSITIVE_INFINITY;
  const keeping = { world, books, peer, control: look, retention };
  const handle = (life: Life): Store => handleOf(world, calls, life, listened(storage.open(), keeping));
  const isBroken = (): boolean => plan.mended === undefined || world.elapsed < plan.mended;
  const given = models.map((model) => (model.id === core.id ? flawed(model, plan.flaw, isBroken) : model));
  const began = (operation: string): void => senders.complete(operation);
  const doing: Doing = { world, ledger: books.ledger, repaired: plan.repaired, began };
  const parts = { world, calls, books, models: given, store: handle, sabotage };
  const fleet: Fleet = new Fleet({
    ...parts,
    plan,
    killed: ({ name }) => books.killed(name),
    provider: (life, lacking) =>
      simulatedProvider({
        ...doing,
        calls,
        life,
        lacking,
        intended: (call) => isIntended(peer, books, call),
      }),
  });
  const claimed = (call: Invocation, task: string, worker: string): Promise<boolean> =>
    isIntended(peer, books, call, { task, holder: `/worker/${worker}` });
  const site: Site = new Site({ ...parts, doing, claimed }, plan.workers);
  const control = createControl({
    store: handle(outside),
    models,
    clock: outside.clock,
    newId: world.newName,
  });
  const senders = new Senders({ world, books, control, hosts: () => fleet.open });
  for (let index = 0; index < plan.operators; index++) {
    new Resolver(world, books, control, senders, `decide${index}`).start();
    if (plan.sort === "plain" || plan.sort === "remote") continue;
    const operator = new Operator({ world, books, senders, plan, name: `operator${index}` });
    operator.start();
    for (const [number, sweep] of plan.sweeps.entries())
      if (number % plan.operators === index) operator.sweep(sweep, number);
  }
  for (const [index, run] of plan.runs.entries()) senders.plan(run, index);
  watchForTheEnd({ world, calls, books, senders, plan });
  await world.run();
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

/** What the store has carried out is known at that instant, whoever hears of it, and what it removes before it does. */
function listened(store: Store, keeping: ArchiveParts): Store {
  return through(store, async (name, perform, given) => {
    if (name === "prune")
      return archived(keeping, given[0] as PruneOptions, perform as () => Promise<Pruned>);
    const answer = await perform();
    if (name === "append") keeping.books.appended(given[0] as readonly Item[], answer as readonly Answer[]);
    return answer;
  });
}

interface Ending {
  readonly world: World;
  readonly calls: Calls;
  readonly books: Books;
  readonly senders: Senders;
  readonly plan: Plan;
}

/** When nothing is left to be sent and nobody has anything to do any more. Too late is a fault. */
function watchForTheEnd(ending: Ending): void {
  const { world, calls, books, senders, plan } = ending;
  world.after(200, () => {
    const left = leftOver(books, plan);
    if (senders.busy === 0 && left.length === 0) return world.end();
    if (world.now > calls.calmFrom + patience && world.elapsed > patience) {
      world.wrong(`liveness: ${left.join(", ") || "a request"} is left ${patience} ms after the last fault`);
      return world.end();
    }
    if (world.calls > mostCalls) {
      world.wrong(`liveness: more than ${mostCalls} calls`);
      return world.end();
    }
    watchForTheEnd(ending);
  });
}

/**
 * Runs that should still move: neither ended nor waiting for what nobody brings; failed ones that nobody has redriven;
 * ended ones that should have been removed.
 */
function leftOver(books: Books, plan: Plan): readonly string[] {
  return books.expected().flatMap(({ workflow, run }) => {
    const known = books.runs.get(run);
    if (known?.removed !== undefined) return [];
    const status = known?.status ?? "unknown";
    const waits = workflow === "waits" && status === "waiting";
    const held = status === "quarantined" && books.leftHeld.has(run);
    if (known?.closedAt === undefined) return waits || held ? [] : [`${run} (${workflow}) ${status}`];
    if (workflow === "failing" && status === "failed" && books.after(run).length === 0)
      return [`${run} (${workflow}) not redriven`];
    return plan.retention === undefined ? [] : [`${run} (${workflow}) not removed`];
  });
}
