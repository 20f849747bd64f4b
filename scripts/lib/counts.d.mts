export interface Counts {
  readonly passed: number;
  readonly failed: number;
}
export function reportCounts(folder: string): Counts;
export function failuresOf(folder: string): readonly string[];
export function skipsOf(folder: string): readonly string[];
export function lineCounts(output: string, status: number): Counts;
/** What tests left to be said in `reports/caught-*.txt`. */
export function caughtOf(folder: string): readonly string[];
