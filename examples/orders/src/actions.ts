/**
 * The actions of the workflow: ordinary TypeScript functions. Each says what happened in one outcome, or throws `fail`
 * when nothing did. Effects go to the ledger under the idempotency key; all are deduplicated by it but the charge:
 * the card gateway takes money each time it is asked, which is why its contract says `unsafe`.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { type ActionContext, type ActionResult, fail, ok } from "@swl/invocation-control/in-process";
import type { Effect } from "./ledger.ts";
import { available, hasCard, hasCredit, numberFor, warehouseIsBusy } from "./world.ts";

/** Where a charge can be held up: before the money is taken, or after. */
export type ChargePoint = "before" | "after";

/** Where effects go; another process may keep it. */
export interface EffectLog {
  append(effect: Effect): Effect | Promise<Effect>;
  once(effect: Effect): Effect | Promise<Effect>;
}

export interface World {
  readonly ledger: EffectLog;
  /** Milliseconds that a call to the outside takes; the carrier takes six times as long. */
  readonly pace: number;
  /** Called inside every charge, at both points. */
  readonly atCharge?: (
    point: ChargePoint,
    charge: { readonly order: string; readonly key: string },
  ) => Promise<void>;
}

type Terms = { readonly quantity: number; readonly amount: number };

/** The functions by action name, acting on a world. */
export function orderActions({ ledger, pace, atCharge }: World) {
  function effect(
    kind: Effect["kind"],
    order: string,
    { idempotencyKey: key, attempt }: ActionContext,
    answer: Effect["answer"],
  ): Effect {
    return { kind, key, order, attempt, answer };
  }

  async function check_credit(input: Terms & { readonly customer: string }): Promise<ActionResult> {
    await sleep(pace);
    const { customer, quantity, amount } = input;
    if (!hasCredit(customer)) return { outcome: "declined", output: { reason: `no credit for ${customer}` } };
    return ok({ quantity, amount });
  }

  async function reserve_stock(
    input: Terms & { readonly order: string; readonly item: string },
    context: ActionContext,
  ): Promise<ActionResult> {
    await sleep(pace);
    const { order, item, quantity, amount } = input;
    if (warehouseIsBusy(order, context.attempt)) {
      throw fail("warehouse.busy", { retryable: true, message: "the warehouse did not answer" });
    }
    const inStock = available(item);
    if (quantity > inStock) return { outcome: "short", output: { quantity, amount, available: inStock } };
    const reservation = numberFor("rsv", context.idempotencyKey);
    const done = await ledger.once(effect("reserve", order, context, { reservation, quantity, amount }));
    return ok(done.answer);
  }

  async function adjust_order(
    input: { readonly order: string; readonly shortage: Terms & { readonly available: number } },
    context: ActionContext,
  ): Promise<ActionResult> {
    const { quantity: wanted, amount: full, available: inStock } = input.shortage;
    const quantity = Math.max(1, Math.min(wanted, inStock));
    const amount = Math.round((full * quantity) / wanted);
    const done = await ledger.once(effect("adjust", input.order, context, { quantity, amount }));
    return ok(done.answer);
  }

  function needs_approval(input: { readonly amount: number }, context: ActionContext): ActionResult {
    const { limit } = context.parameters as { readonly limit: number };
    return { outcome: input.amount > limit ? "approval" : "ok", output: null };
  }

  async function charge_card(
    input: { readonly order: string; readonly customer: string; readonly amount: number },
    context: ActionContext,
  ): Promise<ActionResult> {
    const { order, customer, amount } = input;
    const { idempotencyKey: key } = context;
    await sleep(pace);
    await atCharge?.("before", { order, key });
    if (!hasCard(customer)) return { outcome: "declined", output: { reason: "the bank refused the card" } };
    const answer = { charge: numberFor("ch", key), amount };
    const charged = await ledger.append(effect("charge", order, context, answer));
    await atCharge?.("after", { order, key });
    return ok(charged.answer);
  }

  async function ship(
    input: { readonly order: string; readonly item: string; readonly quantity: number },
    context: ActionContext,
  ): Promise<ActionResult> {
    await sleep(6 * pace);
    const tracking = numberFor("trk", context.idempotencyKey);
    return ok((await ledger.once(effect("ship", input.order, context, { tracking }))).answer);
  }

  return { check_credit, reserve_stock, adjust_order, needs_approval, charge_card, ship };
}
