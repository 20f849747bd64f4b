/**
 * Who may do what: one question for each operation, asked before anything is read. Spec: INV-authorization.
 */
import type { ChangingOperation } from "./control-requests.js";

export type ReadingOperation =
  | "result"
  | "status"
  | "list"
  | "history"
  | "why"
  | "path"
  | "definition"
  | "published"
  | "verify";

export type ControlOperation = ChangingOperation | ReadingOperation;

/** What somebody wants to do. */
export interface Access {
  readonly operation: ControlOperation;
  /** Absent where the operation is about no one run. */
  readonly run?: string;
  /** With `publish`, `published` and a start by name. */
  readonly name?: string;
  /** Nothing is written; what would happen is told. */
  readonly dryRun: boolean;
  /** Marked values are to be shown. */
  readonly reveal: boolean;
}

/** False: denied, as `request.unauthorized`. What it throws is thrown on. */
export type Authorize = (access: Access) => boolean | Promise<boolean>;
