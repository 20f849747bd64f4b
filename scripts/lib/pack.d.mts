export function packInto(
  names: readonly string[],
  into: string,
): Promise<{ readonly status: number; readonly output: string }>;
