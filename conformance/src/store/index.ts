// Suite
export type {
  Expect,
  Need,
  OpenedStore,
  OpenOptions,
  Runner,
  StoreHarness,
} from "./harness.js";
// Running it without a framework
export type { SuiteFailure, SuiteResult } from "./run-suite.js";
export { failingStoreTests, storeResults } from "./run-suite.js";
export type { SuiteOptions } from "./suite.js";
export { storeAreas, storeSuite, storeTests } from "./suite.js";
