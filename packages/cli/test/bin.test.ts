/** The executable itself: versions, streams and signals of a real process. */
import { spawn } from "node:child_process";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { bindings, flow, folder } from "./support/call.js";

const bin = join(import.meta.dirname, "..", "dist", "bin.js");

function run(args: readonly string[], flags: readonly string[] = []) {
  const child = spawn(process.execPath, [...flags, bin, ...args], {
    cwd: folder(),
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
      err: "error cli.runtime: this is Node 22.12.0; swl needs Node 22.13 or newer\n",
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
