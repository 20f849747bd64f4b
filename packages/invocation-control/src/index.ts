// Provider contract

export type { ErrorReport, Invocation, InvokeOptions, Provider, ProviderAnswer } from "./provider.js";

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
