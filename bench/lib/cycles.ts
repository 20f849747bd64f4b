/** Workflows that go round for ever, and a driver that takes their steps through the engine. */
import { defineWorkflow } from "@swl/definition";
import { type AcceptedEvent, core, type StateDocument } from "@swl/execution";

type Prepared = Extract<ReturnType<typeof core.prepare>, { ok: true }>["value"];
type State = ReturnType<typeof core.fromJSON>;
export type Step = Exclude<ReturnType<typeof core.transition>, { error: unknown }>;
type Body = AcceptedEvent extends infer E
  ? E extends unknown
    ? Omit<E, "id" | "position" | "at">
    : never
  : never;

const limits = { maxActivations: 10_000_000 };
const work = { work: { effect: "idempotent", outcomes: { ok: {}, stop: {} } } };

function prepared(definition: unknown): Prepared {
  const outcome = core.prepare(defineWorkflow(definition as never) as never);
  if (!outcome.ok) throw new Error(JSON.stringify(outcome.findings.slice(0, 3)));
  return outcome.value;
}

/** `nodes` activities in a ring. Each takes `input`, a mapping; every eighth of a ring leads back after 10 of them. */
export function ring(nodes: number, input: unknown = { $get: ["input"] }): Prepared {
  const all: Record<string, object> = { done: { kind: "complete", output: null } };
  for (let index = 0; index < nodes; index++) {
    const back = index === 9 ? { back: "step0" } : {};
    all[`step${index}`] = {
      kind: "activity",
      action: index === 9 ? "turn" : "work",
      input,
      routes: { ok: `step${(index + 1) % nodes}`, stop: "done", ...back },
    };
  }
  const turn = { effect: "idempotent", outcomes: { ok: {}, stop: {}, back: {} } };
  return prepared({ id: "ring", start: "step0", actions: { ...work, turn }, limits, nodes: all });
}

/** Work, then a signal that is waited for until a deadline. */
export function waiting(): Prepared {
  return prepared({
    id: "waiting",
    requires: ["core", "buffered-signals", "timers"],
    start: "work",
    actions: work,
    limits,
    nodes: {
      work: {
        kind: "activity",
        action: "work",
        input: { $get: ["input"] },
        routes: { ok: "wait", stop: "done" },
      },
      wait: {
        kind: "await-signal",
        signal: "go",
        deadline: { after: "PT1H", outcome: "late" },
        routes: { went: "work", late: "work" },
      },
      done: { kind: "complete", output: null },
    },
  });
}

/** Work, then a choice over what came out. */
export function choosing(): Prepared {
  const output = { var: "from.output" };
  return prepared({
    id: "choosing",
    requires: ["core", "expressions-jsonlogic"],
    dialects: { expressions: "jsonlogic", numbers: "binary64" },
    start: "work",
    actions: work,
    limits,
    nodes: {
      work: {
        kind: "activity",
        action: "work",
        input: { $get: ["input"] },
        routes: { ok: "odd", stop: "done" },
      },
      odd: {
        kind: "choice",
        cases: [
          { when: { "<": [output, 0] }, outcome: "negative" },
          { when: { "==": [{ "%": [output, 2] }, 1] }, outcome: "odd" },
        ],
        otherwise: "even",
        routes: { negative: "done", odd: "work", even: "work" },
      },
      done: { kind: "complete", output: null },
    },
  });
}

/** One run on its way. */
export class Run {
  readonly #prepared: Prepared;
  #state: State | undefined;
  #position = 0;
  /** The invocation that is open. */
  #invocation = "";

  constructor(of: Prepared, from?: StateDocument) {
    this.#prepared = of;
    if (from === undefined) return;
    this.#state = core.fromJSON(from);
    const { last, call } = from.head as {
      readonly last: number;
      readonly call: { readonly invocation: string };
    };
    this.#position = last;
    this.#invocation = call.invocation;
  }

  get document(): StateDocument {
    return core.toJSON(this.#state!);
  }

  get position(): number {
    return this.#position;
  }

  start(input: unknown = { order: 1 }): this {
    this.take({ type: "start", run: "bench", input: input as never });
    return this;
  }

  /** One event. */
  take(body: Body): Step {
    const position = ++this.#position;
    const event = { ...body, id: `${position}`, position, at: position } as AcceptedEvent;
    const step = core.transition(this.#prepared, this.#state, event);
    if ("error" in step) throw new Error(step.error.message);
    this.#state = step.state;
    for (const command of step.commands) if (command.kind === "invoke") this.#invocation = command.invocation;
    return step;
  }

  /** The result of the open invocation. */
  result(output: unknown = this.#position, outcome = "ok"): Step {
    const invocation = this.#invocation;
    return this.take({ type: "result", invocation, attempt: 1, outcome, output: output as never });
  }
}
