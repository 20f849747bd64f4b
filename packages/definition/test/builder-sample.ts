/** A workflow with zod schemas wherever a schema may stand: for the tests of the builder. */
import * as z from "zod";
import { type ActionInput, defineWorkflow } from "../src/index.js";

export const Order = z.object({
  id: z.string(),
  amount: z.number(),
  note: z.string().optional(),
  lines: z.array(z.object({ item: z.string() })),
});
export const Receipt = z.object({ receipt: z.string() });
export const Carrier = z.object({ carrier: z.enum(["post", "courier"]) });

export const actions = {
  charge: {
    effect: "unsafe",
    inputSchema: z.object({ amount: z.number(), order: z.string() }),
    outcomes: {
      ok: { outputSchema: Receipt },
      declined: { outputSchema: z.object({ reason: z.string() }) },
    },
  },
  ship: {
    effect: "idempotent",
    inputSchema: Receipt,
    parametersSchema: Carrier,
    outcomes: { ok: {} },
  },
} as const satisfies { readonly [id: string]: ActionInput };

/** Node by node what a right workflow has; tests spoil one of them. */
export const charge = {
  kind: "activity",
  action: "charge",
  input: { amount: { $get: ["input", "amount"] }, order: { $get: ["input", "id"] } },
  routes: { ok: "ask", declined: "refused", failed: "refused" },
} as const;
export const ask = {
  kind: "await-signal",
  signal: "approval",
  payloads: { yes: Carrier },
  routes: { yes: "ship", no: "refused" },
} as const;
export const ship = {
  kind: "activity",
  action: "ship",
  input: { receipt: { $get: ["nodes", "charge", "output", "receipt"] } },
  parameters: { carrier: "post" },
  routes: { ok: "done", exhausted: "refused" },
  loopLimits: { ok: 3 },
} as const;
export const done = { kind: "complete", output: { $get: ["nodes", "charge", "output"] } } as const;
export const refused = { kind: "fail", error: { code: "order.refused", message: "refused" } } as const;

export const order = defineWorkflow({
  id: "order",
  start: "charge",
  inputSchema: Order,
  outputSchema: Receipt,
  actions,
  nodes: { charge, ask, ship, done, refused },
});
