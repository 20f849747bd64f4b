/**
 * The branded error by which an action reports that nothing happened. It is recognised by its brand, never by
 * `instanceof`, because two copies of this package may be loaded side by side. Spec: INV-thrown-error.
 */

const BRAND = Symbol.for("@swl/action-failure");

export interface FailOptions {
  /** True when a further attempt may succeed; the contract's retry policy decides whether there is one. */
  readonly retryable: boolean;
  /** One sentence; cut at 1,000 UTF-16 code units. No secret: it is kept in the run's state. */
  readonly message?: string;
  /** JSON that the failed route's output carries. */
  readonly details?: unknown;
}

/** What `fail` returns. The provider reads its members anew and trusts none of them. */
export class ActionFailure extends Error {
  override readonly name = "ActionFailure";
  /** `[a-z0-9][a-z0-9.-]{0,63}`, of the action's own vocabulary. */
  readonly code: string;
  readonly retryable: boolean;
  readonly details: unknown;

  constructor(code: string, options: FailOptions) {
    super(options.message ?? `the action reported ${code}`);
    Object.defineProperty(this, BRAND, { value: true });
    this.code = code;
    this.retryable = options.retryable;
    this.details = options.details ?? null;
  }
}

/**
 * An error to throw: the action's word that nothing happened. A code against the grammar still counts as that word,
 * and is reported as `provider.failed` with the given code in the message.
 */
export function fail(code: string, options: FailOptions): ActionFailure {
  return new ActionFailure(code, options);
}

/** True for what `fail` of any loaded copy of this package returned. */
export function isActionFailure(value: unknown): value is ActionFailure {
  return typeof value === "object" && value !== null && (value as { [BRAND]?: unknown })[BRAND] === true;
}
