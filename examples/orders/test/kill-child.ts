/**
 * The child process of the kill test: serves the orders like the demo's, and kills itself at one step of the host.
 * Steps are what a crash can fall between: before and after each append, each claim, each attempt, and inside a charge
 * on both sides of the ledger.
 */
import type { Provider } from "@swl/invocation-control";
import type { Store } from "@swl/store-provider";
import { type ServeOptions, serveOrders } from "../src/serve.ts";

export interface KillOptions extends ServeOptions {
  /** The step, from 1, at which the process dies, or right after the first charge took the money; absent: never. */
  readonly killAt?: number | "charged";
}

export type KillMessage =
  | { readonly kind: "started" }
  /** It left by itself, after so many steps. */
  | { readonly kind: "stopped"; readonly steps: number };

const options = JSON.parse(process.argv[2]!) as KillOptions;
let steps = 0;

function step(): void {
  steps += 1;
  if (steps === options.killAt) process.kill(process.pid, "SIGKILL");
}

/** The same store, with a step before and after each call that decides something. */
function countingStore(store: Store): Store {
  return new Proxy(store, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name);
      if (typeof member !== "function") return member;
      const call = member.bind(target) as (...args: readonly unknown[]) => unknown;
      if (name !== "append" && name !== "claim") return call;
      return async (...args: readonly unknown[]) => {
        step();
        const answer = await call(...args);
        step();
        return answer;
      };
    },
  });
}

function countingProvider(provider: Provider): Provider {
  return {
    id: provider.id,
    has: (action) => provider.has(action),
    async invoke(...args) {
      step();
      const answer = await provider.invoke(...args);
      step();
      return answer;
    },
  };
}

process.on("disconnect", () => process.exit(1));

const { host } = await serveOrders(options, {
  wrapStore: countingStore,
  wrapProvider: countingProvider,
  async atCharge(point) {
    if (point === "after" && options.killAt === "charged") process.kill(process.pid, "SIGKILL");
    step();
  },
});
process.send?.({ kind: "started" } satisfies KillMessage);

process.once("message", async () => {
  await host.close();
  process.send?.({ kind: "stopped", steps } satisfies KillMessage, () => process.exit(0));
});
