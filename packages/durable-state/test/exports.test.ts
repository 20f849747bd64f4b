import { describe, expect, it } from "vitest";
import * as root from "../src/index.js";
import * as otel from "../src/otel.js";

describe("exports of @swl/durable-state", () => {
  it("are exactly these", () => {
    expect(Object.keys(root).sort()).toEqual([
      "createControl",
      "createHost",
      "createRemoteWork",
      "servedProfiles",
      "systemClock",
    ]);
    expect(Object.keys(otel)).toEqual(["openTelemetry"]);
  });
});
