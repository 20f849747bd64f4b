/**
 * The operator: a charge stands because nobody knows whether the money was taken. The ledger knows; what it says
 * decides between `retry` and `complete`.
 */

import { setTimeout as sleep } from "node:timers/promises";
import { SwlError } from "@swl/base";
import type { Control } from "@swl/durable-state";
import { chargeWithKey } from "../ledger.ts";
import { bold, files, fromRoot, say, show } from "./stage.ts";
import { swl, typed } from "./swl.ts";

export interface Decision {
  readonly run: string;
  readonly decision: "retry" | "complete";
}

/** Waits for the run that stands, explains it with `swl why`, and resolves it with `swl resolve`. */
export async function intervene(control: Control): Promise<Decision> {
  const run = await standingRun(control);
  const store = ["--store", fromRoot(files.store)];
  const question = ["why", run, ...store];
  say(bold(typed(question)));
  const explained = await swl(question);
  show(explained.out + explained.err);
  const key = await openKey(control, run);
  const charge = chargeWithKey(files.ledger, key);
  say(`the ledger ${charge ? "has the charge" : "has no charge"} with key ${key}`);
  const decision = charge ? "complete" : "retry";
  const how = charge ? ["--outcome", "ok", "--output", JSON.stringify(charge.answer)] : [];
  const answer = ["resolve", run, "--decision", decision, ...how, "--by", "demo", ...store];
  say(bold(typed(answer)));
  const { code, out, err } = await swl(answer);
  show(out + err);
  if (code !== 0) throw new SwlError("run.parked", `run ${run} still stands: swl resolve ended with ${code}`);
  return { run, decision };
}

async function standingRun(control: Control): Promise<string> {
  for (let waited = 0; waited < 20_000; waited += 50) {
    const { items } = await control.list({ status: "needs-intervention" });
    if (items.length > 1)
      throw new SwlError("run.parked", `${items.length} runs stand where one was expected`);
    if (items[0] !== undefined) return items[0].run;
    await sleep(50);
  }
  throw new SwlError(
    "answer.timeout",
    "no run stands within 20 s, though a charge was open when the process died",
  );
}

/** The idempotency key of the invocation that is parked: `run/node#visit` as `run/node/visit`. */
async function openKey(control: Control, run: string): Promise<string> {
  const { blockers } = await control.why(run);
  for (const blocker of blockers) {
    if (blocker.kind === "intervention" && blocker.invocation !== undefined) {
      return blocker.invocation.replace("#", "/");
    }
  }
  throw new SwlError("resolve.invocation-unknown", `run ${run} stands without an open invocation`);
}
