/** Words on the command line that can mean nothing are refused before a store is opened or made. */
import { existsSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { bindings, flow, folder, swl } from "./support/call.js";

const serve = ["run", flow, "--bindings", bindings, "--input", '{"name": "x", "direct": true}'];
const long = "k".repeat(300);

describe("a word that can mean nothing", () => {
  const cases: readonly (readonly [string, readonly string[], string])[] = [
    ["an empty key", [...serve, "--key", ""], "request.invalid"],
    ["a long key", [...serve, "--key", long], "request.invalid"],
    ["an empty run", ["status", ""], "request.invalid"],
    ["a long run", ["why", long], "request.invalid"],
    ["an empty run to draw", ["render", "--run", ""], "request.invalid"],
    ["an empty run to look back on", ["history", ""], "request.invalid"],
    ["an empty run to resolve", ["resolve", "", "--decision", "retry"], "request.invalid"],
    ["an empty run to cancel", ["cancel", ""], "request.invalid"],
    ["an empty workflow", ["list", "--workflow", ""], "request.invalid"],
    ["an empty cursor", ["list", "--after", ""], "request.invalid"],
    ["an unknown status", ["list", "--status", "parked"], "request.invalid"],
    ["a signal with a space", ["signal", "r", "a b"], "request.invalid"],
    ["an empty signal", ["signal", "r", ""], "request.invalid"],
    ["a long signal", ["signal", "r", "s".repeat(100)], "request.invalid"],
    ["a code with a space", ["resolve", "r", "--decision", "fail", "--code", "Card lost"], "request.invalid"],
    ["a limit of an action that nobody has", [...serve, "--concurrency", "nosuch=3"], "cli.usage"],
    ["a wait for a lease that nobody needs", [...serve, "--wait-for-lease", "100"], "cli.usage"],
    ["a store without a name", ["list", "--store", ""], "cli.usage"],
    ["a store to serve without a name", [...serve, "--store", ""], "cli.usage"],
    ["a store on another server", ["list", "--store", "mysql://me:secret@localhost/x"], "cli.usage"],
    ["a server to serve without a database", [...serve, "--store", "postgres://localhost"], "cli.usage"],
    ["an output without a name", ["compile", flow, "--out", ""], "cli.usage"],
    ["an input without a name", [...serve.slice(0, -1), ""], "cli.usage"],
    ["a payload without a name", ["signal", "r", "s", "--payload", "@"], "cli.usage"],
    ["an empty grant", [...serve, "--grant", ""], "cli.usage"],
  ];

  it.each(cases)("is refused: %s", async (_, args, expected) => {
    const cwd = folder();
    const called = await swl([...args, "--json"], { cwd });
    expect([called.code, JSON.parse(called.out).error.code]).toEqual([2, expected]);
    expect(readdirSync(cwd)).toEqual([]);
  });

  it("gets a suggestion when it is a status", async () => {
    const { err } = await swl(["list", "--status", "complete"], { cwd: folder() });
    expect(err).toContain("did you mean completed?");
    expect(err).toContain("needs-intervention");
  });

  it("is refused as a cursor by a store that is there", async () => {
    const cwd = folder();
    await swl(serve, { cwd });
    const { code, err } = await swl(["list", "--after", "bogus"], { cwd });
    expect(code).toBe(2);
    expect(err).toMatch(/^error request\.invalid: --after "bogus" /);
  });

  it("is named when it is a topic of help", async () => {
    const { code, err } = await swl(["help", "statu"]);
    expect([code, err]).toEqual([
      2,
      "error cli.usage: unknown command 'statu'\n  hint: Did you mean status?\n",
    ]);
  });
});

describe("a folder where a file is expected", () => {
  it("is unreadable, not missing", async () => {
    const cwd = folder();
    const { code, err } = await swl(["run", flow, "--bindings", bindings, "--input", "."], { cwd });
    expect(code).toBe(3);
    expect(err).toMatch(/^error source\.unreadable: --input: the file \. cannot be read: it is a folder/);
  });
});

describe("a store", () => {
  it.each(["list", "status r", "signal r gate"])("of no bytes is not made by %s", async (command) => {
    const cwd = folder();
    writeFileSync(join(cwd, "s.db"), "");
    const { code, err } = await swl([...command.split(" "), "--store", "s.db"], { cwd });
    expect(code).toBe(3);
    expect(err).toMatch(/^error cli\.store-missing: /);
    expect([readdirSync(cwd), statSync(join(cwd, "s.db")).size]).toEqual([["s.db"], 0]);
  });

  it("gets the one folder that is missing, and no more", async () => {
    const cwd = folder();
    expect((await swl([...serve, "--store", "one/s.db"], { cwd })).code).toBe(0);
    const places = existsSync("/proc/self") ? ["no/such/s.db", "/proc/x/y.db"] : ["no/such/s.db"];
    for (const place of places) {
      const { code, err } = await swl([...serve, "--store", place], { cwd });
      expect(code).toBe(5);
      expect(err).toMatch(/^error store\.unavailable: the folder of /);
    }
    expect(readdirSync(cwd)).toEqual(["one"]);
  });
});
