/**
 * Begins attempts, and only attempts whose intent a commit has made durable. The lease is checked again just before
 * each one. A provider that was told to stop has the grace to answer; silence after it is unknown.
 * Spec: DUR-dispatch-after-commit, INV-attempt-timeout.
 */
import { excerpt, TurnoverMap } from "@swl/base";
import type { ActionRequirement, InvokeCommand } from "@swl/execution/model";
import type { BindingSet, Invocation, Provider, ProviderAnswer } from "@swl/invocation-control";
import { sleep } from "./clock.js";
import type { HostClock } from "./host-types.js";
import { Inquiries } from "./inquiries.js";
import type { Observing } from "./observing.js";
import { checkedAnswer } from "./provider-answer.js";
import { type SlotLimits, type SlotOf, Slots } from "./slots.js";

export interface DispatcherOptions extends SlotLimits {
  readonly bindings: readonly BindingSet[];
  readonly clock: HostClock;
  /** Milliseconds. */
  readonly grace: number;
  /** Milliseconds. */
  readonly askFor: number;
  readonly observing?: Observing | undefined;
  readonly leaseRuns: () => boolean;
  /** A slot became free for which something had been waiting. */
  readonly onFree: () => void;
}

export class Dispatcher {
  readonly #options: DispatcherOptions;
  readonly #slots: Slots;
  /** Whose slots an action's attempts have: a host's bindings do not change. */
  readonly #providers = new Map<string, string>();
  readonly #underWay = new TurnoverMap<Attempt, true>();
  /** What providers are asked beside. */
  readonly inquiries: Inquiries;
  #draining = false;

  constructor(options: DispatcherOptions) {
    this.#options = options;
    this.#slots = new Slots(options);
    this.inquiries = new Inquiries(options);
  }

  /** A provider that throws when it is asked what it has does not serve it. */
  providerOf(action: string): Provider | undefined {
    const { bindings } = this.#options;
    const set = bindings.find(
      ({ provider, actions }) => (actions?.includes(action) ?? true) && has(provider, action),
    );
    return set?.provider;
  }

  /** How many attempts of an action could begin now. */
  free(action: string): number {
    const of = this.#slotOf(action);
    return of === undefined ? 0 : this.#slots.free(of);
  }

  /** How many attempts of any action could begin now. */
  get freeInAll(): number {
    return this.#draining ? 0 : this.#slots.freeInAll;
  }

  /** Work of this action waits in the store: say so when a slot becomes free. */
  want(action: string): void {
    const of = this.#slotOf(action);
    if (of !== undefined) this.#slots.wait(of);
  }

  /** The store was asked what waits: work of these actions still does. */
  stillWanted(actions: ReadonlySet<string>): void {
    this.#slots.keepWaiting(actions);
  }

  /** For work that was claimed. `provider`: the one that the run pinned; another one of the same action is none. */
  reserve(action: string, provider = this.providerOf(action)?.id): boolean {
    const of = this.#slotOf(action);
    if (of === undefined || of.provider !== provider) return false;
    if (this.#slots.free(of) < 1) {
      this.#slots.wait(of);
      return false;
    }
    this.#slots.take(of);
    this.#providers.set(action, of.provider);
    return true;
  }

  /** For an attempt that would be born claimed: it goes behind the work that waits for the same. */
  reserveBorn(action: string, provider: string | undefined): boolean {
    const of = this.#slotOf(action);
    if (of !== undefined && this.#slots.isTaken(of)) {
      this.#slots.wait(of);
      return false;
    }
    return this.reserve(action, provider);
  }

