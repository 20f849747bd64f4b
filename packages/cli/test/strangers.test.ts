/** What modules, files and people outside say may be anything: it is shown, it does nothing, and it breaks nothing. */
import { execFileSync } from "node:child_process";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { main } from "../src/index.js";
import { printable, shellWord } from "../src/lib/visible.js";
import { bindings, flow, folder, swl } from "./support/call.js";

const esc = String.fromCharCode(27);
const input = ["--input", '{"name": "x", "direct": true}'];

/** A folder with a module in it, and the packages that a module may import. */
function module(text: string): string {
  const cwd = folder();
  symlinkSync(join(import.meta.dirname, "..", "node_modules"), join(cwd, "node_modules"), "junction");
  writeFileSync(join(cwd, "m.mjs"), text);
  return cwd;
}

describe("a bindings module", () => {
  const thrown = {
    "text with half of a pair": 'throw "str\\ud800"',
    "an error with half of a pair": 'throw new Error("str\\ud800")',
    "a symbol": "throw Symbol()",
    nothing: "throw undefined",
    "an object without text": "throw Object.create(null)",
    "an error whose message throws":
      'throw Object.defineProperty(new Error(), "message", { get() { throw 1; } })',
    "a proxy that throws": 'throw new Proxy({}, { get() { throw new Error("no"); } })',
    "a code that throws": "throw { get code() { throw 1; } }",
    "a provider whose members throw": 'export default { get id() { throw new Error("no"); } }',
    "a revoked proxy": "const { proxy, revoke } = Proxy.revocable([], {}); revoke(); export default proxy",
    "an error of the house without insides":
      'throw { [Symbol.for("@swl/error")]: true, code: "binding.invalid" }',
  };

  it.each(Object.entries(thrown))("that throws or exports %s is refused in one document", async (_, text) => {
    const cwd = module(text);
    const called = await swl(["run", flow, "--bindings", "m.mjs", "--json", ...input], { cwd });
    const { error } = JSON.parse(called.out);
    expect(called.err).toBe("");
    expect(called.code).toBe(error.code === "cli.internal" ? 70 : 1);
    if (!text.includes("@swl/error")) expect(error.code).toBe("binding.invalid");
    expect((await swl(["run", flow, "--bindings", "m.mjs", ...input], { cwd })).err).toMatch(/ \S/);
  });

  it("whose provider throws when it is asked what it has is refused", async () => {
    const cwd = module('export default { id: "x", has() { throw new Error("no line"); }, invoke() {} }');
    for (const command of [
      ["run", flow, ...input],
      ["worker", "--concurrency", "pay=1"],
    ]) {
      const called = await swl([...command, "--bindings", "m.mjs"], { cwd });
      expect(called.code).toBe(1);
      expect(called.err).toMatch(/^error binding\.invalid: .*no line/);
    }
  });

  it("is named for what it is when it is no file", async () => {
    const cwd = folder();
    const refused = (name: string) => swl(["run", flow, "--bindings", name, ...input], { cwd });
    expect((await refused("")).err).toMatch(/^error cli\.usage: --bindings names no file/);
    expect((await refused(flow)).err).toMatch(/^error source\.unreadable: --bindings: .*it is a folder/);
    expect((await refused("nope.mjs")).err).toMatch(
      /^error source\.not-found: --bindings: the file nope\.mjs is not there\n {2}hint: bindings are a JavaScript module/,
    );
  });
});

describe("main", () => {
  it("does not throw when nothing can be printed", async () => {
    const fail = () => {
      throw new Error("closed");
    };
    const io = { cwd: folder(), env: {}, color: false, out: fail, err: fail };
    const rest = { stdin: async () => new Uint8Array(), onInterrupt: () => () => {} };
    expect(await main(["list"], { ...io, ...rest })).toBe(70);
  });
});

describe("text from outside", () => {
  const bell = `a${esc}]0;title${String.fromCharCode(7)}\nb\u202ec\u009b2J`;
  const visible = "a\\u001b]0;title\\u0007\\nb\\u202ec\\u009b2J";

  it("moves no cursor, turns no line and forges none", async () => {
    const cwd = folder();
    const key = ["--key", bell];
    const { out } = await swl(["run", flow, "--bindings", bindings, ...input, ...key, "--json"], { cwd });
    const { run } = JSON.parse(out);
    expect((await swl(["list"], { cwd })).out).toContain(`  ${visible}  `);
    expect((await swl(["status", run], { cwd })).out).toContain(visible);
    writeFileSync(join(cwd, "f.dot"), `digraph "w" {\n  start = "a";\n  a [kind="${bell}"];\n}\n`);
    expect((await swl(["validate", "f.dot"], { cwd })).out).toContain("\\u001b]0;title");
    const missing = await swl(["validate", `${bell}.dot`], { cwd });
    expect(missing.out).toContain(`${visible}.dot:1:1: error source.not-found`);
    for (const { out: text, err } of [missing, await swl(["list"], { cwd, color: true })]) {
      for (const raw of ["\u0007", "\u009b", "\u202e"]) expect(text + err).not.toContain(raw);
    }
  });

  it("keeps the colors of the command line itself", () => {
    expect(printable(`${esc}[32mok${esc}[39m ${esc}[2J`, true)).toBe(`${esc}[32mok${esc}[39m \\u001b[2J`);
    expect(printable(`${esc}[32mok`, false)).toBe("\\u001b[32mok");
  });

  it("with half of a pair stays the finding that it is, as JSON", async () => {
    const cwd = folder();
    writeFileSync(join(cwd, "d.json"), '{"\\ud83d": 1}');
    const { out } = await swl(["validate", "d.json", "--json"], { cwd });
    const text = await swl(["validate", "d.json"], { cwd });
    const [{ code }] = JSON.parse(out).findings;
    expect(text.out).toContain(` ${code}: `);
  });
});

describe("a suggested command", () => {
  const words = [
    "$(touch pwned)",
    "`touch pwned`",
    "it's",
    "a b",
    'say "hi"',
    "\\",
    "a\nb",
    `${esc}[2J\u202e'\\`,
  ];

  it.skipIf(process.platform === "win32").each(words)("is read back by a shell as one word: %j", (word) => {
    const cwd = folder();
    const printed = execFileSync("bash", ["-c", `printf '%s' ${shellWord(word)}`], {
      cwd,
      encoding: "utf8",
      env: { ...process.env, LC_ALL: "C.UTF-8" },
    });
    expect(printed).toBe(word);
  });

  it("keeps a path of Windows one that its shells read, and lets them do nothing", () => {
    expect(shellWord("C:\\data\\runs.db", true)).toBe("C:\\data\\runs.db");
    expect(shellWord("C:\\my data\\runs (2).db", true)).toBe('"C:\\my data\\runs (2).db"');
    expect(shellWord("C:\\$(calc)\\runs.db", true)).toBe("'C:\\$(calc)\\runs.db'");
  });

  it("names the store as a shell has to be told it", async () => {
    const cwd = folder();
    mkdirSync(join(cwd, "$(id)"));
    const store = ["--store", "$(id)/s.db"];
    const waiting = ["run", flow, "--bindings", bindings, "--input", '{"name": "x"}', ...store];
    expect((await swl(waiting, { cwd })).out).toContain("--store '$(id)/s.db'");
  });
});
