// Model

// Builder
export type { ActionInput, DefineInput, NodeInput } from "./define-workflow.js";
export { defineWorkflow } from "./define-workflow.js";
// Names
export { isId, isOutcomeName, ranges, reservedOutcomes } from "./grammar.js";
// Identity
export { canonicalDefinition, contractDigest, definitionDigest } from "./identity.js";
export type {
  ActionContract,
  ActivityNode,
  AwaitSignalNode,
  CompleteNode,
  Definition,
  Dialects,
  Digest,
  Effect,
  FailNode,
  Id,
  JsonSchema,
  Limits,
  LoopLimits,
  Mapping,
  Meta,
  Node,
  NodeKind,
  OutcomeName,
  RetryPolicy,
  Routes,
} from "./model.js";
export type { ReadDefinitionOptions } from "./read-definition.js";
export { readDefinition } from "./read-definition.js";
export type { PartName, ProfileName } from "./registry.js";
export { partNamed, parts, profileNamed, profiles } from "./registry.js";
// Validation
export type { ValidateOptions } from "./validate.js";
export { definitionDefaults, validate } from "./validate.js";
