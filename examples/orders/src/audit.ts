/**
 * Compares what the runs say with what the ledger says. Whatever a crash did: no order lost, no charge twice, every
 * run ended or stands explained, money and parcels exactly where the runs say so.
 */

import { isJsonObject } from "@swl/base";
import type { Control, Explanation, RunResult, RunStatus } from "@swl/durable-state";
import type { RunSummary } from "@swl/invocation-control";
import type { Store } from "@swl/store-provider";
import { duplicateCharges, type Effect, readLedger } from "./ledger.ts";
import type { Order } from "./orders.ts";

export interface AuditedRun {
  readonly order: Order;
  readonly status: RunStatus;
  readonly result?: RunResult;
  /** Attempts whose host died under them. */
  readonly lost: number;
  /** The most of them that one activation had. */
  readonly lostAtOnce: number;
  readonly charges: readonly Effect[];
}

export interface Audit {
  readonly runs: readonly AuditedRun[];
  readonly effects: readonly Effect[];
  readonly duplicates: readonly Effect[];
  /** Empty when all is well. */
  readonly problems: readonly string[];
}

export async function audit(
  sources: { readonly control: Control; readonly store: Store; readonly ledger: string },
  orders: readonly Order[],
): Promise<Audit> {
  const { control, store } = sources;
  const effects = readLedger(sources.ledger);
  const problems: string[] = [];
  const runs: AuditedRun[] = [];
  const byKey = new Map<string, string[]>();
  for (const { run, startKey = "" } of await allRuns(control)) {
    byKey.set(startKey, [...(byKey.get(startKey) ?? []), run]);
  }
  for (const order of orders) {
    const [run, ...more] = byKey.get(order.order) ?? [];
    if (run === undefined) {
      problems.push(`order ${order.order} is lost: it has no run`);
      continue;
    }
    if (more.length > 0) problems.push(`order ${order.order} has ${more.length + 1} runs`);
    const status = await control.status(run);
    const audited: AuditedRun = {
      order,
      status,
      ...(status.closed && { result: await control.result(run) }),
      ...(await lostAttempts(store, run)),
      charges: effects.filter((effect) => effect.kind === "charge" && effect.order === order.order),
    };
    runs.push(audited);
    problems.push(...runProblems(audited, effects, status.closed ? undefined : await control.why(run)));
  }
  const duplicates = duplicateCharges(effects);
  for (const { key } of duplicates) problems.push(`key ${key} was charged twice`);
  return { runs, effects, duplicates, problems };
}

/** Every page of the list. */
export async function allRuns(control: Control): Promise<readonly RunSummary[]> {
  const runs: RunSummary[] = [];
  for (let after: string | undefined; ; ) {
    const page = await control.list({ limit: 1_000, ...(after !== undefined && { after }) });
    runs.push(...page.items);
    if (page.next === undefined) return runs;
    after = page.next;
  }
}

function runProblems(
  { order, status, result, charges }: AuditedRun,
  effects: readonly Effect[],
  why: Explanation | undefined,
): readonly string[] {
  const { order: number } = order;
  if (why !== undefined) {
    return why.blockers.length > 0
      ? []
      : [`run ${status.run} of ${number} stands at ${status.status} unexplained`];
  }
  const shipments = effects.filter((effect) => effect.kind === "ship" && effect.order === number).length;
  const expected = result?.status === "completed" ? 1 : 0;
  const problems: string[] = [];
  if (charges.length !== expected)
    problems.push(`${number} ${result?.status}, with ${charges.length} charges`);
  if (shipments !== expected) problems.push(`${number} ${result?.status}, with ${shipments} shipments`);
  return problems;
}

async function lostAttempts(store: Store, run: string): Promise<Pick<AuditedRun, "lost" | "lostAtOnce">> {
  const by = new Map<string, number>();
  for (const { document } of await store.read(run)) {
    const event = isJsonObject(document) ? document["event"] : undefined;
    if (!isJsonObject(event) || event["type"] !== "unknown" || event["reason"] !== "lease-lost") continue;
    const invocation = String(event["invocation"]);
    by.set(invocation, (by.get(invocation) ?? 0) + 1);
  }
  const counts = [...by.values()];
  return { lost: counts.reduce((sum, count) => sum + count, 0), lostAtOnce: Math.max(0, ...counts) };
}
