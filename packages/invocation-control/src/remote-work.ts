/**
 * Work that workers anywhere pull, as a port: the transport (an HTTP server) is written against it, a host's side
 * implements it. A worker claims attempts under a lease of their own, says that it is alive, and settles each once.
 * Spec: INV-worker-lease, INV-worker-settlement, INV-worker-queue.
 */
import type { Code, Json } from "@swl/base";
import type { Invocation, Provider, ProviderAnswer } from "./provider.js";

/** One attempt that a worker has claimed. */
export interface RemoteTask extends Invocation {
  /** The attempt's name in the store. */
  readonly task: string;
  /** Effect class of the action's contract: how a thrown error is read depends on it. */
  readonly effect: string;
  /** Milliseconds from the claim; the worker stops the attempt then and reports what it knows. */
  readonly attemptMs?: number;
  /** Milliseconds that the claim lasts from this answer on unless a heartbeat renews it. */
  readonly lease: number;
}

export interface WorkClaim {
  /** 1..128 printable ASCII characters: the name under which the worker holds its claims, also after its restart. */
  readonly worker: string;
  readonly actions: readonly string[];
  /** 1..100, default 1. */
  readonly limit?: number;
  /** Milliseconds, 1,000..3,600,000, default 30,000. */
  readonly lease?: number;
  /** Milliseconds to wait for work, 0..60,000, default 0. */
  readonly wait?: number;
}

export interface Heartbeat {
  readonly worker: string;
  readonly tasks: readonly string[];
  /** Milliseconds, as in a claim. */
  readonly lease?: number;
}

export interface HeartbeatAnswer {
  /** Renewed. */
  readonly held: readonly string[];
  /** Lost for good: whatever is still reported of them is evidence. */
  readonly lost: readonly string[];
  /** Held, but nobody wants them any more: what has not begun is released, what has is told to stop. */
  readonly stop: readonly string[];
}

export interface WorkSettlement {
  readonly run: string;
  readonly task: string;
  readonly answer: ProviderAnswer;
}

/**
 * `applied`: settled the attempt, at this position. `evidence`: the claim was lost before; kept, and it moves nothing by
 * itself. `refused`: nothing was written. The same settlement again has the same answer, `repeated`.
 */
export type SettlementAnswer =
  | {
      readonly kind: "applied" | "evidence";
      readonly task: string;
      /** Position in the run's log; absent when it is kept beside the log. */
      readonly position?: number;
      readonly repeated: boolean;
    }
  | { readonly kind: "refused"; readonly task: string; readonly code: Code; readonly message: string };

export interface RemoteWork {
  /** Waits at most `wait` milliseconds, or until the signal is aborted. Throws `request.invalid`. */
  claim(request: WorkClaim, options?: { readonly signal?: AbortSignal }): Promise<readonly RemoteTask[]>;
  heartbeat(request: Heartbeat): Promise<HeartbeatAnswer>;
  /** One answer for each, in order. */
  settle(worker: string, settlements: readonly WorkSettlement[]): Promise<readonly SettlementAnswer[]>;
  /** What a worker of this name holds, with its lease renewed: asked after a restart. */
  held(worker: string, lease?: number): Promise<readonly RemoteTask[]>;
  /** Gives tasks back that were not begun. */
  release(worker: string, tasks: readonly string[]): Promise<void>;
  /** Ends every wait. Twice is once. */
  close(): void;
}

export interface RemoteProviderOptions {
  /** The actions that workers somewhere serve. */
  readonly actions: readonly string[];
  /** Default `remote`; pinned with the run. */
  readonly id?: string;
}

/**
 * Binds actions to workers that pull. No host begins them: their attempts wait as work until a worker claims one
 * (INV-worker-queue).
 */
export function remoteWorkers({ actions, id = "remote" }: RemoteProviderOptions): Provider {
  const served = new Set(actions);
  const message = "The action is served by workers that pull; no host calls it.";
  const error: { code: string; message: string; details: Json } = {
    code: "binding.invalid",
    message,
    details: null,
  };
  return {
    id,
    remote: true,
    has: (action) => served.has(action),
    invoke: async () => ({ kind: "failed", error, retryable: true }),
  };
}
