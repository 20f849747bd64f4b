// SWL core
export { core } from "./core.js";
export type { CoreState } from "./draft.js";
// Limits
export { maxCallEvidence, maxRunEvidence } from "./evidence.js";
export { maxHandle } from "./head.js";
// Model interface
export type {
  AcceptedEvent,
  ActionRequirement,
  AskCommand,
  Blocker,
  Changes,
  Command,
  Disposition,
  Edge,
  Effect,
  ErrorData,
  EventBody,
  EventStamp,
  EvidenceResolution,
  ExecutionModel,
  InvokeCommand,
  ModelView,
  Outstanding,
  Requirements,
  StateDocument,
  Transition,
  UnknownReason,
} from "./model.js";
export type { CorePrepared } from "./prepared.js";
export { maxRunIdLength } from "./start.js";
export { maxUnsettled } from "./unsettled.js";
