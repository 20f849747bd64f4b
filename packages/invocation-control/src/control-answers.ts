/**
 * What the control plane answers: how far a request got, and no further. Spec: INV-answers.
 */
import type { Code, Json } from "@swl/base";
import type { EdgeView, RunResult, RunView } from "./control-views.js";

export interface Accepted {
  readonly run: string;
  /** As it was given. Absent: of a start without a start key, which nobody can ask for again. */
  readonly requestId?: string;
  /** Position in the run's log. */
  readonly position: number;
  /** True when the same request had been accepted before: this is its first receipt. */
  readonly repeated: boolean;
}

export interface Refused {
  readonly kind: "refused";
  readonly run: string;
  readonly requestId?: string;
  readonly code: Code;
  readonly message: string;
}

/**
 * `received`: it came, and the store's answer was lost: it may be in the log or not, and asking again under the same
 * ID tells. `accepted`: durably in the log, will be applied. `applied`: a commit applied it; `effect: "none"` with a
 * code when nothing moved. `finished`: applied, and the run has ended. `refused`: judged before acceptance, nothing was
 * written, may be asked again. Of a start or a redrive `run` is the new run. A start without a start key has no ID: its
 * answer names none, and one that was `received` cannot be asked for again.
 */
export type ControlAnswer =
  | {
      readonly kind: "received";
      readonly run: string;
      readonly requestId?: string;
      readonly code: Code;
      readonly message: string;
    }
  | ({ readonly kind: "accepted" } & Accepted)
  | ({ readonly kind: "applied"; readonly effect: "moved" | "buffered" } & Accepted)
  | ({
      readonly kind: "applied";
      readonly effect: "none";
      readonly code: Code;
      readonly message: string;
    } & Accepted)
  | ({ readonly kind: "finished"; readonly result: RunResult } & Accepted)
  | Refused;

/** A published definition. */
export interface Publication {
  readonly name: string;
  /** From 1, one more with every publication of the name. */
  readonly revision: number;
  /** `sha256:…` */
  readonly definition: string;
  readonly workflow: string;
  readonly at: number;
  readonly by?: string;
}

export type PublishAnswer =
  | ({
      readonly kind: "applied";
      readonly requestId: string;
      readonly repeated: boolean;
    } & Publication)
  | {
      readonly kind: "refused" | "received";
      readonly name: string;
      readonly requestId: string;
      readonly code: Code;
      readonly message: string;
    };

/** What a request would do if it were accepted now, after everything that waits already. Nothing was written. */
export interface DryRun {
  readonly operation: string;
  /** Empty for a run that does not exist yet. */
  readonly run: string;
  /** `unknown`: nobody here can say; a host judges it when it applies it. */
  readonly effect: "moved" | "buffered" | "none" | "refused" | "unknown";
  /** With `none`, `refused` and `unknown`. */
  readonly code?: Code;
  readonly message?: string;
  /** Status word before and after; absent where there is none. */
  readonly before?: string;
  readonly after?: string;
  readonly edges: readonly EdgeView[];
  /** The commands that would be authorized, as the model says them, masked. */
  readonly commands: readonly Json[];
  readonly view?: RunView;
  /** Of a publication: the revision that it would get. */
  readonly revision?: number;
}

export interface BulkItem {
  readonly run: string;
  readonly workflow: string;
  /** A receipt of its own; a dry run where nothing was to be written. */
  readonly answer: ControlAnswer | ({ readonly kind: "dry-run" } & DryRun);
}

export interface BulkAnswer {
  /** The runs that the filter holds for, newest first. */
  readonly items: readonly BulkItem[];
  /** Runs looked at. */
  readonly looked: number;
  /** Absent: every run was looked at. */
  readonly next?: string;
}
