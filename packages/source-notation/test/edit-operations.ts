/** Operations of every kind on the graphs of `sources.ts`: right ones, impossible ones, and some that change a meaning. */
import fc from "fast-check";
import type { EditOperation } from "../src/index.js";

const node = fc.constantFrom("work", "mid", "wait-here", "done", "stop", "nowhere");
const outcome = fc.constantFrom(undefined, "ok", "short", "no", "other");
const name = fc.constantFrom("color", "label", "x_own", "acme:icon", "tooltip");
const value = fc.constantFrom("a b", 'say "x"', "", "2", "\\N", "line\nfeed");
const given = <T extends object>(object: T): T =>
  Object.fromEntries(Object.entries(object).filter(([, said]) => said !== undefined)) as T;
const attributes = fc.option(fc.dictionary(name, value, { maxKeys: 2, noNullPrototype: true }), {
  nil: undefined,
});
const element = fc.oneof(
  fc.constant({ graph: true } as const),
  fc.record({ node }),
  fc.record({ from: node, outcome }).map(given),
);
export const operations = fc
  .oneof(
    fc.record({
      op: fc.constant("rename-node"),
      node,
      to: fc.constantFrom("fresh", "node", "work", "new-name", "3d"),
    }),
    fc.record({
      op: fc.constant("add-node"),
      node: fc.constantFrom("fresh", "edge", "done", "a b"),
      kind: fc.constantFrom(undefined, "activity", "fail"),
      attributes,
    }),
    fc.record({ op: fc.constant("remove-node"), node }),
    fc.record({ op: fc.constant("add-route"), from: node, outcome, to: node, attributes }),
    fc.record({ op: fc.constant("retarget-route"), from: node, outcome, to: node }),
    fc.record({ op: fc.constant("remove-route"), from: node, outcome }),
    fc.record({ op: fc.constant("set-attribute"), of: element, name, value }),
    fc.constantFrom(
      { op: "set-attribute", of: { graph: true }, name: "start", value: "wait-here" },
      { op: "set-attribute", of: { graph: true }, name: "start", value: "nowhere" },
      { op: "set-attribute", of: { node: "stop" }, name: "kind", value: "activity" },
      { op: "set-attribute", of: { node: "work" }, name: "kind", value: "complete" },
      { op: "set-attribute", of: { from: "work" }, name: "on", value: "fine" },
      { op: "set-attribute", of: { from: "wait-here", outcome: "no" }, name: "on", value: "ok" },
      { op: "remove-attribute", of: { node: "done" }, name: "kind" },
      { op: "remove-attribute", of: { from: "work", outcome: "short" }, name: "on" },
    ),
    fc.record({ op: fc.constant("remove-attribute"), of: element, name }),
  )
  .map((operation) => given(operation) as EditOperation);
