/**
 * The functions of a workflow, as its definition types them: `defineWorkflow` remembers what its schemas say, and the
 * compiler holds every function to it. Read structurally, so that nothing of the definition is needed here.
 */
import type { Json } from "@swl/base";
import type { AcceptedResult, ActionContext } from "./action.js";
import type { OperationFunctions } from "./operations.js";
import type { ActionFunctions } from "./provider.js";

/** A definition with types (`TypedDefinition`); one that was read from a file has none. */
interface Typed {
  readonly "~types"?: { readonly actions: { readonly [action: string]: ActionTypes } };
}

interface ActionTypes {
  readonly input: unknown;
  readonly parameters: unknown;
  readonly outcomes: { readonly [outcome: string]: unknown };
}

/**
 * One function for each action of a workflow: input and parameters as its schemas say, one of its outcomes with the
 * output of that. Of a workflow without types: any functions. A provider of some of them takes a
 * `Pick<FunctionsOf<typeof workflow>, "charge">`.
 */
export type FunctionsOf<Workflow> = Workflow extends {
  readonly "~types"?: { readonly actions: infer Actions extends NonNullable<Typed["~types"]>["actions"] };
}
  ? { readonly [Action in keyof Actions & string]: FunctionOf<Actions[Action]> | BindingOf<Actions[Action]> }
  : ActionFunctions;

interface BindingOf<Types extends ActionTypes> extends OperationFunctions {
  readonly run: FunctionOf<Types>;
  readonly begins?: "explicit";
}

type FunctionOf<Types extends ActionTypes> = {
  // A method signature, so that a narrower annotation of `input` is accepted.
  call(
    input: Types["input"],
    context: ActionContext<unknown extends Types["parameters"] ? Json : Types["parameters"]>,
  ): ResultOf<Types> | AcceptedResult | Promise<ResultOf<Types> | AcceptedResult>;
}["call"];

/** `output` may be left out where `null`, or nothing in particular, is expected. */
type ResultOf<Types extends ActionTypes> = {
  [Outcome in keyof Types["outcomes"] & string]: null extends Types["outcomes"][Outcome]
    ? { readonly outcome: Outcome; readonly output?: Types["outcomes"][Outcome] }
    : { readonly outcome: Outcome; readonly output: Types["outcomes"][Outcome] };
}[keyof Types["outcomes"] & string];
