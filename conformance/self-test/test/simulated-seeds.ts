/**
 * A stretch of seeds: what was wrong in each, with the command that tells it, and what should have happened somewhere
 * and did not. Faults of other kinds are many; these are what a reader would miss first.
 */
import { planOf } from "../src/simulation/plan.ts";
import { simulate } from "../src/simulation/simulate.ts";

const happenings: { readonly [what: string]: RegExp } = {
  // An answer is on its way while others go on: it is old when it arrives.
  "an old state": / FAULT slow after (load|head) /,
  "an old receipt": / FAULT slow after receipt /,
  "an old answer of a look": / FAULT slow after (unapplied|orphaned|abandoned|due|queues) /,
  "what was decided by an old state is refused": / refused as stale$/m,
  "a commit that comes twice": / was asked again for what it has$/m,
  "a request that comes twice": / was answered again$/m,
  "appends in another order than they were sent": / append overtaken$/m,
};

export async function seedsThrough(
  from: number,
  to: number,
): Promise<{ readonly broken: readonly string[]; readonly unmet: readonly string[] }> {
  const broken: string[] = [];
  const unmet = new Map(Object.entries(happenings));
  for (let seed = from; seed < to; seed++) {
    const verdict = await simulate(planOf(seed), { told: unmet.size > 0 });
    const told = verdict.lines.join("\n");
    for (const [what, look] of unmet) if (look.test(told)) unmet.delete(what);
    if (verdict.broken.length === 0) continue;
    broken.push(`simulate --seed=${seed}: ${verdict.broken.join("; ")}`);
  }
  return { broken, unmet: [...unmet.keys()] };
}
