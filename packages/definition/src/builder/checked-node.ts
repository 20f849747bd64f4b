/**
 * What a node may be among these actions and nodes. Every node is checked by itself and by its own kind, so that the
 * compiler says what is wrong with it and does not list what all others could be. Where a name is not allowed, its
 * type is a sentence: the editor shows it. Spec: DEF-routes-complete, DEF-exhausted-route, DEF-loop-limits.
 */
import type { Json } from "@swl/base";
import type { CheckedMapping } from "./checked-mapping.js";
import type { SchemaInput, TypeOf } from "./standard-schema.js";
import type {
  ActionInput,
  ActionSet,
  ActivityInput,
  AwaitSignalInput,
  AwaitTimerInput,
  ChoiceInput,
  CompleteInput,
  FailInput,
  NodeInput,
} from "./workflow-input.js";

/** What all nodes of a workflow are checked against. */
export interface Around {
  readonly actions: ActionSet;
  readonly target: string;
  readonly context: unknown;
  readonly output: unknown;
}

/**
 * All nodes, each checked by itself. The branch that is never taken tells the compiler to infer the nodes as they are
 * written: TypeScript before 7 infers them from the checked form, and then finds nothing wrong.
 */
export type CheckedNodes<Nodes, In extends Around> = [Nodes] extends [never]
  ? Nodes
  : { readonly [Id in keyof Nodes]: CheckedNode<Nodes[Id], In> };

/** The node itself where it fits, or where its routes are not known; where not, the nearest thing that would. */
type CheckedNode<Node, In extends Around> = Node extends { readonly kind: infer Kind }
  ? string extends keyof RoutesIn<Node>
    ? Node
    : CheckedByKind<Node, Kind, In>
  : Node extends NodeInput
    ? Node
    : NodeInput;

type CheckedByKind<Node, Kind, In extends Around> = Kind extends keyof MembersByKind<Node, In>
  ? MembersByKind<Node, In>[Kind]
  : NodeInput;

interface MembersByKind<Node, In extends Around> {
  readonly activity: CheckedActivity<Node, In>;
  readonly "await-signal": Fitting<Node, AwaitSignalInput, AwaitSignalMembers<Node, In>>;
  readonly "await-timer": Fitting<Node, AwaitTimerInput, TimerMembers<Node, In>>;
  readonly choice: Fitting<Node, ChoiceInput, ChoiceMembers<Node, In>>;
  readonly complete: Fitting<Node, CompleteInput, MappingMember<Node, "output", In["context"], In["output"]>>;
  readonly fail: Fitting<Node, FailInput, FailMembers<Node, In["context"]>>;
}

/** The members of a kind, some of them checked, and a sentence for every other that stands there. */
type Fitting<Node, Kind extends object, Checked> = Flat<
  Omit<Kind, keyof Checked> &
    Checked & { readonly [Member in Exclude<keyof Node, keyof Kind>]: "there is no such member here" }
>;

type CheckedActivity<Node, In extends Around> = Node extends { readonly action: infer Action }
  ? string extends Action
    ? Node
    : Action extends keyof In["actions"] & string
      ? Fitting<Node, ActivityInput, ActivityMembers<Node, Action, In["actions"][Action], In>>
      : Flat<Omit<ActivityInput, "action"> & { readonly action: keyof In["actions"] & string }>
  : ActivityInput;

type ActivityMembers<Node, Action extends string, Contract extends ActionInput, In extends Around> = {
  readonly action: Action;
  readonly routes: Flat<
    RoutesOf<Node, OutcomeOf<Contract>, In["target"]> & { readonly failed?: In["target"] } & Unrouted<
        Exclude<keyof RoutesIn<Node>, OutcomeOf<Contract> | "failed">,
        `the action ${Action}`
      >
  >;
} & LoopLimitsMember<Node, OutcomeOf<Contract> | "failed"> &
  MappingMember<Node, "input", In["context"], TypeOf<Contract["inputSchema"], "input">> &
  ParametersMember<TypeOf<Contract["parametersSchema"], "input">>;

type AwaitSignalMembers<Node, In extends Around> = {
  readonly routes: Flat<
    RoutesOf<Node, Exclude<keyof RoutesIn<Node>, "exhausted"> | DeadlineOutcome<Node>, In["target"]>
  >;
  readonly payloads?: {
    readonly [Outcome in keyof MemberOr<Node, "payloads", object>]: Outcome extends keyof RoutesIn<Node>
      ? SchemaInput
      : `${Text<Outcome>} has no route`;
  };
} & LoopLimitsMember<Node, keyof RoutesIn<Node>> &
  DeadlineMember<Node, In["context"]>;

