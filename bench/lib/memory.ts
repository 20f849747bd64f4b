/** Bytes allocated on the heap of this process by a piece of work, as the collector counts them. */
import { getHeapStatistics, setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { median } from "./harness.ts";

/** The median over windows too short for a collection to fall into many of them. */
export function bytesEach(steps: number, work: () => void): number {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  const windows: number[] = [];
  for (let window = 0; window < 25; window++) {
    collect();
    const before = getHeapStatistics().used_heap_size;
    for (let step = 0; step < steps; step++) work();
    windows.push((getHeapStatistics().used_heap_size - before) / steps);
  }
  return median(windows);
}
