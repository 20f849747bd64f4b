/**
 * Writes goldens, for the cases that are named and for no other: running cases never writes anything, and a golden
 * that is missing makes its case invalid. Spec: CNF-goldens.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { SwlError } from "@swl/base";
import type { Case } from "../case.js";
import { goldenOf } from "../phases.js";
import type { Subject } from "../subject.js";

/**
 * Writes the golden file of each case named, with what the subject answers: to be read and judged by a person before
 * it is committed. Throws `case.invalid` for a name that no case has, a case without `expect` or one that is refused;
 * nothing is written then.
 */
export async function writeGoldens(
  cases: readonly Case[],
  subject: Subject,
  ids: readonly string[],
): Promise<readonly string[]> {
  const files: (readonly [string, string])[] = [];
  for (const id of ids) {
    const item = cases.find((candidate) => candidate.id === id);
    if (item?.expect === undefined)
      throw new SwlError("case.invalid", `no case with a golden is named ${id}`);
    const golden = await goldenOf(item, subject);
    const path = join(item.folder, item.expect);
    if (item.phase === "edit") {
      const texts = Object.entries(golden as { readonly [name: string]: string });
      files.push(...texts.map(([name, text]) => [join(path, name), text] as const));
    } else if (item.phase === "format") files.push([path, golden as string]);
    else files.push([path, `${JSON.stringify(golden, null, 2)}\n`]);
  }
  for (const [file, text] of files) writeFileSync(file, text);
  return files.map(([file]) => file);
}
