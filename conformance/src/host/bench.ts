/** One check's storage, its hosts and its effects, and words for what every check does. */
import type { Json } from "@swl/base";
import type { Invocation, Provider, ProviderAnswer } from "@swl/invocation-control";
import type { LogRecord, Store } from "@swl/store-provider";
import type { HostHarness, HostSetting, HostStorage, HostUnderTest } from "./harness.js";
import { type Mortal, mortal, through } from "./mortal.js";

/** A lease that ends while a check waits for that: the one of a host that is to die or to be stopped. */
export const lease = 500;

/** Every other host of a check has one that outlasts what a busy machine stands still. */
const steady = 120_000;

/** Milliseconds within which what must come has come, on the slowest machine. */
const patience = 30_000;

/** How often a check begins anew whose findings may come from a machine that stood still. */
const tries = 5;

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
  readonly #watch = new StandstillWatch();
  /** Something is short, as a host's lease: a machine that stands still may end it before its time. */
  #hurried = false;
  /** Milliseconds that a call of the storage took, at most. */
  #slowest = 0;

  private constructor(harness: HostHarness, storage: HostStorage) {
    this.#harness = harness;
    this.#storage = storage;
  }

  /**
   * Runs a check's body on an empty storage and cleans up whatever happens; an error is a finding like any other.
   * What is found where a short lease may have ended because the machine stood still accuses nobody: it is tried again.
   */
  static async run(
    harness: HostHarness,
    body: (bench: HostBench) => Promise<readonly string[]>,
  ): Promise<readonly string[]> {
    for (let time = 1; ; time++) {
      const bench = new HostBench(harness, await harness.storage());
      const problems = await bench.#found(body);
      if (problems.length === 0 || time === tries || !bench.#isDisturbed) return problems;
    }
  }

  async #found(body: (bench: HostBench) => Promise<readonly string[]>): Promise<readonly string[]> {
    try {
      return await body(this);
    } catch (error) {
      return [`fails: ${error instanceof Error ? error.message : String(error)}`];
    } finally {
      this.#watch.end();
      await this.#end();
    }
  }

  get #isDisturbed(): boolean {
    return this.#hurried && Math.max(this.#watch.longest, this.#slowest) > lease / 3;
  }

  /** Milliseconds that a check waits for what must come. */
  get patience(): number {
    return this.#harness.patience ?? patience;
  }

  /** Polls until the condition holds; false when the patience has ended. */
  eventually(condition: () => boolean | Promise<boolean>): Promise<boolean> {
    return eventually(condition, this.patience);
  }

  /** What is found from now on may come from a machine that stood still. */
  hurry(): void {
    this.#hurried = true;
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

  /** `over`: what lies between host and storage, besides its mortality. Its lease is `lease` only where that is said. */
  async host(
    script: Script,
    over: (store: Store) => Store = (store) => store,
    setting: Partial<HostSetting> = {},
  ): Promise<Opened> {
    const life = mortal(this.#timed(await this.#storage.handle()));
    if (setting.lease !== undefined) this.hurry();
    const host = await this.#harness.open({
      store: over(life.store),
      provider: this.provider(script),
      lease: steady,
      exclusive: false,
      ...setting,
    });
    const opened = { host, life };
    this.#hosts.push(opened);
    return opened;
  }

  #timed(store: Store): Store {
    return through(store, async (_name, call) => {
      const since = performance.now();
      try {
        return await call();
      } finally {
        this.#slowest = Math.max(this.#slowest, performance.now() - since);
      }
    });
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

/** How long this process got no turn, at most: what it counts as leases go on meanwhile. */
class StandstillWatch {
  longest = 0;
  #last = performance.now();
  readonly #timer = setInterval(() => this.#look(), 10);

  end(): void {
    this.#look();
    clearInterval(this.#timer);
  }

  #look(): void {
    const now = performance.now();
    this.longest = Math.max(this.longest, now - this.#last);
    this.#last = now;
  }
}

/** The event that a record holds, if it holds one. */
export function eventOf(
  record: LogRecord | undefined,
): { readonly type: string; readonly [member: string]: Json | undefined } | undefined {
  return (record?.document as { readonly event?: { readonly type: string } } | undefined)?.event;
}

/** Polls until the condition holds; false after so many milliseconds. */
export async function eventually(
  condition: () => boolean | Promise<boolean>,
  milliseconds: number,
): Promise<boolean> {
  const end = performance.now() + milliseconds;
  while (performance.now() < end) {
    if (await condition()) return true;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  return condition();
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
