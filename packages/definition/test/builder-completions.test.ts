import { beforeAll, describe, expect, it } from "vitest";
import { completionsAt } from "./language-server.js";

/** What is being typed in node `b`; what is offered there. */
const typed: readonly (readonly [string, string, readonly string[]])[] = [
  ["a kind", '{ kind: "@@" }', ["activity", "await-signal", "await-timer", "choice", "complete", "fail"]],
  ["an action", '{ kind: "activity", action: "@@", routes: { ok: "done" } }', ["charge", "ship"]],
  ["a member", '{ kind: "activity", action: "charge", @@ }', ["input", "loopLimits", "parameters", "routes"]],
  [
    "an outcome to route",
    '{ kind: "activity", action: "charge", input: { amount: 1, order: "x" }, routes: { ok: "done", @@ } }',
    ["declined", "exhausted", "failed"],
  ],
  [
    "a target",
    '{ kind: "activity", action: "charge", input: { amount: 1, order: "x" }, routes: { ok: "@@" } }',
    ["ask", "b", "charge", "done", "refused", "ship"],
  ],
  [
    "an outcome to limit",
    '{ kind: "activity", action: "charge", input: { amount: 1, order: "x" }, routes: { ok: "done", declined: "b", exhausted: "done" }, loopLimits: { @@ } }',
    ["declined", "failed", "ok"],
  ],
  [
    "a member of the input",
    '{ kind: "activity", action: "charge", input: { @@ }, routes: { ok: "done", declined: "done" } }',
    ["amount", "order"],
  ],
  [
    "a parameter",
    '{ kind: "activity", action: "ship", input: { receipt: "r" }, parameters: { carrier: "@@" }, routes: { ok: "done" } }',
    ["courier", "post"],
  ],
  [
    "the root of a path",
    '{ kind: "complete", output: { receipt: { $get: ["@@"] } } }',
    ["from", "input", "nodes", "run"],
  ],
  [
    "a member of the run's input",
    '{ kind: "complete", output: { receipt: { $get: ["input", "@@"] } } }',
    ["amount", "id", "lines", "note"],
  ],
  [
    "what a node leaves",
    '{ kind: "complete", output: { receipt: { $get: ["nodes", "charge", "output", "@@"] } } }',
    ["code", "details", "message", "reason", "receipt"],
  ],
];

const workflow = (node: string) => `
import { defineWorkflow } from "@swl/definition";
import { actions, ask, charge, done, Order, Receipt, refused, ship } from "../builder-sample.js";
export const workflow = defineWorkflow({
  id: "order",
  start: "charge",
  inputSchema: Order,
  outputSchema: Receipt,
  actions,
  nodes: { charge, ask, ship, done, refused, b: ${node} },
});
`;

describe("an editor", () => {
  let offered: readonly (readonly string[])[] = [];
  beforeAll(async () => {
    offered = await completionsAt(typed.map(([, node]) => workflow(node)));
  });

  it.each(typed.map(([title, , names], index) => ({ title, names, index })))(
    "offers what fits for $title",
    ({ names, index }) => {
      expect(offered[index]?.map((label) => label.replace(/\?$/, "")).sort()).toEqual(names);
    },
  );
});
