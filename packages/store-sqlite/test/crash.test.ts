/**
 * A process is killed at every commit and at every sync of a run that makes every writing call there is. What it leaves
 * must be the state after the calls that were acknowledged, or after one more; going on with the same calls must lead
 * to where a run without a crash ends.
 */
import { stat } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openSqliteStore } from "../src/index.js";
import { answerOf, calls, clock, dump } from "./calls.mjs";
import { compileShim, noShim, runScript } from "./child.js";
import { temporaryFolder } from "./temporary.js";

interface Line {
  readonly opened?: true;
  readonly answer?: unknown;
  readonly state?: string;
  readonly commits?: number;
}

const linesOf = (said: string) =>
  said
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as Line);

/** The state after no call, one call, two calls and so on, and how many commits there were. */
async function reference(folder: string) {
  const file = join(folder, "reference.db");
  const empty = await openSqliteStore({ file: join(folder, "empty.db"), clock });
  const states = [await dump(empty)];
  await empty.close();
  const { code, said, complained } = await runScript("crasher.mjs", [file, "none", "states"]);
  expect([code, complained]).toEqual([0, ""]);
  const lines = linesOf(said);
  states.push(...lines.flatMap(({ state }) => state ?? []));
  expect(states).toHaveLength(calls.length + 1);
  return { states, commits: lines.at(-1)?.commits ?? 0 };
}

/** Kills one process, looks at what it left, and goes on. */
async function crash(
  folder: string,
  name: string,
  states: readonly string[],
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<void> {
  const file = join(folder, `${name}.db`);
  const { signal, said, complained } = await runScript("crasher.mjs", [file, ...args], { env });
  expect([name, signal, complained]).toEqual([name, "SIGKILL", ""]);
  const acknowledged = linesOf(said).filter(({ answer }) => answer !== undefined).length;
  const store = await openSqliteStore({ file, clock });
  try {
    expect([name, await store.check()]).toEqual([name, []]);
    const left = states.indexOf(await dump(store), acknowledged) - acknowledged;
    expect([name, left === 0 || left === 1]).toEqual([name, true]);
    for (const call of calls) await answerOf(store, call);
    expect([name, await store.check(), await dump(store)]).toEqual([name, [], states.at(-1)]);
  } finally {
    await store.close();
  }
}

/** Each point before and after it; in the daily run every so many points, in turns. */
function points(count: number, daily: number): readonly (readonly [point: number, after: boolean])[] {
  const both = (n: number) => [false, true].map((after) => [n, after] as const);
  const all = Array.from({ length: count }, (_, n) => n);
  if (process.env["SWL_FULL"] !== undefined) return all.flatMap(both);
  return all.filter((n) => n % daily === 0).map((n) => [n, n % 2 === 1] as const);
}

/** A few at a time: most of the time they wait for the disk. */
async function each<T>(list: readonly T[], work: (entry: T) => Promise<void>): Promise<void> {
  const left = [...list];
  const worker = async () => {
    for (let entry = left.shift(); entry !== undefined; entry = left.shift()) await work(entry);
  };
  await Promise.all([worker(), worker(), worker()]);
}

describe("a process that is killed", () => {
  it("at any commit, before or after it, loses nothing and does nothing twice [STO-durability]", async () => {
    const folder = await temporaryFolder();
    const { states, commits } = await reference(folder);
    expect(commits).toBeGreaterThan(calls.length);
    await each(points(commits, 1), ([n, after]) => {
      const when = after ? "after" : "before";
      return crash(folder, `${when} ${n}`, states, [String(n), when]);
    });
  }, 120_000);

  it("at any sync, before or after it, loses nothing and does nothing twice [STO-durability]", async ({
    skip,
  }) => {
    skip(noShim !== undefined, noShim);
    const folder = await temporaryFolder();
    const { states } = await reference(folder);
    const shim = { LD_PRELOAD: await compileShim() };
    const count = join(folder, "count");
    const whole = await runScript("crasher.mjs", [join(folder, "whole.db"), "none", ""], {
      env: { ...shim, SWL_SYNC_COUNT: count },
    });
    expect(whole.code).toBe(0);
    const syncs = (await stat(count)).size;
    expect(syncs).toBeGreaterThan(calls.length);
    await each(points(syncs, 3), ([n, after]) =>
      crash(folder, `sync ${n} ${after}`, states, ["none", ""], {
        ...shim,
        ...(after && { SWL_SYNC_AFTER: "1" }),
        SWL_SYNC_KILL: String(n),
      }),
    );
  }, 120_000);
});
