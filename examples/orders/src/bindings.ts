/**
 * The module for `swl run` and `swl worker --bindings`: the actions bound in-process. ORDERS_LEDGER names the ledger
 * file (default: out/ledger.jsonl of this example).
 */
import { mkdirSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import type { Provider } from "@swl/invocation-control";
import { inProcess } from "@swl/invocation-control/in-process";
import { orderActions, type World } from "./actions.ts";
import { Ledger } from "./ledger.ts";
import { exampleFolder } from "./orders.ts";

export function bindOrders(world: World): Provider {
  return inProcess(orderActions(world));
}

/** What `--bindings` loads. */
export default function bindings(): Provider {
  const file = resolve(process.env["ORDERS_LEDGER"] ?? join(exampleFolder, "out", "ledger.jsonl"));
  mkdirSync(dirname(file), { recursive: true });
  return bindOrders({ ledger: new Ledger(file), pace: 50 });
}
