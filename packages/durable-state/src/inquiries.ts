/**
 * What one host is asking providers now: to stop, or what became of their work. A few at a time, each within a time
 * limit, and beside the limits of attempts: a request to stop must not wait for the work that it is about. What a
 * provider could not be asked is asked again, later each time. Spec: DUR-inspect, DUR-cancel-request.
 */
import type { AskCommand } from "@swl/execution/model";
import type { CancelAnswer, InspectAnswer, Operation, Provider } from "@swl/invocation-control";
import type { HostClock } from "./host-types.js";
import { Newest } from "./newest.js";
import { checkedCancel, checkedInspection } from "./provider-answer.js";

export type Told =
  | { readonly kind: "inspect"; readonly answer: InspectAnswer }
  | { readonly kind: "cancel-invocation"; readonly answer: CancelAnswer };

export interface InquiryOptions {
  readonly clock: HostClock;
  readonly leaseRuns: () => boolean;
  /** Room became free for which something had been waiting. */
  readonly onFree: () => void;
  /** Milliseconds for which a provider that cannot be asked is asked again what became of something. */
  readonly askFor: number;
}

/** At once, of one host. */
const MOST = 100;
/** Questions of which is remembered how often they were put in vain: others may have had an answer since. */
const MOST_VAIN = 10_000;
/** Milliseconds for one call of a provider. */
const CALL_LIMIT = 30_000;
/** Milliseconds between two calls about the same: doubled from the first to the last. */
const PAUSE = { first: 1_000, last: 60_000 };

export class Inquiries {
  /** Milliseconds. */
  readonly askFor: number;
  readonly #options: InquiryOptions;
  /** Those under way, with what ends them. */
  readonly #underWay = new Map<string, () => void>();
  /** How often in a row a provider could not be asked. */
  readonly #vain = new Newest<number>(MOST_VAIN);
  #wanted = false;
  #stopped = false;

  constructor(options: InquiryOptions) {
    this.#options = options;
    this.askFor = options.askFor;
  }

  /** How many could begin now. */
  get free(): number {
    return this.#stopped || !this.#options.leaseRuns() ? 0 : MOST - this.#underWay.size;
  }

  /** More waits than was taken: say so when there is room. */
  want(): void {
    this.#wanted = true;
  }

  /** False: nothing was begun. `told` is called once, unless the answer is not wanted any more. */
  begin(id: string, provider: Provider, run: string, ask: AskCommand, told: (said: Told) => void): boolean {
    if (this.free < 1) return false;
    const controller = new AbortController();
    const cancelTimer = this.#options.clock.after(CALL_LIMIT, () => end({ kind: "unavailable" }));
    const end = (answer: unknown): void => {
      if (!this.#underWay.delete(id)) return;
      cancelTimer();
      controller.abort();
      const said = read(ask, answer);
      if (said.answer.kind === "unavailable") this.#vain.set(id, (this.#vain.get(id) ?? 0) + 1);
      else this.#vain.delete(id);
      told(said);
      if (this.#wanted) this.#options.onFree();
      this.#wanted = false;
    };
    this.#underWay.set(id, () => {
      if (!this.#underWay.delete(id)) return;
      cancelTimer();
      controller.abort();
    });
    void call(provider, operationOf(run, ask), ask.kind, controller.signal).then(end);
    return true;
  }

  /** Nobody waits for it any more. */
  stop(id: string): void {
    this.#underWay.get(id)?.();
    this.#vain.delete(id);
  }

  /** Milliseconds until it is worth asking again. */
  pause(id: string): number {
    return Math.min(PAUSE.first * 2 ** ((this.#vain.get(id) ?? 1) - 1), PAUSE.last);
  }

  /** None begins any more, and those under way are asked again by whoever serves the store next. */
  close(): void {
    this.#stopped = true;
    for (const stop of [...this.#underWay.values()]) stop();
  }
}

function operationOf(run: string, ask: AskCommand): Operation {
  const { activation, invocation, action, attempt, idempotencyKey, handle } = ask;
  const known = { run, activation, invocation, action, attempt, idempotencyKey };
  return handle === undefined ? known : { ...known, handle };
}

async function call(
  provider: Provider,
  operation: Operation,
  kind: AskCommand["kind"],
  signal: AbortSignal,
): Promise<unknown> {
  try {
    if (kind === "inspect") {
      return provider.inspect ? await provider.inspect(operation, { signal }) : { kind: "unknown" };
    }
    return provider.cancel ? await provider.cancel(operation, { signal }) : { kind: "unsupported" };
  } catch {
    return { kind: "unavailable" };
  }
}

function read({ kind }: AskCommand, answer: unknown): Told {
  return kind === "inspect"
    ? { kind, answer: checkedInspection(answer) }
    : { kind, answer: checkedCancel(answer) };
}
