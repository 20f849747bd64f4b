/**
 * One run from start to end over hosts that die at given points, one after the other; and what is there afterwards.
 * Whoever is outside loses nothing by a death: what was not acknowledged is asked again of the next host.
 */
import { type Json, SwlError } from "@swl/base";
import type { ControlAnswer, Explanation, Provider } from "@swl/invocation-control";
import type { LogRecord, Store, StoreFault, StoreStats, StreamHead } from "@swl/store-provider";
import { pause } from "./bench.js";
import { type CrashPoint, Life } from "./crash-life.js";
import { type CrashScenario, completes, inspected } from "./crash-scenarios.js";
import { broughtBy, EffectLedger } from "./effect-ledger.js";
import type { HostHarness, HostStorage, HostUnderTest } from "./harness.js";

/** What is left when the run is over. */
export interface Played {
  readonly run: string;
  readonly result: { readonly status: string; readonly output: Json };
  readonly ledger: EffectLedger;
  readonly log: readonly LogRecord[];
  readonly head: StreamHead;
  readonly stats: StoreStats;
  readonly faults: readonly StoreFault[];
  /** Positions whose stored state differs from what the log folds to. */
  readonly differing: readonly number[];
  /** By request, in the order in which they were acknowledged: the answered position and the one of its receipt. */
  readonly acknowledged: readonly {
    readonly request: string;
    readonly position: number;
    readonly receipt?: number;
  }[];
  /** What the start key gives now. */
  readonly startedAgain: string;
  /** Calls of the life that had this number, up to its death or the run's end. */
  readonly calls: readonly (readonly string[])[];
}

/** Time steps that a run may take; in real time a step is 20 ms. */
const patience = 6_000;

export interface PlaySetting {
  /** Milliseconds that a host's lease lasts. */
  readonly lease: number;
}

/** Thrown where the host that was asked has died. */
const dead = new SwlError("host.stopped", "The host that was asked has died.");

export class CrashPlay {
  readonly ledger = new EffectLedger();
  readonly #harness: HostHarness;
  readonly #scenario: CrashScenario;
  readonly #points: readonly (CrashPoint | undefined)[];
  readonly #setting: PlaySetting;
  readonly #storage: HostStorage;
  readonly #lives: Life[] = [];
  readonly #acknowledged: { request: string; position: number }[] = [];
  readonly #waiting = new Map<string, (() => void)[]>();
  #hosts: { readonly host: HostUnderTest; readonly life: Life }[] = [];
  // A storage may have been somebody else's before.
  readonly #startKey = `crash-${globalThis.crypto.randomUUID()}`;
  #steps = 0;

  private constructor(
    harness: HostHarness,
    storage: HostStorage,
    scenario: CrashScenario,
    points: readonly (CrashPoint | undefined)[],
    setting: PlaySetting,
  ) {
    this.#harness = harness;
    this.#storage = storage;
    this.#scenario = scenario;
    this.#points = points;
    this.#setting = setting;
  }

