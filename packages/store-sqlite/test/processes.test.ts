import { type ChildProcess, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import type { Store } from "@swl/store-provider";
import { describe, expect, it } from "vitest";
import { openForTest, temporaryFile } from "./temporary.js";

interface Line {
  readonly stream: string;
  readonly commit: string;
  readonly first?: number;
  readonly refused?: string;
}

/** Starts a writer; kills it after so many lines, when a number is given. */
function startWriter(args: readonly (string | number)[], killAfter?: number) {
  const script = fileURLToPath(new URL("writer.mjs", import.meta.url));
  const child: ChildProcess = spawn(
    process.execPath,
    ["--disable-warning=ExperimentalWarning", script, ...args.map(String)],
    {
      stdio: ["ignore", "pipe", "pipe"],
    },
  );
  const lines: Line[] = [];
  const complaints: string[] = [];
  child.stderr?.on("data", (data) => complaints.push(String(data)));
  if (child.stdout !== null) {
    createInterface({ input: child.stdout }).on("line", (line) => {
      lines.push(JSON.parse(line) as Line);
      if (lines.length === killAfter) child.kill("SIGKILL");
    });
  }
  return new Promise<{
    readonly lines: readonly Line[];
    readonly signal: string | null;
    readonly said: string;
  }>((resolve) => {
    child.on("close", (_code, signal) => resolve({ lines, signal, said: complaints.join("") }));
  });
}

/** Every record of a stream, grouped by the commit that brought it. */
async function commitsOf(store: Store, stream: string) {
  const log = [];
  for (let after = 0; ; ) {
    const page = await store.read(stream, { after });
    log.push(...page);
    const last = page.at(-1);
    if (last === undefined) break;
    after = last.position;
  }
  expect(log.map((record) => record.position)).toEqual(log.map((_, index) => index + 1));
  return log;
}

describe("a writer that is killed", () => {
  it("leaves every acknowledged item whole and no item half [STO-durability]", async () => {
    const file = await temporaryFile();
    const acknowledged: Line[] = [];
    for (const [run, killAfter] of [9, 40, 77].entries()) {
      const { lines, signal, said } = await startWriter([file, `w${run}`, 4, 0], killAfter);
      expect([signal, said]).toEqual(["SIGKILL", ""]);
      acknowledged.push(...lines.filter((line) => line.refused === undefined));
    }
    expect(acknowledged.length).toBeGreaterThan(100);
    const store = await openForTest({ file });
    for (const stream of ["run-0", "run-1", "run-2", "run-3"]) {
      const log = await commitsOf(store, stream);
      for (let index = 0; index < log.length; index += 3) {
        const item = log.slice(index, index + 3);
        expect(item.map((record) => record.document)).toEqual(
          [1, 2, 3].map((part) => ({ commit: item[0]?.commit, part })),
        );
      }
      const state = await store.load(stream);
      const last = log.at(-1)?.commit;
      expect([state?.slots.get("s1"), state?.slots.get("s2"), state?.applied]).toEqual([
        last,
        last,
        log.length,
      ]);
      for (const line of acknowledged.filter((one) => one.stream === stream)) {
        expect(log[(line.first ?? 0) - 1]?.commit).toBe(line.commit);
      }
    }
  });
});

describe("two processes on one file", () => {
  it("race for the same positions, and each position has one winner [STO-peers]", async () => {
    const file = await temporaryFile();
    const both = await Promise.all(["a", "b"].map((name) => startWriter([file, name, 3, 60, "race"])));
    expect(both.map(({ signal, said }) => [signal, said])).toEqual([
      [null, ""],
      [null, ""],
    ]);
    const lines = both.flatMap((writer) => writer.lines);
    expect(lines.length).toBe(2 * 3 * 60);
    const kinds = new Set(lines.map((line) => line.refused ?? "accepted"));
    for (const kind of kinds) expect(["accepted", "stale", "conflict"]).toContain(kind);
    expect(lines.some((line) => line.refused === "stale")).toBe(true);
    const store = await openForTest({ file });
    for (const stream of ["run-0", "run-1", "run-2"]) {
      const log = await commitsOf(store, stream);
      const accepted = lines.filter((line) => line.stream === stream && line.refused === undefined);
      expect(log.length).toBe(accepted.length * 3);
      for (const line of accepted) expect(log[(line.first ?? 0) - 1]?.commit).toBe(line.commit);
    }
  });
});
