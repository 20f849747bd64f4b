/** Where the independent test data lies; `undefined` when this checkout has none beside it. */
import { existsSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));

export function corpus(name: string): string | undefined {
  const shared = process.env["SWL_SHARED"] ?? resolve(here, "../../../../shared");
  const folder = join(shared, "corpora", name);
  return existsSync(folder) ? folder : undefined;
}
