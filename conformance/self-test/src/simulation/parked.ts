/**
 * How many runs need somebody's decision when hosts are killed: counted by the effect class of what was under way. The
 * hosts are killed at calls that are drawn; nothing else goes wrong, and nobody cancels.
 */
import { planOf } from "./plan.ts";
import { simulate } from "./simulate.ts";
import { type Effect, effectClasses, effectOf } from "./workflows.ts";

export interface Parked {
  readonly kills: number;
  /** Attempts that were under way on a host when it was killed, and those that somebody had to decide. */
  readonly classes: { readonly [effect in Effect]: { readonly struck: number; readonly decided: number } };
  readonly broken: readonly string[];
}

/** From the seed on, until so many kills have been made. */
export async function parkedByKills(from: number, kills: number): Promise<Parked> {
  const struck: Effect[] = [];
  const decided: Effect[] = [];
  const broken: string[] = [];
  let made = 0;
  for (let seed = from; made < kills; seed++) {
    const plan = planOf(seed, { workflows: ["classes"], kinds: ["crash"], faults: 6, runs: 4, quiet: true });
    const { kills: more, books, broken: wrong } = await simulate(plan);
    made += more;
    struck.push(...books.struck.map(effectOf));
    decided.push(...[...books.decided.values()].map(effectOf));
    broken.push(...wrong.map((what) => `seed ${seed}: ${what}`));
  }
  const counted = effectClasses.map((effect) => {
    const count = (list: readonly Effect[]): number => list.filter((one) => one === effect).length;
    return [effect, { struck: count(struck), decided: count(decided) }] as const;
  });
  return { kills: made, classes: Object.fromEntries(counted) as Parked["classes"], broken };
}

/** As a table for a page, per 10,000 kills. */
export function parkedTable({ kills, classes }: Parked): string {
  const share = (count: number): string => ((count * 10_000) / kills).toFixed(0);
  return [
    "| effect class | attempts under way on the killed host | parked |",
    "|---|---|---|",
    ...effectClasses.map(
      (effect) => `| \`${effect}\` | ${share(classes[effect].struck)} | ${share(classes[effect].decided)} |`,
    ),
  ].join("\n");
}
