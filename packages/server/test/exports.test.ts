import { describe, expect, it } from "vitest";
import * as client from "../src/client.js";
import * as root from "../src/index.js";
import * as worker from "../src/worker.js";

describe("exports of @swl/server", () => {
  it("are exactly these", () => {
    expect(Object.keys(root).sort()).toEqual([
      "createApp",
      "openApi",
      "pathTo",
      "routes",
      "scopes",
      "serve",
      "tokenDigest",
      "tokensFrom",
    ]);
  });

  it("are one each for clients and workers", () => {
    expect(Object.keys(client)).toEqual(["createClient"]);
    expect(Object.keys(worker)).toEqual(["createWorker"]);
  });
});
