// Host
// Providers
export type { FailedOptions, Reply, Script, ScriptedProvider } from "./scripted.js";
export { accepted, completed, failed, later, scripted, silence, unknown, whenStopped } from "./scripted.js";
// Time
export { SimulatedClock } from "./simulated-clock.js";
export type { TestHost, TestHostOptions } from "./test-host.js";
export { createTestHost } from "./test-host.js";
export type { TestRun } from "./test-run.js";
