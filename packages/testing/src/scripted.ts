/**
 * A provider that answers by script: what a test says, in the order in which it says it. It records every call, so that
 * a test sees what was really asked for. Spec: INV-four-answers.
 */
import { type Json, own, SwlError } from "@swl/base";
import type { Invocation, InvokeOptions, Provider, ProviderAnswer } from "@swl/invocation-control";

/** What one call gets: an answer, or a function that makes one. */
export type Reply =
  | ProviderAnswer
  | ((call: Invocation, options: InvokeOptions) => ProviderAnswer | Promise<ProviderAnswer>);

/** By action: one reply for every call, or a list of which each call takes the next. */
export interface Script {
  readonly [action: string]: Reply | readonly Reply[];
}

export interface ScriptedProvider extends Provider {
  /** Every call so far, in order. */
  readonly calls: readonly Invocation[];
  callsOf(action: string): readonly Invocation[];
  /** Calls that have no answer yet. */
  readonly underWay: number;
}

/**
 * Serves the actions that the script names, as the provider `scripted` or the one named. A call beyond the end of its
 * list is reported as a failure `script.used-up` that is not retried.
 */
export function scripted(script: Script, options: { readonly id?: string } = {}): ScriptedProvider {
  const calls: Invocation[] = [];
  const used = new Map<string, number>();
  let underWay = 0;
  return {
    id: options.id ?? "scripted",
    calls,
    callsOf: (action) => calls.filter((call) => call.action === action),
    get underWay() {
      return underWay;
    },
    has: (action) => own(script, action) !== undefined,
    async invoke(call, _contract, options) {
      calls.push(call);
      const replies = own(script, call.action);
      if (replies === undefined) return failed("binding.missing", { message: "not in the script" });
      const index = used.get(call.action) ?? 0;
      used.set(call.action, index + 1);
      const reply = Array.isArray(replies) ? (replies as readonly Reply[])[index] : (replies as Reply);
      if (reply === undefined) {
        return failed("script.used-up", { message: `call ${index + 1} of ${call.action} has no reply` });
      }
      underWay += 1;
      try {
        return typeof reply === "function" ? await reply(call, options) : reply;
      } finally {
        underWay -= 1;
      }
    },
  };
}

/** The action is done, with this outcome; `output` defaults to null. */
export function completed(outcome: string, output: Json = null): ProviderAnswer {
  return { kind: "completed", outcome, output };
}

export interface FailedOptions {
  readonly message?: string;
  readonly details?: Json;
  /** Default false. */
  readonly retryable?: boolean;
}

/** The provider's word that nothing happened. */
export function failed(code: string, options: FailedOptions = {}): ProviderAnswer {
  const { message = code, details = null, retryable = false } = options;
  return { kind: "failed", error: { code, message, details }, retryable };
}

/** Nobody knows what happened. */
export function unknown(reason: "crash" | "attempt-timeout" | "ack-lost" = "ack-lost"): ProviderAnswer {
  return { kind: "unknown", reason };
}

/** The work goes on elsewhere and is known by this handle. Needs the profile `deferred-actions`. */
export function accepted(handle: string): ProviderAnswer {
  return { kind: "accepted", handle };
}

/** No answer, not even when told to stop. */
export function silence(): Reply {
  return () => new Promise<never>(() => undefined);
}

/** No answer until told to stop; then this one. */
export function whenStopped(answer: ProviderAnswer): Reply {
  return (_call, { signal }) =>
    new Promise((resolve) => {
      const stop = (): void => resolve(answer);
      if (signal.aborted) stop();
      else signal.addEventListener("abort", stop, { once: true });
    });
}

/** The answer after so many milliseconds of the given clock. */
export function later(
  clock: { after(milliseconds: number, wake: () => void): unknown },
  milliseconds: number,
  answer: ProviderAnswer,
): Reply {
  if (!Number.isSafeInteger(milliseconds) || milliseconds < 0) {
    throw new SwlError("request.invalid", "later() takes a whole number of milliseconds from 0.");
  }
  return () => new Promise((resolve) => clock.after(milliseconds, () => resolve(answer)));
}
