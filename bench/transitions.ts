/**
 * Pure transitions per second: a cycle of ten activities, every step with its changes taken, against a table written by
 * hand for this one workflow. The table makes what a host stores and sends after each step, as new data: the head, the
 * result slot of the node that ended, the command with its invocation ID and idempotency key. It leaves out what makes
 * an engine general: mappings, schemas, retries, cancellation, evidence, limits, refusals. So the ratio says what
 * generality costs.
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
  return {
    name: "@swl/execution transition",
    unit: "transition",
    run() {
      let written = 0;
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
      if (written < steps - 1) throw new Error("a step wrote no result");
      return steps;
    },
  };
}

interface Head {
  readonly status: "running";
  readonly run: string;
  readonly position: number;
  readonly activations: number;
  readonly node: string;
  readonly visit: number;
  readonly from: { readonly node: string; readonly route: string };
}

interface Slot {
  readonly outcome: string;
  readonly output: number;
  readonly visit: number;
  readonly visits: number;
}

/** One step by hand: from the head, the slots and a result to a new head, the slot that changed and the commands. */
function stepByHand(
  routes: ReadonlyMap<string, { readonly [outcome: string]: string }>,
  head: Head,
  slots: ReadonlyMap<string, Slot>,
  event: { readonly outcome: string; readonly output: number; readonly position: number },
) {
  const route = routes.get(head.node)?.[event.outcome];
  if (route === undefined) throw new Error(`no route from ${head.node}`);
  const visit = (slots.get(route)?.visits ?? 0) + 1;
  const { outcome, output, position } = event;
  const next: Head = {
    status: "running",
    run: head.run,
    position,
    activations: head.activations + 1,
    node: route,
    visit,
    from: { node: head.node, route: outcome },
  };
  const slot: Slot = { outcome, output, visit: head.visit, visits: head.visit };
  const command = {
    kind: "invoke",
    invocation: `${head.run}/${route}#${visit}`,
    idempotencyKey: `${head.run}/${route}/${visit}`,
    action: "work",
    attempt: 1,
    input: { order: 1 },
  };
  return { head: next, changes: new Map([[head.node, slot]]), commands: [command] };
}

function byHand(steps: number): Subject {
  const routes = new Map(
    Array.from({ length: NODES }, (_, index) => [
      `step${index}`,
      { ok: `step${(index + 1) % NODES}`, stop: "done" },
    ]),
  );
  // Faster, so it takes more steps: a round of either is long enough to be timed.
  const total = steps * 5;
  return {
    name: "table by hand, same data a step",
    unit: "transition",
    run() {
      const from = { node: "", route: "" };
      let head: Head = {
        status: "running",
        run: "bench",
        position: 1,
        activations: 1,
        node: "step0",
        visit: 1,
        from,
      };
      const slots = new Map<string, Slot>();
      let sent = 0;
      for (let position = 2; position <= total; position++) {
        const step = stepByHand(routes, head, slots, { outcome: "ok", output: position, position });
        for (const [node, slot] of step.changes) slots.set(node, slot);
        sent += step.commands.length;
        head = step.head;
      }
      if (head.activations !== total || sent !== total - 1) throw new Error("a step was lost");
      return total;
    },
  };
}

export const transitions: Bench = {
  name: "transitions",
  question:
    "pure transitions per second of a 10-state cycle, changes taken, against a table by hand that makes the same data",
  async open({ quick }) {
    const steps = quick ? 50_000 : 300_000;
    return [engine(steps), byHand(steps)];
  },
};
