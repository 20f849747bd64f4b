/**
 * Whether the store that is open is still the file at its path. A database goes on working on a file that was deleted
 * or replaced, and all that it writes is lost: a worker that notices stops instead.
 */
import { statSync } from "node:fs";

const look = 1_000;

/** Calls back once when another file, or none, is at the path. Returns the function that stops looking. */
export function watchStore(file: string, gone: () => void): () => void {
  const opened = identity(file);
  const timer = setInterval(() => {
    if (identity(file) === opened) return;
    clearInterval(timer);
    gone();
  }, look);
  timer.unref();
  return () => clearInterval(timer);
}

function identity(file: string): string | undefined {
  try {
    const { dev, ino } = statSync(file, { bigint: true });
    return `${dev}:${ino}`;
  } catch {
    return undefined;
  }
}
