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

export type {
  Accepted,
  CancelRequest,
  ControlAnswer,
  ResolveRequest,
  RunSummary,
  SignalRequest,
  WaitOptions,
} from "./control.js";
