/**
 * What the builder refuses when it is compiled, and in which words: one wrong member in a workflow that is right, the
 * place of the error, and the whole message. A message that grows into a wall of types fails here.
 */
import { beforeAll, describe, expect, it } from "vitest";
import { type CompileError, type Compiler, compilers, errorsOf } from "./compile.js";

const nodes = '"ask" | "charge" | "done" | "refused" | "ship"';

/** What is wrong; the code, beside a right workflow; where the error stands; what it says. */
const wrong: readonly (readonly [string, string, string, string | RegExp])[] = [
  [
    "an outcome without a route",
    'charge: { ...charge, routes: { ok: "ask" } }',
    "routes",
    /^Property 'declined' is missing in type '\{ ok: "ask"; \}' but required in type '\{ readonly /,
  ],
  [
    "a route of no outcome",
    'charge: { ...charge, routes: { ...charge.routes, okay: "ask" } }',
    "okay",
    `Type '"ask"' is not assignable to type '"the action charge has no outcome okay"'.`,
  ],
  [
    "a target that is no node",
    'charge: { ...charge, routes: { ok: "shp", declined: "refused" } }',
    "ok",
    `Type '"shp"' is not assignable to type '${nodes}'. Did you mean '"ship"'?`,
  ],
  [
    "an action that is not there",
    'charge: { ...charge, action: "chrage" }',
    "action",
    `Type '"chrage"' is not assignable to type '"charge" | "ship"'. Did you mean '"charge"'?`,
  ],
  [
    "exhausted without limits",
    'charge: { ...charge, routes: { ...charge.routes, exhausted: "refused" } }',
    "exhausted",
    `Type '"refused"' is not assignable to type '"exhausted is routed only where loopLimits stand"'.`,
  ],
  [
    "limits without exhausted",
    'charge: { ...charge, routes: { ok: "ask", declined: "refused" }, loopLimits: { ok: 3 } }',
    "routes",
    /^Property 'exhausted' is missing in type '\{ ok: "ask"; declined: "refused"; \}' but required /,
  ],
  [
    "a limit of what is not routed",
    "ship: { ...ship, loopLimits: { okay: 3 } }",
    "okay",
    `Type 'number' is not assignable to type '"okay has no route"'.`,
  ],
  [
    "a kind that is none",
    'charge: { ...charge, kind: "activty" }',
    "kind",
    `Type '"activty"' is not assignable to type '"activity" | "await-signal" | "await-timer" | "choice" | "complete" | "fail"'. Did you mean '"activity"'?`,
  ],
  [
    "a member that the kind has not",
    'done: { kind: "complete", output: done.output, routes: { ok: "ask" } }',
    "routes",
    `Type '{ ok: string; }' is not assignable to type '"there is no such member here"'.`,
  ],
  [
    "a fail node without code",
    'refused: { kind: "fail", error: { message: "no" } }',
    "error",
    /^Property 'code' is missing in type '\{ message: string; \}' but required /,
  ],
  [
    "a target of a signal that is no node",
    'ask: { ...ask, routes: { yes: "ship", no: "refsed" } }',
    "no",
    `Type '"refsed"' is not assignable to type '${nodes}'. Did you mean '"refused"'?`,
  ],
  [
    "a payload of what is not routed",
    "ask: { ...ask, payloads: { yess: Receipt } }",
    "yess",
    /^Type 'ZodObject<.*>' is not assignable to type '"yess has no route"'\.$/,
  ],
  [
    "a deadline without its route",
    'ask: { ...ask, deadline: { after: "P1D", outcome: "late" }, routes: { yes: "ship", no: "refused" } }',
    "routes",
    /^Property 'late' is missing in type '\{ yes: "ship"; no: "refused"; \}' but required /,
  ],
  [
    "a deadline at no time",
    'ask: { ...ask, deadline: { outcome: "no" } }',
    "deadline",
    /^Property 'after' is missing in type '\{ outcome: string; \}' but required /,
  ],
  [
    "a timer with two times",
    'wait: { kind: "await-timer", after: "P1D", until: "2030-01-01T00:00:00Z", routes: { elapsed: "done" } }',
    "until",
    `Type '"2030-01-01T00:00:00Z"' is not assignable to type '"either after or until is said"'.`,
  ],
  [
    "a timer with another route",
    'wait: { kind: "await-timer", after: "P1D", routes: { elapsed: "done", late: "done" } }',
    "late",
    `Type '"done"' is not assignable to type '"a timer has no outcome late"'.`,
  ],
  [
    "a choice without a route of a case",
    'which: { kind: "choice", cases: [{ when: true, outcome: "big" }], otherwise: "small", routes: { small: "done" } }',
    "routes",
    /^Property 'big' is missing in type '\{ small: "done"; \}' but required /,
  ],
  [
    "a choice with a route of no case",
    'which: { kind: "choice", cases: [{ when: true, outcome: "big" }], otherwise: "small", routes: { big: "done", small: "done", hug: "done" } }',
    "hug",
    `Type '"done"' is not assignable to type '"the choice has no outcome hug"'.`,
  ],
  [
    "a path to no member of the input",
    'charge: { ...charge, input: { amount: { $get: ["input", "amuont"] }, order: "x" } }',
    '"amuont"',
    `Type '"amuont"' is not assignable to type '"amount" | "id" | "lines" | "note"'. Did you mean '"amount"'?`,
  ],
  [
    "a path to no member of a result",
    'ship: { ...ship, input: { receipt: { $get: ["nodes", "charge", "output", "recept"] } } }',
    '"recept"',
    // What the charge may leave, however it ended.
    `Type '"recept"' is not assignable to type '"code" | "details" | "message" | "reason" | "receipt"'. Did you mean '"receipt"'?`,
  ],
  [
    "a path to no node",
    'done: { kind: "complete", output: { $get: ["nodes", "chrage", "output"] } }',
    '"chrage"',
    `Type '"chrage"' is not assignable to type '${nodes}'. Did you mean '"charge"'?`,
  ],
  [
    "a path from no root",
    'done: { kind: "complete", output: { $get: ["inputs"] } }',
    '"inputs"',
    `Type '"inputs"' is not assignable to type '"from" | "input" | "nodes" | "run"'. Did you mean '"input"'?`,
  ],
  [
    "a path into a text",
    'charge: { ...charge, input: { amount: 1, order: { $get: ["input", "id", "x"] } } }',
    '"x"',
    `Type '"x"' is not assignable to type '"there is nothing inside"'.`,
  ],
  [
    "data of another type",
    'charge: { ...charge, input: { amount: { $get: ["input", "id"] }, order: "x" } }',
    '"id"',
    `Type '"id"' is not assignable to type '"a text stands there, and a number is expected"'.`,
  ],
  [
    "a constant of another type",
    'charge: { ...charge, input: { amount: "1", order: "x" } }',
    "amount",
    `Type 'string' is not assignable to type 'number'.`,
  ],
  [
    "input without a member",
    "charge: { ...charge, input: { amount: 1 } }",
    "input",
    /^Property 'order' is missing in type '\{ amount: 1; \}' but required in type '\{ readonly amount: 1; readonly order: string; \}'\.$/,
  ],
  [
    "an activity without the input that its action needs",
    'charge: { kind: "activity", action: "charge", routes: charge.routes }',
    "charge",
    /^Property 'input' is missing in type /,
  ],
  [
    "an end without the output that the workflow promises",
    'done: { kind: "complete" }',
    "done",
    `Property 'output' is missing in type '{ kind: "complete"; }' but required in type '{ readonly kind: "complete"; readonly output: { receipt: string; }; }'.`,
  ],
  [
    "parameters that the schema has not",
    'ship: { ...ship, parameters: { carrier: "poste" } }',
    "carrier",
    `Type '"poste"' is not assignable to type '"courier" | "post"'. Did you mean '"post"'?`,
  ],
];

