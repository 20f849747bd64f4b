import { describe, expect, it } from "vitest";
import * as folder from "../src/folder.js";
import * as root from "../src/index.js";
import * as render from "../src/render.js";

describe("exports", () => {
  it("offers exactly these names at the root", () => {
    expect(Object.keys(root).sort()).toEqual([
      "DEFAULT_MAX_DOT_BYTES",
      "applyChanges",
      "compileSources",
      "edit",
      "editSources",
      "format",
      "nodeKinds",
      "parseDot",
      "planEdit",
      "print",
      "renderAttributes",
      "semanticAttributes",
    ]);
  });

  it("offers exactly these names at ./folder", () => {
    expect(Object.keys(folder).sort()).toEqual(["compileFolder", "readSourceFolder"]);
  });

  it("offers exactly these names at ./render", () => {
    expect(Object.keys(render).sort()).toEqual(["overlayOf", "renderMermaid", "renderSvg"]);
  });
});
