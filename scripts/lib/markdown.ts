/** As much of Markdown as the checks need: headings, links, fenced blocks and examples with their output. */

export interface Heading {
  readonly level: number;
  readonly text: string;
  readonly line: number;
  /** The lines below it, up to the next heading of any level. */
  readonly body: string;
}

export interface Block {
  /** The word after the fence: `ts`, `text`, `sh`. */
  readonly language: string;
  /** The words after that. */
  readonly note: string;
  readonly text: string;
  readonly line: number;
  /** True when nothing but blank lines stands between the block before and this one. */
  readonly adjacent: boolean;
  /** The name in the last line before the block, when that line ends with one in code and a colon: a file. */
  readonly file: string | undefined;
}

export interface Example {
  readonly source: string;
  readonly output: string;
  /** What it prints when it is run a second time: the next block `text again`. */
  readonly again?: string;
  readonly line: number;
}

/** Lines with fenced blocks blanked out, so that their content is neither heading nor link. */
function prose(text: string): readonly string[] {
  let fenced = false;
  return text.split("\n").map((line) => {
    const fence = /^\s*(```|~~~)/.test(line);
    if (fence) fenced = !fenced;
    return fence || fenced ? "" : line;
  });
}

export function headingsOf(text: string): readonly Heading[] {
  const lines = prose(text);
  const raw = text.split("\n");
  const at = lines.flatMap((line, index) => (/^#{1,6} /.test(line) ? [index] : []));
  return at.map((index, order) => {
    const line = lines[index]!;
    const level = line.indexOf(" ");
    const end = at[order + 1] ?? raw.length;
    return {
      level,
      text: line.slice(level + 1).trim(),
      line: index + 1,
      body: raw
        .slice(index + 1, end)
        .join("\n")
        .trim(),
    };
  });
}

/** Targets of inline links and images, outside code. */
export function linksOf(text: string): readonly { readonly target: string; readonly line: number }[] {
  return prose(text).flatMap((line, index) =>
    [...line.replace(/`[^`]*`/g, "").matchAll(/\]\(\s*<?([^)\s>]+)>?[^)]*\)/g)].map((match) => ({
      target: match[1]!,
      line: index + 1,
    })),
  );
}

/** The anchor that a heading gets: lower case, punctuation dropped, spaces to hyphens. */
export function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, "")
    .trim()
    .replace(/\s/g, "-");
}

export function blocksOf(text: string): readonly Block[] {
  const blocks: Block[] = [];
  const lines = text.split("\n");
  let adjacent = false;
  for (let at = 0; at < lines.length; at += 1) {
    const open = /^```(\S*) *(.*)$/.exec(lines[at]!);
    if (open === null) {
      if (lines[at]!.trim() !== "") adjacent = false;
      continue;
    }
    const end = lines.findIndex((line, index) => index > at && line.startsWith("```"));
    const close = end < 0 ? lines.length : end;
    const body = lines.slice(at + 1, close).map((line) => `${line}\n`);
    const before = lines.slice(0, at).findLast((line) => line.trim() !== "") ?? "";
    const file = /`([^`\s]+)`:$/.exec(before)?.[1];
    blocks.push({ language: open[1]!, note: open[2]!, text: body.join(""), line: at + 1, adjacent, file });
    adjacent = true;
    at = close;
  }
  return blocks;
}

/** Every block of a language that is followed directly by a `text` block, which is its exact output. */
export function examplesOf(text: string, languages: readonly string[] = ["ts"]): readonly Example[] {
  const blocks = blocksOf(text);
  return blocks.flatMap((block, at) => {
    const next = blocks[at + 1];
    const isExample = languages.includes(block.language) && next?.language === "text" && next.adjacent;
    if (!isExample) return [];
    const following = blocks
      .slice(at + 2)
      .find(({ language, note }) => language !== "text" || note === "again");
    const again = following?.note === "again" ? { again: following.text } : {};
    return [{ source: block.text, output: next.text, ...again, line: block.line }];
  });
}