  /** `points`: where the first host dies, where the next one, …; hosts after the last one live. */
  static async play(
    harness: HostHarness,
    scenario: CrashScenario,
    points: readonly (CrashPoint | undefined)[],
    setting: PlaySetting,
  ): Promise<Played> {
    const storage = await harness.storage();
    const play = new CrashPlay(harness, storage, scenario, points, setting);
    const peer = await storage.handle();
    try {
      return await play.#play(peer);
    } finally {
      for (const { host, life } of play.#hosts) if (!life.dead) await play.#during(life, host.close());
      await peer.close();
      await storage.dispose();
    }
  }

  async #play(peer: Store): Promise<Played> {
    const run = await this.#insist((host) =>
      host.start(structuredClone(this.#scenario.definition) as Json, {
        input: "in",
        startKey: this.#startKey,
      }),
    );
    let seen = "";
    for (let idle = 0; ; idle += 1) {
      const head = await peer.head(run);
      if (head?.closed === true) break;
      const now = `${head?.position} ${this.#lives.length}`;
      // Asked when something has changed, and now and then: a question is a call too.
      if (now !== seen || idle % 20 === 19) await this.#attended(run);
      seen = now;
      await this.#step();
    }
    const calls = this.#lives.map((life) => [...life.calls]);
    return { ...(await this.#left(peer, run)), calls };
  }

  async #left(peer: Store, run: string): Promise<Omit<Played, "calls">> {
    const result = await this.#insist((host) => host.result(run, 10_000));
    const startedAgain = await this.#insist((host) =>
      host.start(structuredClone(this.#scenario.definition) as Json, {
        input: "in",
        startKey: this.#startKey,
      }),
    );
    const { differing } = await this.#insist((host) => host.control.verify(run));
    const acknowledged = [];
    for (const one of this.#acknowledged) {
      const receipt = (await peer.receipt(run, one.request))?.position;
      acknowledged.push({ ...one, ...(receipt !== undefined && { receipt }) });
    }
    return {
      run,
      result: { status: result.status, output: result.output ?? null },
      ledger: this.ledger,
      log: await peer.read(run),
      head: (await peer.head(run))!,
      stats: await peer.stats(),
      faults: await peer.check(),
      differing,
      acknowledged,
      startedAgain,
    };
  }

  /** Somebody outside looks at the run and does what is theirs to do. */
  async #attended(run: string): Promise<void> {
    const { host, life } = await this.#living();
    try {
      const why = await this.#during(life, host.control.why(run));
      const world = { ledger: this.ledger, heard: this.#heard };
      const say = (request: string, make: (id: string) => Promise<ControlAnswer>) =>
        this.#said(life, request, make);
      await this.#scenario.outside?.({ ...world, host, run, why, say });
      await this.#decided(host, life, why);
    } catch (error) {
      if (error !== dead) throw error;
    }
  }

  /** About parked work it is the ledger that knows: what it does not have never happened. */
  async #decided(host: HostUnderTest, life: Life, why: Explanation): Promise<void> {
    for (const blocker of why.blockers) {
      if (!("reason" in blocker) || blocker.reason !== "unknown-result") continue;
      const { invocation, attempt, evidence } = blocker;
      if (invocation === undefined) continue;
      const effect = this.ledger.ofInvocation(invocation);
      const brought = effect && broughtBy(effect);
      // What the provider goes on with is completed by whoever completes it: at once, or as evidence that somebody takes.
      const kept = evidence?.find(({ type }) => type === "completion");
      if (effect !== undefined && brought === undefined && kept === undefined) continue;
      const canceling = this.#acknowledged.some(({ request }) => request === "stop");
      const error = { code: "never.begun", message: "There is nothing in the books." };
      const nothing = canceling ? ({ decision: "fail", error } as const) : ({ decision: "retry" } as const);
      const known = kept === undefined ? brought : { fromEvidence: kept.position };
      const decision = known === undefined ? nothing : ({ decision: "complete", ...known } as const);
      await this.#said(life, `books:${invocation}:${attempt}`, (requestId) =>
        host.resolve({ run: why.run, requestId, invocation, ...decision }),
      );
    }
  }

  async #said(life: Life, request: string, make: (id: string) => Promise<ControlAnswer>): Promise<boolean> {
    if (this.#acknowledged.some((one) => one.request === request)) return true;
    const answer = await this.#during(life, make(request));
    if (answer.kind === "received" || answer.kind === "refused") return false;
    this.#acknowledged.push({ request, position: answer.position });
    for (const wake of this.#waiting.get(request) ?? []) wake();
    return true;
  }

  readonly #heard = (request: string): Promise<void> =>
    new Promise((resolve) => {
      if (this.#acknowledged.some((one) => one.request === request)) resolve();
      else this.#waiting.set(request, [...(this.#waiting.get(request) ?? []), resolve]);
    });

  /** Asks one host after the other until one has answered. */
  async #insist<T>(ask: (host: HostUnderTest) => Promise<T>): Promise<T> {
    for (;;) {
      const { host, life } = await this.#living();
      try {
        return await this.#during(life, ask(host));
      } catch (error) {
        if (error !== dead) throw error;
      }
    }
  }

  /** A host that lives, opened when none does. */
  async #living(): Promise<{ readonly host: HostUnderTest; readonly life: Life }> {
    for (;;) {
      const [living] = this.#hosts.filter(({ life }) => !life.dead);
      if (living !== undefined) return living;
      const count = this.#lives.length === 0 ? 1 : (this.#scenario.successors ?? 1);
      const opened = await Promise.all(Array.from({ length: count }, () => this.#open()));
      this.#hosts = opened.flatMap((one) => (one === undefined ? [] : [one]));
    }
  }

  async #open(): Promise<{ readonly host: HostUnderTest; readonly life: Life } | undefined> {
    const life = new Life(await this.#storage.handle(), this.#points[this.#lives.length]);
    this.#lives.push(life);
    const { time } = this.#storage;
    const { models } = this.#scenario;
    const opening = this.#harness.open({
      store: life.store,
      provider: life.provider(this.#provider()),
      lease: this.#setting.lease,
      exclusive: false,
      ...(models && { models }),
      ...(time && { clock: life.clock(time) }),
    });
    try {
      return { host: await this.#during(life, opening), life };
    } catch (error) {
      if (error === dead) return undefined;
      throw error;
    }
  }

  #provider(): Provider {
    const { answer = completes, asked } = this.#scenario;
    const world = { ledger: this.ledger, heard: this.#heard };
    return {
      id: "ledger",
      has: () => true,
      invoke: async (call, { effect }) => {
        this.ledger.reached(call, effect);
        return answer(call, world);
      },
      ...(asked && {
        inspect: async ({ idempotencyKey }) => inspected(idempotencyKey, world),
        cancel: async ({ idempotencyKey }) => {
          this.ledger.stops.push(idempotencyKey);
          return { kind: "acknowledged" };
        },
      }),
    };
  }

  /** The answer, while time passes; throws `dead` when the host that was asked dies first. */
  async #during<T>(life: Life, asked: Promise<T>): Promise<T> {
    let over = false;
    const end = (): void => {
      over = true;
    };
    asked.then(end, end);
    void life.died.then(end);
    for (await Promise.resolve(); !over; ) await this.#step();
    if (life.dead) {
      asked.catch(() => undefined);
      throw dead;
    }
    return asked;
  }

  async #step(): Promise<void> {
    this.#steps += 1;
    if (this.#steps > patience) {
      throw new SwlError("answer.timeout", "The run does not end.");
    }
    await (this.#storage.time?.pass() ?? pause(20));
  }
}
