/** The worker process as its parent sees it: messages to wait for, and two ways to end it. */
import { type ChildProcess, fork } from "node:child_process";
import { join } from "node:path";
import { exampleFolder } from "../orders.ts";
import type { WorkerMessage, WorkerOptions } from "../worker.ts";

type Kind = WorkerMessage["kind"];

export class Child {
  readonly #process: ChildProcess;
  readonly #messages: WorkerMessage[] = [];
  readonly #waiters = new Set<() => void>();
  #ended = false;

  constructor(options: WorkerOptions) {
    const flags = process.features.typescript ? [] : ["--experimental-strip-types"];
    this.#process = fork(join(exampleFolder, "src", "worker.ts"), [JSON.stringify(options)], {
      execArgv: ["--disable-warning=ExperimentalWarning", ...flags],
    });
    this.#process.on("message", (message) => {
      this.#messages.push(message as WorkerMessage);
      this.#wake();
    });
    this.#process.on("exit", () => {
      this.#ended = true;
      this.#wake();
    });
  }

  get pid(): number {
    return this.#process.pid ?? 0;
  }

  /** The first message of a kind, also when it came before. Rejects when the process ends without one. */
  async message<K extends Kind>(kind: K): Promise<Extract<WorkerMessage, { readonly kind: K }>> {
    for (;;) {
      const found = this.#messages.find((message) => message.kind === kind);
      if (found !== undefined) return found as Extract<WorkerMessage, { readonly kind: K }>;
      if (this.#ended) throw new Error(`the worker process ended before it said "${kind}"`);
      await this.#change();
    }
  }

  /** SIGKILL: no handler runs, nothing is flushed, no lease is given back. */
  async kill(): Promise<void> {
    this.#process.kill("SIGKILL");
    while (!this.#ended) await this.#change();
  }

  /** Asks it to drain and leave. */
  async stop(): Promise<void> {
    if (!this.#ended) this.#process.send("stop");
    while (!this.#ended) await this.#change();
  }

  #change(): Promise<void> {
    return new Promise((resolve) => this.#waiters.add(resolve));
  }

  #wake(): void {
    for (const waiter of this.#waiters) waiter();
    this.#waiters.clear();
  }
}
