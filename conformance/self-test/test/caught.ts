/** How many broken subjects were caught: said here, and left in `reports` for the summary of `npm test`. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const reports = join(import.meta.dirname, "../reports");

export function sayCaught(caught: number, of: number, what: string): void {
  const line = `${caught} of ${of} ${what} (${Math.floor((caught / of) * 100)}%)`;
  process.stdout.write(`${line}\n`);
  mkdirSync(reports, { recursive: true });
  writeFileSync(join(reports, `caught-${what.replace(/[^a-z]+/g, "-")}.txt`), `${line}\n`);
}
