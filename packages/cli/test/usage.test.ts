import { readFileSync } from "node:fs";
import { join } from "node:path";
import { codes, isCode } from "@swl/base";
import { describe, expect, it } from "vitest";
import { exit, exitMeanings, exitOf } from "../src/index.js";
import { bindings, documentOf, flow, folder, swl } from "./support/call.js";

const commands = [
  "validate",
  "compile",
  "digest",
  "render",
  "format",
  "print",
  "canonical",
  "explain",
  "diff",
  "trace",
  "run",
  "worker",
  "status",
  "why",
  "history",
  "list",
  "signal",
  "resolve",
  "cancel",
  "publish",
  "start",
  "update",
  "complete",
  "terminate",
  "release",
  "redrive",
  "bulk",
  "verify",
];
const guide = readFileSync(join(import.meta.dirname, "../../../docs/guide/cli.md"), "utf8");

describe("swl --help", () => {
  it("lists every command and every exit code", async () => {
    const { code, out } = await swl(["--help"]);
    expect(code).toBe(0);
    for (const command of commands) expect(out).toMatch(new RegExp(`^ {2}${command}\\b`, "m"));
    for (const [name, number] of Object.entries(exit)) {
      expect(out).toContain(`${String(number).padStart(5)}  ${exitMeanings[name as keyof typeof exit]}`);
    }
  });

  it.each(commands)("shows examples of %s", async (command) => {
    const { code, out } = await swl([command, "--help"]);
    expect(code).toBe(0);
    expect(out).toMatch(new RegExp(`\\nExamples:\\n {2}\\$ swl ${command}`));
    expect(out).toContain("--json");
    expect(guide).toContain(`### swl ${command}`);
  });

  it("is what no arguments at all get, as an error", async () => {
    const { code, out, err } = await swl([]);
    expect([code, out]).toEqual([2, ""]);
    expect(err).toContain("Usage: swl");
  });
});

describe("swl help", () => {
  it("shows the help of a verb in a group, and of no other", async () => {
    const [asked, help] = [await swl(["help", "store", "check"]), await swl(["store", "check", "--help"])];
    expect(asked).toEqual(help);
    expect(asked.out).toContain("swl store check --json");
    expect((await swl(["help", "store", "chek"])).err).toBe(
      "error cli.usage: unknown command 'chek'\n  hint: Did you mean check?\n",
    );
    expect((await swl(["help", "store"])).out).toContain("prune");
    expect((await swl(["help", "list"])).out).toContain("swl list --json");
    expect((await swl(["help", "lst"])).err).toContain("Did you mean list?");
  });
});

describe("an option before its command", () => {
  it.each([
    [["--json", "list"], "swl list --json"],
    [["--store=x.db", "list"], "swl list --store"],
    [["--store", "x.db", "store", "check"], "swl store check --store"],
  ])("is told where it stands: %s", async (args, said) => {
    const { code, out, err } = await swl(args, { cwd: folder() });
    expect(code).toBe(2);
    expect(out + err).toContain(`options stand behind the command, as in ${said}`);
  });
});

describe("exit codes", () => {
  it("stand in the guide as they stand in the source", () => {
    const rows = [...guide.matchAll(/^\| (\d+) \| (.+?) \|$/gm)].map(([, code, meaning]) => [
      Number(code),
      meaning,
    ]);
    const names = Object.keys(exit) as (keyof typeof exit)[];
    expect(rows).toEqual(names.map((name) => [exit[name], exitMeanings[name]]));
  });

  it("are internal errors only for codes that are said to be", () => {
    const internal = codes
      .filter((code) => exitOf(code) === exit.internal)
      .filter((code) => !/^(cli|case|claims|subject)\./.test(code));
    // Results of a run: they reach the command line inside a run's error, never as an error of swl.
    const results = internal.filter(
      (code) =>
        !/^(limit|outcome|output|attempts|operation|contract|workflow|provider|answer|accepted)\./.test(code),
    );
    expect(results).toEqual([]);
  });
});

