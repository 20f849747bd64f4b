/** A process of ours as its parent sees it: messages to wait for, and two ways to end it. */

import { type ChildProcess, fork } from "node:child_process";
import { SwlError } from "@swl/base";
import { nodeFlags } from "./node-flags.ts";

export class Child<Message extends { readonly kind: string }> {
  readonly #process: ChildProcess;
  readonly #messages: Message[] = [];
  readonly #waiters = new Set<() => void>();
  #ended: { readonly signal: NodeJS.Signals | null } | undefined;

  /** Runs a module of ours with one argument: its options as JSON. */
  constructor(script: string, options: object) {
    this.#process = fork(script, [JSON.stringify(options)], {
      execArgv: [...nodeFlags],
    });
    this.#process.on("message", (message) => {
      this.#messages.push(message as Message);
      this.#wake();
    });
    this.#process.on("exit", (_, signal) => {
      this.#ended = { signal };
      this.#wake();
    });
  }

  get pid(): number {
    return this.#process.pid ?? 0;
  }

  /** Undefined while it runs; then the signal that ended it, if one did. */
  get ended(): { readonly signal: NodeJS.Signals | null } | undefined {
    return this.#ended;
  }

  /** The first message of a kind, also when it came before. Rejects when the process ends without one. */
  async message<K extends Message["kind"]>(kind: K): Promise<Extract<Message, { readonly kind: K }>> {
    for (;;) {
      const found = this.#messages.find((message) => message.kind === kind);
      if (found !== undefined) return found as Extract<Message, { readonly kind: K }>;
      if (this.#ended) throw new SwlError("host.stopped", `the child process ended before it said "${kind}"`);
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
