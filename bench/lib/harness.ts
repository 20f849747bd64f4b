/**
 * Measures subjects against each other in one process, alternated round by round, so that what the machine does
 * meanwhile hits all of them. Says median, least and most of the rounds, and the ratio of the first to the second
 * subject, taken round by round. A figure is printed, never asserted.
 */

export interface Subject {
  readonly name: string;
  /** What one unit is: `visit`, `transition`, `commit`. */
  readonly unit: string;
  /** Does its work once and says how many units that was. */
  run(): Promise<number> | number;
  /** Seconds that the latest run took, where only a part of what it does is measured. Default: all of it. */
  seconds?(): number;
  close?(): Promise<void> | void;
}

export interface Bench {
  readonly name: string;
  /** What the ratio means, in one sentence. */
  readonly question: string;
  /** `cpu`: seconds of the processor, all threads of this process; default: of the wall. */
  readonly clock?: "cpu" | "wall";
  /** Rounds beside the first, which is not counted; default: 9, and 3 of a quick one. Fewer where one takes minutes. */
  readonly rounds?: number;
  /** The first is ours; the second is what it is compared with. */
  open(options: BenchOptions): Promise<readonly [Subject, Subject, ...Subject[]]>;
  /** Lines to print under the figures, asked for after the rounds. */
  notes?(figures: readonly Figures[]): readonly string[];
}

export interface BenchOptions {
  readonly quick: boolean;
}

export interface Figures {
  readonly name: string;
  readonly unit: string;
  /** Units per second. */
  readonly median: number;
  readonly min: number;
  readonly max: number;
  readonly rounds: number;
}

export interface Ratio {
  readonly median: number;
  readonly min: number;
  readonly max: number;
}

export interface Report {
  readonly bench: string;
  readonly question: string;
  readonly clock: "cpu" | "wall";
  readonly subjects: readonly Figures[];
  /** First subject to second: median, least and most over the rounds. */
  readonly ratio: Ratio;
  /** First subject to the further ones that do the same unit. */
  readonly others: readonly (Ratio & { readonly to: string })[];
  readonly notes: readonly string[];
  readonly machine: { readonly node: string; readonly cpu: string; readonly cores: number };
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

export async function measure(
  bench: Bench,
  options: BenchOptions,
  machine: Report["machine"],
  progress: (text: string) => void,
): Promise<Report> {
  const subjects = await bench.open(options);
  const clock = bench.clock ?? "wall";
  const now = clock === "cpu" ? cpuSeconds : wallSeconds;
  const rounds = bench.rounds ?? (options.quick ? 3 : 9);
  const rates = subjects.map((): number[] => []);
  try {
    for (let round = -1; round < rounds; round++) {
      // Every other round in the other order; round -1 warms up and is not counted.
      const order = subjects.map((_, index) => (round % 2 === 0 ? index : subjects.length - 1 - index));
      for (const index of order) {
        const began = now();
        const units = await subjects[index]!.run();
        const seconds = subjects[index]!.seconds?.() ?? now() - began;
        if (round >= 0) rates[index]!.push(units / seconds);
      }
      progress(round < 0 ? `${bench.name}: warm` : `${bench.name}: round ${round + 1} of ${rounds}`);
    }
  } finally {
    for (const subject of subjects) await subject.close?.();
  }
  const ratioTo = (index: number): Ratio => {
    const ratios = rates[0]!.map((rate, round) => rate / rates[index]![round]!);
    return { median: median(ratios), min: Math.min(...ratios), max: Math.max(...ratios) };
  };
  const others = subjects
    .map(({ name: to, unit }, index) => ({ to, unit, index }))
    .filter(({ unit, index }) => index > 1 && unit === subjects[0].unit)
    .map(({ to, index }) => ({ to, ...ratioTo(index) }));
  const figures = subjects.map((subject, index) => ({
    name: subject.name,
    unit: subject.unit,
    median: median(rates[index]!),
    min: Math.min(...rates[index]!),
    max: Math.max(...rates[index]!),
    rounds,
  }));
  return {
    bench: bench.name,
    question: bench.question,
    clock,
    subjects: figures,
    ratio: ratioTo(1),
    others,
    notes: bench.notes?.(figures) ?? [],
    machine,
  };
}

function wallSeconds(): number {
  return performance.now() / 1_000;
}

function cpuSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}