const workflow = (more: string) => `
import { defineWorkflow } from "@swl/definition";
import { actions, ask, charge, done, Order, Receipt, refused, ship } from "../builder-sample.js";
const all = { charge, ask, ship, done, refused };
export const workflow = defineWorkflow({
  id: "order",
  start: "charge",
  inputSchema: Order,
  outputSchema: Receipt,
  actions,
  nodes: { charge, ask, ship, done, refused${more} },
});
`;

/** A member in place of one of the same name: a literal may not say it twice. */
const spoiled = (member: string) => {
  const name = /^\w+/.exec(member)?.[0] ?? "";
  return workflow(`, ${member}`).replace(new RegExp(`(nodes: \\{.*?)\\b${name}, `), "$1");
};

const frame: readonly (readonly [string, string, string, string | RegExp])[] = [
  [
    "a start that is no node",
    '"charge",\n  input',
    '"chrge",\n  input',
    `Type '"chrge"' is not assignable to type '${nodes}'. Did you mean '"charge"'?`,
  ],
  [
    "a schema that is none",
    "inputSchema: Order",
    "inputSchema: 7",
    /^Type 'number' is not assignable to type 'SchemaInput'/,
  ],
];

/** The members of a union in one order: every compiler has its own. */
const sorted = (message: string) =>
  message.replace(/"[^"|]*"(?: \| "[^"]*")+/g, (union) => union.split(" | ").sort().join(" | "));

const right = [
  workflow(""),
  workflow(', wait: { kind: "await-timer", after: { $get: ["input", "id"] }, routes: { elapsed: "done" } }'),
  workflow(
    ', which: { kind: "choice", cases: [{ when: { "==": [1, 1] }, outcome: "big" }], otherwise: "small", routes: { big: "done", small: "done" } }',
  ),
  spoiled('ask: { ...ask, deadline: { after: "P1D", outcome: "no" } }'),
];

const versions = Object.entries(compilers) as readonly (readonly [Compiler, string])[];

describe.each(versions)("the compiler (%s %s)", (compiler) => {
  let accepted: readonly (readonly CompileError[])[] = [];
  let found: readonly (readonly CompileError[])[] = [];
  beforeAll(() => {
    const broken = [
      ...wrong.map(([, member]) => spoiled(member)),
      ...frame.map(([, from, to]) => workflow("").replace(from, to)),
    ];
    const all = errorsOf([...right, ...broken], compiler).map((errors) =>
      errors.map(({ at, message }) => ({ at, message: sorted(message) })),
    );
    accepted = all.slice(0, right.length);
    found = all.slice(right.length);
  }, 240_000);

  it("accepts what is right", () => {
    expect(accepted).toEqual(right.map(() => []));
  });

  it.each(wrong.map(([title, , at, message], index) => ({ title, at, message, index })))(
    "says one sentence about $title",
    ({ at, message, index }) => {
      expect(found[index]).toEqual([
        { at, message: typeof message === "string" ? message : expect.stringMatching(message) },
      ]);
    },
  );

  it.each(frame.map(([title, , , message], index) => ({ title, message, index })))(
    "says one sentence about $title",
    ({ message, index }) => {
      expect(found[wrong.length + index]?.map((error) => error.message)).toEqual([
        typeof message === "string" ? message : expect.stringMatching(message),
      ]);
    },
  );
});
