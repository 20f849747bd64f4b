/**
 * How many attempts may be under way at once: in all, of one action, of one provider. What waits in the store for a slot
 * goes before what a run would begin next by itself, so that no run and no workflow keeps a slot for ever.
 * Spec: DUR-concurrency.
 */

export interface SlotLimits {
  readonly total: number;
  readonly actions: { readonly [action: string]: number };
  readonly providers: { readonly [provider: string]: number };
}

/** An attempt's action and the provider that serves it. */
export interface SlotOf {
  readonly action: string;
  readonly provider: string;
}

/** Where nothing else has a limit. */
const onlyTotal = ["total"] as const;

export class Slots {
  readonly #limits: ReadonlyMap<string, number>;
  readonly #used = new Map<string, number>();
  /** Actions of which work waits, each with the limits that it waits for. */
  readonly #waiting = new Map<string, readonly string[]>();

  constructor({ total, actions, providers }: SlotLimits) {
    this.#limits = new Map([
      ["total", total],
      ...Object.entries(actions).map(([name, most]) => [`action ${name}`, most] as const),
      ...Object.entries(providers).map(([name, most]) => [`provider ${name}`, most] as const),
    ]);
  }

  get freeInAll(): number {
    return Math.max(0, this.#left("total"));
  }

  get isWaitedFor(): boolean {
    return this.#waiting.size > 0;
  }

  free(of: SlotOf): number {
    let least = Number.POSITIVE_INFINITY;
    for (const limit of this.#limitsOf(of)) least = Math.min(least, this.#left(limit));
    return Math.max(0, least);
  }

  take(of: SlotOf): void {
    for (const limit of this.#limitsOf(of)) this.#used.set(limit, (this.#used.get(limit) ?? 0) + 1);
  }

  giveBack(of: SlotOf): void {
    for (const limit of this.#limitsOf(of)) this.#used.set(limit, (this.#used.get(limit) ?? 1) - 1);
  }

  /** Work of this action waits in the store for the limits that are tightest for it. */
  wait(of: SlotOf): void {
    const free = this.free(of);
    this.#waiting.set(
      of.action,
      this.#limitsOf(of).filter((limit) => this.#left(limit) <= free),
    );
  }

  /** True when somebody else waits for what this would take. */
  isTaken(of: SlotOf): boolean {
    if (this.#waiting.size === 0) return false;
    const mine = this.#limitsOf(of);
    return [...this.#waiting.values()].some((limits) => limits.some((limit) => mine.includes(limit)));
  }

  /** The store was asked: only of these actions work waits still. */
  keepWaiting(actions: ReadonlySet<string>): void {
    for (const action of [...this.#waiting.keys()]) if (!actions.has(action)) this.#waiting.delete(action);
  }

  /** Those that have a limit at all. */
  #limitsOf({ action, provider }: SlotOf): readonly string[] {
    if (this.#limits.size === 1) return onlyTotal;
    return ["total", `action ${action}`, `provider ${provider}`].filter((limit) => this.#limits.has(limit));
  }

  #left(limit: string): number {
    return (this.#limits.get(limit) ?? Number.POSITIVE_INFINITY) - (this.#used.get(limit) ?? 0);
  }
}

/** Free slots dealt out among queues, in turn and as evenly as their own limits allow; none gets all while others wait. */
export function dealt<Queue extends { readonly most: number }>(
  queues: readonly Queue[],
  free: number,
  turn: number,
): readonly { readonly of: Queue; readonly limit: number }[] {
  const first = queues.length === 0 ? 0 : turn % queues.length;
  const order = [...queues.slice(first), ...queues.slice(0, first)];
  let left = free;
  return order.map((of, index) => {
    const limit = Math.min(of.most, Math.ceil(left / (order.length - index)));
    left -= limit;
    return { of, limit };
  });
}
