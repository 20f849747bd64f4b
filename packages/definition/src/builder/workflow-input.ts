/**
 * What an author writes: the types of a workflow, its actions and nodes, before anything is known of how they fit
 * together. `checked-node.ts` says what fits.
 */
import type { Json } from "@swl/base";
import type {
  ActionContract,
  Definition,
  Dialects,
  Effect,
  Id,
  Limits,
  LogicRule,
  Mapping,
  Meta,
  RetryPolicy,
} from "../model.js";
import type { SchemaInput } from "./standard-schema.js";

type SchemaMember = "inputSchema" | "parametersSchema" | "outcomes";

/** A contract as it is written: outcomes and effect are said, everything else has a default. */
export interface ActionInput extends Partial<Omit<ActionContract, SchemaMember | "effect" | "retry">> {
  readonly inputSchema?: SchemaInput;
  readonly parametersSchema?: SchemaInput;
  readonly outcomes: { readonly [outcome: string]: { readonly outputSchema?: SchemaInput } };
  readonly effect: Effect;
  readonly retry?: Partial<RetryPolicy>;
}

export interface ActionSet {
  readonly [id: Id]: ActionInput;
}

type RoutesInput = { readonly [outcome: string]: Id };
type LimitsInput = { readonly [outcome: string]: number };

/** One call of an action. */
export interface ActivityInput {
  readonly kind: "activity";
  readonly action: Id;
  readonly input?: Mapping;
  readonly parameters?: Json;
  readonly routes: RoutesInput;
  readonly loopLimits?: LimitsInput;
}

/** A wait for somebody's word. */
export interface AwaitSignalInput {
  readonly kind: "await-signal";
  readonly signal: string;
  readonly routes: RoutesInput;
  readonly payloads?: { readonly [outcome: string]: SchemaInput };
  readonly loopLimits?: LimitsInput;
  readonly sensitive?: { readonly payloads?: { readonly [outcome: string]: readonly string[] } };
  /** Profile `timers`. */
  readonly deadline?: TimeInput & { readonly outcome: string };
}

/** Exactly one of the two: a duration or an instant, or a mapping that yields one. */
interface TimeInput {
  readonly after?: Mapping;
  readonly until?: Mapping;
}

/** A wait for a time. Profile `timers`. */
export interface AwaitTimerInput extends TimeInput {
  readonly kind: "await-timer";
  readonly routes: RoutesInput;
}

/** The first case that holds. Profile `expressions-jsonlogic`. */
export interface ChoiceInput {
  readonly kind: "choice";
  readonly cases: readonly { readonly when: LogicRule; readonly outcome: string }[];
  readonly otherwise: string;
  readonly routes: RoutesInput;
}

/** The end that was wanted. */
export interface CompleteInput {
  readonly kind: "complete";
  readonly output?: Mapping;
}

/** The other end. */
export interface FailInput {
  readonly kind: "fail";
  readonly error: { readonly code: string; readonly message: Mapping; readonly details?: Mapping };
}

/** A node as it is written. */
export type NodeInput =
  | ActivityInput
  | AwaitSignalInput
  | AwaitTimerInput
  | ChoiceInput
  | CompleteInput
  | FailInput;

export interface NodeSet {
  readonly [id: Id]: NodeInput;
}

/** The members of a workflow that need nothing of each other. */
export interface WorkflowFrame {
  readonly id: Id;
  readonly version?: string;
  /** Default `core`, and `buffered-signals` where a node waits for a signal. Other profiles are said. */
  readonly requires?: readonly string[];
  readonly hints?: readonly string[];
  /** Each by itself. Default: JSON Schema 2020-12 (`null`: none declared), binary64 numbers, minimal mappings. */
  readonly dialects?: Partial<Omit<Dialects, "schema">> & { readonly schema?: Dialects["schema"] | null };
  readonly limits?: Partial<Limits>;
  readonly sensitive?: Definition["sensitive"];
  readonly meta?: Meta;
  readonly [extension: `x-${string}`]: Json;
}
