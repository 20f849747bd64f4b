/**
 * Validations per second of a definition with 50 nodes and 10 actions of two small schemas each, all rules, against
 * reading the same text with `JSON.parse`; and nodes per second of validation at 100, 1,000 and 10,000 nodes, which
 * shows whether the time is linear.
 */
import { validate } from "@swl/definition";
import { chainOf } from "./lib/definitions.ts";
import { type Bench, median, type Subject } from "./lib/harness.ts";

const perNode = new Map<number, number[]>();

function validation(nodes: number, times: number): Subject {
  const definition = chainOf(nodes);
  return {
    name: `validate, ${nodes.toLocaleString("en-US")} nodes`,
    unit: nodes === 50 ? "definition" : "node",
    run() {
      const began = performance.now();
      for (let time = 0; time < times; time++) {
        if (!validate(definition).ok) throw new Error("the definition is not valid");
      }
      const figures = perNode.get(nodes) ?? [];
      figures.push(((performance.now() - began) * 1_000) / (nodes * times));
      perNode.set(nodes, figures);
      return nodes === 50 ? times : nodes * times;
    },
  };
}

function parsing(times: number): Subject {
  const text = JSON.stringify(chainOf(50));
  return {
    name: "JSON.parse, 50 nodes",
    unit: "definition",
    run() {
      for (let time = 0; time < times; time++) JSON.parse(text);
      return times;
    },
  };
}

export const validation50: Bench = {
  name: "validate",
  question:
    "validations per second of 50 nodes, 10 actions, 20 schemas, all rules, against JSON.parse of the same",
  async open({ quick }) {
    const work = quick ? 10_000 : 50_000;
    const times = work / 50;
    return [
      validation(50, times),
      parsing(times),
      validation(100, work / 100),
      validation(1_000, work / 1_000),
      validation(10_000, work / 10_000),
    ];
  },
  notes() {
    const micro = (nodes: number): number => median(perNode.get(nodes) ?? [0]);
    const figures = [100, 1_000, 10_000].map(
      (nodes) => `${micro(nodes).toFixed(2)} µs at ${nodes.toLocaleString("en-US")}`,
    );
    return [
      `time per node: ${figures.join(", ")} nodes`,
      `time per node at 10,000 nodes to that at 100: ${(micro(10_000) / micro(100)).toFixed(2)}`,
    ];
  },
};
