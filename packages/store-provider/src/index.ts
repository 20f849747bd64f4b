// JSON and errors, for stores
export type { Json, JsonObject } from "@swl/base";
export { canonicalize, isSwlError, own, SwlError, setOwn } from "@swl/base";
// Authoring
export type { AcceptedItem } from "./answer.js";
export { answerItem } from "./answer.js";
export type { StoreCore } from "./assemble.js";
export { assembleStore } from "./assemble.js";
export type { Backoff, BackoffOptions } from "./backoff.js";
export { createBackoff } from "./backoff.js";
export type { PreparedItem } from "./batch.js";
export { refused } from "./batch.js";
export type { Changes } from "./changes.js";
export { changesOf } from "./changes.js";
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
  Wake,
  Work,
  WorkInput,
} from "./contract.js";
export type { CommitFacts, Decision, Snapshot, StreamFacts } from "./decide.js";
export { decide, isLive, stampTolerance } from "./decide.js";
export type { Documents } from "./documents.js";
export { createDocuments, isFailure, plainCodec } from "./documents.js";
// Failures
export type { FailureKind, Retry, StoreFailure } from "./failure.js";
export { failure, failureKinds, retryOf, storeError } from "./failure.js";
// Keeping
export type { Pruned, PruneOptions, StoreFault, StoreStats } from "./keeping.js";
export type { StoreLimits } from "./limits.js";
export { compareIds, defaultLimits, portionRecords, resolveLimits } from "./limits.js";
export type { StreamContents } from "./stream-faults.js";
export { streamFaults } from "./stream-faults.js";
export type { TableCoreOptions } from "./table-core.js";
export { createTableCore } from "./table-core.js";
export type { TableRecord, TableStream, Tables, TableWork } from "./tables.js";
export type { Turns } from "./turns.js";
export { createTurns } from "./turns.js";
export type { WakeHub, WakeListener } from "./wakes.js";
export { createWakeHub, sharedWakeHub, wakesOf } from "./wakes.js";
