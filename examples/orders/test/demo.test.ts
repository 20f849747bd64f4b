/** `npm start` and the commands of the README after it, as a user types them. Long: only with SWL_FULL=1. */
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { swl } from "../src/demo/swl.ts";
import { nodeFlags } from "../src/node-flags.ts";
import { exampleFolder } from "../src/orders.ts";

/** The commands of the README that begin with `npx swl`, as arguments. */
function commands(): readonly (readonly string[])[] {
  const lines = readFileSync(join(exampleFolder, "README.md"), "utf8").matchAll(/^npx swl (.+)$/gm);
  return [...lines].map(([, line = ""]) =>
    [...line.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, word]) => quoted ?? word ?? ""),
  );
}

describe.skipIf(!process.env["SWL_FULL"])("the demo", () => {
  it("ends well, and its README's commands work after it", async () => {
    const demo = spawnSync(process.execPath, [...nodeFlags, join(exampleFolder, "src", "demo.ts")], {
      encoding: "utf8",
    });
    expect(`${demo.status} ${demo.stderr}`).toBe("0 ");
    expect(demo.stdout).toContain("duplicates: 0");
    expect(demo.stdout).toContain("runs parked by the deployment: 0, attempts lost: 0");
    expect(existsSync(join(exampleFolder, "out", "run.svg"))).toBe(true);
    const codes: string[] = [];
    let run = "";
    for (const args of commands()) {
      const { code, out } = await swl(args.map((arg) => (arg === "RUN" ? run : arg)));
      run = /^run-\S+/.exec(out)?.[0] ?? run;
      codes.push(`${args[0]} ${code}`);
    }
    expect(codes).toEqual(["validate 0", "render 0", "list 0", "run 0", "run 7", "signal 0", "run 0"]);
  });
});
