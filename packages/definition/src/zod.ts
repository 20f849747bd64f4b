/**
 * The entry `./zod`: the schemas that validation is made of, beside the types of what they yield. For composing them
 * with schemas of your own; needs zod installed. They take JSON (what `readJson` and `toJson` return) without `x-…`
 * members, and say structure only: `validate` is what accepts a definition.
 */

// Documents, nodes of any kind
export { definition, node, retryPolicy, settings } from "./document-schemas.js";
// JSON Schema
export { definitionJsonSchema, settingsJsonSchema } from "./json-schema.js";
// Types
export type {
  ActionContract,
  ActivityNode,
  AwaitSignalNode,
  AwaitTimerNode,
  ChoiceNode,
  CompleteNode,
  Deadline,
  Definition,
  Dialects,
  FailNode,
  Limits,
  Meta,
  Node,
  RetryPolicy,
} from "./model.js";
// Schemas
export {
  actionContract,
  activityNode,
  awaitSignalNode,
  awaitTimerNode,
  choiceNode,
  completeNode,
  deadline,
  dialects,
  failNode,
  limits,
  meta,
} from "./schemas.js";
