import { type Definition, defineWorkflow, type StandardJsonSchema } from "@swl/definition";
import { type ActionFunctions, type FunctionsOf, inProcess, ok } from "@swl/invocation-control/in-process";
import { describe, expect, expectTypeOf, it } from "vitest";
import { Lab } from "./lab.js";

/** A schema of a library, as small as one can be. */
function typed<Type>(schema: { readonly [key: string]: unknown }): StandardJsonSchema<Type> {
  return {
    "~standard": { version: 1, vendor: "test", jsonSchema: { input: () => schema, output: () => schema } },
  };
}
const object = (...required: string[]) => ({ type: "object", required });
const order = defineWorkflow({
  id: "order",
  start: "charge",
  inputSchema: typed<{ readonly amount: number }>(object("amount")),
  actions: {
    charge: {
      effect: "unsafe",
      inputSchema: typed<{ readonly amount: number }>(object("amount")),
      parametersSchema: typed<{ readonly currency: "EUR" | "CHF" }>(object("currency")),
      outcomes: {
        ok: { outputSchema: typed<{ readonly receipt: string }>(object("receipt")) },
        declined: {},
      },
    },
  },
  nodes: {
    charge: {
      kind: "activity",
      action: "charge",
      input: { $get: ["input"] },
      parameters: { currency: "EUR" },
      routes: { ok: "done", declined: "done" },
    },
    done: { kind: "complete" },
  },
});

const invocation = {
  ...{ run: "r", invocation: "r/charge#1", activation: "charge#1", action: "charge", attempt: 1 },
  ...{ input: { amount: 3 }, parameters: { currency: "EUR" }, idempotencyKey: "r/charge/1" },
} as const;
const signal = new AbortController().signal;

describe("the functions of a workflow [INV-in-process]", () => {
  it("are typed by its definition, and run", async () => {
    const provider = inProcess<typeof order>({
      charge(input, { parameters }) {
        expectTypeOf(input).toEqualTypeOf<{ readonly amount: number }>();
        expectTypeOf(parameters).toEqualTypeOf<{ readonly currency: "EUR" | "CHF" }>();
        if (input.amount > 100) return { outcome: "declined" };
        return ok({ receipt: `${input.amount} ${parameters.currency}` });
      },
    });
    const answer = await provider.invoke(invocation, { effect: "unsafe" }, { signal });
    expect(answer).toEqual({ kind: "completed", outcome: "ok", output: { receipt: "3 EUR" } });
  });

  it("may declare when they begin, be asynchronous, and say less than the types", () => {
    const all = {
      charge: { run: async ({ amount }) => ok({ receipt: `${amount}` }), begins: "explicit" },
    } satisfies FunctionsOf<typeof order>;
    expect(inProcess<typeof order>(all).has("charge")).toBe(true);
    expect(inProcess<typeof order>({ charge: () => ({ outcome: "declined", output: "why" }) }).id).toBe(
      "in-process",
    );
  });

  it("are refused with another outcome, output, parameter or name", () => {
    const wrong: FunctionsOf<typeof order>[] = [
      // @ts-expect-error "okay" is no outcome
      { charge: () => ({ outcome: "okay" }) },
      // @ts-expect-error the receipt is a text
      { charge: () => ok({ receipt: 3 }) },
      // @ts-expect-error the output is missing
      { charge: () => ({ outcome: "ok" }) },
      // @ts-expect-error the input has no "amuont"
      { charge: ({ amuont }) => ok({ receipt: `${amuont}` }) },
      // @ts-expect-error there is no action "refund"
      { charge: () => ok({ receipt: "" }), refund: () => ok() },
      // @ts-expect-error the function of "charge" is missing
      {},
    ];
    expect(wrong).toHaveLength(6);
  });

  it("go with the input of a run, which is typed too", async () => {
    const lab = new Lab();
    const bindings = inProcess<typeof order>({ charge: () => ok({ receipt: "r" }) });
    const host = await lab.host(() => null, { bindings });
    const run = await host.start(order, { input: { amount: 3 } });
    expect(await run.result()).toMatchObject({ status: "completed" });
    // @ts-expect-error an amount is a number
    await expect(host.start(order, { input: {} })).rejects.toMatchObject({ code: "input.invalid" });
    const untyped: unknown = order;
    await expect(host.start(untyped, { input: [] })).rejects.toMatchObject({ code: "input.invalid" });
    await lab.end();
  });

  it("are any functions where the definition has no types", () => {
    expectTypeOf<FunctionsOf<Definition>>().toEqualTypeOf<ActionFunctions>();
    expectTypeOf<FunctionsOf<unknown>>().toEqualTypeOf<ActionFunctions>();
    const provider = inProcess({ a: (input: { readonly b: number }) => ok(input.b) });
    expect(provider.has("a")).toBe(true);
  });
});
