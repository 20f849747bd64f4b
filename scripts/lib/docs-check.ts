/** Complaints about single documents: an error page, a decision record, links; and which codes the sources say. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { anchorOf, headingsOf, linksOf } from "./markdown.ts";
import { tokenize } from "./tokens.ts";

/** An error page: the code, a sentence, cause, remedy. */
export function pageComplaints(code: string, text: string): readonly string[] {
  const headings = headingsOf(text);
  const where = `docs/errors/${code}.md`;
  const complaints: string[] = [];
  const [first] = headings;
  if (first?.level !== 1 || first.text.replaceAll("`", "") !== code)
    complaints.push(`${where} does not begin with # ${code}`);
  else if (first.body === "") complaints.push(`${where} has no sentence under its title`);
  for (const section of ["Cause", "Remedy"]) {
    const found = headings.find(({ level, text: title }) => level === 2 && title === section);
    if (found === undefined || found.body === "")
      complaints.push(`${where} does not say its ${section.toLowerCase()}`);
  }
  return complaints;
}

/**
 * Codes that appear as a string in sources, and `store.<kind>`, which the store's failure kinds are turned into by a
 * template: a source with `store.${…}` says every kind that it lists.
 */
export function saidCodes(texts: readonly string[]): ReadonlySet<string> {
  const said = new Set<string>();
  for (const text of texts) {
    const tokens = tokenize(text);
    const strings = tokens
      .filter(({ kind }) => kind === "string" || kind === "template")
      .map((token) => token.text);
    for (const string of strings) said.add(string);
    for (const prefix of strings.filter((string) => /^[a-z]+\.$/.test(string))) {
      for (const string of strings) said.add(`${prefix}${string}`);
    }
  }
  return said;
}

/** A record has every section of the template, in order, none empty, and a number in its name and title. */
export function decisionComplaints(file: string, text: string, template: string): readonly string[] {
  const complaints: string[] = [];
  if (!/^\d{3}-[a-z0-9]+(-[a-z0-9]+)*\.md$/.test(file)) complaints.push("its name is not NNN-words.md");
  const sections = (source: string) => headingsOf(source).filter(({ level }) => level === 2);
  const wanted = sections(template).map((section) => section.text);
  const actual = sections(text);
  if (actual.map((section) => section.text).join() !== wanted.join()) {
    complaints.push(`its sections are not ${wanted.join(", ")}`);
  }
  for (const section of actual) if (section.body === "") complaints.push(`"${section.text}" is empty`);
  if (headingsOf(text)[0]?.level !== 1) complaints.push("it has no title");
  const words = text.split(/\s+/).length;
  if (words > 500) complaints.push(`it has ${words} words: half a page, 500 at most`);
  return complaints;
}

/** Relative links that lead to no file, or to no heading of a Markdown file. */
export function brokenLinks(folder: string, self: string, text: string): readonly string[] {
  const complaints: string[] = [];
  for (const { target, line } of linksOf(text)) {
    if (/^[a-z][a-z0-9+.-]*:/i.test(target)) continue;
    const [path = "", anchor] = target.split("#");
    const file = path === "" ? self : join(folder, decodeURIComponent(path));
    if (!existsSync(file)) complaints.push(`line ${line}: ${target} does not exist`);
    else if (anchor !== undefined && file.endsWith(".md") && !anchors(file).includes(anchor)) {
      complaints.push(`line ${line}: ${target}: no such heading`);
    }
  }
  return complaints;
}

function anchors(file: string): readonly string[] {
  return headingsOf(readFileSync(file, "utf8")).map(({ text }) => anchorOf(text));
}

/** Members that the named interfaces of a source declare, those of nested object types included. */
export function membersOf(source: string, interfaces: readonly string[]): readonly string[] {
  return interfaces.flatMap((name) => {
    const body = new RegExp(`export interface ${name} \\{\\n([\\s\\S]*?)\\n\\}`).exec(source)?.[1];
    if (body === undefined) return [`interface ${name}`];
    return [...body.matchAll(/readonly ([A-Za-z]+)\??:/g)].map((match) => match[1]!);
  });
}

/** Words that a page does not say in code, alone or as a part of a path. */
export function unsaidWords(page: string, words: readonly string[]): readonly string[] {
  const codes = [...page.matchAll(/`([^`\n]+)`/g)].map((match) => match[1]!);
  return words.filter((word) => !codes.some((code) => code.split(".").includes(word)));
}
