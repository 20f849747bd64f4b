interface Suite {
  readonly name: string;
  readonly says: string;
}
export function optionsOf(
  words: readonly string[],
  suites: readonly Suite[],
): {
  readonly help: boolean;
  readonly full: boolean;
  readonly only: readonly string[];
  readonly unknown: readonly string[];
};
export function usageOf(suites: readonly Suite[]): string;
