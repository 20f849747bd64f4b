/**
 * Begins attempts, and only attempts whose intent a commit has made durable. The lease is checked again just before
 * each one. A provider that was told to stop has the grace to answer; silence after it is unknown.
 * Spec: DUR-dispatch-after-commit, INV-attempt-timeout.
 */
import type { ActionRequirement, InvokeCommand } from "@swl/execution/model";
import type { BindingSet, Invocation, Provider, ProviderAnswer } from "@swl/invocation-control";
import type { HostClock } from "./host-types.js";

export interface DispatcherOptions {
  readonly bindings: readonly BindingSet[];
  readonly clock: HostClock;
  readonly total: number;
  readonly actions: { readonly [action: string]: number };
  /** Milliseconds. */
  readonly grace: number;
  readonly leaseRuns: () => boolean;
  /** A slot became free. */
  readonly onFree: () => void;
}

export class Dispatcher {
  readonly #options: DispatcherOptions;
  readonly #stop = new AbortController();
  readonly #used = new Map<string, number>();
  readonly #underWay = new Set<Promise<unknown>>();
  #total = 0;
  #draining = false;

  constructor(options: DispatcherOptions) {
    this.#options = options;
  }

  providerOf(action: string): Provider | undefined {
    const { bindings } = this.#options;
    return bindings.find(
      ({ provider, actions }) => (actions?.includes(action) ?? true) && provider.has(action),
    )?.provider;
  }

  /** How many attempts of an action could begin now. */
  free(action: string): number {
    if (this.#draining || !this.#options.leaseRuns() || this.providerOf(action) === undefined) return 0;
    const limits = this.#options.actions;
    const own = Object.hasOwn(limits, action) ? limits[action]! : Number.POSITIVE_INFINITY;
    return Math.max(0, Math.min(own - (this.#used.get(action) ?? 0), this.#options.total - this.#total));
  }

  reserve(action: string): boolean {
    if (this.free(action) < 1) return false;
    this.#used.set(action, (this.#used.get(action) ?? 0) + 1);
    this.#total++;
    return true;
  }

  release(action: string): void {
    this.#used.set(action, (this.#used.get(action) ?? 1) - 1);
    this.#total--;
    this.#options.onFree();
  }

  /** The slot is held already. False: the lease is doubtful, nothing was begun, the slot is free again. */
  begin(
    run: string,
    command: InvokeCommand,
    contract: ActionRequirement,
    settle: (answer: ProviderAnswer) => void,
  ): boolean {
    const provider = this.providerOf(command.action);
    if (this.#draining || !this.#options.leaseRuns() || provider === undefined) {
      this.release(command.action);
      return false;
    }
    const { activation, invocation, action, attempt, input, parameters, idempotencyKey } = command;
    const call: Invocation = {
      run,
      invocation,
      activation,
      action,
      attempt,
      input,
      parameters,
      idempotencyKey,
    };
    const underWay = this.#attempt(provider, call, contract).then((answer) => {
      this.#underWay.delete(underWay);
      this.release(action);
      settle(answer);
    });
    this.#underWay.add(underWay);
    return true;
  }

  /** No attempt begins any more; resolves when those under way have settled, told to stop after `drain` milliseconds. */
  async drain(drain: number): Promise<void> {
    this.#draining = true;
    const patience = new AbortController();
    void this.#options.clock.sleep(drain, patience.signal).then(() => this.#stop.abort());
    while (this.#underWay.size > 0) await Promise.all(this.#underWay);
    patience.abort();
  }

  async #attempt(provider: Provider, call: Invocation, contract: ActionRequirement): Promise<ProviderAnswer> {
    const stop = new AbortController();
    const settled = new AbortController();
    const forward = (): void => stop.abort();
    this.#stop.signal.addEventListener("abort", forward, { once: true });
    if (this.#stop.signal.aborted) forward();
    try {
      const answer = invoke(provider, call, contract, stop.signal);
      return await Promise.race([answer, this.#silence(contract, stop, settled.signal)]);
    } finally {
      settled.abort();
      this.#stop.signal.removeEventListener("abort", forward);
    }
  }

  /** Tells the provider to stop at `attemptMs`, and resolves when the grace after any stop is over. */
  async #silence(
    contract: ActionRequirement,
    stop: AbortController,
    settled: AbortSignal,
  ): Promise<ProviderAnswer> {
    const { clock, grace } = this.#options;
    if (contract.attemptMs !== undefined) {
      const either = AbortSignal.any([settled, stop.signal]);
      await clock.sleep(contract.attemptMs, either);
      if (!settled.aborted) stop.abort();
    } else {
      await aborted(AbortSignal.any([settled, stop.signal]));
    }
    await clock.sleep(grace, settled);
    return {
      kind: "unknown",
      reason: "attempt-timeout",
      message: `No answer within ${grace} ms after the stop.`,
    };
  }
}

async function invoke(
  provider: Provider,
  call: Invocation,
  contract: ActionRequirement,
  signal: AbortSignal,
): Promise<ProviderAnswer> {
  try {
    return await provider.invoke(call, { effect: contract.effect }, { signal });
  } catch (error) {
    const message = error instanceof Error ? error.message : "no error object";
    return {
      kind: "unknown",
      reason: "crash",
      message: `The provider broke its contract: ${message.slice(0, 500)}`,
    };
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
}
