/**
 * The members of a definition as data: what each is about, and whether it is compared as one thing or part by part.
 * A member that no rule names is compared as one thing, so that no change of meaning can go unseen.
 */

/** What a change is about. */
export type ChangeSubject =
  | "name"
  | "requirement"
  | "dialect"
  | "start"
  | "limit"
  | "sensitivity"
  | "schema"
  | "node"
  | "call"
  | "route"
  | "loop-limit"
  | "mapping"
  | "parameters"
  | "signal"
  | "time"
  | "choice"
  | "error-code"
  | "action"
  | "contract-version"
  | "outcome"
  | "effect"
  | "retry"
  | "timeout"
  | "capability"
  | "answering"
  | "other";

export interface Rule {
  readonly subject: ChangeSubject;
  /** Members that are compared apart, by name. */
  readonly members?: { readonly [name: string]: Rule };
  /** Every other member is compared apart; its key is a name. */
  readonly each?: Rule;
  /** Added and removed as one thing. */
  readonly whole?: boolean;
  /** Where this member differs nothing else is comparable. */
  readonly tag?: string;
  /** Members that come after all others. */
  readonly last?: readonly string[];
}

const of = (subject: ChangeSubject): Rule => ({ subject });
const eachOf = (subject: ChangeSubject): Rule => ({ subject, each: { subject } });
const other = of("other");

const node: Rule = {
  subject: "node",
  whole: true,
  tag: "kind",
  each: other,
  members: {
    action: of("call"),
    input: of("mapping"),
    output: of("mapping"),
    parameters: of("parameters"),
    routes: eachOf("route"),
    loopLimits: eachOf("loop-limit"),
    signal: of("signal"),
    after: of("time"),
    until: of("time"),
    deadline: of("time"),
    cases: of("choice"),
    otherwise: of("choice"),
    payloads: eachOf("schema"),
    sensitive: of("sensitivity"),
    error: {
      subject: "mapping",
      each: other,
      members: { code: of("error-code"), message: of("mapping"), details: of("mapping") },
    },
  },
};

const contract: Rule = {
  subject: "action",
  whole: true,
  each: other,
  members: {
    version: of("contract-version"),
    inputSchema: of("schema"),
    parametersSchema: of("schema"),
    outcomes: {
      subject: "outcome",
      each: { subject: "outcome", whole: true, each: other, members: { outputSchema: of("schema") } },
    },
    effect: of("effect"),
    retry: eachOf("retry"),
    onExhausted: of("effect"),
    timeouts: eachOf("timeout"),
    capabilities: of("capability"),
    deferred: of("answering"),
    cancellation: of("answering"),
    limits: eachOf("limit"),
    sensitive: of("sensitivity"),
  },
};

export const definitionRule: Rule = {
  subject: "other",
  each: other,
  last: ["nodes", "actions"],
  members: {
    id: of("name"),
    requires: of("requirement"),
    dialects: eachOf("dialect"),
    inputSchema: of("schema"),
    outputSchema: of("schema"),
    start: of("start"),
    nodes: { subject: "node", each: node },
    actions: { subject: "action", each: contract },
    limits: eachOf("limit"),
    sensitive: of("sensitivity"),
  },
};
