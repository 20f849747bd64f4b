/** The clock of a statement, and what its commit must wait for, as expressions: a call of a function would cost as much. */

/** Milliseconds since the epoch: `clock`, a parameter, or where that is null the server's own. */
export function momentBy(clock: string): string {
  return `coalesce(${clock}::bigint, floor(date_part('epoch', clock_timestamp()) * 1000)::bigint)`;
}

/** A pooler may hand out a session that is told otherwise: then nothing is accepted by a statement that asks for this. */
export const waitsForDisk = "current_setting('synchronous_commit') NOT IN ('off', 'local')";
