export interface Counts {
  readonly passed: number;
  readonly failed: number;
}
export function reportCounts(folder: string): Counts;
export function lineCounts(output: string, status: number): Counts;
