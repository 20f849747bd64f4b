/**
 * What an author of an in-process action writes and sees: a function from JSON input to an explicit outcome, and the
 * context of the attempt that it serves. Spec: INV-in-process, INV-result-checked.
 */
import type { Json } from "@swl/base";

/**
 * One action. It is given its own copy of the input, which the host has checked against the contract's `inputSchema`:
 * annotate the parameter with the type that the schema says, or take it from the workflow (`FunctionsOf`). It may be called again for the same invocation, with the
 * same `idempotencyKey`, whenever the contract's effect class allows that.
 *
 * Throw what `fail` returns to report that nothing happened; how any other thrown error is read depends on the effect
 * class (INV-thrown-error).
 */
export type ActionFunction<Input = unknown> = {
  // A method signature, so that a narrower annotation of `input` is accepted.
  call(
    input: Input,
    context: ActionContext,
  ): ActionResult | AcceptedResult | Promise<ActionResult | AcceptedResult>;
}["call"];

/** A business outcome of the contract. `output` must be JSON; absent means `null`. */
export interface ActionResult {
  readonly outcome: string;
  readonly output?: unknown;
}

/** The work goes on elsewhere: somebody completes it later, under this handle. */
export interface AcceptedResult {
  /** 1..1,024 UTF-16 code units. */
  readonly accepted: string;
}

/** The attempt that a call serves. */
export interface ActionContext<Parameters = Json> {
  readonly run: string;
  readonly invocation: string;
  readonly activation: string;
  readonly action: string;
  /** From 1. */
  readonly attempt: number;
  /** The same for all attempts of the invocation: hand it to whatever deduplicates the effect. */
  readonly idempotencyKey: string;
  /** W3C trace context that the run was started with, where it keeps one: hand it to whatever is called. */
  readonly traceparent?: string;
  /** The node's static parameters: the call's own copy. */
  readonly parameters: Parameters;
  /** Aborted when the function should stop. What it reports within the host's grace still counts. */
  readonly signal: AbortSignal;
  /**
   * Says that the effect may happen from here on. It matters to a binding with `begins: "explicit"`: an error thrown
   * before is a report that nothing happened, also for `unsafe` actions.
   */
  begin(): void;
  /** One line for the host's log; kept nowhere else. Never fails, whatever `data` is. */
  log(message: string, data?: unknown): void;
}

/** Says that the work goes on under this handle. The action's contract must declare `deferred`. */
export function accepted(handle: string): AcceptedResult {
  return { accepted: handle };
}

/** The result with outcome `ok`. Without an argument the output is `null`; an explicit `undefined` stays a mistake. */
export function ok(): { readonly outcome: "ok"; readonly output: null };
export function ok<Output>(output: Output): { readonly outcome: "ok"; readonly output: Output };
export function ok(...output: [output?: unknown]): ActionResult {
  return { outcome: "ok", output: output.length === 0 ? null : output[0] };
}
