/** What takes minutes: at full size with `SWL_BENCH_LONG=1`, with any number of runs with `SWL_BENCH_RUNS`. */

export const long = process.env["SWL_BENCH_LONG"] === "1";

const asked = Number(process.env["SWL_BENCH_RUNS"] ?? 0);

/** `quick` and `daily`: how many runs where nothing else is asked. */
export function runsFor(isQuick: boolean, sizes: { readonly quick: number; readonly daily: number }): number {
  if (asked > 0) return asked;
  if (long) return 1_000_000;
  return isQuick ? sizes.quick : sizes.daily;
}
