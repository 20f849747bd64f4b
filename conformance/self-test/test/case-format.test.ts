/** The format of a case: what `readCases` takes and refuses, in agreement with the published schema. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Json } from "@swl/base";
import { readCases } from "@swl/conformance/cases";
import { compileSchema } from "@swl/definition/schema";
import { afterEach, describe, expect, it } from "vitest";

const schema = compileSchema(
  JSON.parse(readFileSync(new URL("../../schema/case.schema.json", import.meta.url), "utf8")),
);

const folders: string[] = [];

afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

type Files = { readonly [path: string]: Json | string };

function tree(files: Files): string {
  const root = mkdtempSync(join(tmpdir(), "swl-cases-"));
  folders.push(root);
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), typeof content === "string" ? content : JSON.stringify(content));
  }
  return root;
}

const reject = {
  id: "json/twice",
  title: "a key twice",
  rules: ["DEF-json-reader"],
  requires: ["base"],
  phase: "read",
  verdict: "reject",
  codes: ["json.duplicate-key"],
  input: { file: "input.json" },
};

const trace = {
  id: "execution/starts",
  title: "a start",
  rules: ["EXE-start"],
  shows: "acts",
  requires: ["core"],
  phase: "transition",
  verdict: "accept",
  input: { file: "definition.json" },
  expect: "expected.json",
};

const files: Files = {
  "json/twice/case.json": reject,
  "json/twice/input.json": '{"a":1,"a":2}',
  "execution/starts/case.json": trace,
  "execution/starts/definition.json": {},
  "execution/starts/events.json": [{ type: "start" }],
  "execution/starts/expected.json": [{}],
};

const rules = ["DEF-json-reader", "EXE-start"];

function findings(changed: { readonly [path: string]: Json | string | undefined }) {
  const all = Object.entries({ ...files, ...changed }).filter((entry): entry is [string, Json | string] => {
    return entry[1] !== undefined;
  });
  return readCases(tree(Object.fromEntries(all)), { rules }).findings;
}

describe("readCases", () => {
  it("reads every case, sorted, with its files [CNF-case-format]", () => {
    const read = readCases(tree(files), { rules });
    if (!read.ok) throw new Error(JSON.stringify(read.findings));
    expect(read.value.map((item) => item.id)).toEqual(["execution/starts", "json/twice"]);
    const { folder, read: bytes, ...metadata } = read.value[1]!;
    expect(metadata).toEqual(reject);
    expect([folder.endsWith("json/twice"), new TextDecoder().decode(bytes("input.json"))]).toEqual([
      true,
      '{"a":1,"a":2}',
    ]);
  });

  /** Mistakes in the members of `case.json`: the checker and the schema both refuse them. */
  const mistakes: readonly (readonly [string, string, Json])[] = [
    ["an ID of another area", "/id", { ...reject, id: "other/twice" }],
    ["an empty title", "/title", { ...reject, title: "" }],
    ["no rule", "/rules", { ...reject, rules: [] }],
    ["an ill-formed rule", "/rules/0", { ...reject, rules: ["def_json"] }],
    ["a rule twice", "/rules", { ...reject, rules: ["DEF-json-reader", "DEF-json-reader"] }],
    ["no claim", "/requires", { ...reject, requires: [] }],
    ["another phase", "/phase", { ...reject, phase: "run" }],
    ["another verdict", "/verdict", { ...reject, verdict: "fail" }],
    ["an empty list of codes", "/codes", { ...reject, codes: [] }],
    ["no member of a case", "/rule", { ...reject, rule: "DEF-json-reader" }],
    ["no such option", "/options/depth", { ...reject, options: { depth: 1 } }],
    ["no such value of an option", "/options/maxDepth", { ...reject, options: { maxDepth: 0 } }],
    ["two inputs", "/input/folder", { ...reject, input: { file: "input.json", folder: "source" } }],
    ["no input", "/input", { ...reject, input: {} }],
  ];

  it.each(mistakes)("refuses %s, and so does the schema [CNF-case-format]", (_, pointer, mistaken) => {
    const found = findings({ "json/twice/case.json": mistaken });
    expect(found.map((finding) => finding.code)).toContain("case.invalid");
    expect(found.map((finding) => finding.pointer)).toContain(pointer);
    for (const { place } of found) {
      expect(place).toMatchObject({ file: "cases/json/twice/case.json", line: 1 });
    }
    expect(schema.check(mistaken)).not.toEqual([]);
  });

  it("takes what the schema takes: the valid cases [CNF-case-format]", () => {
    for (const metadata of [reject, trace]) expect(schema.check(metadata as Json)).toEqual([]);
  });

  it.each([
    ["an ID that is not the path", "/id", { ...reject, id: "json/other" }],
    ["a rule that no chapter has", "/rules/0", { ...reject, rules: [["DEF", "nothing"].join("-")] }],
    ["a claim that the registry does not have", "/requires/0", { ...reject, requires: ["corre"] }],
    ["a code that does not exist", "/codes/0", { ...reject, codes: ["json.twice"] }],
    ["codes that are not sorted", "/codes", { ...reject, codes: ["json.syntax", "json.duplicate-key"] }],
    ["codes of an accept", "/codes", { ...reject, verdict: "accept" }],
    ["a reject without codes", "/codes", { ...reject, codes: undefined }],
    ["warnings of a reject", "/warnings", { ...reject, warnings: [] }],
    ["shows on no trace", "/shows", { ...reject, shows: "acts" }],
    ["an input that is not there", "/input", { ...reject, input: { file: "gone.json" } }],
    ["an input outside the folder", "/input", { ...reject, input: { file: "../twice/input.json" } }],
    ["a golden of a reject", "/expect", { ...reject, expect: "input.json" }],
  ] as const)("refuses %s [CNF-case-format]", (_, pointer, mistaken) => {
    const found = findings({ "json/twice/case.json": mistaken as unknown as Json });
    expect(found.map((finding) => finding.pointer)).toContain(pointer);
    expect(new Set(found.map((finding) => finding.code))).toEqual(new Set(["case.invalid"]));
  });

  it("refuses a golden that is missing [CNF-goldens]", () => {
    expect(findings({ "execution/starts/expected.json": undefined })).toMatchObject([
      { code: "case.invalid", message: "expected.json is missing", pointer: "/expect" },
    ]);
    const { expect: _, ...without } = trace;
    expect(
      findings({ "execution/starts/case.json": without, "execution/starts/expected.json": undefined }),
    ).toMatchObject([{ message: "an accepted trace has a golden" }]);
  });

  it("refuses files that nobody named, broken JSON and folders out of place [CNF-case-format]", () => {
    expect(findings({ "json/twice/notes.txt": "x" })).toMatchObject([
      { message: "files that the case does not name: notes.txt" },
    ]);
    expect(findings({ "json/twice/case.json": "{\n  oops" })).toMatchObject([
      { code: "case.invalid", place: { file: "cases/json/twice/case.json", line: 2, column: 3 } },
    ]);
    expect(findings({ "execution/starts/events.json": [1] })).toMatchObject([
      { message: "events.json is a list of events" },
    ]);
    expect(findings({ "json/twice/case.json": undefined })).toMatchObject([
      { message: "the folder has no case.json" },
    ]);
    expect(findings({ "json/readme.md": "x" })).toMatchObject([
      { message: "json/readme.md is no folder of a case" },
    ]);
  });

  it("refuses links, and a folder that is not there [CNF-case-format]", () => {
    const root = tree(files);
    rmSync(join(root, "json/twice/input.json"));
    symlinkSync("/etc/hostname", join(root, "json/twice/input.json"));
    expect(readCases(root, { rules }).ok).toBe(false);
    expect(readCases(join(root, "gone"))).toMatchObject({ ok: false, findings: [{ code: "case.invalid" }] });
  });
});
