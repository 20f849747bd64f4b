import { describe, expect, it } from "vitest";
import * as entry from "../src/index.js";

describe("the package", () => {
  it("exports these names", () => {
    expect(Object.keys(entry).sort()).toEqual([
      "SimulatedClock",
      "accepted",
      "completed",
      "createTestHost",
      "failed",
      "later",
      "scripted",
      "silence",
      "unknown",
      "whenStopped",
    ]);
  });
});
