// Suite
export type { Expect, OpenedStore, OpenOptions, Runner, StoreHarness } from "./harness.js";
// Running it without a framework
export type { SuiteFailure } from "./run-suite.js";
export { failingStoreTests } from "./run-suite.js";
export { storeSuite, storeTests } from "./suite.js";
