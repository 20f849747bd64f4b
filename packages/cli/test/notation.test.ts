/** `swl format`, `swl print`. */
import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { documentOf, flow, folder, swl } from "./support/call.js";

const untidy = "digraph d{start=a;a[kind=complete] // end\n}";
const tidy = "digraph d {\n  start = a;\n  a [kind=complete]; // end\n}\n";

function folderWith(files: { readonly [name: string]: string | Uint8Array }): string {
  const path = folder();
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(join(path, name, ".."), { recursive: true });
    writeFileSync(join(path, name), text);
  }
  return path;
}

describe("swl format", () => {
  it("prints the layout of a folder, a file, or standard input, and changes no file", async () => {
    const cwd = folderWith({ "one/workflow.dot": untidy, "two.dot": `\ufeff${untidy}` });
    for (const path of ["one", "one/workflow.dot", "two.dot"]) {
      expect(await swl(["format", path], { cwd })).toEqual({ code: 0, out: tidy, err: "" });
    }
    expect(await swl(["format", "-"], { cwd, stdin: untidy })).toEqual({ code: 0, out: tidy, err: "" });
    expect(readFileSync(join(cwd, "one/workflow.dot"), "utf8")).toBe(untidy);
  });

  it("says with --check which files have another layout, and ends with 8", async () => {
    const cwd = folderWith({ "one/workflow.dot": untidy, "two.dot": tidy });
    expect(await swl(["format", "two.dot", "--check"], { cwd })).toEqual({ code: 0, out: "", err: "" });
    const both = await swl(["format", "one", "two.dot", "--check"], { cwd });
    expect([both.code, both.err]).toEqual([8, ""]);
    expect(both.out).toMatch(/^.*one\/workflow\.dot: has another layout\n$/);
    const marked = await swl(["format", "-", "--check"], { cwd, stdin: `\ufeff${tidy}` });
    expect(marked.code).toBe(8);
  });

  it("writes with --write what has another layout, and keeps the mode of the file", async () => {
    const cwd = folderWith({ "one/workflow.dot": untidy, "two.dot": tidy });
    chmodSync(join(cwd, "one/workflow.dot"), 0o640);
    const before = statSync(join(cwd, "two.dot"));
    const { code, out } = await swl(["format", "one", "two.dot", "--write"], { cwd });
    expect(code).toBe(0);
    expect(out).toMatch(/^.*one\/workflow\.dot: formatted\n$/);
    expect(readFileSync(join(cwd, "one/workflow.dot"), "utf8")).toBe(tidy);
    if (process.platform !== "win32")
      expect(statSync(join(cwd, "one/workflow.dot")).mode & 0o777).toBe(0o640);
    expect(statSync(join(cwd, "two.dot")).ino).toBe(before.ino);
    expect(readdirSync(join(cwd, "one"))).toEqual(["workflow.dot"]);
    expect(await swl(["format", "one", "--write"], { cwd })).toEqual({ code: 0, out: "", err: "" });
  });

  it("touches no file that it cannot read, and does the others", async () => {
    const cwd = folderWith({
      "a.dot": "digraph d { a > b; }",
      "b.dot": untidy,
      "c.dot": new Uint8Array([0xff, 0xfe, 0, 0]),
    });
    const { code, out, err } = await swl(["format", "a.dot", "b.dot", "c.dot", "--write"], { cwd });
    expect(code).toBe(1);
    expect(out).toMatch(/b\.dot: formatted\n$/);
    expect(err).toMatch(/a\.dot:1:15: error dot\.syntax: .*\n.*\n.*c\.dot:1:1: error dot\.encoding: /);
    expect(readFileSync(join(cwd, "a.dot"), "utf8")).toBe("digraph d { a > b; }");
    expect((await swl(["format", "gone.dot"], { cwd })).code).toBe(3);
  });

  it("prints a document a path with --json", async () => {
    const cwd = folderWith({ "a.dot": "digraph {", "b.dot": untidy });
    const { code, out, err } = await swl(["format", "a.dot", "b.dot", "--check", "--json"], { cwd });
    expect([code, err]).toEqual([8, ""]);
    const documents = out
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(documents[0]).toMatchObject({
      path: "a.dot",
      changed: false,
      findings: [{ code: "dot.anonymous-graph" }, { code: "dot.syntax" }],
    });
    expect(documents[1]).toEqual({ path: "b.dot", changed: true, findings: [] });
    expect(documentOf(await swl(["format", "b.dot", "--json"], { cwd }))).toEqual({
      path: "b.dot",
      changed: true,
      findings: [],
      text: tidy,
    });
  });

  it("refuses what cannot be meant", async () => {
    const cwd = folderWith({ "a.dot": tidy });
    for (const args of [
      ["a.dot", "a.dot"],
      ["a.dot", "--check", "--write"],
      ["-", "--write"],
    ]) {
      const { code, err } = await swl(["format", ...args], { cwd, stdin: tidy });
      expect([code, err.slice(0, 16)]).toEqual([2, "error cli.usage:"]);
    }
  });
});

describe("swl print", () => {
  it("prints a graph alone where it says everything", async () => {
    const cwd = folderWith({ "a.dot": untidy });
    const { out } = await swl(["compile", "a.dot"], { cwd });
    writeFileSync(join(cwd, "a.json"), out);
    const printed = await swl(["print", "a.json"], { cwd });
    expect(printed).toEqual({
      code: 0,
      err: "",
      out: 'digraph d {\n  start = a;\n\n  a [kind="complete"];\n}\n',
    });
  });

  it("prints graph and settings one after the other, and writes them into a folder that compiles to the same", async () => {
    const cwd = folder();
    const { out } = await swl(["print", flow], { cwd });
    expect(out).toMatch(
      /^==> workflow\.dot <==\ndigraph flow \{\n[\s\S]*\n\}\n\n==> settings\.json <==\n\{\n/,
    );
    const written = await swl(["print", flow, "--out", "new/flow"], { cwd });
    expect(written).toEqual({
      code: 0,
      err: "",
      out: "wrote new/flow/workflow.dot\nwrote new/flow/settings.json\n",
    });
    expect((await swl(["compile", "new/flow"], { cwd })).out).toBe(
      (await swl(["compile", flow], { cwd })).out,
    );
    expect(documentOf(await swl(["print", flow, "--json"], { cwd }))).toEqual({
      path: flow,
      files: {
        "workflow.dot": readFileSync(join(cwd, "new/flow/workflow.dot"), "utf8"),
        "settings.json": readFileSync(join(cwd, "new/flow/settings.json"), "utf8"),
      },
    });
  });

  it("overwrites no workflow, and makes no folder where none can be", async () => {
    const cwd = folderWith({ "old/settings.json": "{}", file: "" });
    const old = await swl(["print", flow, "--out", "old"], { cwd });
    expect([old.code, readdirSync(join(cwd, "old"))]).toEqual([2, ["settings.json"]]);
    expect(old.err).toMatch(/^error cli\.usage: --out old holds a file settings\.json already\n/);
    const file = await swl(["print", flow, "--out", "file/x"], { cwd });
    expect([file.code, file.err.slice(0, 24)]).toEqual([3, "error source.unreadable:"]);
    expect((await swl(["print", "gone.json"], { cwd })).code).toBe(3);
  });
});
