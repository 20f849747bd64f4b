/**
 * Simulated hosts, seed after seed: nothing that must never be, whatever fails when. The same seed gives the same
 * events, and hosts with a mistake are found. `simulate --seed=N` tells a seed line by line.
 */
import { describe, expect, it } from "vitest";
import { mistakes } from "../src/simulation/mistakes.ts";
import { narrowed, planOf } from "../src/simulation/plan.ts";
import { commandOf, kindOf, shrink } from "../src/simulation/shrink.ts";
import { simulate } from "../src/simulation/simulate.ts";
import { sorts } from "../src/simulation/sorts.ts";
import { seedsThrough } from "./simulated-seeds.ts";

const patience = 900_000;

describe("simulated hosts", () => {
  it(
    "keep their promises through the first 1,000 seeds",
    async () => {
      expect(await seedsThrough(0, 1_000)).toEqual({ broken: [], unmet: [] });
    },
    patience,
  );

  it("do the same again for the same seed", async () => {
    const seeds = [1, 3, 5, 7, 9, 17, 99, 1_212];
    expect(new Set(seeds.map((seed) => planOf(seed).sort))).toEqual(new Set(sorts));
    for (const seed of seeds) {
      const first = await simulate(planOf(seed));
      const again = await simulate(planOf(seed), { told: true });
      expect(again.digest).toBe(first.digest);
      expect(again.lines.length).toBeGreaterThan(100);
    }
    expect((await simulate(planOf(3))).digest).not.toBe((await simulate(planOf(4))).digest);
  });

  it("meet every kind of fault", async () => {
    const met = new Set<string>();
    for (let seed = 0; seed < 40; seed++) {
      const { lines } = await simulate(planOf(seed), { told: true });
      for (const line of lines) met.add(/ FAULT ([a-z-]+) (after|before) /.exec(line)?.[1] ?? "");
    }
    met.delete("");
    const kinds = [
      "clock-jump",
      "crash",
      "deaf",
      "freeze",
      "leave",
      "lost-answer",
      "outage",
      "refused",
      "slow",
      "starved",
    ];
    expect([...met].sort()).toEqual(kinds);
  });

  it("meet everything that surrounds them", async () => {
    const met = new Map<string, number>();
    const count = (what: string, times: number): void => void met.set(what, (met.get(what) ?? 0) + times);
    for (let seed = 0; seed < 60; seed++) {
      const { books, lines } = await simulate(planOf(seed), { told: true });
      const runs = [...books.runs.values()];
      count("removed", runs.filter(({ removed }) => removed !== undefined).length);
      count("redriven", books.redriven.size);
      count("settled by workers", books.settled.size);
      count("released", [...books.acknowledged.keys()].filter((key) => / release-/.test(key)).length);
      count("left aside", books.leftHeld.size);
      count(
        "canceled in bulk",
        [...books.acknowledged.keys()].filter((key) => / cancel-all-/.test(key)).length,
      );
      count("timers", books.timers);
      count("workers killed", lines.filter((line) => / FAULT crash .* of worker/.test(line)).length);
      count("servers killed", lines.filter((line) => / FAULT crash .* of server/.test(line)).length);
    }
    expect([...met].filter(([, times]) => times === 0)).toEqual([]);
  });
});

describe("a host with a mistake", () => {
  it.each(Object.keys(mistakes))(
    "is found within 2,000 seeds: %s",
    async (name) => {
      let found: readonly string[] = [];
      for (let seed = 0; seed < 2_000 && found.length === 0; seed++) {
        found = (await simulate(planOf(seed), { sabotage: mistakes[name]!() })).broken;
      }
      expect(found).not.toEqual([]);
    },
    patience,
  );

  it("is shown by a small plan and one command", async () => {
    const sabotage = mistakes["repeats unsafe work of a host that is gone"]!;
    let seed = -1;
    let broken: readonly string[] = [];
    while (broken.length === 0) {
      seed += 1;
      broken = (await simulate(planOf(seed), { sabotage: sabotage() })).broken;
    }
    const plan = planOf(seed);
    const { kept, verdict } = await shrink(plan, sabotage);
    expect(kindOf(verdict.broken)).toBe(kindOf(broken));
    const before = plan.runs.length + plan.faults.length + plan.hosts;
    expect(kept.runs.length + kept.faults.length + kept.hosts).toBeLessThan(before);
    const small = narrowed(plan, kept);
    expect((await simulate(small, { sabotage: sabotage() })).digest).toBe(verdict.digest);
    expect((await simulate(small)).broken).toEqual([]);
    expect(commandOf(seed, kept)).toContain(`simulate --seed=${seed} --runs=${kept.runs.join(",")}`);
  });
});
