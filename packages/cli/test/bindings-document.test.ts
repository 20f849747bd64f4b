import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { documentOf, flow, folder, swl } from "./support/call.js";

/** A server that answers with everything that it was sent. */
async function echo(status: (url: string) => number): Promise<string> {
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += chunk;
    const { url = "", headers } = request;
    response.writeHead(status(url), { "content-type": "application/json" });
    response.end(JSON.stringify({ title: `refused: ${JSON.stringify(headers)}`, url, headers, body }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function write(cwd: string, name: string, document: unknown): string {
  writeFileSync(join(cwd, name), JSON.stringify(document));
  return name;
}

const act = (action: string, routes: object) => ({
  kind: "activity",
  action,
  input: { $get: ["input"] },
  routes,
});

/** Every action in turn, whatever becomes of it. */
function workflow(actions: readonly string[], effect: string): object {
  const nodes = actions.map((name, index) => {
    const next = actions[index + 1] ?? "done";
    return [name, act(name, { ok: next, failed: next })];
  });
  const contract = { effect, outcomes: { ok: {} }, retry: { maxAttempts: 1 } };
  return {
    swl: "0.1",
    id: "flow",
    requires: ["core"],
    dialects: { numbers: "binary64", expressions: "minimal" },
    start: actions[0],
    nodes: { ...Object.fromEntries(nodes), done: { kind: "complete", output: { $get: ["nodes"] } } },
    actions: Object.fromEntries(actions.map((name) => [name, contract])),
  };
}

describe("a bindings document", () => {
  it("serves actions by programs and servers, beside a module", async () => {
    const cwd = folder();
    const origin = await echo(() => 200);
    const program = 'process.stdout.write(JSON.stringify({ outcome: "ok", output: process.env.MODE }))';
    write(cwd, "b.json", {
      bindings: {
        print: {
          provider: "child-process",
          command: [process.execPath, "-e", program],
          env: { MODE: "fast" },
        },
        ask: { provider: "http", url: `${origin}/orders/{input.id}`, allow: ["127.0.0.1"] },
      },
    });
    const local = `{ id: "local", has: (action) => action === "own",
      invoke: async () => ({ kind: "completed", outcome: "ok", output: "here" }) }`;
    writeFileSync(join(cwd, "b.mjs"), `export default ${local};`);
    write(cwd, "flow.json", workflow(["print", "ask", "own"], "pure"));
    const args = ["run", "flow.json", "--bindings", "b.json", "--bindings", "b.mjs", "--json"];
    const called = await swl([...args, "--input", '{"id": "o/7"}'], { cwd });
    expect([called.code, called.err]).toEqual([0, ""]);
    const { output } = documentOf(called) as never as { output: { [node: string]: { output: never } } };
    expect(output["print"]?.output).toBe("fast");
    expect(output["ask"]?.output).toMatchObject({ url: "/orders/o%2F7", body: '{"id":"o/7"}' });
    expect(output["own"]?.output).toBe("here");
  });

  it("that is wrong is told with its places, before there is a store", async () => {
    const cwd = folder();
    writeFileSync(
      join(cwd, "b.json"),
      '{"bindings": {\n  "greet": {"provider": "http", "url": {"env": "NOT_SET"}, "retries": 3}\n}}',
    );
    for (const command of [["run", flow, "--input", '{"name": "x"}'], ["worker"]]) {
      const called = await swl([...command, "--bindings", "b.json", "--json"], { cwd });
      expect(called.code).not.toBe(0);
      expect(documentOf(called)["error"]).toMatchObject({
        code: "binding.secret-missing",
        findings: [
          {
            code: "binding.secret-missing",
            pointer: "/bindings/greet/url",
            place: { file: "b.json", line: 2 },
          },
          { code: "binding.invalid", pointer: "/bindings/greet/retries", place: { file: "b.json", line: 2 } },
        ],
      });
      expect(readdirSync(cwd)).toEqual(["b.json"]);
    }
  });

  it("that does not serve what a definition asks for is refused before there is a store", async () => {
    const cwd = folder();
    write(cwd, "b.json", { bindings: { gret: { provider: "remote" } } });
    const args = ["run", flow, "--bindings", "b.json", "--input", '{"name": "x"}'];
    const called = await swl([...args, "--json"], { cwd });
    expect(documentOf(called)["error"]).toMatchObject({ code: "binding.missing" });
    const { err } = await swl(args, { cwd });
    expect(err).toContain("did you mean gret? the bindings have that; without a binding: greet, pay; ");
    // The line that is told is one that can be taken.
    const line = /binds one: ("greet".*)$/m.exec(err)?.[1];
    writeFileSync(join(cwd, "b.json"), `{"bindings": {${line}, ${line?.replace("greet", "pay")}}}`);
    const bound = await swl(["worker", "--bindings", "b.json", "--store", "none/none/s.db"], { cwd });
    expect(bound.err).toMatch(/^error store\.unavailable: /);
    expect(existsSync(join(cwd, "swl.db"))).toBe(false);
  });
});

describe("a secret", () => {
  it("in every binding comes out nowhere: not of the store, the log, a view or an error [INV-secret-references]", async () => {
    const cwd = folder();
    const canary = "canary/0123+secret-value";
    const key = "canary-key-0123456789-0123456789-0123456789";
    const origin = await echo((url) =>
      url.startsWith("/refused") ? 422 : url.startsWith("/broken") ? 500 : 200,
    );
    const secret = { env: "CANARY" };
    const shout =
      'let i = ""; process.stdin.on("data", (c) => (i += c)); process.stdin.on("end", () => {' +
      'process.stderr.write("x".repeat(5000) + process.env.KEY);';
    const program = (end: string) => ({
      provider: "child-process",
      command: [process.execPath, "-e", `${shout} ${end} });`],
      env: { KEY: secret },
    });
    const server = (path: string) => ({
      provider: "http",
      url: `${origin}/${path}/{idempotencyKey}`,
      allow: ["127.0.0.1"],
      headers: { authorization: { ...secret, prefix: "Bearer " }, "x-key": secret },
      callback: { url: "https://x.example", key: { id: "k", secret: { env: "KEY" } } },
    });
    const sound = {
      speaks: program(
        'process.stdout.write(JSON.stringify({ outcome: "ok", output: { [process.env.KEY]: process.env.KEY } }))',
      ),
      fails: program(
        'process.stdout.write(JSON.stringify({ error: { code: "a.b", message: "m".repeat(990) + process.env.KEY } }))',
      ),
      mumbles: program("process.stdout.write(process.env.KEY)"),
      dies: program("process.exitCode = 3"),
      answers: server("answers"),
      refuses: server("refused"),
      breaks: server("broken"),
    };
    const cases = [
      [Object.keys(sound), "pure"],
      [["mumbles"], "unsafe"],
      [["breaks"], "unsafe"],
    ] as const;
    write(cwd, "b.json", { bindings: sound });
    const env = { CANARY: canary, KEY: key, PATH: process.env["PATH"] ?? "" };
    const texts: string[] = [];
    const codes: number[] = [];
    const call = async (args: readonly string[]) => {
      const called = await swl(args, { cwd, env });
      texts.push(called.out, called.err);
      return called;
    };
    for (const [actions, effect] of cases) {
      const file = write(cwd, `${effect}-${actions.length}.json`, workflow(actions, effect));
      codes.push((await call(["run", file, "--bindings", "b.json", "--key", actions.join()])).code);
    }
    const listed = await call(["list", "--json"]);
    const runs = listed.out.match(/run-[0-9a-f]{20}/g) ?? [];
    expect([codes, new Set(runs).size]).toEqual([[0, 7, 7], 3]);
    for (const id of runs) {
      for (const verb of ["status", "why", "history"]) await call([verb, id, "--json"]);
    }
    for (const file of readdirSync(cwd)) {
      if (/\.db/.test(file)) texts.push(readFileSync(join(cwd, file), "latin1"));
    }
    const whole = texts.join("\n");
    expect(whole).toMatch(/\[secret CANARY\]/);
    expect(whole).toMatch(/the program wrote to standard error/);
    for (const form of [canary, key, encodeURIComponent(canary), "canary"]) expect(whole).not.toContain(form);
  }, 60_000);
});