  release(action: string): void {
    this.#slots.giveBack({ action, provider: this.#providers.get(action) ?? "" });
    if (this.#slots.isWaitedFor) this.#options.onFree();
  }

  /** Undefined where nothing of it can begin now. INV-worker-queue: a remote provider's is never begun by a host. */
  #slotOf(action: string): SlotOf | undefined {
    const provider = this.providerOf(action);
    if (this.#draining || !this.#options.leaseRuns() || provider === undefined || provider.remote)
      return undefined;
    return { action, provider: provider.id };
  }

  /**
   * The slot is held already. The answer tells the provider to stop; undefined: nothing was begun, the slot is free
   * again. `settle` gets the attempt's answer, and once more what the provider says after it was given up as silent.
   */
  begin(
    run: string,
    command: InvokeCommand,
    contract: ActionRequirement,
    settle: (answer: ProviderAnswer) => void,
    traceparent?: string,
  ): (() => void) | undefined {
    const provider = this.providerOf(command.action);
    if (this.#draining || !this.#options.leaseRuns() || provider === undefined) {
      this.release(command.action);
      return undefined;
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
      ...(traceparent !== undefined && { traceparent }),
    };
    const { clock, grace, observing } = this.#options;
    const over = (): void => {
      observing?.tell({ kind: "under-way", action, change: -1 });
      this.#underWay.delete(underWay);
      this.release(action);
    };
    const underWay = new Attempt(clock, grace, over, settle);
    this.#underWay.set(underWay, true);
    observing?.tell({ kind: "under-way", action, change: 1 });
    underWay.begin(provider, call, contract);
    return () => underWay.stop();
  }

  /** No attempt begins any more. */
  stopBeginning(): void {
    this.#draining = true;
    this.inquiries.close();
  }

  /** Resolves when those under way have settled, told to stop after `drain` milliseconds. */
  async drain(drain: number): Promise<void> {
    this.stopBeginning();
    if (this.#underWay.size === 0) return;
    const { clock } = this.#options;
    const patience = new AbortController();
    const stopAll = sleep(clock, drain, patience.signal).then(() => {
      for (const attempt of this.#underWay.keys()) attempt.stop();
    });
    await Promise.all(this.#underWay.keys().map((attempt) => attempt.settled));
    patience.abort();
    await stopAll;
  }
}

function has(provider: Provider, action: string): boolean {
  try {
    return provider.has(action);
  } catch {
    return false;
  }
}

/** One delivery attempt from its begin to its answer. */
class Attempt {
  readonly settled: Promise<void>;
  readonly #clock: HostClock;
  readonly #grace: number;
  readonly #controller = new AbortController();
  readonly #answered: (answer: ProviderAnswer) => void;
  #over = false;
  #cancelTimer: (() => void) | undefined;

  constructor(clock: HostClock, grace: number, over: () => void, settle: (answer: ProviderAnswer) => void) {
    this.#clock = clock;
    this.#grace = grace;
    let resolved: () => void = () => undefined;
    this.settled = new Promise((resolve) => {
      resolved = resolve;
    });
    this.#answered = (answer) => {
      if (!this.#over) {
        this.#over = true;
        this.#cancelTimer?.();
        over();
        resolved();
      }
      settle(answer);
    };
  }

  begin(provider: Provider, call: Invocation, contract: ActionRequirement): void {
    if (contract.attemptMs !== undefined) {
      const reason = (): DOMException => new DOMException("The attempt has run out of time.", "TimeoutError");
      this.#cancelTimer = this.#clock.after(contract.attemptMs, () => this.stop(reason()));
    }
    void invoke(provider, call, contract, this.#controller.signal).then(this.#answered);
  }

  /** The provider is told to stop; what it reports within the grace is its answer, silence after it is unknown. */
  stop(reason?: DOMException): void {
    if (this.#over || this.#controller.signal.aborted) return;
    this.#cancelTimer?.();
    const message = `No answer within ${this.#grace} ms after the stop.`;
    this.#cancelTimer = this.#clock.after(this.#grace, () => {
      this.#answered({ kind: "unknown", reason: "attempt-timeout", message });
    });
    this.#controller.abort(reason);
  }
}

async function invoke(
  provider: Provider,
  call: Invocation,
  contract: ActionRequirement,
  signal: AbortSignal,
): Promise<ProviderAnswer> {
  try {
    return checkedAnswer(
      await provider.invoke(call, { effect: contract.effect }, { signal }),
      contract.effect,
    );
  } catch (error) {
    const message = error instanceof Error ? error.message : "no error object";
    return {
      kind: "unknown",
      reason: "crash",
      message: `The provider broke its contract: ${excerpt(message, 500)}`,
    };
  }
}
