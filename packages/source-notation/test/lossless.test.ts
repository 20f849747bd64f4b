import { readdirSync, readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { scan } from "../src/dot/lexical.js";
import { type DotDocument, type DotToken, type DotTokenKind, parseDot } from "../src/index.js";
import { damagedDotText, dotText } from "./dot-text.js";
import { corpus, dotFiles, projectRoot } from "./support.js";

const numRuns = process.env["SWL_FULL"] ? 20_000 : 1_000;

interface Part {
  readonly start: number;
  readonly end: number;
}

/** Puts tokens, comments and the white space between them together again; undefined if anything else is between. */
function rebuilt(
  source: string,
  tokens: DotDocument["tokens"],
  comments: readonly Part[],
  end: number,
): string | undefined {
  let text = "";
  let comment = 0;
  for (let index = 0; index <= tokens.length; ) {
    const token =
      index < tokens.length ? { start: tokens.start(index), end: tokens.end(index) } : { start: end, end };
    const next = comments[comment];
    const part = next && next.start < token.start ? next : token;
    if (part === next) comment += 1;
    else index += 1;
    const between = source.slice(text.length, part.start);
    if (
      !/^[ \t\r\n]*$/.test(between) ||
      part.start < text.length ||
      (part.end === part.start && part.start < end)
    ) {
      return undefined;
    }
    text += between + source.slice(part.start, part.end);
  }
  return comment === comments.length ? text : undefined;
}

const spelling: Partial<Record<DotTokenKind, RegExp>> = {
  name: /^[A-Za-z_\u0080-\uffff][A-Za-z0-9_\u0080-\uffff]*$/,
  string: /^"[\s\S]*"$/,
  number: /^-?(\.\d+|\d+(\.\d*)?)$/,
};

/** Every name of the tree is a token of the list, every statement a range of it, and between statements stands `;` only. */
function* treeProblems({ source, tokens, statements, body, name }: DotDocument): Generator<string> {
  const textOf = (index: number) => source.slice(tokens.start(index), tokens.end(index));
  for (let index = 0; index < tokens.length; index++) {
    const kind = tokens.kind(index);
    const fits = spelling[kind]?.test(textOf(index)) ?? textOf(index).toLowerCase() === kind;
    if (!fits) yield `token ${index} is no ${kind}`;
    if (tokens.at(tokens.start(index)) !== index || tokens.at(tokens.end(index) - 1) !== index) {
      yield `token ${index} is not found`;
    }
  }
  function* wordProblems(word: DotToken, first: number, end: number): Generator<string> {
    const index = tokens.at(word.start);
    if (tokens.start(index) !== word.start || index < first || index >= end)
      yield `${word.text} is not in its range`;
    if (!["name", "string", "number"].includes(tokens.kind(index))) yield `${word.text} is no name`;
    if (word.form === "bare" && word.text !== textOf(index)) yield `${word.text} is something else`;
    if (tokens.end(tokens.at(word.end - 1)) !== word.end) yield `${word.text} does not end with a token`;
  }
  yield* wordProblems(name, 0, body.first);
  if (tokens.kind(body.first - 1) !== "{" || tokens.kind(body.end) !== "}") yield "the body is not in braces";
  if (body.end !== tokens.length - 1) yield "the body does not end with the file";
  let at = body.first;
  for (const statement of statements) {
    const skipped = statement.first - at;
    if (skipped > 1 || (skipped === 1 && tokens.kind(at) !== ";")) yield `${at} is before its statement`;
    at = statement.end;
    const pairs = statement.type === "assignment" ? [statement] : statement.attributes;
    const ids = statement.type === "node" ? [statement.id] : statement.type === "edge" ? statement.ids : [];
    for (const word of [...pairs.flatMap(({ name, value }) => [name, value]), ...ids]) {
      yield* wordProblems(word, statement.first, statement.end);
    }
  }
}

function check(text: string): boolean {
  const { tokens, comments, unterminated } = scan(text);
  const end = unterminated?.start ?? text.length;
  expect(rebuilt(text, tokens, comments, end)).toBe(text.slice(0, end));
  const outcome = parseDot(text, { file: "workflow.dot" });
  if (!outcome.ok) return false;
  const document = outcome.value;
  const { source } = document;
  expect(rebuilt(source, document.tokens, document.comments, source.length)).toBe(source);
  expect([...treeProblems(document)]).toEqual([]);
  return true;
}

describe("the tree of a file [DOT-lexical] [DOT-places]", () => {
  it("holds every byte, for random sources in every spelling", () => {
    let accepted = 0;
    const source = fc.oneof(dotText, damagedDotText);
    fc.assert(
      fc.property(source, (text) => {
        if (check(text)) accepted += 1;
      }),
      { numRuns },
    );
    expect(accepted).toBeGreaterThan(numRuns / 4);
  });

  it("holds every byte, for any text at all", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        check(text);
      }),
      { numRuns },
    );
  });

  it("holds every byte, for the examples and the cases", () => {
    const files = [...dotFiles(`${projectRoot}examples`), ...dotFiles(`${projectRoot}conformance/cases`)];
    expect(files.length).toBeGreaterThan(50);
    const read = files.filter((file) => check(readFileSync(file, "utf8")));
    expect(read.length).toBeGreaterThan(30);
  });

  const folder = corpus("dot");
  it.skipIf(folder === undefined)(
    `holds every byte, for DOT files of other projects${folder ? "" : " (skipped: corpus not present)"}`,
    () => {
      for (const file of readdirSync(folder ?? "")) check(readFileSync(`${folder}/${file}`, "latin1"));
      for (const file of readdirSync(folder ?? "")) check(readFileSync(`${folder}/${file}`, "utf8"));
    },
  );
});
