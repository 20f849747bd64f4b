// Contract
export type {
  Answer,
  ClaimOptions,
  Codec,
  Hold,
  HolderAnswer,
  Item,
  ListOptions,
  LogRecord,
  Note,
  Page,
  Precondition,
  Receipt,
  ReceiptInput,
  RecordInput,
  Store,
  StoreInfo,
  StreamHead,
  StreamState,
  Work,
  WorkInput,
} from "./contract.js";
// Failures
export type { FailureKind, Retry, StoreFailure } from "./failure.js";
export { failure, failureKinds, retryOf, storeError } from "./failure.js";
