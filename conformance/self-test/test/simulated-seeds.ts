/** A stretch of seeds, and what was wrong in each, with the command that tells it. */
import { planOf } from "../src/simulation/plan.ts";
import { simulate } from "../src/simulation/simulate.ts";

export async function brokenSeeds(from: number, to: number): Promise<readonly string[]> {
  const broken: string[] = [];
  for (let seed = from; seed < to; seed++) {
    const verdict = await simulate(planOf(seed));
    if (verdict.broken.length === 0) continue;
    broken.push(`simulate --seed=${seed}: ${verdict.broken.join("; ")}`);
  }
  return broken;
}
