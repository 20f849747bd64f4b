/**
 * One life of the orders under test: a folder of its own, child processes one after the other, and an operator beside
 * them who approves what waits and decides, after a look at the ledger, what stands.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type Control, createControl } from "@swl/durable-state";
import { core } from "@swl/execution";
import { openSqliteStore } from "@swl/store-sqlite";
import { type Audit, audit } from "../src/audit.ts";
import { Child } from "../src/child.ts";
import { chargeWithKey } from "../src/ledger.ts";
import type { Order } from "../src/orders.ts";
import type { KillMessage, KillOptions } from "./kill-child.ts";

export interface Life {
  readonly audit: Audit;
  /** Processes that died at their step. */
  readonly killed: number;
  /** Steps of the process that ended by itself. */
  readonly steps: number;
  /** Runs that a living process had created and that were gone in the end. */
  readonly lost: readonly string[];
}

const script = join(import.meta.dirname, "kill-child.ts");
const quick = { lease: 300, pace: 2 };

/**
 * Serves the orders until every run has ended. The first process dies at the first of `kills`, the next at the
 * second, and so on; the one after the last is left alone. Throws when a process dies of anything else.
 */
export async function live(
  orders: readonly Order[],
  definition: string,
  kills: readonly NonNullable<KillOptions["killAt"]>[],
  operator: { readonly looksIntoLedger: boolean } = { looksIntoLedger: true },
): Promise<Life> {
  const folder = mkdtempSync(join(tmpdir(), "swl-orders-"));
  const files = { store: join(folder, "orders.db"), ledger: join(folder, "ledger.jsonl"), definition };
  const store = await openSqliteStore({ file: files.store });
  const control = createControl({ store, models: [core] });
  const seen = new Set<string>();
  let child: Child<KillMessage> | undefined;
  let killed = 0;
  try {
    for (let life = 0; ; life++) {
      const killAt = kills[life];
      const options: KillOptions = { ...files, ...quick, orders, ...(killAt !== undefined && { killAt }) };
      child = new Child<KillMessage>(script, options);
      const allEnded = await operate(
        child,
        control,
        operator.looksIntoLedger ? files.ledger : undefined,
        orders.length,
      );
      const { items } = await control.list({ limit: 1_000 });
      for (const { run } of items) seen.add(run);
      if (allEnded) break;
      if (child.ended?.signal !== "SIGKILL") throw new Error("the child process died of something else");
      killed += 1;
    }
    await child.stop();
    const { steps } = await child.message("stopped");
    const found = await audit({ control, store, ledger: files.ledger }, orders);
    const there = new Set(found.runs.map(({ status }) => status.run));
    return { audit: found, killed, steps, lost: [...seen].filter((run) => !there.has(run)) };
  } finally {
    await child?.kill();
    await store.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Answers what waits and what stands, until the process died (false) or every order's run has ended (true). */
async function operate(
  child: Child<KillMessage>,
  control: Control,
  ledger: string | undefined,
  orders: number,
): Promise<boolean> {
  while (!child.ended) {
    const { items } = await control.list({ limit: 1_000 });
    for (const { run, status } of items) {
      if (status === "waiting") await approve(control, run);
      if (status === "needs-intervention") await decide(control, run, ledger);
    }
    if (items.length === orders && items.every(({ closed }) => closed)) return true;
    await sleep(50);
  }
  return false;
}

async function approve(control: Control, run: string): Promise<void> {
  const request = {
    run,
    messageId: "approval",
    name: "approval",
    outcome: "approved",
    payload: { by: "ann" },
  };
  await control.signal(request, { wait: 0 });
}

async function decide(control: Control, run: string, ledger: string | undefined): Promise<void> {
  const { blockers } = await control.why(run);
  for (const blocker of blockers) {
    if (blocker.kind !== "intervention" || blocker.invocation === undefined) continue;
    const { invocation, attempt } = blocker;
    const charge = ledger && chargeWithKey(ledger, invocation.replace("#", "/"));
    const request = { run, requestId: `${invocation}:${attempt}`, invocation };
    const decision = charge
      ? ({ decision: "complete", outcome: "ok", output: charge.answer } as const)
      : ({ decision: "retry" } as const);
    await control.resolve({ ...request, ...decision }, { wait: 0 });
  }
}
