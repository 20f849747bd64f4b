/** One run as a test speaks of it: ended, waiting, sent something, looked at. */
import { type Json, SwlError } from "@swl/base";
import type { Control } from "@swl/durable-state";
import type { ControlAnswer, Explanation, ResolveRequest, RunResult } from "@swl/invocation-control";

interface RunContext {
  control(): Control;
  settle(): Promise<void>;
  /** False when nothing will happen without somebody's doing. */
  skip(): Promise<boolean>;
}

/** Instants that a wait passes at most: a workflow that retries for ever must not keep a test for ever. */
const MOST_SKIPS = 100_000;

export class TestRun {
  readonly id: string;
  readonly #context: RunContext;
  #requests = 0;

  constructor(id: string, context: RunContext) {
    this.id = id;
    this.#context = context;
  }

  /**
   * The end of the run, skipping the time until then. Throws `answer.timeout` with the reason when the run waits for
   * something that only somebody outside can bring (a signal, a decision, a host that has what it needs).
   */
  async result(): Promise<RunResult> {
    for (let skips = 0; skips < MOST_SKIPS; skips += 1) {
      await this.#context.settle();
      const { closed } = await this.#context.control().status(this.id);
      if (closed) return this.#context.control().result(this.id, { timeout: 1 });
      if (!(await this.#context.skip())) break;
    }
    const { summary } = await this.why();
    throw new SwlError("answer.timeout", `The run ${this.id} has not ended: ${summary}`);
  }

  /** The output of a completed run; throws `run.not-completed` saying how it ended otherwise. */
  async output(): Promise<Json> {
    const result = await this.result();
    if (result.status === "completed") return result.output;
    const said = result.error === undefined ? "" : `: ${result.error.code} ${result.error.message}`;
    throw new SwlError("run.not-completed", `The run ${this.id} ended ${result.status}${said}.`);
  }

  /** `running`, `waiting`, `needs-intervention`, …: the status of the portable view. */
  async status(): Promise<string> {
    await this.#context.settle();
    return (await this.#context.control().status(this.id)).status;
  }

  async why(): Promise<Explanation> {
    await this.#context.settle();
    return this.#context.control().why(this.id);
  }

  /** The edges taken, as `from -route-> to`. */
  async path(): Promise<readonly string[]> {
    await this.#context.settle();
    const edges = await this.#context.control().path(this.id);
    return edges.map(({ node, route, target }) => `${node} -${route}-> ${target}`);
  }

  signal(
    name: string,
    given: { readonly outcome?: string; readonly payload?: Json } = {},
  ): Promise<ControlAnswer> {
    return this.#changed((control, messageId) =>
      control.signal({ run: this.id, messageId, name, ...given }, { wait: 0 }),
    );
  }

  cancel(reason?: string): Promise<ControlAnswer> {
    return this.#changed((control, requestId) =>
      control.cancel({ run: this.id, requestId, ...(reason !== undefined && { reason }) }, { wait: 0 }),
    );
  }

  resolve(given: Omit<ResolveRequest, "run" | "requestId">): Promise<ControlAnswer> {
    return this.#changed((control, requestId) =>
      control.resolve({ ...given, run: this.id, requestId }, { wait: 0 }),
    );
  }

  /** Asks twice with one request ID: first to have it accepted, then for what became of it. */
  async #changed(ask: (control: Control, id: string) => Promise<ControlAnswer>): Promise<ControlAnswer> {
    this.#requests += 1;
    const id = `test-${this.#requests}`;
    const first = await ask(this.#context.control(), id);
    await this.#context.settle();
    return first.kind === "accepted" ? ask(this.#context.control(), id) : first;
  }
}
