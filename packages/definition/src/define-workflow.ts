/**
 * The typed builder: a workflow as a TypeScript object in which the compiler already refuses a missing route, an
 * unknown outcome, action or target. What comes out is the same normalized definition that a file gives.
 * Spec: DEF-normalized.
 */
import { type Json, quoted, raise } from "@swl/base";
import type {
  ActionContract,
  Definition,
  Effect,
  Id,
  JsonSchema,
  Limits,
  Mapping,
  Meta,
  RetryPolicy,
} from "./model.js";
import { definitionDefaults, validate } from "./validate.js";

/** A contract as it is written: outcomes and effect are said, everything else has a default. */
export interface ActionInput extends Partial<Omit<ActionContract, "outcomes" | "effect" | "retry">> {
  readonly outcomes: { readonly [outcome: string]: { readonly outputSchema?: JsonSchema } };
  readonly effect: Effect;
  readonly retry?: Partial<RetryPolicy>;
}

type OutcomesOf<A extends ActionInput> = Extract<keyof A["outcomes"], string>;

/** Routes with and without loop limits: `exhausted` is drawn exactly when a limit is set. */
type Routed<Outcomes extends string, Target extends string> =
  | {
      readonly routes: { readonly [O in Outcomes]: Target } & {
        readonly failed?: Target;
        readonly exhausted?: never;
      };
      readonly loopLimits?: never;
    }
  | {
      readonly routes: { readonly [O in Outcomes]: Target } & {
        readonly failed?: Target;
        readonly exhausted: Target;
      };
      readonly loopLimits: { readonly [O in Outcomes | "failed"]?: number };
    };

type ActivityInput<Actions extends { readonly [id: string]: ActionInput }, Target extends string> = {
  readonly [A in Extract<keyof Actions, string>]: {
    readonly kind: "activity";
    readonly action: A;
    readonly input?: Mapping;
    readonly parameters?: Json;
  } & Routed<OutcomesOf<Actions[A]>, Target>;
}[Extract<keyof Actions, string>];

interface AwaitSignalInput<Target extends string> {
  readonly kind: "await-signal";
  readonly signal: string;
  readonly routes: { readonly [outcome: string]: Target };
  readonly payloads?: { readonly [outcome: string]: JsonSchema };
  readonly loopLimits?: { readonly [outcome: string]: number };
}

interface CompleteInput {
  readonly kind: "complete";
  readonly output?: Mapping;
}

interface FailInput {
  readonly kind: "fail";
  readonly error: { readonly code: string; readonly message: Mapping; readonly details?: Mapping };
}

/** A node as it is written, for a set of actions and of targets. */
export type NodeInput<Actions extends { readonly [id: string]: ActionInput }, Target extends string> =
  | ActivityInput<Actions, Target>
  | AwaitSignalInput<Target>
  | CompleteInput
  | FailInput;

/** What `defineWorkflow` takes. */
export interface DefineInput<Actions extends { readonly [id: string]: ActionInput }, NodeId extends string> {
  readonly id: Id;
  readonly version?: string;
  /** Default `["core"]`. */
  readonly requires?: readonly string[];
  readonly hints?: readonly string[];
  /** Default: JSON Schema 2020-12, binary64 numbers, minimal mappings. */
  readonly dialects?: Definition["dialects"];
  readonly inputSchema?: JsonSchema;
  readonly outputSchema?: JsonSchema;
  readonly start: NoInfer<NodeId>;
  readonly actions?: Actions;
  readonly nodes: { readonly [N in NodeId]: NodeInput<NoInfer<Actions>, NoInfer<NodeId>> };
  readonly limits?: Partial<Limits>;
  readonly sensitive?: Definition["sensitive"];
  readonly meta?: Meta;
}

/**
 * The normalized definition of a workflow written in TypeScript. Throws `definition.invalid`, with all findings, for
 * what the types cannot see (an unreachable node, a wrong mapping).
 */
export function defineWorkflow<
  const Actions extends { readonly [id: string]: ActionInput },
  const NodeId extends string,
>(input: DefineInput<Actions, NodeId>): Definition {
  const outcome = validate({ ...definitionDefaults, ...input });
  if (outcome.ok) return outcome.value;
  // The types promise an object with a name; a caller without types may have neither.
  const id: unknown = (input as { readonly id?: unknown } | null | undefined)?.id;
  const name = typeof id === "string" ? ` ${quoted(id)}` : "";
  raise("definition.invalid", `the workflow${name} is not valid`, outcome.findings);
}
