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
  Host,
  HostBlocker,
  HostClock,
  HostLogEntry,
  HostOptions,
  RunHandle,
  RunResult,
  RunStatus,
  StartOptions,
} from "./host-types.js";
