import { describe, expect, it } from "vitest";
import * as inProcess from "../src/in-process.js";
import * as root from "../src/index.js";

describe("exports", () => {
  it("offers exactly these names at the root", () => {
    expect(Object.keys(root).sort()).toEqual(["resolveBindings"]);
  });

  it("offers exactly these names at ./in-process", () => {
    expect(Object.keys(inProcess).sort()).toEqual([
      "ActionFailure",
      "fail",
      "inProcess",
      "isActionFailure",
      "ok",
    ]);
  });
});
