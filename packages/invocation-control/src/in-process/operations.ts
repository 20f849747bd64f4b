/**
 * Operations of in-process actions: the calls that run now and can be told to stop, and what an action's own `inspect`
 * and `cancel` say of work that goes on elsewhere. Spec: INV-inspect, INV-cancel-request.
 */
import { TurnoverMap } from "@swl/base";
import type { CancelAnswer, InspectAnswer, Operation } from "../provider.js";
import type { ActionResult } from "./action.js";
import { answerOfResult, answerOfThrown } from "./answer.js";

/** The result as `run` would have returned it, or the word for what is known. Thrown `fail(…)`: ended without effect. */
export type InspectResult = ActionResult | "running" | "not-found" | "unknown";

/** What an action can say of work that it has begun. */
export interface OperationFunctions {
  /** What became of it; changes nothing. What it throws, unless `fail` made it: asked again later. */
  readonly inspect?: (
    operation: Operation,
    options: { readonly signal: AbortSignal },
  ) => InspectResult | Promise<InspectResult>;
  /** Asks it to stop, at least once. That it returns is the acknowledgement; what it throws: asked again later. */
  readonly cancel?: (operation: Operation, options: { readonly signal: AbortSignal }) => void | Promise<void>;
}

const words: ReadonlySet<unknown> = new Set(["running", "not-found", "unknown"]);

export async function inspected(
  { inspect }: OperationFunctions,
  operation: Operation,
  signal: AbortSignal,
): Promise<InspectAnswer> {
  if (inspect === undefined) return { kind: "unknown" };
  // Read as the end of a call that may not be repeated: what is no result is not known.
  const end = { action: operation.action, effect: "unsafe", untouched: false, signal };
  try {
    const said = await inspect(operation, { signal });
    if (words.has(said)) return { kind: said as "running" | "not-found" | "unknown" };
    const answer = answerOfResult(said, end);
    return answer.kind === "completed" ? answer : { kind: "unknown" };
  } catch (thrown) {
    const answer = answerOfThrown(thrown, end);
    if (answer.kind === "failed") return { kind: "failed", error: answer.error };
    const { message } = answer as { readonly message?: string };
    return { kind: "unavailable", ...(message !== undefined && { message }) };
  }
}

/** A call from its begin to its end. */
interface RunningCall {
  readonly signal: AbortSignal;
  readonly end: () => void;
}

/** The calls that run now in this process. */
export class Calls {
  readonly #running = new TurnoverMap<string, AbortController>();

  /** The signal of a call: that of the host, and of a request to stop. The answer ends it. */
  begin(call: { readonly invocation: string; readonly attempt: number }, host: AbortSignal): RunningCall {
    const name = nameOf(call);
    const controller = new AbortController();
    const stop = (): void => controller.abort(host.reason);
    if (host.aborted) stop();
    else host.addEventListener("abort", stop, { once: true });
    this.#running.set(name, controller);
    const end = (): void => {
      host.removeEventListener("abort", stop);
      if (this.#running.get(name) === controller) this.#running.delete(name);
    };
    return { signal: controller.signal, end };
  }

  async cancel(
    { cancel }: OperationFunctions,
    operation: Operation,
    signal: AbortSignal,
  ): Promise<CancelAnswer> {
    const running = this.#running.get(nameOf(operation));
    running?.abort(new DOMException("The run was asked to stop.", "AbortError"));
    if (cancel === undefined) {
      if (running !== undefined) return { kind: "acknowledged" };
      // Without a handle the call may run in another process, whose provider is asked in its turn.
      return { kind: operation.handle === undefined ? "unavailable" : "unsupported" };
    }
    try {
      await cancel(operation, { signal });
      return { kind: "acknowledged" };
    } catch {
      return running === undefined ? { kind: "unavailable" } : { kind: "acknowledged" };
    }
  }
}

function nameOf({ invocation, attempt }: { readonly invocation: string; readonly attempt: number }): string {
  return `${invocation}:${attempt}`;
}
