/**
 * A host dies before and after every call of its store and its provider, in simulated time, so that the points are the
 * same ones every time; then its successor does too.
 */
import { crashPoints, crashProblems, crashScenarios, recoveryPoints } from "@swl/conformance";
import { describe, expect, it } from "vitest";
import { hostHarness } from "./host-harness.js";
import { simulatedMemory } from "./simulated-storage.js";

const harness = hostHarness("durable-state, simulated", {}, simulatedMemory);
const full = Boolean(process.env["SWL_FULL"]);

const all = await Promise.all(
  crashScenarios.map(async (scenario) => ({ scenario, points: await crashPoints(harness, scenario) })),
);

describe("a host that dies before or after a call", () => {
  for (const { scenario, points } of all) {
    it(`leaves ${scenario.title} as it would have been, at each of ${points.length} points [DUR-acknowledged-kept] [DUR-takeover]`, async () => {
      const deaths = points.map((point) => [point]);
      expect(await crashProblems(harness, scenario, deaths)).toEqual([]);
    }, 120_000);
  }
});

/** The first host dies when an effect is done that nobody has heard of, or when its last commit is. */
async function firstDeaths(title: string) {
  const { scenario, points } = all.find((one) => one.scenario.title === title)!;
  const after = points.filter(({ when }) => when === "after");
  const chosen = full ? points : [after[Math.floor(after.length / 2)]!, after.at(-1)!];
  const deaths = await Promise.all(
    chosen.map(async (first) => {
      const next = await recoveryPoints(harness, scenario, first);
      return next.map((second) => [first, second]);
    }),
  );
  return { scenario, deaths: deaths.flat() };
}

const few = [
  "a chain of unsafe steps",
  "unknown work that is asked about",
  "three branches at once, in a model that is not SWL",
];
/** All of them in the full run. */
const twice = await Promise.all((full ? all.map(({ scenario }) => scenario.title) : few).map(firstDeaths));

describe("a host that dies while it takes over from a dead one", () => {
  for (const { scenario, deaths } of twice) {
    it(`leaves ${scenario.title} as it would have been, at each of ${deaths.length} pairs of points [DUR-recovery] [DUR-takeover]`, async () => {
      expect(await crashProblems(harness, scenario, deaths)).toEqual([]);
    }, 1_200_000);
  }
});
