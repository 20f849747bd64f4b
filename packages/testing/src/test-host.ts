/**
 * A durable host for tests: in memory, in simulated time, with the same commits, leases and recovery as a real one.
 * Waiting for a run skips the time in which nothing happens, so that a delay of a year passes at once.
 */
import { SwlError } from "@swl/base";
import {
  type Control,
  createHost,
  type Host,
  type HostClock,
  type HostLogEntry,
  type HostOptions,
} from "@swl/durable-state";
import type { BindingSet, Provider } from "@swl/invocation-control";
import { createMemoryBacking, openMemoryStore } from "@swl/store-memory";
import type { Store } from "@swl/store-provider";
import { SimulatedClock } from "./simulated-clock.js";
import { TestRun } from "./test-run.js";
import { Instants, type WatchedStore, watchStore } from "./watched-store.js";

export interface TestHostOptions
  extends Pick<HostOptions, "models" | "bindings" | "grants" | "concurrency" | "grace" | "adoptEvidence"> {
  /** Default: one that starts at 2024-01-01T00:00:00Z. */
  readonly clock?: SimulatedClock;
}

export interface TestHost extends AsyncDisposable {
  readonly clock: SimulatedClock;
  /** As the last test left it: for looking, not for writing. */
  readonly store: Store;
  readonly control: Control;
  /** What the host logged, oldest first. */
  readonly log: readonly HostLogEntry[];
  /** Starts a run. Throws what `Host.start` throws. */
  start<Workflow>(definition: Workflow, options?: Parameters<Host["start"]>[1]): Promise<TestRun>;
  run(id: string): TestRun;
  /** Lets so much time pass, stopping wherever something is due. */
  advance(milliseconds: number): Promise<void>;
  /** Lets everything that is ready happen without time passing. */
  settle(): Promise<void>;
  /**
   * The host dies as a killed process does: what was not committed is lost, nobody is told. Another one takes over what
   * is in the store, after the dead one's lease.
   */
  crash(): Promise<void>;
  close(): Promise<void>;
}

/** Throws `host.option-invalid`. */
export async function createTestHost(options: TestHostOptions): Promise<TestHost> {
  const host = new MemoryTestHost(options);
  await host.open();
  return host;
}

/** Milliseconds: the host looks at the store whenever time has moved. */
const POLL = 1;

class MemoryTestHost implements TestHost {
  readonly clock: SimulatedClock;
  readonly store: Store;
  readonly log: HostLogEntry[] = [];
  readonly #options: TestHostOptions;
  readonly #instants = new Instants();
  readonly #backing = createMemoryBacking();
  #watched: WatchedStore | undefined;
  #host: Host | undefined;
  #underWay = 0;
  #life = 0;

  constructor(options: TestHostOptions) {
    this.#options = options;
    this.clock = options.clock ?? new SimulatedClock();
    this.store = this.#openStore();
  }

  get control(): Control {
    return this.#alive().control;
  }

  async open(): Promise<void> {
    const watched = watchStore(this.#openStore(), this.#instants, this.clock);
    this.#watched = watched;
    this.#life += 1;
    this.#underWay = 0;
    const { clock: _, bindings, ...options } = this.#options;
    this.#host = await createHost({
      ...options,
      bindings: this.#counted(bindings),
      store: watched.store,
      clock: this.#hostClock(),
      poll: POLL,
      idlePoll: POLL,
      lease: 3_600_000,
      holder: "test",
      random: () => 0,
      log: (entry) => void this.log.push(entry),
    });
    await this.clock.settle();
  }

  async start<Workflow>(definition: Workflow, options: Parameters<Host["start"]>[1] = {}): Promise<TestRun> {
    const { id } = await this.#alive().start(definition as unknown, options);
    await this.clock.settle();
    return this.run(id);
  }

  run(id: string): TestRun {
    return new TestRun(id, {
      control: () => this.control,
      settle: () => this.settle(),
      skip: () => this.#skip(),
    });
  }

  settle(): Promise<void> {
    return this.clock.settle();
  }

  async advance(milliseconds: number): Promise<void> {
    await this.clock.settle();
    const end = this.clock.now() + milliseconds;
    if (!Number.isSafeInteger(milliseconds) || milliseconds < 0) {
      throw new SwlError("request.invalid", "Time is advanced by a whole number of milliseconds from 0.");
    }
    for (let next = this.#next(); next !== undefined && next <= end; next = this.#next())
      await this.clock.jump(next);
    await this.clock.jump(end);
  }

  async crash(): Promise<void> {
    await this.clock.settle();
    const { holder } = this.#alive();
    this.#watched?.kill();
    // What is left of it waits for answers that never come, until it is closed; nobody waits for that.
    this.#host?.close({ drain: 0 }).catch(() => undefined);
    await this.store.closeHolder(holder);
    await this.open();
  }

  async close(): Promise<void> {
    const closing = this.#host?.close({ drain: 0 });
    // Closing waits with the host's own clock.
    for (let waiting = closing; waiting !== undefined; ) {
      const ended = await Promise.race([waiting.then(() => true), this.clock.settle().then(() => false)]);
      if (ended) break;
      const next = this.clock.next;
      if (next === undefined) break;
      await this.clock.jump(next);
      waiting = closing;
    }
    this.#host = undefined;
    await this.store.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  #openStore(): Store {
    return openMemoryStore({ backing: this.#backing, clock: this.clock.now });
  }

  #alive(): Host {
    if (this.#host === undefined) throw new SwlError("host.stopped", "The test host is closed.");
    return this.#host;
  }

  /** While an attempt is under way its time-outs count, which only the clock knows; else only what the store keeps. */
  #next(): number | undefined {
    const stored = this.#instants.after(this.clock.now());
    const timer = this.#underWay > 0 ? this.clock.next : undefined;
    if (stored === undefined || timer === undefined) return stored ?? timer;
    return Math.min(stored, timer);
  }

  /** On to the next instant at which something may happen; false when nothing will without somebody's doing. */
  async #skip(): Promise<boolean> {
    const next = this.#next();
    if (next === undefined) return false;
    await this.clock.jump(next);
    return true;
  }

  #hostClock(): HostClock {
    const { now, monotonic, after, idly } = this.clock;
    return { now, monotonic, after: (delay, wake) => (delay <= POLL ? idly : after)(delay, wake) };
  }

  /** The same bindings, with the calls under way counted for this life of the host. */
  #counted(bindings: HostOptions["bindings"]): BindingSet[] {
    const given = (Array.isArray(bindings) ? bindings : [bindings]) as readonly (Provider | BindingSet)[];
    return given.map((one) => {
      const set = "provider" in one ? one : { provider: one };
      return { ...set, provider: this.#counting(set.provider) };
    });
  }

  #counting(provider: Provider): Provider {
    const life = this.#life;
    const count = (by: number): void => {
      if (life === this.#life) this.#underWay += by;
      this.clock.touch();
    };
    return new Proxy(provider, {
      get: (target, name) => {
        if (name !== "invoke") return Reflect.get(target, name) as unknown;
        const invoke: Provider["invoke"] = async (...call) => {
          count(1);
          try {
            return await target.invoke(...call);
          } finally {
            count(-1);
          }
        };
        return invoke;
      },
    });
  }
}
