/**
 * One life of the fleet: four processes serve the orders while something is done to them; an operator beside them approves what waits and decides what stands by what the gateway says.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { isSwlError, raise } from "@swl/base";
import { type Control, createControl } from "@swl/durable-state";
import { core } from "@swl/execution";
import type { Store } from "@swl/store-provider";
import { type Audit, allRuns, audit } from "../audit.ts";
import type { Order } from "../orders.ts";
import { Fleet, Gateway } from "./fleet.ts";

/** Approves what waits, and decides what stands by what the gateway says. */
export class Operator {
  decided = 0;
  readonly #control: Control;
  readonly #gateway: Gateway;

  constructor(control: Control, gateway: Gateway) {
    this.#control = control;
    this.#gateway = gateway;
  }

  /** True when so many runs are there and have ended. */
  async look(count: number): Promise<boolean> {
    const runs = await allRuns(this.#control);
    for (const { run, status } of runs) {
      if (status === "waiting") await this.#approve(run);
      if (status === "needs-intervention") await this.#decide(run);
    }
    return runs.length >= count && runs.every(({ closed }) => closed);
  }

  async #approve(run: string): Promise<void> {
    const signal = { messageId: "approval", name: "approval", outcome: "approved", payload: { by: "ann" } };
    await this.#control.signal({ run, ...signal }, { wait: 0 });
  }

  async #decide(run: string): Promise<void> {
    const { blockers } = await this.#control.why(run);
    for (const blocker of blockers) {
      if (blocker.kind !== "intervention" || blocker.invocation === undefined) continue;
      const { invocation, attempt = 1 } = blocker;
      const charge = this.#gateway.settle(invocation.replace("#", "/"), attempt);
      const request = { run, requestId: `${invocation}:${attempt}`, invocation };
      const decision = charge
        ? ({ decision: "complete", outcome: "ok", output: charge.answer } as const)
        : ({ decision: "retry" } as const);
      await this.#control.resolve({ ...request, ...decision }, { wait: 0 });
      this.decided++;
    }
  }
}

export interface Place {
  readonly store: string;
  readonly open: () => Promise<Store>;
}

/** Milliseconds between two turns of the loop that hands out, kills, freezes and decides. */
const turn = 250;

export interface FleetLife {
  readonly fleet: Fleet;
  readonly found: Audit;
  /** Decisions about parked runs. */
  readonly decided: number;
  /** Seconds, in quarters, in which enough of them served for one to be killed. */
  readonly disturbed: number;
}

export interface LifeOptions {
  readonly orders: readonly Order[];
  readonly definition: string;
  readonly ledger: string;
  readonly lease: number;
  /** Milliseconds that a call to the outside takes; default 10. */
  readonly pace?: number;
  /** Called each quarter of a second. */
  readonly disturb?: (fleet: Fleet, turns: number) => void;
  /** False as long as more is to happen: then the last tenth of the orders is held back. */
  readonly enough?: (fleet: Fleet) => boolean;
  /** Happens once beside it all, and is waited for. */
  readonly beside?: (fleet: Fleet) => Promise<void>;
}

/** Each second one is killed and one is frozen beyond its lease: as soon as enough of the others serve. */
export function harm(lease: number): (fleet: Fleet, turns: number) => void {
  const due = { kill: 4, freeze: 2 };
  return (fleet, turns) => {
    const kill = (): boolean => {
      const done = turns >= due.kill && fleet.kill();
      if (done) due.kill = turns + 4;
      return done;
    };
    const freeze = (): boolean => {
      const done = turns >= due.freeze && fleet.freeze(lease * 1.5);
      if (done) due.freeze = turns + 4;
      return done;
    };
    // What has waited longer goes first.
    if (due.freeze < due.kill) freeze() || kill();
    else kill() || freeze();
  };
}

/** Until every order has a run, every run has ended, and what happens beside is over. */
export async function serve(place: Place, options: LifeOptions): Promise<FleetLife> {
  const { orders, definition, ledger, lease, pace = 10, disturb, enough, beside } = options;
  const gateway = new Gateway(ledger);
  const store = await place.open();
  const control = createControl({ store, models: [core] });
  const operator = new Operator(control, gateway);
  const fleet = new Fleet({ store: place.store, definition, lease, pace }, gateway, orders, 4);
  let over = beside === undefined;
  let disturbed = 0;
  const ending = beside?.(fleet).then(() => {
    over = true;
  });
  try {
    for (let turns = 1; ; turns++) {
      await sleep(turn);
      // The last orders wait for what is to happen, however fast the machine is.
      const most = enough?.(fleet) === false ? fleet.left - orders.length / 10 : 10;
      fleet.handOut(Math.max(0, Math.min(10, Math.floor(most))));
      if (disturb !== undefined && fleet.canLose) disturbed += turn / 1_000;
      disturb?.(fleet, turns);
      if (fleet.failures.length > 0) raise("host.stopped", fleet.failures.join(", "), []);
      if ((await quietly(() => operator.look(orders.length))) && over) break;
    }
    await ending;
    const found = await audit({ control, store, ledger }, orders);
    return { fleet, found, decided: operator.decided, disturbed };
  } finally {
    await fleet.end();
    await store.close();
    gateway.close();
  }
}

/** A server that is away, or that does not say what it did, is asked again later. */
async function quietly(look: () => Promise<boolean>): Promise<boolean> {
  try {
    return await look();
  } catch (error) {
    if (isSwlError(error) && error.details?.["retry"] === "same") return false;
    throw error;
  }
}
