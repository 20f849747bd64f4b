// Provider contract

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
export type { ErrorReport, Invocation, InvokeOptions, Provider, ProviderAnswer } from "./provider.js";
