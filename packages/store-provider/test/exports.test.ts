import { describe, expect, it } from "vitest";
import * as entry from "../src/index.js";

describe("the package", () => {
  it("exports these names", () => {
    expect(Object.keys(entry).sort()).toEqual([
      "SwlError",
      "answerItem",
      "assembleStore",
      "canonicalize",
      "changesOf",
      "compareIds",
      "createBackoff",
      "createDocuments",
      "createTableCore",
      "createTurns",
      "createWakeHub",
      "decide",
      "defaultLimits",
      "failure",
      "failureKinds",
      "isFailure",
      "isLive",
      "isSwlError",
      "own",
      "plainCodec",
      "portionRecords",
      "refused",
      "resolveLimits",
      "retryOf",
      "setOwn",
      "sharedWakeHub",
      "stampTolerance",
      "storeError",
      "streamFaults",
      "wakesOf",
    ]);
  });
});