type DeadlineOutcome<Node> = Node extends { readonly deadline: { readonly outcome: infer Outcome } }
  ? Extract<Outcome, string>
  : never;

type DeadlineMember<Node, Context> = Node extends { readonly deadline: infer Deadline }
  ? { readonly deadline: Flat<{ readonly outcome: string } & TimeMembers<Deadline, Context>> }
  : unknown;

type TimerMembers<Node, In extends Around> = {
  readonly routes: Flat<
    { readonly elapsed: In["target"] } & Unrouted<Exclude<keyof RoutesIn<Node>, "elapsed">, "a timer">
  >;
} & TimeMembers<Node, In["context"]>;

/** Exactly one of the two. */
type TimeMembers<Node, Context> = Node extends { readonly after: infer After }
  ? {
      readonly after: CheckedMapping<After, Context, string>;
      readonly until?: "either after or until is said";
    }
  : Node extends { readonly until: infer Until }
    ? { readonly after?: never; readonly until: CheckedMapping<Until, Context, string> }
    : { readonly after: string };

type ChoiceMembers<Node, In extends Around> = {
  readonly routes: Flat<
    { readonly [Outcome in ChoiceOutcome<Node>]: In["target"] } & Unrouted<
      Exclude<keyof RoutesIn<Node>, ChoiceOutcome<Node>>,
      "the choice"
    >
  >;
};

type ChoiceOutcome<Node> = Node extends {
  readonly cases: readonly { readonly outcome: infer Outcome extends string }[];
  readonly otherwise: infer Otherwise extends string;
}
  ? Outcome | Otherwise
  : string;

type FailMembers<Node, Context> = Node extends { readonly error: infer Failure }
  ? {
      readonly error: Fitting<
        Failure,
        FailInput["error"],
        MappingMember<Failure, "message", Context, string> &
          MappingMember<Failure, "details", Context, unknown>
      >;
    }
  : unknown;

/** Each outcome once, and `exhausted` exactly beside loop limits. */
type RoutesOf<Node, Outcome extends PropertyKey, Target> = {
  readonly [O in Outcome]: Target;
} & (Node extends { readonly loopLimits: object }
  ? { readonly exhausted: Target }
  : { readonly exhausted?: "exhausted is routed only where loopLimits stand" });

type Unrouted<Outcome, Whose extends string> = {
  readonly [O in Exclude<Outcome, "exhausted"> & string]: `${Whose} has no outcome ${O}`;
};

type LoopLimitsMember<Node, Routed> = {
  readonly loopLimits?: Flat<
    { readonly [Outcome in Exclude<Routed, "exhausted"> & string]?: number } & {
      readonly [Outcome in Exclude<
        keyof MemberOr<Node, "loopLimits", object>,
        Exclude<Routed, "exhausted">
      >]: `${Text<Outcome>} has no route`;
    }
  >;
};

/** A mapping for a type: it may be left out where nothing, which is `null`, fits. */
type MappingMember<Node, Member extends string, Context, Expected> = Node extends {
  readonly [M in Member]: infer Mapping;
}
  ? { readonly [M in Member]: CheckedMapping<Mapping, Context, Expected> }
  : unknown extends (Member extends keyof Node ? unknown : Expected)
    ? { readonly [M in Member]?: Json }
    : null extends Expected
      ? { readonly [M in Member]?: Expected }
      : { readonly [M in Member]: Expected };

type ParametersMember<Expected> = unknown extends Expected
  ? { readonly parameters?: Json }
  : null extends Expected
    ? { readonly parameters?: Expected }
    : { readonly parameters: Expected };

type OutcomeOf<Contract extends ActionInput> = Extract<keyof Contract["outcomes"], string>;
type RoutesIn<Node> = MemberOr<Node, "routes", object>;
type MemberOr<Type, Member extends string, Otherwise> = Member extends keyof Type
  ? NonNullable<Type[Member]>
  : Otherwise;
type Text<Name> = `${Name & string}`;
/** One object type, which the compiler prints member by member and not as what it was made of. */
type Flat<Type> = { [Key in keyof Type]: Type[Key] } & {};
