/**
 * Starts all orders on a host and serves them: what the demo's child process and the kill test's child process have
 * in common. Starting is repeatable: the order number is the start key, so a restarted process finds its runs again.
 */
import { readFileSync } from "node:fs";
import type { Json } from "@swl/base";
import { createHost, type Host } from "@swl/durable-state";
import { core } from "@swl/execution";
import type { Provider } from "@swl/invocation-control";
import type { Store } from "@swl/store-provider";
import { openSqliteStore } from "@swl/store-sqlite";
import type { World } from "./actions.ts";
import { bindOrders } from "./bindings.ts";
import { Ledger } from "./ledger.ts";
import type { Order } from "./orders.ts";

export interface ServeOptions {
  readonly store: string;
  readonly ledger: string;
  /** The compiled workflow, as JSON. */
  readonly definition: string;
  readonly orders: readonly Order[];
  /** Milliseconds of the host's lease. */
  readonly lease: number;
  /** Milliseconds that a call to the outside takes. */
  readonly pace: number;
}

export interface ServeHooks {
  readonly atCharge?: NonNullable<World["atCharge"]>;
  readonly wrapStore?: (store: Store) => Store;
  readonly wrapProvider?: (provider: Provider) => Provider;
  readonly serving?: (host: Host) => void;
}

/** Resolves when every order has its run. The host goes on until it is closed, or the process is killed. */
export async function serveOrders(
  options: ServeOptions,
  hooks: ServeHooks = {},
): Promise<{ readonly host: Host; readonly runs: { readonly [order: string]: string } }> {
  const { pace, lease } = options;
  const { wrapStore = (same) => same, wrapProvider = (same) => same } = hooks;
  const store = wrapStore(await openSqliteStore({ file: options.store }));
  const ledger = new Ledger(options.ledger);
  const bindings = wrapProvider(
    bindOrders({ ledger, pace, ...(hooks.atCharge && { atCharge: hooks.atCharge }) }),
  );
  const host = await createHost({
    store,
    models: [core],
    bindings,
    lease,
    // One charge at a time: when the process dies, at most one is in doubt.
    concurrency: { actions: { charge_card: 1 } },
  });
  hooks.serving?.(host);
  const definition = JSON.parse(readFileSync(options.definition, "utf8")) as Json;
  const started = options.orders.map(async (order) => {
    const { id } = await host.start(definition, { input: order, startKey: order.order });
    return [order.order, id] as const;
  });
  return { host, runs: Object.fromEntries(await Promise.all(started)) };
}
