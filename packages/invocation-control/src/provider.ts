/**
 * The action provider contract. A provider is called by a host after the intent was committed, and tells the truth
 * about what happened in one of four words. Spec: docs/spec/invocation-control.md.
 */
import type { Json } from "@swl/base";

/** What a provider is asked to do: one delivery attempt of one logical invocation. */
export interface Invocation {
  readonly run: string;
  readonly invocation: string;
  readonly activation: string;
  readonly action: string;
  /** From 1. */
  readonly attempt: number;
  readonly input: Json;
  readonly parameters: Json;
  /** The same for all attempts of the invocation. */
  readonly idempotencyKey: string;
}

export interface ErrorReport {
  /** `[a-z0-9][a-z0-9.-]{0,63}` */
  readonly code: string;
  /** No stack, no secret: this is kept in the run's state. */
  readonly message: string;
  readonly details: Json;
}

/** INV-four-answers. */
export type ProviderAnswer =
  | { readonly kind: "completed"; readonly outcome: string; readonly output: Json }
  /** Can be identified and recovered by this handle; not yet business success. Needs profile `deferred-actions`. */
  | { readonly kind: "accepted"; readonly handle: string }
  /** The provider's word that nothing happened. */
  | { readonly kind: "failed"; readonly error: ErrorReport; readonly retryable: boolean }
  /** Nobody knows. */
  | {
      readonly kind: "unknown";
      readonly reason: "crash" | "attempt-timeout" | "ack-lost";
      readonly message?: string;
    };

export interface InvokeOptions {
  /** Aborted when the provider should stop: at `attemptMs`, or when the host drains. */
  readonly signal: AbortSignal;
}

export interface Provider {
  /** `in-process`, `http`, …: pinned with the run. */
  readonly id: string;
  /** The actions it can serve with the effect class it must know to classify a thrown error. */
  has(action: string): boolean;
  /** Must settle; a host treats a rejection as `unknown`. */
  invoke(
    invocation: Invocation,
    contract: { readonly effect: string },
    options: InvokeOptions,
  ): Promise<ProviderAnswer>;
}
