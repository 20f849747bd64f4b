/**
 * The differential run: random definitions × random sequences through two engines. The first difference is made small
 * and told as a case that can be pasted; the same seed finds it again.
 */
import type { JsonObject } from "@swl/base";
import type { ExecutionModel } from "@swl/execution/model";
import { someDefinition } from "./definitions.ts";
import { differenceBetween, type Engine } from "./engines.ts";
import { someEvents } from "./events.ts";
import { type Example, minimize } from "./minimize.ts";
import { Random } from "./random.ts";

export interface RunOptions {
  readonly seed: number;
  readonly sequences: number;
  /** Number of the first sequence; default 0. */
  readonly from?: number;
  /** Sequences of events for each definition; default 10. */
  readonly perDefinition?: number;
  /** Traces asked at a time; default 32. Two such batches are on their way. */
  readonly atATime?: number;
  /** Told after every so many sequences. */
  readonly progress?: (done: number) => void;
}

export interface Difference extends Example {
  /** Number of the sequence that showed it. */
  readonly sequence: number;
  /** As found, before it was made small. */
  readonly found: string;
  /** What the engines say differently over the small example. */
  readonly difference: string;
}

export interface RunResult {
  readonly sequences: number;
  readonly events: number;
  readonly difference?: Difference;
}

/** `model` is asked where a run stands while its events are made; it may be one of the engines. */
export async function runDifferential(
  model: ExecutionModel,
  engines: readonly [Engine, Engine],
  options: RunOptions,
): Promise<RunResult> {
  const { atATime = 32, from: first = 0 } = options;
  const end = first + options.sequences;
  const ask = (from: number): Asked | undefined =>
    from < end ? asked(model, engines, options, from, Math.min(atATime, end - from)) : undefined;
  let events = 0;
  // The next batch is made and asked while the answers to this one are on their way.
  for (let now = ask(first); now !== undefined; ) {
    const { from, batch } = now;
    const next = ask(from + batch.length);
    const said = await now.said;
    const at = said.findIndex((difference) => difference !== undefined);
    if (at >= 0) {
      const found = said[at] as string;
      const small = await smallest(engines, batch[at]!);
      return {
        sequences: from - first + at + 1,
        events,
        difference: { ...small, sequence: from + at, found },
      };
    }
    events += batch.reduce((sum, one) => sum + one.events.length, 0);
    options.progress?.(from - first + batch.length);
    now = next;
  }
  return { sequences: options.sequences, events };
}

interface Asked {
  readonly from: number;
  readonly batch: readonly Example[];
  /** What the engines say differently over each. */
  readonly said: Promise<readonly (string | undefined)[]>;
}

function asked(
  model: ExecutionModel,
  engines: readonly [Engine, Engine],
  options: RunOptions,
  from: number,
  count: number,
): Asked {
  const batch = Array.from({ length: count }, (_, index) => exampleOf(model, options, from + index));
  const said = batch.map(({ definition, events }) => differenceBetween(engines, definition, events));
  return { from, batch, said: Promise.all(said) };
}

/** The example with this number: it depends on the seed and on nothing else. */
export function exampleOf(
  model: ExecutionModel,
  options: Pick<RunOptions, "seed" | "perDefinition">,
  sequence: number,
): Example {
  const { seed, perDefinition = 10 } = options;
  const definition = definitionOf(seed, Math.floor(sequence / perDefinition));
  const random = new Random(seed + 1, sequence);
  return { definition, events: someEvents(random, model, definition, 2 + random.int(24)) };
}

/** The one made last, which the next example most likely wants again. */
let last: { readonly seed: number; readonly number: number; readonly definition: JsonObject } | undefined;

function definitionOf(seed: number, number: number): JsonObject {
  if (last?.seed !== seed || last.number !== number) {
    last = { seed, number, definition: someDefinition(new Random(seed, number)) };
  }
  return last.definition;
}

async function smallest(
  engines: readonly [Engine, Engine],
  example: Example,
): Promise<Example & { readonly difference: string }> {
  const ask = ({ definition, events }: Example) => differenceBetween(engines, definition, events);
  const small = await minimize(example, async (candidate) => (await ask(candidate)) !== undefined);
  return { ...small, difference: (await ask(small)) ?? "the engines do not differ in the same way twice" };
}

/** For people: what to look at, and the files of a case that shows it. */
export function told({ sequence, found, difference, definition, events }: Difference): string {
  const lines = events.map((event) => `  ${JSON.stringify(event)}`);
  return [
    `sequence ${sequence}: ${found}`,
    `made small: ${difference}`,
    `definition.json: ${JSON.stringify(definition)}`,
    `events.json: [\n${lines.join(",\n")}\n]`,
  ].join("\n");
}
