/** `swl serve`: a host and the control plane over HTTP in a process of its own. */
import { spawn } from "node:child_process";
import { join } from "node:path";
import { createClient } from "@swl/server/client";
import { describe, expect, it } from "vitest";
import { bindings, documentOf, flow, folder, swl, until } from "./support/call.js";

const bin = join(import.meta.dirname, "..", "dist", "bin.js");

function serving(args: readonly string[], env: { readonly [name: string]: string } = {}, cwd = folder()) {
  const child = spawn(process.execPath, [bin, "serve", "--bindings", bindings, ...args, "--json"], {
    cwd,
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const text = { out: "", err: "" };
  const ready = new Promise<string>((resolve) => {
    child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
      text.out += chunk;
      const url = /"url":"([^"]+)"/.exec(text.out)?.[1];
      if (url !== undefined) resolve(url);
    });
  });
  child.stderr.setEncoding("utf8").on("data", (chunk: string) => {
    text.err += chunk;
  });
  const ended = new Promise<{ code: number | null; out: string; err: string }>((resolve) => {
    child.on("close", (code) => resolve({ code, ...text }));
  });
  return { child, ready, ended, cwd };
}

describe("swl serve", () => {
  it("serves runs over HTTP on the store that the other commands see, and drains on SIGTERM", async () => {
    const { child, ready, ended, cwd } = serving(["--listen", "127.0.0.1:0"]);
    const client = createClient({ url: await ready });
    const definition = JSON.parse((await swl(["compile", flow])).out);
    const { run } = await client.start({ definition, input: { name: "ann", direct: true } });
    const result = await client.result(run);
    expect(documentOf(await swl(["status", run, "--json"], { cwd }))).toMatchObject({ run, closed: true });
    expect(result.status).toBe("completed");
    child.kill("SIGTERM");
    const { code, out } = await ended;
    expect(code).toBe(0);
    expect(out.trimEnd().split("\n").at(-1)).toBe('{"event":"stopped"}');
  });

  it("takes tokens from the environment, and says nothing of them", async () => {
    const secret = "a-secret-that-nobody-may-see";
    const { child, ready, ended } = serving(["--listen", ":0"], { SWL_TOKENS: `ci:read:${secret}` });
    const url = await ready;
    await expect(createClient({ url }).list()).rejects.toMatchObject({ code: "server.unauthenticated" });
    expect(await createClient({ url, token: secret }).list()).toEqual({ items: [] });
    child.kill("SIGTERM");
    const { out, err } = await ended;
    expect(out + err).not.toContain(secret);
  });

  it("removes runs so long after their end as --retention says", async () => {
    const { child, ready, ended, cwd } = serving(["--listen", ":0", "--retention", "1s"]);
    const client = createClient({ url: await ready });
    const definition = JSON.parse((await swl(["compile", flow])).out);
    const { run } = await client.start({ definition, input: { name: "ann", direct: true } });
    const gone = async () => documentOf(await swl(["status", run, "--json"], { cwd }));
    await until(async () => JSON.stringify(await gone()).includes("run.not-found"));
    child.kill("SIGTERM");
    expect((await ended).code).toBe(0);
  });

  it.each([
    ["a retention that is no duration", ["--retention", "soon"], {}, "cli.usage"],
    ["a retention of nothing", ["--retention", "0s"], {}, "cli.usage"],
    ["an open address without tokens", ["--listen", "0.0.0.0:0"], {}, "server.open-address"],
    ["what is no address", ["--listen", "here"], {}, "cli.usage"],
    ["a port that there is not", ["--listen", "127.0.0.1:70000"], {}, "cli.usage"],
    [
      "a token with a scope that there is not",
      [],
      { SWL_TOKENS: "a:raed:0123456789abcdef" },
      "server.option-invalid",
    ],
    ["a key that is too short", [], { SWL_CALLBACK_KEYS: "k:short" }, "cli.usage"],
  ])("refuses %s", async (_what, args, env, code) => {
    const { out, err, code: ended } = await serving(args, env).ended;
    expect(ended).not.toBe(0);
    expect(out + err).toContain(code);
    expect(out + err).not.toContain("0123456789abcdef");
  });

  it("refuses a port that is taken", async () => {
    const first = serving(["--listen", "127.0.0.1:0"]);
    const { port } = new URL(await first.ready);
    const { out, err } = await serving(["--listen", `127.0.0.1:${port}`]).ended;
    expect(out + err).toContain("server.address-in-use");
    first.child.kill("SIGTERM");
    await first.ended;
  });

  it("hands out work to workers", async () => {
    const { child, ready, ended } = serving(["--listen", "127.0.0.1:0"]);
    const answer = await fetch(`${await ready}/work/claim`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ worker: "w", actions: ["far"] }),
    });
    expect(await answer.json()).toEqual({ tasks: [] });
    child.kill("SIGTERM");
    expect((await ended).code).toBe(0);
  });
});
