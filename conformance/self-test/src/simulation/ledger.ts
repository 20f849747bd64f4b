/**
 * What was really done, whoever remembers it: the oracle of the simulation. A call is an attempt that reached the
 * provider; an effect is what it did in the world.
 */
import type { Json } from "@swl/base";
import type { Invocation } from "@swl/invocation-control";

export interface LedgerCall {
  readonly call: Invocation;
  readonly host: string;
  /** Sent and perhaps still to be carried out. */
  underWay: boolean;
  /** It had its effect. */
  done: boolean;
  /** Its word was that nothing happened. */
  unwilling: boolean;
  /** Answers that reached the host. */
  answers: number;
}

export interface Done {
  readonly outcome: string;
  readonly output: Json;
}

export interface Operation {
  readonly call: Invocation;
  stopped: boolean;
  over: boolean;
}

export class Ledger {
  readonly calls: LedgerCall[] = [];
  /** By invocation: what the newest effect gave. */
  readonly done = new Map<string, Done>();
  /** Work that goes on by itself, by its handle, which is the invocation's name. */
  readonly operations = new Map<string, Operation>();
  readonly #byInvocation = new Map<string, LedgerCall[]>();

  begin(call: Invocation, host: string): LedgerCall {
    const entry: LedgerCall = { call, host, underWay: true, done: false, unwilling: false, answers: 0 };
    this.calls.push(entry);
    const others = this.#byInvocation.get(call.invocation) ?? [];
    this.#byInvocation.set(call.invocation, [...others, entry]);
    return entry;
  }

  of(invocation: string): readonly LedgerCall[] {
    return this.#byInvocation.get(invocation) ?? [];
  }

  invocations(): Iterable<readonly [string, readonly LedgerCall[]]> {
    return this.#byInvocation;
  }

  isUnderWay(invocation: string): boolean {
    return this.of(invocation).some((call) => call.underWay);
  }
}
