/**
 * The cycle of ten activities as an xstate machine: the same states, the same event with outcome and output, a guard
 * an outcome. Its context keeps what a run of ours keeps: the run's input, visits of each node, the latest result; on
 * entering a state it emits the command that ours emits. Retries, cancellation, evidence and limits have no equal.
 */
import { assign, initialTransition, setup, transition } from "xstate";

type Context = {
  readonly run: string;
  readonly input: object;
  readonly activations: number;
  readonly visits: { readonly [node: string]: number };
  readonly last: { readonly node: string; readonly outcome: string; readonly output: number } | null;
};
type Event = { readonly type: "result"; readonly outcome: string; readonly output: number };
type Node = { readonly node: string };

function machineOf(nodes: number) {
  const base = setup({
    types: { context: {} as Context, events: {} as Event },
    guards: {
      ok: ({ event }) => event.outcome === "ok",
      stop: ({ event }) => event.outcome === "stop",
    },
    actions: {
      record: assign({
        last: ({ event }, { node }: Node) => ({ node, outcome: event.outcome, output: event.output }),
      }),
      enter: assign({
        activations: ({ context }) => context.activations + 1,
        visits: ({ context }, { node }: Node) => ({
          ...context.visits,
          [node]: (context.visits[node] ?? 0) + 1,
        }),
      }),
      invoke: (_, _command: Readonly<Record<string, unknown>>) => undefined,
    },
  });
  const states: Record<string, object> = { done: { type: "final" } };
  for (let index = 0; index < nodes; index++) {
    const node = `step${index}`;
    const record = { type: "record", params: { node } };
    states[node] = {
      entry: [
        { type: "enter", params: { node } },
        { type: "invoke", params: commandOf(node) },
      ],
      on: {
        result: [
          { guard: "ok", target: `step${(index + 1) % nodes}`, actions: record },
          { guard: "stop", target: "done", actions: record },
        ],
      },
    };
  }
  const context = { run: "bench", input: { order: 1 }, activations: 0, visits: {}, last: null };
  return base.createMachine({ id: "cycle", initial: "step0", context, states: states as never });
}

function commandOf(node: string) {
  return ({ context }: { context: Context }) => ({
    invocation: `${context.run}/${node}#${context.visits[node]}`,
    idempotencyKey: `${context.run}/${node}/${context.visits[node]}`,
    action: "work",
    attempt: 1,
    input: context.input,
  });
}

/** Takes steps from the start; `take` gets the state after each, in the form that xstate persists when asked for it. */
export function stateMachine(
  nodes: number,
  take: (persisted: () => unknown) => void,
): (steps: number) => void {
  const machine = machineOf(nodes);
  return (steps) => {
    let [snapshot] = initialTransition(machine);
    for (let output = 2; output <= steps; output++) {
      const [next, actions] = transition(machine, snapshot, { type: "result", outcome: "ok", output });
      if (!actions.some(({ type }) => type === "invoke")) throw new Error("no invocation");
      snapshot = next;
      take(() => machine.getPersistedSnapshot(next));
    }
    const { activations } = snapshot.context;
    if (activations !== steps) throw new Error(`${activations} activations of ${steps}`);
  };
}
