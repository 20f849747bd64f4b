/** Hosts over a memory store with faults in between, and words for what the tests of faults do. */
import { mortal, through } from "@swl/conformance";
import { defineWorkflow } from "@swl/definition";
import { core } from "@swl/execution";
import type { Invocation, Provider, ProviderAnswer } from "@swl/invocation-control";
import { createMemoryBacking, openMemoryStore } from "@swl/store-memory";
import type { Store, StoreInfo } from "@swl/store-provider";
import { systemClock } from "../src/clock.js";
import { createHost, type Host, type HostOptions } from "../src/index.js";

export { core, mortal, through };

type Effect = "pure" | "read-only" | "idempotent" | "unsafe";
type Contract = { readonly attemptMs?: number; readonly operationMs?: number; readonly delay?: number };

const retryAfter = (delay: number) =>
  ({
    maxAttempts: 5,
    initialDelayMs: delay,
    backoff: "fixed",
    maxDelayMs: delay,
    jitter: "none",
  }) as const;

/** One activity `work`, then complete with its output. */
export function oneStep(effect: Effect, { attemptMs, operationMs, delay }: Contract = {}) {
  return defineWorkflow({
    id: "one",
    start: "work",
    actions: {
      work: {
        effect,
        outcomes: { ok: {} },
        ...(delay !== undefined && { retry: retryAfter(delay) }),
        timeouts: {
          ...(attemptMs !== undefined && { attemptMs }),
          ...(operationMs !== undefined && { operationMs }),
        },
      },
    },
    nodes: {
      work: { kind: "activity", action: "work", routes: { ok: "done" } },
      done: { kind: "complete", output: { $get: ["from", "output"] } },
    },
  });
}

export const completed = (output: unknown = null): ProviderAnswer => ({
  kind: "completed",
  outcome: "ok",
  output: output as null,
});

export class Lab {
  readonly calls: Invocation[] = [];
  readonly backing = createMemoryBacking();
  readonly #hosts: Host[] = [];
  readonly #limits: Partial<StoreInfo["limits"]>;
  readonly #clock: (() => number) | undefined;

  constructor(given: { limits?: Partial<StoreInfo["limits"]>; clock?: () => number } = {}) {
    this.#limits = given.limits ?? {};
    this.#clock = given.clock;
  }

  store(): Store {
    const clock = this.#clock;
    return openMemoryStore({ backing: this.backing, limits: this.#limits, ...(clock && { clock }) });
  }

  async host(
    answer: (call: Invocation, signal: AbortSignal) => unknown,
    given: Partial<HostOptions> = {},
  ): Promise<Host> {
    const provider: Provider = {
      id: "lab",
      has: (action) => action === "work",
      invoke: async (call, _contract, { signal }) => {
        this.calls.push(call);
        return (await answer(call, signal)) as ProviderAnswer;
      },
    };
    const store = given.store ?? this.store();
    const host = await createHost({
      models: [core],
      bindings: provider,
      poll: 10,
      lease: 30_000,
      grace: 30,
      ...(this.#clock && { clock: systemClock }),
      ...given,
      store,
    });
    this.#hosts.push(host);
    return host;
  }

  async end(): Promise<void> {
    await Promise.all(this.#hosts.map((host) => host.close({ drain: 10 })));
  }
}

export const pause = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, milliseconds));

export async function until(
  condition: () => boolean | Promise<boolean>,
  milliseconds = 60_000,
): Promise<boolean> {
  for (const end = performance.now() + milliseconds; performance.now() < end; await pause(5)) {
    if (await condition()) return true;
  }
  return false;
}

/** A store whose appends take a while. */
export function slow(store: Store, milliseconds: number): Store {
  return through(store, async (name, call) => {
    const answer = await call();
    if (name === "append") await pause(milliseconds);
    return answer;
  });
}
