// Host

export type {
  Explanation,
  HistoryEntry,
  HistoryEvent,
  HostBlocker,
  ResultOptions,
  RunResult,
  RunStatus,
} from "@swl/invocation-control";
// Time
export { systemClock } from "./clock.js";
export { createControl } from "./control.js";
export { createHost } from "./host.js";
// Types
export type {
  Bindings,
  Control,
  ControlOptions,
  Host,
  HostClock,
  HostLogEntry,
  HostOptions,
  RunHandle,
  StartOptions,
} from "./host-types.js";
// Observation
export type {
  AttemptObservation,
  BatchObservation,
  ClaimObservation,
  CommitObservation,
  EndedObservation,
  HostObserver,
  Observation,
  ParkedObservation,
  RequestObservation,
  Starting,
  UnderWayObservation,
} from "./observation.js";
export { servedProfiles } from "./profiles.js";
// Remote workers
export type { RemoteWorkOptions } from "./remote-work.js";
export { createRemoteWork } from "./remote-work.js";
