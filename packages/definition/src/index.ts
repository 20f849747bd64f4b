// Model

// Builder
export type { DefineInput } from "./builder/define-workflow.js";
export { defineWorkflow } from "./builder/define-workflow.js";
export type { SchemaInput, StandardJsonSchema } from "./builder/standard-schema.js";
export type {
  ActionsOf,
  ActionTypes,
  InputOf,
  OutcomesOf,
  OutputOf,
  ParametersOf,
  TypedDefinition,
  TypesOf,
  WorkflowTypes,
} from "./builder/typed-definition.js";
export type { ActionInput, ActionSet, NodeInput, NodeSet } from "./builder/workflow-input.js";
// Names
export { isId, isOutcomeName, ranges, reservedOutcomes } from "./grammar.js";
// Identity
export { canonicalDefinition, contractDigest, definitionDigest } from "./identity.js";
export type {
  ActionContract,
  ActivityNode,
  AwaitSignalNode,
  AwaitTimerNode,
  ChoiceCase,
  ChoiceNode,
  CompleteNode,
  Deadline,
  Definition,
  Dialects,
  Digest,
  Effect,
  FailNode,
  Id,
  JsonSchema,
  Limits,
  LogicRule,
  LoopLimits,
  Mapping,
  Meta,
  Node,
  NodeKind,
  OutcomeName,
  RetryPolicy,
  Routes,
  Time,
} from "./model.js";
export type { ReadDefinitionOptions } from "./read-definition.js";
export { readDefinition } from "./read-definition.js";
export type { PartName, ProfileName } from "./registry.js";
export { partNamed, parts, profileNamed, profiles } from "./registry.js";
// Validation
export type { ValidateOptions } from "./validate.js";
export { definitionDefaults, validate } from "./validate.js";
