// Host

// Time
export { systemClock } from "./clock.js";
export { createControl } from "./control.js";
export { createHost } from "./host.js";
// Types
export type {
  Bindings,
  Control,
  ControlOptions,
  Explanation,
  HistoryEntry,
  HistoryEvent,
  Host,
  HostBlocker,
  HostClock,
  HostLogEntry,
  HostOptions,
  ResultOptions,
  RunHandle,
  RunResult,
  RunStatus,
  StartOptions,
} from "./host-types.js";
export { servedProfiles } from "./profiles.js";
// Remote workers
export type { RemoteWorkOptions } from "./remote-work.js";
export { createRemoteWork } from "./remote-work.js";
