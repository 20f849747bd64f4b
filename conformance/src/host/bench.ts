/** One check's storage, its hosts and its effects, and words for what every check does. */
import type { Json } from "@swl/base";
import type { Invocation, Provider, ProviderAnswer } from "@swl/invocation-control";
import type { Store } from "@swl/store-provider";
import type { HostHarness, HostSetting, HostStorage, HostUnderTest } from "./harness.js";
import { type Mortal, mortal } from "./mortal.js";

export const lease = 200;

/** What an action does when it is called: an answer, or a promise of one. */
export type Script = (call: Invocation, signal: AbortSignal) => ProviderAnswer | Promise<ProviderAnswer>;

export interface Opened {
  readonly host: HostUnderTest;
  readonly life: Mortal;
}

export const completed = (output: Json = null): ProviderAnswer => ({
  kind: "completed",
  outcome: "ok",
  output,
});

export class HostBench {
  readonly calls: Invocation[] = [];
  readonly #harness: HostHarness;
  readonly #storage: HostStorage;
  readonly #hosts: Opened[] = [];
  readonly #peers: Store[] = [];

  private constructor(harness: HostHarness, storage: HostStorage) {
    this.#harness = harness;
    this.#storage = storage;
  }

  /** Runs a check's body on an empty storage and cleans up whatever happens; an error is a finding like any other. */
  static async run(
    harness: HostHarness,
    body: (bench: HostBench) => Promise<readonly string[]>,
  ): Promise<readonly string[]> {
    const bench = new HostBench(harness, await harness.storage());
    try {
      return await body(bench);
    } catch (error) {
      return [`fails: ${error instanceof Error ? error.message : String(error)}`];
    } finally {
      await bench.#end();
    }
  }

  /** A handle of the check's own, to look at what is really stored. */
  async peer(): Promise<Store> {
    const peer = await this.#storage.handle();
    this.#peers.push(peer);
    return peer;
  }

  provider(script: Script): Provider {
    return {
      id: "scripted",
      has: () => true,
      invoke: async (call, _contract, { signal }) => {
        this.calls.push(call);
        return script(call, signal);
      },
    };
  }

  /** `over`: what lies between host and storage, besides its mortality. */
  async host(
    script: Script,
    over: (store: Store) => Store = (store) => store,
    setting: Partial<HostSetting> = {},
  ): Promise<Opened> {
    const life = mortal(await this.#storage.handle());
    const host = await this.#harness.open({
      store: over(life.store),
      provider: this.provider(script),
      lease,
      exclusive: false,
      ...setting,
    });
    const opened = { host, life };
    this.#hosts.push(opened);
    return opened;
  }

  callsOf(action: string): readonly Invocation[] {
    return this.calls.filter((call) => call.action === action);
  }

  async #end(): Promise<void> {
    for (const { host, life } of this.#hosts) {
      if (life.dead) continue;
      life.resume();
      await host.close();
    }
    for (const peer of this.#peers) await peer.close();
    await this.#storage.dispose();
  }
}

/** Polls until the condition holds; false after so many milliseconds. */
export async function eventually(
  condition: () => boolean | Promise<boolean>,
  milliseconds = 5_000,
): Promise<boolean> {
  const end = performance.now() + milliseconds;
  while (performance.now() < end) {
    if (await condition()) return true;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  return false;
}

export function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

/** A promise that somebody else fulfils. */
export function gate(): { readonly opened: Promise<void>; open(): void } {
  let open: () => void = () => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}
