/** Figures as people read them. */
import type { Ratio } from "./harness.ts";

export function count(value: number): string {
  return Math.round(value).toLocaleString("en-US");
}

/** `0.43 (0.40 .. 0.51)`; below 0.01, where two decimals say nothing, `1 : 250 (1 : 270 .. 1 : 240)`. */
export function ratioText({ median, min, max }: Ratio): string {
  const shown = (value: number) => (median < 0.01 ? `1 : ${count(1 / value)}` : value.toFixed(2));
  return `${shown(median)} (${shown(min)} .. ${shown(max)})`;
}
