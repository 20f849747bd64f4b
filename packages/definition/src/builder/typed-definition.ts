/**
 * A definition that remembers, for the compiler only, the types its schemas say: whoever implements its actions or
 * starts it takes them from there and never writes them twice. Nothing of this exists at run time.
 */
import type { Definition } from "../model.js";

/** What a workflow says about its data. `unknown` where no schema, or a plain JSON Schema, stands. */
export interface WorkflowTypes {
  /** What a run is started with. */
  readonly input: unknown;
  /** What a completed run yields. */
  readonly output: unknown;
  readonly actions: { readonly [action: string]: ActionTypes };
}

export interface ActionTypes {
  readonly input: unknown;
  readonly parameters: unknown;
  /** Outcome → output. */
  readonly outcomes: { readonly [outcome: string]: unknown };
}

/** What `defineWorkflow` returns: a normalized definition like any other, with its types. */
export interface TypedDefinition<Types extends WorkflowTypes = WorkflowTypes> extends Definition {
  /** Never there at run time. */
  readonly "~types"?: Types;
}

/** The types of a definition; those of one that was read from a file say nothing. */
export type TypesOf<Workflow extends Definition> = Workflow extends { readonly "~types"?: infer Types }
  ? Extract<Types, WorkflowTypes> extends never
    ? WorkflowTypes
    : Extract<Types, WorkflowTypes>
  : WorkflowTypes;

/** The names of the actions. */
export type ActionsOf<Workflow extends Definition> = Extract<keyof TypesOf<Workflow>["actions"], string>;

/** The outcomes of an action. */
export type OutcomesOf<Workflow extends Definition, Action extends ActionsOf<Workflow>> = Extract<
  keyof TypesOf<Workflow>["actions"][Action]["outcomes"],
  string
>;

/** What a run is started with or, with an action named, what that action is given. */
export type InputOf<Workflow extends Definition, Action extends ActionsOf<Workflow> = never> = [
  Action,
] extends [never]
  ? TypesOf<Workflow>["input"]
  : TypesOf<Workflow>["actions"][Action]["input"];

/** The static parameters of an action. */
export type ParametersOf<
  Workflow extends Definition,
  Action extends ActionsOf<Workflow>,
> = TypesOf<Workflow>["actions"][Action]["parameters"];

/** What a completed run yields or, with an action named, what that action yields (with one of its outcomes). */
export type OutputOf<
  Workflow extends Definition,
  Action extends ActionsOf<Workflow> = never,
  Outcome extends OutcomesOf<Workflow, Action> = OutcomesOf<Workflow, Action>,
> = [Action] extends [never]
  ? TypesOf<Workflow>["output"]
  : TypesOf<Workflow>["actions"][Action]["outcomes"][Outcome];
