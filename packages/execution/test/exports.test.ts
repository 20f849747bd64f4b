import { describe, expect, it } from "vitest";
import * as entry from "../src/index.js";
import * as model from "../src/model.js";

describe("exports", () => {
  it("names what the root entry offers", () => {
    expect(Object.keys(entry).sort()).toEqual([
      "core",
      "maxCallEvidence",
      "maxHandle",
      "maxRunEvidence",
      "maxRunIdLength",
      "maxUnsettled",
    ]);
  });

  it("keeps the model entry free of values", () => {
    expect(Object.keys(model)).toEqual([]);
  });
});
