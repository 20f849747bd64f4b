import type { Json } from "@swl/base";
import { type ActionBinding, type ActionFunction, inProcess } from "../src/in-process.js";
import type { Invocation, Provider, ProviderAnswer } from "../src/index.js";

export const effects = ["pure", "read-only", "idempotent", "unsafe", "reconcilable"] as const;
export const repeatable = ["pure", "read-only", "idempotent"] as const;
export const unrepeatable = ["unsafe", "reconcilable"] as const;

export function invocationOf(action: string, input: Json = null): Invocation {
  return {
    run: "r1",
    invocation: `r1/${action}#1`,
    activation: `${action}#1`,
    action,
    attempt: 1,
    input,
    parameters: { currency: "EUR" },
    idempotencyKey: `r1/${action}/1`,
  };
}

/** One call of one function through the provider. */
export function call(
  action: ActionFunction | ActionBinding,
  effect: string,
  options: { readonly input?: Json; readonly signal?: AbortSignal; readonly provider?: Provider } = {},
): Promise<ProviderAnswer> {
  const provider = options.provider ?? inProcess({ act: action });
  return provider.invoke(
    invocationOf("act", options.input ?? null),
    { effect },
    { signal: options.signal ?? new AbortController().signal },
  );
}
