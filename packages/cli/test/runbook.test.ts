/** The runbook, followed: the commands of each page, on a run that is stuck as the page says. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { bindings, documentOf, flow, folder, type Running, start, swl, until } from "./support/call.js";

const runbook = join(import.meta.dirname, "../../../docs/guide/runbook");

/** The `sh` blocks of a page, each a list of commands as arguments. */
function blocks(page: string, run: string): readonly (readonly string[])[][] {
  const text = readFileSync(join(runbook, page), "utf8");
  return [...text.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, block = ""]) =>
    block
      .trimEnd()
      .split("\n")
      .map((line) => [...line.matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)].map(([, a, b, c]) => a ?? b ?? c ?? ""))
      .map(([, ...args]) => args.map((arg) => (arg === "RUN" ? run : arg === "BINDINGS" ? bindings : arg))),
  );
}

/** Runs commands in order; a worker stays until the end. */
async function follow(
  commands: readonly (readonly string[])[],
  cwd: string,
  serving: Running[],
): Promise<void> {
  for (const args of commands) {
    if (args[0] === "worker") {
      const worker = start([...args, "--json"], { cwd });
      serving.push(worker);
      await until(() => worker.out().includes('"event":"ready"'));
    } else {
      const { code, out, err } = await swl(args, { cwd });
      expect(`${args[0]} ${code} ${code === 0 ? "" : out + err}`.trim()).toBe(`${args[0]} 0`);
    }
  }
}

async function stuck(input: object) {
  const cwd = folder();
  const called = await swl(
    ["run", flow, "--bindings", bindings, "--input", JSON.stringify(input), "--json"],
    { cwd },
  );
  const { run, status } = documentOf(called);
  return { cwd, run: String(run), status: String(status) };
}

async function statusOf(run: string, cwd: string): Promise<string> {
  return String(documentOf(await swl(["status", run, "--json"], { cwd }))["status"]);
}

async function serve<T>(cwd: string, work: (serving: Running[]) => Promise<T>): Promise<T> {
  const serving: Running[] = [];
  try {
    return await work(serving);
  } finally {
    for (const worker of serving) worker.interrupt();
    await Promise.all(serving.map(({ ended }) => ended));
    expect((await swl(["list"], { cwd })).code).toBe(0);
  }
}

const worker = ["worker", "--bindings", bindings];

describe("the runbook", () => {
  it("has a page for each status in its table, and a line for each page", () => {
    const rows = readFileSync(join(runbook, "README.md"), "utf8").matchAll(/^\| `(\S+)` .*\]\((\S+)\) \|$/gm);
    const pages = [...rows].map(([, status, page]) => {
      expect(page).toBe(`${status}.md`);
      return page;
    });
    expect(readdirSync(runbook).filter((page) => page !== "README.md")).toEqual(pages.sort());
  });

  it("moves a run that waits", async () => {
    const { cwd, run, status } = await stuck({ name: "ann" });
    expect(status).toBe("waiting");
    await serve(cwd, async (serving) => {
      await follow([worker], cwd, serving);
      await follow(blocks("waiting.md", run)[0]!, cwd, serving);
      await until(async () => (await statusOf(run, cwd)) === "completed");
    });
  });

  it("moves a run that stands, in each of the three ways", async () => {
    const ends = ["completed", "completed", "failed"];
    for (const [index, end] of ends.entries()) {
      const { cwd, run, status } = await stuck({ name: "crash", direct: true });
      expect(status).toBe("needs-intervention");
      const [look, ...ways] = blocks("needs-intervention.md", run);
      expect(ways).toHaveLength(ends.length);
      await serve(cwd, async (serving) => {
        await follow([worker, ...look!, ...ways[index]!], cwd, serving);
        await until(async () => (await statusOf(run, cwd)) === end);
      });
    }
  });

  it("moves a run that no host serves, and ends one", async () => {
    for (const way of [0, 1]) {
      const { cwd, run } = await stuck({ name: "ann" });
      // Nobody serves: the signal is accepted and waits, like the work of a host that is gone.
      await swl(["signal", run, "gate", "--outcome", "yes", "--no-wait"], { cwd });
      const page = blocks("running.md", run);
      await serve(cwd, async (serving) => {
        if (way === 1) await follow(page[1]!, cwd, serving);
        await follow(page[0]!, cwd, serving);
        await until(async () => ["completed", "canceled"].includes(await statusOf(run, cwd)));
      });
    }
  });
});
