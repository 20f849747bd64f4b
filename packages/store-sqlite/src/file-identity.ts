/**
 * Is the file that was opened still the one at its path? One that was deleted, moved or replaced goes on taking writes
 * that nobody finds afterwards, so every write looks first. Spec: STO-durability.
 */
import { statSync } from "node:fs";
import { storeError } from "@swl/store-provider";

/** The file itself, by whichever path it was opened; undefined where nothing is there, or it cannot be told. */
export function identityOf(path: string): string | undefined {
  const found = look(path);
  return typeof found === "string" ? found : undefined;
}

/** Throws `store.unavailable`: nothing was written. A path that may not be looked at any more is taken as it was. */
export function checkStillThere(path: string, identity: string | undefined): void {
  const found = look(path);
  if (identity === undefined || found === unknown || found === identity) return;
  throw storeError("unavailable", `${path} was deleted, moved or replaced while it was open; open it again.`);
}

const unknown = Symbol("cannot be told");

function look(path: string): string | typeof unknown | undefined {
  try {
    const found = statSync(path, { bigint: true, throwIfNoEntry: false });
    return found && `${found.dev} ${found.ino}`;
  } catch {
    return unknown;
  }
}
