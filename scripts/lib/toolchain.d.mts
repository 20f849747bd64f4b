export const root: string;
export function run(
  command: string,
  args: readonly string[],
  options?: { readonly env?: NodeJS.ProcessEnv; readonly cwd?: string; readonly show?: boolean },
): Promise<{ readonly status: number; readonly output: string }>;
export function toolEnv(): Promise<NodeJS.ProcessEnv>;
