/**
 * Pure transitions per second: a cycle of ten activities, every step with its changes taken, against a hand-written
 * table that does the least any engine must do (look up the route, count the visit, write the result).
 */
import { defineWorkflow } from "@swl/definition";
import { core } from "@swl/execution";
import type { Bench, Subject } from "./lib/harness.ts";

const NODES = 10;

function cycle() {
  const nodes: Record<string, object> = { done: { kind: "complete", output: null } };
  for (let index = 0; index < NODES; index++) {
    nodes[`step${index}`] = {
      kind: "activity",
      action: "work",
      input: { $get: ["input"] },
      routes: { ok: `step${(index + 1) % NODES}`, stop: "done" },
    };
  }
  return defineWorkflow({
    id: "cycle",
    start: "step0",
    actions: { work: { effect: "idempotent", outcomes: { ok: {}, stop: {} } } },
    limits: { maxActivations: 10_000_000 },
    nodes,
  } as never);
}

function engine(steps: number): Subject {
  const prepared = core.prepare(cycle() as never);
  if (!prepared.ok) throw new Error(JSON.stringify(prepared.findings));
  let written = 0;
  return {
    name: "@swl/execution transition",
    unit: "transition",
    run() {
      let step = core.transition(prepared.value, undefined, {
        type: "start",
        run: "bench",
        input: { order: 1 },
        id: "0",
        position: 1,
        at: 0,
      });
      for (let position = 2; position <= steps; position++) {
        if ("error" in step) throw new Error(step.error.message);
        const command = step.commands[0];
        if (command?.kind !== "invoke") throw new Error("no invocation");
        step = core.transition(prepared.value, step.state, {
          type: "result",
          invocation: command.invocation,
          attempt: 1,
          outcome: "ok",
          output: position,
          id: `${position}`,
          position,
          at: position,
        });
        if ("error" in step) throw new Error(step.error.message);
        written += step.changes.slots.size;
      }
      return steps;
    },
  };
}

function table(steps: number): Subject {
  const next = Array.from({ length: NODES }, (_, index) => (index + 1) % NODES);
  return {
    name: "hand-written table",
    unit: "transition",
    run() {
      const visits = new Uint32Array(NODES);
      const outputs = new Array<number>(NODES).fill(0);
      let at = 0;
      // Many more rounds of the same: the table is so fast that few steps could not be timed.
      for (let position = 0; position < steps * 50; position++) {
        visits[at] = visits[at]! + 1;
        outputs[at] = position;
        at = next[at]!;
      }
      if (outputs.length !== NODES) throw new Error("unreachable");
      return steps * 50;
    },
  };
}

export const transitions: Bench = {
  name: "transitions",
  question: "pure transitions per second of a 10-state cycle, changes taken, against a hand-written table",
  async open({ quick }) {
    const steps = quick ? 50_000 : 300_000;
    return [engine(steps), table(steps)];
  },
};
