/**
 * One host of the fleet: starts the orders that its parent hands it and serves whatever the store has, until it is
 * killed, or told to leave by SIGTERM. What it does to the world goes to the parent, which keeps the ledger and never dies; the answer may come too
 * late, or never.
 */
import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { isSwlError, type Json } from "@swl/base";
import { createHost, type Host } from "@swl/durable-state";
import { core } from "@swl/execution";
import { openPostgresStore } from "@swl/store-postgres";
import type { Store } from "@swl/store-provider";
import { openSqliteStore } from "@swl/store-sqlite";
import { bindOrders } from "../bindings.ts";
import type { Effect } from "../ledger.ts";
import type { Order } from "../orders.ts";

export interface MemberOptions {
  /** A SQLite file, or the address of a PostgreSQL server. */
  readonly store: string;
  readonly definition: string;
  readonly lease: number;
  readonly pace: number;
}

export type FromMember =
  | { readonly kind: "serving" }
  | { readonly kind: "started"; readonly order: string; readonly run: string }
  | {
      readonly kind: "effect";
      readonly id: number;
      readonly mode: "append" | "once";
      readonly effect: Effect;
    }
  | { readonly kind: "stopped" };

export type ToMember =
  | { readonly kind: "start"; readonly order: Order }
  /** Without an effect: it was voided, nothing has happened and nothing will. */
  | { readonly kind: "answer"; readonly id: number; readonly effect?: Effect };

const options = JSON.parse(process.argv[2]!) as MemberOptions;
const waiting = new Map<number, (effect: Effect | undefined) => void>();
let asked = 0;

function tell(message: FromMember): void {
  process.send?.(message);
}

async function ask(mode: "append" | "once", effect: Effect): Promise<Effect> {
  const id = ++asked;
  const answer = new Promise<Effect | undefined>((resolve) => waiting.set(id, resolve));
  tell({ kind: "effect", id, mode, effect });
  const done = await answer;
  // Not for this attempt to say what that means: whoever voided it has decided already.
  if (done === undefined) throw new TypeError("the attempt was voided");
  return done;
}

/** The server may be away for a moment. */
async function patiently<T>(work: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!isSwlError(error) || error.details?.["retry"] !== "same") throw error;
      await sleep(100);
    }
  }
}

const openStore = (): Promise<Store> =>
  options.store.startsWith("postgres:")
    ? openPostgresStore({ url: options.store, callTimeout: 5_000 })
    : openSqliteStore({ file: options.store });

async function open(): Promise<Host> {
  const store = await patiently(openStore);
  const ledger = {
    append: (effect: Effect) => ask("append", effect),
    once: (effect: Effect) => ask("once", effect),
  };
  return patiently(() =>
    createHost({
      store,
      models: [core],
      bindings: bindOrders({ ledger, pace: options.pace }),
      lease: options.lease,
    }),
  );
}

process.on("disconnect", () => process.exit(1));
const host = await open();
const definition = JSON.parse(readFileSync(options.definition, "utf8")) as Json;

async function start(order: Order): Promise<void> {
  try {
    const { id } = await patiently(() => host.start(definition, { input: order, startKey: order.order }));
    tell({ kind: "started", order: order.order, run: id });
  } catch (error) {
    // It is leaving: the parent hands the order to another one.
    if (!isSwlError(error) || error.code !== "host.stopped") throw error;
  }
}

process.on("message", (message: ToMember) => {
  if (message.kind === "start") void start(message.order);
  else {
    waiting.get(message.id)?.(message.effect);
    waiting.delete(message.id);
  }
});
process.once("SIGTERM", () => void host.close({ drain: 20_000 }).then(() => process.exit(0)));
tell({ kind: "serving" });
