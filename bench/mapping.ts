/**
 * Simple `$get` per second, each its own evaluation of a compiled mapping, against a walk over own properties written by
 * hand, which does the least that any evaluator must do.
 */
import type { Json } from "@swl/base";
import { compileMapping, evaluateMapping, type MappingContext } from "@swl/definition/mappings";
import type { Bench, Subject } from "./lib/harness.ts";

const paths = [
  ["input", "order", "id"],
  ["nodes", "check", "output", "items", 1, "price"],
  ["from", "outcome"],
  ["run", "id"],
] as const;

const context: MappingContext = {
  input: { order: { id: "o-1", lines: [1, 2, 3] }, customer: "c-7" },
  node: (id) =>
    id === "check" ? { outcome: "ok", output: { items: [{ price: 1 }, { price: 2 }] }, visit: 1 } : undefined,
  nodeIds: () => ["check"],
  from: { node: "check", route: "ok", outcome: "ok", output: null, visit: 1 },
  run: { id: "run-1", definition: "sha256:0" },
};

function evaluation(times: number): Subject {
  const mappings = paths.map((path) => compileMapping({ $get: path } as unknown as Json));
  return {
    name: "evaluateMapping",
    unit: "$get",
    run() {
      for (let time = 0; time < times; time++) {
        for (const mapping of mappings) {
          if (!evaluateMapping(mapping, context).ok) throw new Error("a path is missing");
        }
      }
      return times * mappings.length;
    },
  };
}

function walk(times: number): Subject {
  const read = (path: readonly (string | number)[]): unknown => {
    let value: unknown = path[0] === "nodes" ? context.node(path[1] as string) : context[path[0] as "input"];
    for (let index = path[0] === "nodes" ? 2 : 1; index < path.length; index++) {
      if (typeof value !== "object" || value === null || !Object.hasOwn(value, path[index]!))
        return undefined;
      value = (value as { readonly [key: string]: unknown })[path[index]!];
    }
    return value;
  };
  return {
    name: "hand-written property walk",
    unit: "$get",
    run() {
      for (let time = 0; time < times; time++) {
        for (const path of paths) if (read(path) === undefined) throw new Error("a path is missing");
      }
      return times * paths.length;
    },
  };
}

export const mapping: Bench = {
  name: "mapping",
  question: "simple $get per second, ours against a hand-written walk over own properties",
  async open({ quick }) {
    const times = quick ? 100_000 : 500_000;
    return [evaluation(times), walk(times)];
  },
};
