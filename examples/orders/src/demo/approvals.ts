/**
 * The manager: looks for runs that wait for approval and answers each with `swl signal`, two at a time. The message
 * ID is made of the order number, so answering twice would still be one answer.
 */
import { setTimeout as sleep } from "node:timers/promises";
import type { Control } from "@swl/durable-state";
import type { Order } from "../orders.ts";
import { dim, files, fromRoot, say } from "./stage.ts";
import { swl, typed } from "./swl.ts";

/** More than this for one order is refused. In cents. */
const tooMuch = 150_000;
const atOnce = 2;

export class Approvals {
  /** Order number → what was answered. */
  readonly given = new Map<string, "approved" | "rejected">();
  readonly problems: string[] = [];
  readonly #control: Control;
  readonly #orders: ReadonlyMap<string, Order>;
  #stopped = false;
  #loop: Promise<void> | undefined;

  constructor(control: Control, orders: readonly Order[]) {
    this.#control = control;
    this.#orders = new Map(orders.map((order) => [order.order, order]));
  }

  start(): void {
    this.#loop = this.#watch();
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#loop;
  }

  async #watch(): Promise<void> {
    while (!this.#stopped) {
      const { items } = await this.#control.list({ status: "waiting", limit: 1_000 });
      const open = items.flatMap(({ run, startKey }) => {
        const order = this.#orders.get(startKey ?? "");
        return order === undefined || this.given.has(order.order) ? [] : [{ run, order }];
      });
      await Promise.all(open.slice(0, atOnce).map(({ run, order }) => this.#answer(run, order)));
      if (open.length === 0) await sleep(100);
    }
  }

  async #answer(run: string, { order, amount }: Order): Promise<void> {
    const outcome = amount > tooMuch ? "rejected" : "approved";
    this.given.set(order, outcome);
    const payload = outcome === "approved" ? { by: "ann" } : { by: "ann", reason: "too much for one order" };
    const store = fromRoot(files.store);
    const args = ["signal", run, "approval", "--outcome", outcome, "--payload", JSON.stringify(payload)];
    args.push("--id", `approval-${order}`, "--store", store);
    say(dim(typed(args)));
    const { code, err } = await swl(args);
    // 7: accepted while no host ran. It is in the log; the next host applies it.
    if (code !== 0 && code !== 7) this.problems.push(`${typed(args)} ended with ${code}: ${err.trim()}`);
  }
}
