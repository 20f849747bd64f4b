/** The hosts: opened, killed, frozen and opened again, each a process of its own on the one store. */

import { forkJoin } from "@swl/conformance";
import { createHost, type Host, type HostOptions } from "@swl/durable-state";
import { core } from "@swl/execution";
import type { ExecutionModel } from "@swl/execution/model";
import { type Provider, remoteWorkers } from "@swl/invocation-control";
import type { Store } from "@swl/store-provider";
import { Life } from "./life.ts";
import type { Fault, Plan } from "./plan.ts";
import { prepareOnce } from "./prepare-once.ts";
import { farActions } from "./provider.ts";
import type { World } from "./world.ts";

/** What is wrong with a broken host: for showing that it is found. */
export interface Sabotage {
  readonly store?: (store: Store, life: Life) => Store;
  readonly options?: (options: HostOptions) => HostOptions;
}

export interface FleetParts {
  readonly world: World;
  readonly store: (life: Life) => Store;
  readonly provider: (life: Life, lacking: string | undefined) => Provider;
  readonly plan: Plan;
  readonly models: readonly ExecutionModel[];
  readonly sabotage: Sabotage;
  /** Just before it is dead. */
  readonly killed: (life: Life) => void;
}

/** Without any flaw. */
export const models = ([core, forkJoin] as unknown as readonly ExecutionModel[]).map(prepareOnce);

/** Milliseconds. */
export const lease = 2_000;

interface Member {
  life: Life;
  host: Host | undefined;
  lives: number;
}

export class Fleet {
  kills = 0;
  readonly #parts: FleetParts;
  readonly #members: Member[] = [];

  constructor(parts: FleetParts) {
    this.#parts = parts;
    for (let index = 0; index < parts.plan.hosts; index++) {
      const member: Member = { life: new Life(parts.world, `host${index}`), host: undefined, lives: 0 };
      this.#members.push(member);
      parts.world.after(index, () => this.#open(index));
    }
  }

  /** Those that nobody knows to be dead. */
  get open(): readonly Host[] {
    return this.#members.flatMap(({ host, life }) =>
      host === undefined || life.dead || life.leaving ? [] : [host],
    );
  }

  strike = (fault: Fault, caller: Life): void => {
    const { world } = this.#parts;
    const called = this.#members.findIndex(({ life }) => life === caller);
    const index = called >= 0 ? called : fault.host % this.#members.length;
    const { life } = this.#members[index]!;
    switch (fault.kind) {
      case "crash":
        if (life.dead) return;
        this.kills += 1;
        this.#parts.killed(life);
        life.kill();
        world.after(fault.for, () => this.#open(index));
        return;
      case "leave":
        this.#leave(index, fault.for);
        return;
      case "freeze":
        life.freeze(fault.for);
        return;
      case "starved":
        life.starvedUntil = world.now + fault.for;
        return;
      case "deaf":
        life.deafUntil = world.now + fault.for;
        return;
      case "clock-jump":
        life.setClock(fault.for);
        return;
      default:
        return;
    }
  };

  /** As for a deployment: it has a little time for what is under way. */
  #leave(index: number, drain: number): void {
    const { world } = this.#parts;
    const { host, life } = this.#members[index]!;
    if (host === undefined || life.dead || life.leaving) return;
    life.leaving = true;
    const closed = host.close({ drain }).then(() => {
      if (life.dead) return;
      world.tell(`${life.name} has left`);
      life.kill();
      this.#open(index);
    });
    closed.catch((error: unknown) => world.wrong(`close: ${life.name} ${String(error)}`));
  }

  #open(index: number): void {
    const { world, store, provider, plan, models, sabotage } = this.#parts;
    const member = this.#members[index]!;
    member.lives += 1;
    const life = new Life(world, `host${index}.${member.lives}`);
    Object.assign(member, { life, host: undefined });
    const handle = store(life);
    const options: HostOptions = {
      store: sabotage.store?.(handle, life) ?? handle,
      models,
      bindings: [
        provider(life, index === 0 ? plan.lacking : undefined),
        remoteWorkers({ actions: farActions }),
      ],
      ...(plan.retention !== undefined && { retention: { closedRuns: plan.retention } }),
      concurrency: { total: plan.slots },
      clock: life.clock,
      random: world.chance,
      newId: world.newName,
      holder: `h${index}`,
      lease,
      poll: 50,
      idlePoll: 1_000,
      grace: 300,
      askFor: 5_000,
      log: ({ level, message, run }) => world.tell(`${life.name} ${level} ${run ?? ""} ${message}`),
    };
    createHost(sabotage.options?.(options) ?? options).then(
      (host) => {
        member.host = host;
        world.tell(`${life.name} is open as ${host.holder}`);
      },
      () => void life.after(200, () => this.#open(index)),
    );
  }
}
