/**
 * What one would write by hand: a row for each step, one commit a step; and with the commits of many runs in one. The
 * floor: no retries, no leases, no recovery, no control.
 */
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import pg from "pg";
import { type OpenPeer, type Peer, STEPS } from "./peer.ts";

const table = "steps (run bigint, step int, state text, PRIMARY KEY (run, step))";

/** Start, five steps, and the end with the last of them: six rows. */
async function chain(run: number, write: (run: number, step: number) => Promise<void>): Promise<void> {
  for (let step = 0; step <= STEPS; step++) await write(run, step);
}

const state = (step: number): string => JSON.stringify({ step, output: null, text: "x".repeat(120) });

/** What arrives while one commit is under way is the next one. */
function coalesced(commit: (rows: readonly (readonly [number, number])[]) => Promise<void>) {
  let waiting: { readonly row: readonly [number, number]; readonly done: (error?: unknown) => void }[] = [];
  let busy = false;
  const work = async (): Promise<void> => {
    busy = true;
    while (waiting.length > 0) {
      const batch = waiting;
      waiting = [];
      const error = await commit(batch.map(({ row }) => row)).then(
        () => undefined,
        (reason: unknown) => reason,
      );
      for (const { done } of batch) done(error);
    }
    busy = false;
  };
  return (run: number, step: number): Promise<void> =>
    new Promise((resolve, reject) => {
      waiting.push({
        row: [run, step],
        done: (error) => (error === undefined ? resolve() : reject(error as Error)),
      });
      if (!busy) queueMicrotask(() => busy || void work());
    });
}

function peer(write: (run: number, step: number) => Promise<void>, close: () => Promise<void>): Peer {
  let runs = 0;
  return { run: () => chain(++runs, write), close };
}

export const perStepOnPostgres: OpenPeer = async ({ url }) => {
  const pool = new pg.Pool({ connectionString: url, max: 8 });
  await pool.query(`CREATE TABLE ${table}`);
  const text = "INSERT INTO steps VALUES ($1, $2, $3)";
  const write = async (run: number, step: number): Promise<void> => {
    await pool.query({ name: "step", text, values: [run, step, state(step)] });
  };
  return peer(write, () => pool.end());
};

export const coalescedOnPostgres: OpenPeer = async ({ url }) => {
  const pool = new pg.Pool({ connectionString: url, max: 2 });
  await pool.query(`CREATE TABLE ${table}`);
  const text = "INSERT INTO steps SELECT * FROM unnest($1::bigint[], $2::int[], $3::text[])";
  const write = coalesced(async (rows) => {
    const values = [
      rows.map(([run]) => run),
      rows.map(([, step]) => step),
      rows.map(([, step]) => state(step)),
    ];
    await pool.query({ name: "steps", text, values });
  });
  return peer(write, () => pool.end());
};

export const coalescedOnSqlite: OpenPeer = async ({ folder }) => {
  const database = new DatabaseSync(join(folder, "by-hand.db"));
  database.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; CREATE TABLE ${table}`);
  const insert = database.prepare("INSERT INTO steps VALUES (?, ?, ?)");
  const write = coalesced(async (rows) => {
    database.exec("BEGIN");
    for (const [run, step] of rows) insert.run(run, step, state(step));
    database.exec("COMMIT");
  });
  return peer(write, async () => database.close());
};
