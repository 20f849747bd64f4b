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
  ProviderAnswer,
} from "./provider.js";

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
export { masked } from "./control-masking.js";
export type {
  Appended,
  ControlChange,
  ControlEvent,
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
