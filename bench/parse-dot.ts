/**
 * Bytes of DOT read a second, ours and four other readers in the same rounds, for graphs of 10, 1,000 and 100,000
 * edges; the ratio is ours to dotparser, those to the others stand below. The largest also reads 1,000 edges, which
 * shows whether the time is linear.
 */
import { dotGraph, EDGES } from "./lib/dot-graphs.ts";
import { dotReader, type ReadDot, readerNames } from "./lib/dot-readers.ts";
import { type Bench, median, type Subject } from "./lib/harness.ts";

/** Kilobytes a second of every round, by subject: of the clock, and of the time that processors worked for it. */
type Rates = Map<string, { readonly clock: number[]; readonly processor: number[] }>;

function reading(name: string, read: ReadDot, text: string, times: number, rates: Rates): Subject {
  return {
    name,
    unit: "kB",
    run() {
      const began = performance.now();
      const used = process.cpuUsage();
      for (let time = 0; time < times; time++) read(text);
      const kilobytes = (text.length * times) / 1_000;
      const { user, system } = process.cpuUsage(used);
      const figures = rates.get(name) ?? { clock: [], processor: [] };
      figures.clock.push((kilobytes * 1_000) / (performance.now() - began));
      figures.processor.push((kilobytes * 1_000_000) / (user + system));
      rates.set(name, figures);
      return kilobytes;
    },
  };
}

function benchOf(edges: number): Bench {
  const rates: Rates = new Map();
  const few = `${readerNames[0]}, 1,000 edges`;
  return {
    name: `parse-dot-${edges}`,
    question: `kilobytes read a second of a graph with ${edges.toLocaleString("en-US")} edges, against dotparser`,
    async open({ quick }) {
      const text = dotGraph(edges);
      const times = Math.max(1, Math.round((quick ? 100_000 : 400_000) / text.length));
      const subjects: Subject[] = [];
      for (const name of readerNames) {
        subjects.push(reading(name, await dotReader(name), text, times, rates));
      }
      if (edges > 1_000) {
        subjects.push(reading(few, await dotReader(readerNames[0]), dotGraph(1_000), quick ? 10 : 40, rates));
      }
      const [first, second, ...rest] = subjects;
      return [first!, second!, ...rest];
    },
    notes() {
      const rate = (name: string, by: "clock" | "processor"): number => median(rates.get(name)?.[by] ?? [0]);
      const ratios = (by: "clock" | "processor"): string =>
        readerNames
          .slice(1)
          .map((name) => `${name} ${(rate(readerNames[0], by) / rate(name, by)).toFixed(2)}`)
          .join(", ");
      const notes = [`ratio to ${ratios("clock")}`, `by processor time, to ${ratios("processor")}`];
      if (edges > 1_000) {
        const perEdge = (name: string, count: number) =>
          dotGraph(count).length / count / rate(name, "processor");
        const ratio = perEdge(readerNames[0], edges) / perEdge(few, 1_000);
        notes.push(`processor time per edge to that of 1,000 edges: ${ratio.toFixed(2)}`);
      }
      return notes;
    },
  };
}

export const parseDotBenches: readonly Bench[] = EDGES.map(benchOf);
