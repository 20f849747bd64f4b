/** Profiles by way of the command line: what is served runs, what is not is refused before there is anything. */
import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { bindings, documentOf, folder, start, swl, until } from "./support/call.js";

const workflow = (requires: readonly string[], node: object, targets: readonly string[]) => ({
  swl: "0.1",
  id: "small",
  requires: ["core", ...requires],
  dialects: {
    numbers: "binary64",
    expressions: requires.includes("expressions-jsonlogic") ? "jsonlogic" : "minimal",
  },
  start: "first",
  nodes: {
    first: node,
    ...Object.fromEntries(targets.map((id) => [id, { kind: "complete", output: { $literal: id } }])),
  },
});

function written(definition: object): string {
  const cwd = folder();
  writeFileSync(join(cwd, "small.json"), JSON.stringify(definition));
  return cwd;
}

const run = (cwd: string, ...more: readonly string[]) =>
  swl(["run", "small.json", "--bindings", bindings, "--json", ...more], { cwd });

describe("swl why", () => {
  it("does not ask for the outcome that a deadline brings by itself, which may be sent all the same [INV-why]", async () => {
    const deadline = { after: "PT1H", outcome: "expired" };
    const routes = { approved: "done", declined: "done", expired: "late" };
    const node = { kind: "await-signal", signal: "approval", deadline, routes };
    const cwd = written(workflow(["timers"], node, ["done", "late"]));
    const { run: id } = documentOf(await swl(["start", "small.json", "--json"], { cwd })) as { run: never };
    const worker = start(["worker", "--bindings", bindings], { cwd });
    await until(async () => (await swl(["status", id], { cwd })).out.includes("waiting"));
    const { out } = await swl(["why", id], { cwd });
    expect(out).toContain("waits for signal approval (approved, declined).");
    expect(out).toContain("then goes on with expired.");
    expect(out.match(/swl signal .*/g)).toEqual([
      `swl signal ${id} approval --outcome approved`,
      `swl signal ${id} approval --outcome declined`,
    ]);
    const sent = await swl(["signal", id, "approval", "--outcome", "expired"], { cwd });
    expect(sent.code).toBe(0);
    worker.interrupt();
    await worker.ended;
  });
});

describe("swl run", () => {
  it.each(["parallel", "subworkflows", "compensation", "state-export"])(
    "refuses %s by name and leaves no store behind [DEF-requires]",
    async (profile) => {
      const node = { kind: "await-signal", signal: "go", routes: { go: "done" } };
      const cwd = written(workflow([profile], node, ["done"]));
      const { code, out } = await run(cwd);
      expect(code).toBe(1);
      expect(out).toContain("definition.profile-unsupported");
      expect(out).toContain(profile);
      expect(readdirSync(cwd)).toEqual(["small.json"]);
    },
  );

  it("says once what it waits for, and until when, rather than being silent", async () => {
    const node = { kind: "await-timer", after: "PT3S", routes: { elapsed: "done" } };
    const cwd = written(workflow(["timers"], node, ["done"]));
    const { code, err } = await swl(["run", "small.json", "--bindings", bindings], { cwd });
    expect(code).toBe(0);
    expect(
      err.match(/Node first waits for a timer until \S+Z\. \(Ctrl-C leaves it in the store\)/g),
    ).toHaveLength(1);
  });

  it("chooses by the input [EXE-choice]", async () => {
    const cases = [{ when: { ">": [{ var: "input.amount" }, 100] }, outcome: "big" }];
    const routes = { big: "manual", small: "automatic" };
    const node = { kind: "choice", cases, otherwise: "small", routes };
    const cwd = written(workflow(["expressions-jsonlogic"], node, ["manual", "automatic"]));
    for (const [amount, output] of [
      [101, "manual"],
      [100, "automatic"],
    ]) {
      const called = await run(cwd, "--input", JSON.stringify({ amount }));
      expect(documentOf(called)).toMatchObject({ status: "completed", output });
    }
  });
});
