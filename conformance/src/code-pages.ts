/**
 * Codes and their pages: the closed list and `docs/errors` name the same codes, and every page says cause and remedy.
 * Spec: CNF-codes-documented.
 */

/**
 * What is wrong between a list of codes and the pages by file name (`<code>.md`): codes without a page, pages without
 * a code, pages without their parts.
 */
export function codePageProblems(
  codes: readonly string[],
  pages: ReadonlyMap<string, string>,
): readonly string[] {
  const problems: string[] = [];
  const listed = new Set(codes);
  if (listed.size !== codes.length) problems.push("a code is listed twice");
  for (const code of listed) if (!pages.has(`${code}.md`)) problems.push(`${code} has no page`);
  for (const [file, text] of pages) {
    const code = file.replace(/\.md$/, "");
    if (!listed.has(code)) problems.push(`${file} is the page of no code`);
    const lines = text.split(/\r?\n/);
    if (lines[0] !== `# ${code}`) problems.push(`${file} does not begin with "# ${code}"`);
    if ((lines[2] ?? "").trim() === "")
      problems.push(`${file} does not say in a sentence what ${code} means`);
    for (const part of ["## Cause", "## Remedy"]) {
      if (!lines.includes(part)) problems.push(`${file} has no part "${part}"`);
    }
  }
  return problems;
}
