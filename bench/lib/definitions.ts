/** Definitions of any number of nodes: a chain of activities, ten actions with two small schemas each. */

const actions = 10;

function contract(index: number): object {
  return {
    effect: "idempotent",
    inputSchema: {
      type: "object",
      required: ["order"],
      properties: { order: { type: "string" }, amount: { type: "integer", minimum: 0 } },
      additionalProperties: false,
    },
    outcomes: {
      ok: { outputSchema: { type: "object", properties: { number: { type: "integer", maximum: index } } } },
      refused: {},
    },
  };
}

/** A definition as an author would write it: nothing that a default says. */
export function chainOf(nodes: number): object {
  const all: { [id: string]: object } = {
    done: { kind: "complete", output: { $get: ["from", "output"] } },
    refused: { kind: "fail", error: { code: "order.refused", message: "refused" } },
  };
  const steps = nodes - 2;
  for (let index = 0; index < steps; index++) {
    all[`step${index}`] = {
      kind: "activity",
      action: `action${index % actions}`,
      input: { order: { $get: ["input", "order"] }, amount: index },
      routes: { ok: index === steps - 1 ? "done" : `step${index + 1}`, refused: "refused" },
    };
  }
  return {
    swl: "0.1",
    id: "chain",
    requires: ["core"],
    dialects: {
      schema: "https://json-schema.org/draft/2020-12/schema",
      numbers: "binary64",
      expressions: "minimal",
    },
    inputSchema: { type: "object", required: ["order"], properties: { order: { type: "string" } } },
    start: "step0",
    nodes: all,
    actions: Object.fromEntries(
      Array.from({ length: actions }, (_, index) => [`action${index}`, contract(index)]),
    ),
  };
}
