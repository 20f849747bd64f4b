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
  /** W3C trace context that the run was started with, where it keeps one. */
  readonly traceparent?: string;
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

/** The attempt that a host asks about, or asks to stop: what a provider began for it, or never did. */
export interface Operation {
  readonly run: string;
  readonly invocation: string;
  readonly activation: string;
  readonly action: string;
  readonly attempt: number;
  /** That of the invocation: what a provider looks for when there is no handle. */
  readonly idempotencyKey: string;
  /** What the provider answered `accepted` with, where the host knows it. */
  readonly handle?: string;
}

/** INV-inspect: what became of an operation, as far as the provider knows. */
export type InspectAnswer =
  | { readonly kind: "running" }
  | { readonly kind: "completed"; readonly outcome: string; readonly output: Json }
  /** Ended without its effect, and for good. */
  | { readonly kind: "failed"; readonly error: ErrorReport }
  /** Nothing was ever begun under this key, or the handle is none of the provider's. */
  | { readonly kind: "not-found" }
  /** The provider was asked and cannot tell: nobody will ask it again. */
  | { readonly kind: "unknown"; readonly message?: string }
  /** It could not be asked: asked again later. A rejection counts as this. */
  | { readonly kind: "unavailable"; readonly message?: string };

/** INV-cancel-request. None of the words says what becomes of the operation: its own settlement does. */
export type CancelAnswer =
  /** The provider has heard that it should stop. */
  | { readonly kind: "acknowledged" }
  /** It cannot be told, now or later. */
  | { readonly kind: "unsupported" }
  /** It could not be told: told again later. A rejection counts as this. */
  | { readonly kind: "unavailable"; readonly message?: string };

export interface AskOptions {
  /** Aborted when nobody waits for the answer any more. */
  readonly signal: AbortSignal;
}

export type ProviderAbility = "accept" | "inspect" | "cancel";

export interface Provider {
  /** `in-process`, `http`, …: pinned with the run. */
  readonly id: string;
  /** True: workers pull its attempts from the store; a host commits them as work and neither begins nor claims them. */
  readonly remote?: true;
  /** The actions it can serve with the effect class it must know to classify a thrown error. */
  has(action: string): boolean;
  /** The names of its actions, where it can list them: for whoever misspelt one. */
  readonly names?: readonly string[];
  /**
   * What it can do for an action beside answering at once: answer `accepted`, be asked, be told to stop. A start is
   * refused where a contract asks for more. Absent: nothing is said, and nothing refused.
   */
  can?(action: string): readonly ProviderAbility[];
  /** Must settle; a host treats a rejection as `unknown`. */
  invoke(
    invocation: Invocation,
    contract: { readonly effect: string },
    options: InvokeOptions,
  ): Promise<ProviderAnswer>;
  /**
   * Asks what became of an operation; changes nothing, and may be asked any number of times. A provider without it
   * answers `unknown`.
   */
  inspect?(operation: Operation, options: AskOptions): Promise<InspectAnswer>;
  /**
   * Asks for an operation to be stopped, at least once: a second request must do no more than the first. A provider
   * without it answers `unsupported`.
   */
  cancel?(operation: Operation, options: AskOptions): Promise<CancelAnswer>;
}
