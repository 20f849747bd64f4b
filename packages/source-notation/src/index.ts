// Reading one file

// Compiling a source folder
export { type Compiled, type CompileOptions, compileSources } from "./compile/compile.js";
export type { Sources } from "./compile/sources.js";
export { renderAttributes, semanticAttributes } from "./dot/attributes.js";
export { nodeKinds, type PresentationAttribute } from "./dot/graph.js";
export { DEFAULT_MAX_DOT_BYTES, type ParseDotOptions, parseDot } from "./dot/parse.js";
export type {
  DotAssignment,
  DotAttribute,
  DotComment,
  DotDefaults,
  DotDocument,
  DotEdge,
  DotNode,
  DotStatement,
  DotToken,
  DotTokenKind,
  DotTokenRange,
  DotTokens,
} from "./dot/tree.js";
// Editing
export { edit, type PlanOptions, planEdit } from "./edit/edit.js";
export { editSources } from "./edit/edit-sources.js";
export type { EditAttributes, EditElement, EditOperation } from "./edit/operation.js";
export { applyChanges, type TextChange } from "./edit/text-change.js";
// Layout
export { format } from "./format/format.js";
// Printing a definition
export { type Printed, type PrintOptions, print } from "./print/print.js";
