/**
 * Hosts, store, providers and clocks under a seeded scheduler, seed after seed until told to stop (`--minutes=N`), from
 * `--from=N` on up to `--to=N`. A seed that shows something wrong is made small and told with the command that shows it again.
 * `--seed=N [--runs=…] [--faults=…] [--sweeps=…] [--hosts=N] [--workers=N] [--operators=N]` tells one seed line by line; `--parked=KILLS` counts what is parked.
 */
import { parkedByKills, parkedTable } from "./simulation/parked.ts";
import { type Kept, narrowed, planOf } from "./simulation/plan.ts";
import { commandOf, shrink } from "./simulation/shrink.ts";
import { simulate } from "./simulation/simulate.ts";

const options = new Map<string, string>();
for (const word of process.argv.slice(2)) {
  const option =
    /^--(seed|from|to|minutes|hosts|workers|operators|parked)=([0-9]+)$|^--(runs|faults|sweeps)=([0-9,]*)$/.exec(
      word,
    );
  if (option === null) {
    console.error(
      "usage: simulate [--from=N] [--to=N] [--minutes=N] | --parked=KILLS | --seed=N [--runs=N,…] [--faults=N,…]" +
        " [--sweeps=N,…] [--hosts=N] [--workers=N] [--operators=N]",
    );
    process.exit(64);
  }
  options.set((option[1] ?? option[3])!, (option[2] ?? option[4])!);
}
const seed = options.get("seed");
const kills = options.get("parked");
if (seed !== undefined) await tellOne(Number(seed));
else if (kills !== undefined) await tellParked(Number(kills));
else {
  const [to, minutes] = ["to", "minutes"].map((name) =>
    Number(options.get(name) ?? Number.POSITIVE_INFINITY),
  );
  await search(Number(options.get("from") ?? 0), to!, minutes!);
}

async function tellOne(number: number): Promise<void> {
  const lists = (["runs", "faults", "sweeps"] as const).flatMap((name) => {
    const list = options.get(name)?.split(",").filter(Boolean).map(Number);
    return list === undefined ? [] : [[name, list] as const];
  });
  const counts = (["hosts", "workers", "operators"] as const).flatMap((name) => {
    const count = options.get(name);
    return count === undefined ? [] : [[name, Number(count)] as const];
  });
  const kept: Kept = Object.fromEntries([...lists, ...counts]);
  const plan = narrowed(planOf(number), kept);
  const verdict = await simulate(plan, { told: true });
  for (const line of verdict.lines) console.log(line);
  console.log(JSON.stringify(plan, null, 1));
  console.log(`${verdict.calls} calls, ${verdict.time} ms simulated, digest ${verdict.digest}`);
  for (const what of verdict.broken) console.log(what);
  if (verdict.broken.length === 0) return;
  process.exitCode = 1;
  if (Object.keys(kept).length > 0) return;
  const small = await shrink(plan);
  console.log(`smaller: ${commandOf(number, small.kept)}`);
}

async function tellParked(count: number): Promise<void> {
  const parked = await parkedByKills(0, count);
  console.log(`${parked.kills} kills; of 10,000:\n${parkedTable(parked)}`);
  for (const what of parked.broken) console.log(what);
  process.exitCode = parked.broken.length > 0 ? 1 : 0;
}

async function search(from: number, to: number, minutes: number): Promise<void> {
  let stopped = false;
  process.once("SIGINT", () => {
    stopped = true;
  });
  const began = performance.now();
  let told = began;
  let [struck, calls] = [0, 0];
  let next = from;
  const summary = (): string => {
    const each = ((1_000 * (next - from)) / (performance.now() - began)).toFixed(1);
    return `${next - from} seeds from ${from} on, ${each} seeds/s, ${calls} calls, ${struck} kills`;
  };
  for (; !stopped && next < to && performance.now() - began < minutes * 60_000; next++) {
    const verdict = await simulate(planOf(next));
    struck += verdict.kills;
    calls += verdict.calls;
    if (verdict.broken.length > 0) {
      const small = await shrink(planOf(next));
      console.log(`seed ${next}: ${verdict.broken.join("; ")}\nsmaller: ${commandOf(next, small.kept)}`);
      for (const what of small.verdict.broken) console.log(what);
      process.exitCode = 1;
    }
    if (performance.now() - told > 10_000) {
      told = performance.now();
      console.error(summary());
    }
  }
  console.log(summary());
}
