import { describe, expect, it } from "vitest";
import { compileFolder } from "../src/folder.js";
import { ordersFolder } from "./support.js";

describe("the orders example", () => {
  it("compiles without a single finding, strictly", async () => {
    const outcome = await compileFolder(ordersFolder, { strict: true });
    expect(outcome.findings).toEqual([]);
    if (!outcome.ok) return;
    const { definition } = outcome.value;
    const effects = Object.entries(definition.actions).map(([name, { effect }]) => [name, effect]);
    expect(Object.fromEntries(effects)).toEqual({
      check_credit: "read-only",
      reserve_stock: "idempotent",
      adjust_order: "idempotent",
      needs_approval: "pure",
      charge_card: "unsafe",
      ship: "idempotent",
    });
    expect(definition.nodes["reserve_stock"]).toMatchObject({
      routes: { ok: "needs_approval", short: "adjust_order", exhausted: "out_of_stock" },
      loopLimits: { short: 2 },
    });
    expect(definition.actions["charge_card"]?.retry.maxAttempts).toBe(1);
    expect(definition.meta?.title).toBe("Order fulfilment");
  });
});
