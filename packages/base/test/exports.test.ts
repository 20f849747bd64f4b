import { describe, expect, it } from "vitest";
import * as base from "../src/index.js";

describe("@swl/base", () => {
  it("exports these names and no others", () => {
    expect(Object.keys(base).sort()).toEqual([
      "SwlError",
      "TurnoverMap",
      "canonicalize",
      "codes",
      "contentDigest",
      "defaultMaxBytes",
      "defaultMaxDepth",
      "docsPage",
      "excerpt",
      "formatDiagnostic",
      "hardMaxDepth",
      "isCode",
      "isJsonObject",
      "isSwlError",
      "nearest",
      "own",
      "pointerSegments",
      "pointerTo",
      "quoted",
      "raise",
      "readJson",
      "setOwn",
      "sha256",
      "toJson",
    ]);
  });
});
