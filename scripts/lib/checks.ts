/**
 * Collects the results of a check script: a check passes, or fails with sentences that say what to do. `finish` prints
 * the failures and, as the last line and in `reports/<suite>.json`, the counts that `npm test` adds up.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./workspace.ts";

export class Checks {
  readonly suite: string;
  readonly failures: string[] = [];
  private passed = 0;
  private failed = 0;

  constructor(suite: string) {
    this.suite = suite;
  }

  /** One check: passes when there are no complaints. */
  check(name: string, complaints: readonly string[]): void {
    if (complaints.length === 0) {
      this.passed += 1;
      return;
    }
    this.failed += 1;
    this.failures.push(`${name}\n${complaints.map((line) => `    ${line}`).join("\n")}`);
  }

  /** Prints the failures and the counts, and sets the exit code. */
  finish(): void {
    for (const failure of this.failures) console.log(`  failed: ${failure}`);
    const counts = JSON.stringify({ suite: this.suite, passed: this.passed, failed: this.failed });
    mkdirSync(join(root, "reports"), { recursive: true });
    writeFileSync(join(root, "reports", `${this.suite}.json`), `${counts}\n`);
    console.log(counts);
    if (this.failed > 0) process.exitCode = 1;
  }
}
