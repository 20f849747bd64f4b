/** The second half of the seeds: a file of its own, so that two cores share them. */
import { through } from "@swl/conformance";
import type { Store } from "@swl/store-provider";
import { describe, expect, it } from "vitest";
import { furtherMistakes } from "../src/simulation/mistakes-further.ts";
import { parkedByKills } from "../src/simulation/parked.ts";
import { planOf } from "../src/simulation/plan.ts";
import { simulate } from "../src/simulation/simulate.ts";
import { seedsThrough } from "./simulated-seeds.ts";

const patience = 900_000;

describe("simulated hosts", () => {
  it(
    "keep their promises through the second 1,000 seeds",
    async () => {
      expect(await seedsThrough(1_000, 2_000)).toEqual({ broken: [], unmet: [] });
    },
    patience,
  );

  it("do over a file what they do in memory, to the last event", async () => {
    for (let seed = 0; seed < 20; seed++) {
      const [memory, file] = [
        await simulate({ ...planOf(seed), store: "memory" }),
        await simulate({ ...planOf(seed), store: "sqlite" }),
      ];
      expect([seed, file.digest]).toEqual([seed, memory.digest]);
    }
  });

  it("are told from those whose file says something else than memory", async () => {
    const looks = ["due", "queues", "unapplied", "orphaned"];
    // What a host looks for in a file comes in another order.
    const store = (real: Store): Store =>
      through(real, async (name, call) => {
        const answer = await call();
        const differs = looks.includes(name) && real.info.name.startsWith("sqlite");
        return differs ? [...(answer as readonly unknown[])].reverse() : answer;
      });
    let found = false;
    for (let seed = 0; seed < 200 && !found; seed++) {
      const [memory, file] = [
        await simulate({ ...planOf(seed), store: "memory" }, { sabotage: { store } }),
        await simulate({ ...planOf(seed), store: "sqlite" }, { sabotage: { store } }),
      ];
      found = file.digest !== memory.digest;
    }
    expect(found).toBe(true);
  });

  it(
    "leave nothing to people but unsafe work when they are killed",
    async () => {
      const { kills, classes, broken } = await parkedByKills(0, 300);
      expect(broken).toEqual([]);
      expect(kills).toBeGreaterThanOrEqual(300);
      const decided = Object.entries(classes).filter(([, count]) => count.decided > 0);
      expect(decided.map(([effect]) => effect)).toEqual(["unsafe"]);
      for (const { struck } of Object.values(classes)) expect(struck).toBeGreaterThan(0);
    },
    patience,
  );

  it(
    "leave nothing to people when they leave with time for what is under way",
    async () => {
      let left = 0;
      for (let seed = 0; seed < 60; seed++) {
        const settings = { workflows: ["classes", "unsafe"], kinds: ["leave"], quiet: true } as const;
        const plan = planOf(seed, { ...settings, faults: 6, runs: 4, lasts: 2_000 });
        const { books, broken, lines } = await simulate(plan, { told: true });
        expect([seed, broken, [...books.decided.keys()]]).toEqual([seed, [], []]);
        left += lines.filter((line) => line.endsWith("has left")).length;
      }
      expect(left).toBeGreaterThan(100);
    },
    patience,
  );
});

describe("a mistake around hosts", () => {
  it.each(Object.keys(furtherMistakes))(
    "is found within 2,000 seeds: %s",
    async (name) => {
      let found: readonly string[] = [];
      for (let seed = 0; seed < 2_000 && found.length === 0; seed++) {
        found = (await simulate(planOf(seed), { sabotage: furtherMistakes[name]!() })).broken;
      }
      expect(found).not.toEqual([]);
    },
    patience,
  );
});
