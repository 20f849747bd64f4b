/** What somebody who does not know swl yet types, and what it says then: what was meant, and what to type instead. */
import { mkdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { bindings, documentOf, fixtures, flow, folder, start, swl } from "./support/call.js";

const posix = process.platform !== "win32";

function files(texts: { readonly [name: string]: string | Uint8Array }): string {
  const cwd = folder();
  for (const [name, text] of Object.entries(texts)) writeFileSync(join(cwd, name), text);
  return cwd;
}

describe("a file of something else", () => {
  const utf16 = new Uint8Array([0xff, 0xfe, 0x7b, 0x00]);
  const texts = {
    "empty.json": "",
    "package.json": '{"name": "orders"}',
    "list.json": "[1]",
    "words.json": "hello",
    "utf16.json": utf16,
    "notes.txt": "hello",
  };

  it.each([
    ["empty.json", "json.syntax", "the document is empty"],
    ["package.json", "definition.release", "a definition is what swl compile prints"],
    ["list.json", "definition.type", "a definition is what swl compile prints"],
    ["words.json", "json.syntax", "a definition is what swl compile prints"],
    ["utf16.json", "json.encoding", "save it as UTF-8"],
    ["notes.txt", "source.unreadable", "PATH is a source folder, a .dot file, a definition as .json, or -"],
    ["nothing.json", "source.not-found", "PATH is a source folder, a .dot file, a definition as .json, or -"],
  ])("given as PATH, %s is %s, and what was expected is told", async (name, code, hint) => {
    const { err } = await swl(["digest", name], { cwd: files(texts) });
    expect(err).toContain(`${name}:1:1: error ${code}: `);
    expect(err).toContain(`  hint: ${hint}`);
  });

  const readers: readonly (readonly [string, (name: string) => readonly string[], string])[] = [
    ["--input", (name) => ["run", flow, "--bindings", bindings, "--input", name], "json.syntax"],
    ["--bindings", (name) => ["run", flow, "--bindings", name], "json.syntax"],
    ["--events", (name) => ["trace", flow, "--events", name], "event.invalid"],
  ];

  it.each(readers)("given to %s is told what it is", async (option, args, empty) => {
    const cwd = files(texts);
    mkdirSync(join(cwd, "folder.json"));
    const said = async (name: string) => (await swl(args(name), { cwd })).err;
    expect(await said("empty.json")).toContain(`empty.json:1:1: error ${empty}: `);
    expect(await said("utf16.json")).toContain("utf16.json:1:1: error json.encoding: ");
    expect(await said("folder.json")).toMatch(
      new RegExp(`^error source\\.unreadable: ${option}: .*it is a folder\n {2}hint: `),
    );
    expect(await said("nothing.json")).toMatch(
      new RegExp(`^error source\\.not-found: ${option}: .*is not there\n {2}hint: `),
    );
  });

  it.skipIf(!posix)("without an end is read no further than anything is", async () => {
    const { code, err } = await swl(["run", flow, "--bindings", bindings, "--input", "/dev/zero"]);
    expect([code, err]).toEqual([1, expect.stringContaining("/dev/zero:1:1: error json.too-large: ")]);
  });

  it("is none where a folder is named like a file", async () => {
    const cwd = folder();
    mkdirSync(join(cwd, "flow.json"));
    writeFileSync(
      join(cwd, "flow.json", "workflow.dot"),
      'digraph "x" { start = "a"; a [kind="complete"]; }',
    );
    expect(await swl(["digest", "flow.json"], { cwd })).toMatchObject({ code: 0, err: "" });
  });
});

describe.skipIf(!posix)("a path as Windows has it", () => {
  it.each([
    ["PATH", ["digest", "flows\\orders"], "flows/orders"],
    ["PATH of a definition", ["digest", "flows\\orders.json"], "flows/orders.json"],
    ["--input", ["start", flow, "--input", "flows\\in.json"], "flows/in.json"],
    ["--bindings", ["worker", "--bindings", "flows\\b.mjs"], "flows/b.mjs"],
    ["--events", ["trace", flow, "--events", "flows\\e.jsonl"], "flows/e.jsonl"],
  ])("as %s is told how it is written here", async (_, args, meant) => {
    const cwd = folder();
    mkdirSync(join(cwd, "flows", "orders"), { recursive: true });
    for (const name of ["orders.json", "in.json", "b.mjs", "e.jsonl"]) {
      writeFileSync(join(cwd, "flows", name), "");
    }
    const { code, err } = await swl(args, { cwd });
    expect(code).toBe(3);
    expect(err).toContain(`  hint: folders are parted by / here; did you mean ${meant}?`);
  });
});

describe("what is not in a store", () => {
  it("names the store that was looked at, and what lists it", async () => {
    const cwd = folder();
    await swl(["publish", flow, "--store", "my runs.db"], { cwd });
    const run = await swl(["status", "run-1", "--store", "my runs.db"], { cwd });
    expect(run.code).toBe(3);
    expect(run.err).toContain(
      "hint: my runs.db was looked at; its runs: swl list --store 'my runs.db'; another store: --store, or SWL_STORE",
    );
    const json = await swl(["signal", "run-1", "go", "--json"], { cwd, env: { SWL_STORE: "my runs.db" } });
    expect(documentOf(json)["error"]).toMatchObject({
      code: "run.not-found",
      hint: expect.stringContaining("my runs.db was looked at"),
    });
    const name = await swl(["start", "--name", "nobody", "--store", "my runs.db"], { cwd });
    expect(name.err).toMatch(
      /^error name\.not-found: .*\n {2}hint: my runs\.db was looked at; swl publish PATH/,
    );
  });
});

describe("a name that is not quite right", () => {
  it("of an action is known among those of a module", async () => {
    const path = join(fixtures, "misspelt-bindings.mjs");
    const { code, err } = await swl(["run", flow, "--bindings", path], { cwd: folder() });
    expect(code).toBe(1);
    expect(err).toContain("did you mean gret? the bindings have that");
    const limited = await swl(["worker", "--bindings", path, "--concurrency", "gert=1"], { cwd: folder() });
    expect(limited.err).toContain("hint: did you mean gret?");
  });
});

describe("swl --help", () => {
  it("says what PATH, RUN and the store are, which the commands take", async () => {
    const { out } = await swl(["--help"]);
    for (const word of ["PATH is a source folder", "RUN is the ID of a run", "The store is --store FILE"])
      expect(out).toContain(`\n${word}`);
  });
});

describe("an option that is not quite right", () => {
  it("is told where the one that was meant is required, and so is missed first", async () => {
    const { code, err } = await swl(["worker", "--binding", bindings], { cwd: folder() });
    expect(code).toBe(2);
    expect(err).toContain("required option '--bindings <file>' not specified");
    expect(err).toContain("  hint: did you mean --bindings for --binding?");
    expect((await swl(["worker", "--store", "x.db"])).err).toContain("  hint: see swl worker --help");
    expect((await swl(["store", "prune", "--older-then=3d"])).err).toContain(
      "  hint: did you mean --older-than for --older-then?",
    );
  });
});

describe("JSON that a shell took apart", () => {
  const run = (...words: string[]) => swl(["run", flow, "--bindings", bindings, ...words], { cwd: folder() });
  const resolve = (output: string) =>
    swl(["resolve", "run-1", "--decision", "complete", "--outcome", "ok", "--output", output]);

  it("is told how it is typed, and that a file can be given", async () => {
    const hint = `  hint: JSON keeps its double quotes: '{"amount": 12}', '"a text"'; where a shell takes them away, give a file`;
    expect((await run("--input", "{name:ann}")).err).toContain(`--input:1:2: error json.syntax: `);
    for (const { code, err } of [await run("--input", "{name:ann}"), await resolve("6 EUR")]) {
      expect(code).toBe(1);
      expect(err).toContain(hint);
    }
    const cwd = files({ "in.json": "{name:ann}" });
    const file = await swl(["run", flow, "--bindings", bindings, "--input", "in.json"], { cwd });
    expect(file.err).toContain("in.json:1:2: error json.syntax: ");
    expect(file.err).not.toContain("hint:");
  });

  it("and of which nothing is left is told what is expected", async () => {
    const { code, err } = await run("--input", "");
    expect(code).toBe(2);
    expect(err).toContain("  hint: give JSON, a file, or - for standard input");
  });
});

describe("a request to a run that stands elsewhere", () => {
  it("is told what shows where it stands, beside its answer and never within JSON", async () => {
    const cwd = folder();
    const store = ["--store", "my runs.db"];
    const input = ["--input", '{"name": "ann", "direct": false}'];
    const waits = await swl(["run", flow, "--bindings", bindings, ...input, ...store, "--json"], { cwd });
    const { run = "" } = documentOf(waits) as { readonly run?: string };
    const worker = start(["worker", "--bindings", bindings, ...store], { cwd });
    const unmatched = await swl(["signal", run, "gaet", "--outcome", "yes", ...store], { cwd });
    expect(unmatched).toMatchObject({
      code: 4,
      out: expect.stringMatching(/^no effect signal\.unmatched: /),
    });
    expect(unmatched.err).toContain(
      `  hint: swl why ${run} --store 'my runs.db' says where it stands and what it waits for\n`,
    );
    const json = await swl(["signal", run, "gaet", "--outcome", "yes", "--json", ...store], { cwd });
    expect([json.code, json.err, documentOf(json)["code"]]).toEqual([4, "", "signal.unmatched"]);
    const taken = await swl(["signal", run, "gate", "--outcome", "no", ...store], { cwd });
    expect([taken.code, taken.err]).toEqual([0, ""]);
    worker.interrupt();
    await worker.ended;
    const late = await swl(["cancel", run, ...store], { cwd });
    expect([late.code, late.err]).toEqual([
      4,
      `  hint: swl status ${run} --store 'my runs.db' says how it ended\n`,
    ]);
  });
});

describe("an address that swl serve cannot have", () => {
  it("is told with what to type instead, and leaves no host behind", async () => {
    const taken = createServer();
    await new Promise<void>((resolve) => taken.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void taken.close());
    const { port } = taken.address() as AddressInfo;
    const cwd = folder();
    const used = await swl(["serve", "--bindings", bindings, "--listen", String(port)], { cwd });
    expect(used.code).toBe(4);
    expect(used.err).toMatch(/^error server\.address-in-use: Port \d+ of 127\.0\.0\.1 is in use\.\n/);
    expect(used.err).toContain("hint: another port with --listen HOST:PORT");
    const stats = documentOf(await swl(["store", "stats", "--json"], { cwd }));
    expect(stats["holders"]).toBe(0);
    // A run that waits in the store was not begun meanwhile.
    const input = ["--input", '{"name": "ann", "direct": true}'];
    const { run } = documentOf(await swl(["start", flow, ...input, "--json"], { cwd }));
    await swl(["serve", "--bindings", bindings, "--listen", "192.0.2.1:0"], { cwd });
    expect(documentOf(await swl(["status", run!, "--json"], { cwd }))["status"]).toBe("created");
    const env = { SWL_TOKENS: "a:read:0123456789abcdef" };
    const nobodys = ["serve", "--bindings", bindings, "--listen", "192.0.2.1:0"];
    expect((await swl(nobodys, { cwd, env })).err).toContain("this machine does not have that address");
  });
});
