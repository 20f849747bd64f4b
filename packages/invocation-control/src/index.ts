// Provider contract

export type {
  AskOptions,
  CancelAnswer,
  ErrorReport,
  InspectAnswer,
  Invocation,
  InvokeOptions,
  Operation,
  Provider,
  ProviderAbility,
  ProviderAnswer,
} from "./provider.js";
export { keepable } from "./reading/text.js";

// Remote workers

export type {
  Heartbeat,
  HeartbeatAnswer,
  RemoteProviderOptions,
  RemoteTask,
  RemoteWork,
  SettlementAnswer,
  WorkClaim,
  WorkSettlement,
} from "./remote-work.js";
export { remoteWorkers } from "./remote-work.js";

// Bindings

export type { ActionNeed, BindingSet } from "./binding.js";
export { resolveBindings } from "./binding.js";
export type { ReadBindingsOptions } from "./bindings/document.js";
export { readBindings } from "./bindings/document.js";
export type { ActionSettings, KindContext, ProviderKind } from "./bindings/kind.js";
export { remoteKind } from "./bindings/remote-kind.js";
export type { BoundText, Environment, FromEnvironment, Secrets } from "./bindings/secrets.js";
export type { Settings, TextForm } from "./bindings/settings.js";
export type { LogEntry } from "./log-entry.js";

// Control plane

export type { ControlService } from "./control.js";
export type { Access, Authorize, ControlOperation, ReadingOperation } from "./control-access.js";
export type {
  Accepted,
  BulkAnswer,
  BulkItem,
  ControlAnswer,
  DryRun,
  Publication,
  PublishAnswer,
  Refused,
} from "./control-answers.js";
export { hasMarks } from "./control-marks.js";
export { masked } from "./control-masking.js";
export type {
  Appended,
  AppliedAnswer,
  ControlChange,
  ControlEvent,
  ControlEventChange,
  ControlPort,
  ControlReceipt,
  ControlRecord,
  ControlWatch,
  DryEffect,
  DryStep,
  Folded,
  Look,
  NewPublication,
  NewRun,
  Preparation,
  ReceiptOf,
  RedrivePlan,
} from "./control-port.js";
export type {
  BulkFilter,
  BulkRequest,
  CancelRequest,
  ChangingOperation,
  CompleteRequest,
  ControlRequests,
  Decision,
  ListRequest,
  PublishRequest,
  ReadOptions,
  RedriveRequest,
  ReleaseRequest,
  RequestError,
  ResolveRequest,
  ResultOptions,
  SignalRequest,
  StartRequest,
  TerminateRequest,
  Traced,
  UpdateRequest,
  WaitOptions,
} from "./control-requests.js";
export type { ControlServiceOptions } from "./control-service.js";
export { controlService } from "./control-service.js";
export type {
  BlockerView,
  ControlPage,
  EdgeView,
  ErrorView,
  Explanation,
  HistoryEntry,
  HistoryEvent,
  HostBlocker,
  OutstandingView,
  RunResult,
  RunStatus,
  RunSummary,
  RunView,
  Verification,
} from "./control-views.js";
export { checkWait } from "./control-waiting.js";
