/** The executable itself: versions, streams and signals of a real process. */
import { spawn, spawnSync } from "node:child_process";
import { chmodSync, existsSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { bindings, flow, folder } from "./support/call.js";

const bin = join(import.meta.dirname, "..", "dist", "bin.js");

function run(args: readonly string[], flags: readonly string[] = [], cwd = folder()) {
  const child = spawn(process.execPath, [...flags, bin, ...args], {
    cwd,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const text = { out: "", err: "" };
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
    text.out += chunk;
  });
  child.stderr.setEncoding("utf8").on("data", (chunk: string) => {
    text.err += chunk;
  });
  const ended = new Promise<{ code: number | null; out: string; err: string }>((resolve) => {
    child.on("close", (code) => resolve({ code, ...text }));
  });
  return { child, ended };
}

describe("the executable", () => {
  it("prints its version, and nothing on standard error", async () => {
    expect(await run(["--version"]).ended).toEqual({ code: 0, out: "0.1.0\n", err: "" });
  });

  it("says so when Node is too old, before it loads anything", async () => {
    const old = 'Object.defineProperty(process,"versions",{value:{...process.versions,node:"22.12.0"}})';
    const flags = ["--import", `data:text/javascript,${encodeURIComponent(old)}`];
    const text = await run(["list"], flags).ended;
    expect(text).toEqual({
      code: 70,
      out: "",
      err:
        "error cli.runtime: this is Node 22.12.0; swl needs Node 22.13 or newer\n" +
        "  hint: install a current Node, or give the project one of its own, which npx swl and npx node then use: npm install --save-dev node@24\n",
    });
    const json = await run(["list", "--json"], flags).ended;
    expect(JSON.parse(json.out)).toMatchObject({ error: { code: "cli.runtime" } });
  });

  it("prints no warning of Node's about its own database", async () => {
    const args = ["run", flow, "--bindings", bindings, "--input", '{"name": "x", "direct": true}', "--json"];
    expect(await run(args).ended).toMatchObject({ code: 0, err: "" });
  });

  it("ends quietly when its reader goes away", async () => {
    const { child, ended } = run(["compile", flow]);
    child.stdout.destroy();
    expect(await ended).toEqual({ code: 0, out: "", err: "" });
  });

  it.skipIf(process.platform === "win32")("tells who may only read a store what is missing", ({ skip }) => {
    // Who may do everything becomes nobody, where nobody may read these files.
    const nobody = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
    const cwd = folder();
    const file = join(cwd, "runs.db");
    writeFileSync(file, "");
    chmodSync(file, 0o444);
    chmodSync(cwd, 0o755);
    const swl = (...args: string[]) =>
      spawnSync(process.execPath, [bin, ...args], { cwd, encoding: "utf8", ...nobody });
    skip(swl("--version").status !== 0, "nobody else may run swl here");
    const { status, stderr } = swl("worker", "--bindings", bindings, "--store", file);
    expect([status, stderr]).toEqual([
      5,
      `error store.unauthorized: ${file} cannot be read and written.\n` +
        "  hint: swl needs to write there, also to look: SQLite keeps its log and its locks beside the file\n",
    ]);
  });

  it.skipIf(process.platform === "win32")("drains a worker on SIGINT", async () => {
    const { child, ended } = run(["worker", "--bindings", bindings, "--json"]);
    await new Promise<void>((resolve) => {
      child.stdout.on("data", (chunk: string) => {
        if (chunk.includes('"ready"')) resolve();
      });
    });
    child.kill("SIGINT");
    const { code, out } = await ended;
    expect(code).toBe(0);
    expect(out.trimEnd().split("\n").at(-1)).toBe('{"event":"stopped"}');
  });
});

describe.skipIf(process.platform === "win32")("a process that is told to stop while it starts", () => {
  it.each([["worker"], ["serve", "--listen", ":0"]])("stops in order: %s", async (...command) => {
    const cwd = folder();
    writeFileSync(
      join(cwd, "m.mjs"),
      'process.kill(process.pid, "SIGTERM"); await new Promise((resolve) => setTimeout(resolve, 300)); export default [];',
    );
    const text = await run([...command, "--bindings", "m.mjs", "--json"], [], cwd).ended;
    expect(text).toEqual({ code: 0, out: '{"event":"stopped"}\n', err: "" });
    expect(existsSync(join(cwd, ".swl"))).toBe(false);
  });
});

describe("a bindings module in a process", () => {
  const provider = (pay: string) => `
    import { inProcess, ok } from "@swl/invocation-control/in-process";
    export default inProcess({ greet: () => ok(), pay: ${pay} });`;
  const input = ["--input", '{"name": "x", "direct": true}'];
  const direct = (pay: string) =>
    provider(pay).replace("greet: () => ok()", 'greet: () => ({ outcome: "direct" })');

  function serve(command: string, text: string, ...more: readonly string[]) {
    const cwd = folder();
    symlinkSync(join(import.meta.dirname, "..", "node_modules"), join(cwd, "node_modules"), "junction");
    writeFileSync(join(cwd, "m.mjs"), text);
    const args = command === "run" ? ["run", flow, ...input] : ["worker"];
    return run([...args, "--bindings", "m.mjs", ...more], [], cwd);
  }

  it.each(["run", "worker"])(
    "that throws outside of everything ends %s with one sentence or document",
    async (command) => {
      for (const stray of [
        'setTimeout(() => { throw new RangeError("secret"); }, 300)',
        'setTimeout(() => Promise.reject(new RangeError("secret")), 300)',
      ]) {
        const waits = direct("() => new Promise(() => {})");
        const text = await serve(command, `${waits}\n${stray};`).ended;
        expect(text.code).toBe(70);
        expect(text.err).toMatch(/(^|\n)error cli\.internal: .*\(RangeError\)\n {2}hint: .*\n$/);
        expect(text.err).not.toContain("secret");
        const json = await serve(command, `${waits}\n${stray};`, "--json").ended;
        expect(json).toMatchObject({ code: 70, err: "" });
        expect(JSON.parse(json.out.trimEnd().split("\n").at(-1)!)).toMatchObject({
          error: { code: "cli.internal" },
        });
      }
    },
  );

  it("whose action leaves a rejection behind ends with a sentence too", async () => {
    const stray = 'async () => { Promise.reject(new Error("x")); await new Promise(() => {}); }';
    const text = await serve("run", direct(stray)).ended;
    expect(text).toMatchObject({ code: 70, out: "" });
    expect(text.err).toContain("error cli.internal: ");
  });

  it("that never finishes loading is binding.invalid", async () => {
    for (const text of [
      "await new Promise(() => {}); export default 1",
      "export default () => new Promise(() => {})",
    ]) {
      for (const command of ["run", "worker"]) {
        const json = await serve(command, text, "--json").ended;
        expect(json).toMatchObject({ code: 1, err: "" });
        expect(JSON.parse(json.out)).toMatchObject({ error: { code: "binding.invalid" } });
      }
    }
  });

  it("that is a graph is told what bindings are", async () => {
    const graph = join(flow, "workflow.dot");
    const { code, err } = await run(["run", flow, ...input, "--bindings", graph]).ended;
    expect(code).toBe(1);
    expect(err).toContain("error binding.invalid: ");
    expect(err).toContain("hint: bindings are a JavaScript module");
  });
});
