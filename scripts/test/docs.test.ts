import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import {
  brokenLinks,
  decisionComplaints,
  membersOf,
  pageComplaints,
  saidCodes,
  unsaidWords,
} from "../lib/docs-check.ts";
import { anchorOf, blocksOf, examplesOf, headingsOf, linksOf } from "../lib/markdown.ts";
import { mentions, readRules } from "../lib/spec.ts";

const folder = mkdtempSync(join(tmpdir(), "swl-docs-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("headingsOf", () => {
  it("reads level, text, line and body, and no heading from a fenced block", () => {
    expect(headingsOf("# A\n\none\n```sh\n# not\n```\n## B\n")).toEqual([
      { level: 1, text: "A", line: 1, body: "one\n```sh\n# not\n```" },
      { level: 2, text: "B", line: 7, body: "" },
    ]);
  });
});

describe("linksOf", () => {
  it("finds inline links and images, none in code", () => {
    const text = '[a](x.md) ![b](<y.svg>) [c](z.md "title") `[d](no.md)`\n```\n[e](no.md)\n```\n';
    expect(linksOf(text).map((link) => link.target)).toEqual(["x.md", "y.svg", "z.md"]);
  });
});

describe("examplesOf", () => {
  it("takes a ts block only when its output follows directly", () => {
    const text = "```ts\na\n```\n\n```text\n1\n```\n```ts\nb\n```\nwords\n```text\n2\n```\n```ts\nc\n```\n";
    expect(examplesOf(text)).toEqual([{ source: "a\n", output: "1\n", line: 1 }]);
    expect(blocksOf(text)).toHaveLength(5);
  });
});

describe("blocksOf", () => {
  it("knows the file that a block is, and what a second run prints", () => {
    const text =
      "The file `a/b.dot`:\n\n```dot\nx\n```\n```ts\n1\n```\n```text\n1\n```\nTwice:\n```text again\n2\n```\n";
    expect(blocksOf(text)[0]).toMatchObject({ file: "a/b.dot", language: "dot" });
    expect(examplesOf(text)).toEqual([{ source: "1\n", output: "1\n", again: "2\n", line: 6 }]);
  });
});

describe("brokenLinks", () => {
  it("names what does not exist, file or heading, and leaves the web alone", () => {
    const self = join(folder, "a.md");
    writeFileSync(self, "# A title, here\n");
    const text =
      "[1](a.md) [2](b.md) [3](a.md#a-title-here) [4](a.md#no) [5](#a-title-here) [6](https://x.example/)";
    expect(brokenLinks(folder, self, text)).toEqual([
      "line 1: b.md does not exist",
      "line 1: a.md#no: no such heading",
    ]);
    expect(anchorOf("`EXE-a` and *b*!")).toBe("exe-a-and-b");
  });
});

describe("pageComplaints", () => {
  it("accepts a whole page and says what another lacks", () => {
    expect(pageComplaints("a.b", "# a.b\n\nOne.\n\n## Cause\n\nTwo.\n\n## Remedy\n\nThree.\n")).toEqual([]);
    expect(pageComplaints("a.b", "# a.c\n\n## Cause\n\nTwo.\n")).toEqual([
      "docs/errors/a.b.md does not begin with # a.b",
      "docs/errors/a.b.md does not say its remedy",
    ]);
  });
});

describe("saidCodes", () => {
  it("finds codes as strings, and those that a template makes from a list", () => {
    const said = saidCodes([
      'throw new SwlError("a.b", "x") // "c.d"',
      'kinds = ["stale"]; f(`store.${kind}`)',
    ]);
    expect(said.has("a.b")).toBe(true);
    expect(said.has("c.d")).toBe(false);
    expect(said.has("store.stale")).toBe(true);
    expect(said.has("store.held")).toBe(false);
  });
});

describe("unsaidWords", () => {
  it("names the members of an interface that a page does not say in code", () => {
    const source =
      "export interface A {\n  readonly one: string;\n  readonly two?: { readonly three: 1 };\n}\n";
    expect(membersOf(source, ["A"])).toEqual(["one", "two", "three"]);
    expect(membersOf(source, ["B"])).toEqual(["interface B"]);
    expect(unsaidWords("`one`, `other.three`, two", ["one", "two", "three"])).toEqual(["two"]);
  });
});

describe("decisionComplaints", () => {
  const template = "# 000: T\n\n## Context\n\nx\n\n## Decision\n\ny\n";

  it("demands the template's sections in order, filled, under a numbered name", () => {
    expect(
      decisionComplaints("001-a.md", "# 001: A\n\n## Context\n\nx\n\n## Decision\n\ny\n", template),
    ).toEqual([]);
    const bad = decisionComplaints("a.md", "# A\n\n## Decision\n\ny\n\n## Context\n", template);
    expect(bad).toHaveLength(3);
  });
});

describe("readRules", () => {
  const rules = (text: string, chapter = "execution") => readRules([{ chapter, text }]);

  it("reads well-formed rules with their chapter", () => {
    const { rules: found, complaints } = rules("## Part\n\n### EXE-one-call\n\nA sentence.\n");
    expect([...found]).toEqual([["EXE-one-call", "execution"]]);
    expect(complaints).toEqual([]);
  });

  it.each([
    ["a heading that is no ID", "### Some words\n\nx\n", "no rule ID"],
    ["upper case", "### EXE-One\n\nx\n", "no rule ID"],
    ["another chapter's prefix", "### DEF-one\n\nx\n", "another chapter"],
    ["a rule twice", "### EXE-one\n\nx\n\n### EXE-one\n\ny\n", "stands already"],
    ["a rule that says nothing", "### EXE-one\n\n### EXE-two\n\nx\n", "says nothing"],
  ])("refuses %s", (_, text, complaint) => {
    expect(rules(text).complaints).toEqual([expect.stringContaining(complaint)]);
  });
});

describe("mentions", () => {
  it("finds rule IDs with their lines", () => {
    expect(mentions("a EXE-one-call.\nb [DUR-x], EXECUTE-y")).toEqual([
      { id: "EXE-one-call", line: 1 },
      { id: "DUR-x", line: 2 },
    ]);
  });
});
