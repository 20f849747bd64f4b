/** The README's walk on the shell, walked: its files, its commands, what they print. */
import { readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { folder, swl } from "./support/call.js";

const home = join(import.meta.dirname, "..");
const readme = readFileSync(join(home, "README.md"), "utf8");

function block(language: string): string {
  return new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``).exec(readme)![1]!;
}

describe("the README", () => {
  it("prints what it says", async () => {
    const cwd = folder();
    symlinkSync(join(home, "node_modules"), join(cwd, "node_modules"), "junction");
    writeFileSync(join(cwd, "hello.dot"), block("dot"));
    writeFileSync(join(cwd, "bindings.mjs"), block("js"));
    const [, commands = "", expected] = /```sh\n(npx swl[\s\S]*?)```\s+```text\n([\s\S]*?)```/.exec(readme)!;
    let printed = "";
    for (const line of commands.trimEnd().split("\n")) {
      const [, , ...args] = [...line.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, word]) => quoted ?? word!);
      printed += (await swl(args, { cwd })).out;
    }
    expect(printed.replace(/sha256:[0-9a-f]{64}/, "sha256:DIGEST").replace(/"run-[^"]+"/, '"run-ID"')).toBe(
      expected,
    );
  });
});
