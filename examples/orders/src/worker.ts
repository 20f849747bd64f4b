/**
 * The child process of the demo: serves all orders, holds one charge up at a named point when it is told to, and
 * reports to its parent as messages (or as JSON lines, when it has none). It dies with its parent.
 *
 *   node src/worker.ts '{"store": …, "ledger": …, "definition": …, "orders": […], …}'
 */
import type { ChargePoint } from "./actions.ts";
import { type ServeOptions, serveOrders } from "./serve.ts";

export interface WorkerOptions extends ServeOptions {
  /** Hold up the charge with this number (from 1, counted in this process) at this point, for ever. */
  readonly pause?: { readonly point: ChargePoint; readonly charge: number };
}

export type WorkerMessage =
  | { readonly kind: "serving"; readonly holder: string }
  | { readonly kind: "started"; readonly runs: { readonly [order: string]: string } }
  | { readonly kind: "paused"; readonly point: ChargePoint; readonly order: string; readonly key: string }
  | { readonly kind: "stopped" };

const options = JSON.parse(process.argv[2]!) as WorkerOptions;
let charges = 0;

function report(message: WorkerMessage): void {
  if (process.send) process.send(message);
  else process.stdout.write(`${JSON.stringify(message)}\n`);
}

async function atCharge(
  point: ChargePoint,
  charge: { readonly order: string; readonly key: string },
): Promise<void> {
  if (point === "before") charges += 1;
  if (options.pause?.point !== point || options.pause.charge !== charges) return;
  report({ kind: "paused", point, ...charge });
  await new Promise(() => {});
}

process.on("disconnect", () => process.exit(1));

const { host, runs } = await serveOrders(options, {
  atCharge,
  serving: ({ holder }) => report({ kind: "serving", holder }),
});
report({ kind: "started", runs });

process.once("message", async () => {
  await host.close();
  report({ kind: "stopped" });
  process.exit(0);
});
