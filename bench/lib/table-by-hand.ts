/**
 * A table written by hand for the cycle of activities: what a step cannot do without. It makes what a host stores and
 * sends after each step, as new data: the head, the result slot of the node that ended, the command with its
 * invocation ID and idempotency key. It leaves out what makes an engine general: mappings, schemas, retries,
 * cancellation, evidence, limits, refusals.
 */
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

type Routes = ReadonlyMap<string, { readonly [outcome: string]: string }>;
export type HandStep = ReturnType<typeof step>;

/** One step: from the head, the slots and a result to a new head, the slot that changed and the commands. */
function step(
  routes: Routes,
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
  return { head: next, changes: { head: next, slots: new Map([[head.node, slot]]) }, commands: [command] };
}

/** Takes steps from the start; `take` gets each. */
export function tableByHand(nodes: number, take: (step: HandStep) => void): (steps: number) => void {
  const routes = new Map(
    Array.from({ length: nodes }, (_, index) => [
      `step${index}`,
      { ok: `step${(index + 1) % nodes}`, stop: "done" },
    ]),
  );
  return (steps) => {
    let head: Head = {
      status: "running",
      run: "bench",
      position: 1,
      activations: 1,
      node: "step0",
      visit: 1,
      from: { node: "", route: "" },
    };
    const slots = new Map<string, Slot>();
    for (let position = 2; position <= steps; position++) {
      const taken = step(routes, head, slots, { outcome: "ok", output: position, position });
      for (const [node, slot] of taken.changes.slots) slots.set(node, slot);
      take(taken);
      head = taken.head;
    }
    if (head.activations !== steps) throw new Error("a step was lost");
  };
}
