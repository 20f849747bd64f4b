/**
 * Every call of a store or a provider as two events: it is carried out, and its answer arrives. In between others go on.
 * The plan's faults are counted by these calls and strike here.
 */
import { storeError } from "@swl/store-provider";
import type { Life } from "./life.ts";
import type { Fault } from "./plan.ts";
import type { World } from "./world.ts";

export interface Call {
  readonly name: string;
  /** Milliseconds that it takes at most, most of the time. */
  readonly takes: number;
  /** Carries it out. */
  perform(): Promise<unknown>;
  /** What the caller hears when nothing was done, or when nobody can tell. */
  failed(carriedOut: boolean): { readonly answer: unknown } | { readonly error: unknown };
}

type Answer = { readonly answer: unknown } | { readonly error: unknown };

export class Calls {
  /** When the last fault is over. */
  calmFrom = 0;
  readonly #world: World;
  readonly #faults: readonly Fault[];
  readonly #strike: (fault: Fault, life: Life) => void;
  #next = 0;
  #outUntil = 0;
  /** Number of the append that was sent last among those that were carried out. */
  #appended = 0;

  /** `strike`: crashes and the like, which are the hosts' and not the call's. */
  constructor(world: World, faults: readonly Fault[], strike: (fault: Fault, life: Life) => void) {
    this.#world = world;
    this.#faults = faults;
    this.#strike = strike;
  }

  make(life: Life, call: Call): Promise<unknown> {
    const world = this.#world;
    if (life.dead) return never;
    world.calls += 1;
    const number = world.calls;
    const fault = this.#due(number);
    if (fault !== undefined)
      world.tell(`FAULT ${fault.kind} ${fault.after ? "after" : "before"} ${call.name} of ${life.name}`);
    const own = fault !== undefined && ofCall.has(fault.kind) ? fault : undefined;
    if (fault?.kind === "outage") this.#outUntil = Math.max(this.#outUntil, world.now + fault.for);
    if (fault !== undefined && own === undefined && !fault.after) this.#strike(fault, life);
    const begin = (own?.kind === "slow" && !own.after ? own.for : 0) + this.#pause(call.takes);
    return new Promise((resolve, reject) => {
      const arrive = (answer: Answer): void => {
        if ("error" in answer) reject(answer.error);
        else resolve(answer.answer);
      };
      // What a process had sent when it died may still be carried out, or not.
      const sent = world.random.oneIn(2);
      const carryOut = (): void => {
        if (life.dead && !sent) return void call.failed(false);
        // Not left to the process, which may be killed as it stands.
        if (life.frozen && !sent) return void world.after(20, carryOut);
        if (call.name === "append") this.#ordered(life, number);
        void this.#carriedOut(life, call, own).then((answer) => {
          if (fault !== undefined && own === undefined && fault.after) this.#strike(fault, life);
          const late = own?.kind === "slow" && own.after ? own.for : this.#pause(0);
          if (late === 0 && !life.dead && !life.frozen) arrive(answer);
          else life.after(late, () => arrive(answer));
        });
      };
      world.after(begin, carryOut);
    });
  }

  /** What was sent first need not come first. */
  #ordered(life: Life, number: number): void {
    if (number < this.#appended) this.#world.tell(`${life.name} append overtaken`);
    else this.#appended = number;
  }

  async #carriedOut(life: Life, call: Call, fault: Fault | undefined): Promise<Answer> {
    const world = this.#world;
    const lost = fault?.kind === "lost-answer";
    const starved = call.name === "renewHolder" && world.now < life.starvedUntil;
    if (fault?.kind === "refused" || starved || (call.name !== "invoke" && world.now < this.#outUntil)) {
      world.tell(`${life.name} ${call.name} refused`);
      return call.failed(false);
    }
    try {
      const answer = await call.perform();
      world.tell(`${life.name} ${call.name}${lost ? " answer lost" : ""}`);
      return lost ? call.failed(true) : { answer };
    } catch (error) {
      world.tell(`${life.name} ${call.name} throws`);
      return lost ? call.failed(true) : { error };
    }
  }

  #due(call: number): Fault | undefined {
    const fault = this.#faults[this.#next];
    if (fault === undefined || fault.at > call) return undefined;
    this.#next += 1;
    const lasts = fault.kind === "clock-jump" ? 0 : fault.for;
    this.calmFrom = Math.max(this.calmFrom, this.#world.now + lasts);
    return fault;
  }

  #pause(most: number): number {
    const { random } = this.#world;
    if (most === 0) return random.oneIn(3) ? random.int(4) : 0;
    return random.oneIn(12) ? random.int(most * 12) : random.int(most);
  }
}

const never = new Promise<never>(() => undefined);

const ofCall: ReadonlySet<string> = new Set(["lost-answer", "refused", "slow"]);

/** Made once: errors are dear. */
const unknownCommit = { error: storeError("unknown-commit", "The answer was lost.") };
const unavailable = { error: storeError("unavailable", "The store cannot be reached.") };

export const storeFailed = (name: string) => (carriedOut: boolean) =>
  name === "append" && carriedOut ? unknownCommit : unavailable;
