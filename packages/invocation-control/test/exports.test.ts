import { describe, expect, it } from "vitest";
import * as childProcess from "../src/child-process.js";
import * as http from "../src/http.js";
import * as inProcess from "../src/in-process.js";
import * as root from "../src/index.js";
import * as tokens from "../src/tokens.js";

describe("exports", () => {
  it("offers exactly these names at the root", () => {
    expect(Object.keys(root).sort()).toEqual([
      "checkWait",
      "controlService",
      "hasMarks",
      "keepable",
      "masked",
      "readBindings",
      "remoteKind",
      "remoteWorkers",
      "resolveBindings",
    ]);
  });

  it("offers exactly these names at ./in-process", () => {
    expect(Object.keys(inProcess).sort()).toEqual([
      "ActionFailure",
      "accepted",
      "fail",
      "inProcess",
      "isActionFailure",
      "ok",
    ]);
  });

  it("offers exactly these names at ./child-process", () => {
    expect(Object.keys(childProcess).sort()).toEqual(["childProcess", "childProcessKind"]);
  });

  it("offers exactly these names at ./http", () => {
    expect(Object.keys(http).sort()).toEqual(["http", "httpKind"]);
  });

  it("offers exactly these names at ./tokens", () => {
    expect(Object.keys(tokens).sort()).toEqual(["maxTokenLength", "signCallback", "verifyCallback"]);
  });
});
