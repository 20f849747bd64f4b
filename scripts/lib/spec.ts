/** The rules of docs/spec: where they stand, and whether their headings are well-formed. */
import { headingsOf } from "./markdown.ts";

/** Chapter → prefix of its rules. A chapter has the name of its part. */
export const chapters: { readonly [chapter: string]: string } = {
  definition: "DEF",
  "source-notation": "DOT",
  execution: "EXE",
  "invocation-control": "INV",
  "durable-state": "DUR",
  "store-provider": "STO",
  "state-interchange": "ICH",
  distribution: "DST",
  conformance: "CNF",
};

const pattern = /^(DEF|DOT|EXE|INV|DUR|STO|ICH|DST|CNF)-[a-z0-9]+(-[a-z0-9]+)*$/;

export interface SpecFile {
  /** Without `.md`. */
  readonly chapter: string;
  readonly text: string;
}

/** Rule ID → chapter, and what is wrong with the headings. */
export function readRules(files: readonly SpecFile[]): {
  readonly rules: ReadonlyMap<string, string>;
  readonly complaints: readonly string[];
} {
  const rules = new Map<string, string>();
  const complaints: string[] = [];
  for (const { chapter, text } of files) {
    for (const heading of headingsOf(text).filter(({ level }) => level === 3)) {
      const where = `docs/spec/${chapter}.md:${heading.line}`;
      const id = heading.text;
      if (!pattern.test(id))
        complaints.push(`${where}: "${id}" is no rule ID; only rules are third-level headings`);
      else if (chapters[chapter] !== undefined && !id.startsWith(`${chapters[chapter]}-`)) {
        complaints.push(
          `${where}: ${id} belongs to another chapter; here rules begin with ${chapters[chapter]}-`,
        );
      }
      if (rules.has(id)) complaints.push(`${where}: ${id} stands already in docs/spec/${rules.get(id)}.md`);
      if (heading.body === "") complaints.push(`${where}: ${id} says nothing`);
      rules.set(id, chapter);
    }
  }
  return { rules, complaints };
}

/** Rule IDs that a text mentions, with their lines. */
export function mentions(text: string): readonly { readonly id: string; readonly line: number }[] {
  return text.split("\n").flatMap((line, index) =>
    [...line.matchAll(/\b(?:DEF|DOT|EXE|INV|DUR|STO|ICH|DST|CNF)-[a-z0-9]+(?:-[a-z0-9]+)*/g)].map(
      (match) => ({
        id: match[0],
        line: index + 1,
      }),
    ),
  );
}
