/**
 * What mappings of a workflow can read, as types: the input, the latest result of each node, the route taken, the run.
 * Spec: EXE-mapping-context.
 */
import type { Scope } from "./checked-mapping.js";
import type { TypeOf } from "./standard-schema.js";
import type { ActionInput, ActionSet } from "./workflow-input.js";

/** The types of an action, as the contract's schemas say them. */
export interface TypesOfAction<Contract extends ActionInput> {
  readonly input: TypeOf<Contract["inputSchema"], "input">;
  readonly parameters: TypeOf<Contract["parametersSchema"], "input">;
  readonly outcomes: {
    readonly [Outcome in keyof Contract["outcomes"] & string]: TypeOf<
      Contract["outcomes"][Outcome]["outputSchema"],
      "output"
    >;
  };
}

/** The scope of all mappings of a workflow. */
export interface ScopeOf<Input, Actions extends ActionSet, Nodes> extends Scope {
  readonly input: Input;
  readonly nodes: {
    readonly [Id in keyof Nodes]: {
      readonly outcome: string;
      readonly output: ResultOf<Nodes[Id], Actions>;
      readonly visit: number;
    };
  };
}

/** Any of the results that a node may leave: known where the schemas of all its outcomes are. */
type ResultOf<Node, Actions extends ActionSet> = Node extends {
  readonly kind: "activity";
  readonly action: infer Action extends keyof Actions & string;
}
  ? OutputOfRoutes<Node, TypesOfAction<Actions[Action]>["outcomes"]>
  : Node extends { readonly kind: "await-signal"; readonly routes: infer Routes }
    ? PayloadOfRoutes<Node, keyof Routes>
    : unknown;

/** What a failed route records. A mapped type: the compiler lists its keys, and would only name an interface. */
type Failure = {
  readonly [Key in "code" | "details" | "message"]: Key extends "details" ? unknown : string;
};

type OutputOfRoutes<Node, Outputs> =
  | Outputs[keyof Outputs]
  | (Node extends { readonly routes: { readonly failed: unknown } } ? Failure : never);

type PayloadOfRoutes<Node, Outcome> = Node extends { readonly payloads: infer Payloads }
  ? Outcome extends "exhausted"
    ? never
    : Outcome extends keyof Payloads
      ? TypeOf<Payloads[Outcome], "input">
      : unknown
  : unknown;