describe("a command line that is not understood", () => {
  const cases: readonly (readonly [string, readonly string[], string])[] = [
    ["an unknown command", ["statu", "r"], "unknown command 'statu'"],
    ["an unknown option", ["list", "--storr", "x"], "unknown option '--storr'"],
    ["a missing argument", ["why"], "missing required argument 'run'\n  hint: see swl why --help\n"],
    ["an unknown verb", ["store", "fix"], "unknown command 'fix'\n  hint: see swl store --help\n"],
    ["a group without a verb", ["store"], "store takes one of migrate, check, prune, stats"],
    ["a missing option", ["worker"], "required option '--bindings <file>' not specified"],
    ["an argument too many", ["digest", flow, flow], "too many arguments for 'digest'"],
    ["a definition to compare with that is missing", ["diff", flow], "missing required argument 'after'"],
    ["a number that is none", ["list", "--limit", "many"], "a whole number is expected, 1 to 1000"],
    [
      "a limit without action",
      ["worker", "--bindings", bindings, "--concurrency", "3"],
      "ACTION=N is expected",
    ],
    [
      "a decision that is none",
      ["resolve", "r", "--decision", "maybe"],
      "Allowed choices are retry, complete, fail",
    ],
    ["a decision that lacks its content", ["resolve", "r", "--decision", "complete"], "needs --outcome"],
    [
      "a decision with foreign content",
      ["resolve", "r", "--decision", "retry", "--code", "x"],
      "--code cannot go with",
    ],
  ];

  it.each(cases)("is refused for %s", async (_, args, message) => {
    const { code, out, err } = await swl(args, { cwd: folder() });
    expect([code, out]).toEqual([2, ""]);
    expect(err).toMatch(/^error cli\.usage: /);
    expect(err).toContain(message);
    const json = await swl([...args, "--json"], { cwd: folder() });
    expect([json.code, json.err]).toEqual([2, ""]);
    expect(documentOf(json)).toMatchObject({
      error: { code: "cli.usage", docs: "docs/errors/cli.usage.md" },
    });
  });

  it("gets a suggestion", async () => {
    expect((await swl(["statu", "r"])).err).toContain("Did you mean status?");
  });
});

describe("an unexpected exception", () => {
  const env = { SWL_STORE: 7 as never };

  it("is cli.internal, without a stack", async () => {
    const { code, out, err } = await swl(["list"], { env });
    expect([code, out]).toEqual([70, ""]);
    expect(err).toMatch(/^error cli\.internal: .*\(TypeError\)\n {2}hint: .*SWL_DEBUG=1.*\n$/);
  });

  it("shows more when it is asked to", async () => {
    const { err } = await swl(["list"], { env: { ...env, SWL_DEBUG: "1" } });
    expect(err).toMatch(/\n\s+at /);
  });
});

describe("colors", () => {
  it("are there only when the output understands them", async () => {
    const plain = await swl(["validate", flow]);
    const colored = await swl(["validate", flow], { color: true });
    const json = await swl(["validate", flow, "--json"], { color: true });
    expect(plain.out).not.toContain("\u001b");
    expect(colored.out).toContain("\u001b[32mvalid\u001b[39m");
    expect(json.out).not.toContain("\u001b");
  });
});

describe("codes", () => {
  it("of the command line are of the closed list", () => {
    for (const code of ["cli.usage", "cli.runtime", "cli.internal", "cli.store-missing", "cli.output-lost"])
      expect(isCode(code)).toBe(true);
  });
});

describe("an option", () => {
  it("with one value is given once, and one that may be repeated as often as one likes", async () => {
    const { code, err } = await swl(["list", "--store", "a", "--store=b"]);
    expect([code, err]).toEqual([
      2,
      "error cli.usage: --store is given twice\n  hint: see swl list --help\n",
    ]);
    expect((await swl(["store", "stats", "--store", "a", "--store", "a"])).err).toContain(
      "swl store stats --help",
    );
    const granted = ["worker", "--bindings", "a.mjs", "--bindings", "b.mjs", "--grant", "x", "--grant", "y"];
    expect((await swl(granted)).err).toMatch(/^error source\.not-found: --bindings: the file a\.mjs/);
    expect((await swl(["digest", "nowhere", "--json", "--json"])).code).toBe(3);
  });
});
