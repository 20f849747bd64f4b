import { storeSuite } from "@swl/conformance/store";
import { describe, expect, it } from "vitest";
import { postgresHarness } from "./harness.js";
import { noServer } from "./scratch.js";

describe.skipIf(noServer)("the store suite", () => {
  storeSuite({ describe, it, expect }, postgresHarness("postgres"));
});
