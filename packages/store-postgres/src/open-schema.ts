/**
 * From a database to tables that may be trusted: whose schema it is is told before anything is made, and only one opener
 * at a time brings it forward. What is not ours is left as it is. Spec: STO-version-gate.
 */
import { storeError } from "@swl/store-provider";
import type { Database, Query } from "./database.js";
import { functions } from "./functions.js";
import { format, migrations } from "./schema.js";

export interface SchemaOptions {
  /** False: what is not there is not made. */
  readonly create: boolean;
  /** `never`: an older version's schema is not brought forward. */
  readonly migrate: "auto" | "never";
  /** Milliseconds to wait for another opener. */
  readonly patience: number;
}

/**
 * Throws `store.incompatible` (a newer version's, something else's, an older version's with `never`),
 * `store.unauthorized`, `store.unavailable` (another opener takes longer), and `store.not-found` for a schema that is not
 * there and must not be made.
 */
export async function openSchema(database: Database, schema: string, options: SchemaOptions): Promise<void> {
  const { create, migrate, patience } = options;
  await database.alone(async (query) => {
    const present = await versionOf(query, schema);
    if (present === format) return;
    if ((present ?? 0) === 0 && !create) {
      throw storeError("not-found", `There is no store in the schema ${schema}.`);
    }
    if ((present ?? 0) > 0 && migrate === "never") {
      throw storeError(
        "incompatible",
        `The schema ${schema} is of format ${present}, this version needs ${format}, and it must not be brought forward.`,
      );
    }
    await query("BEGIN");
    await query(`SET LOCAL lock_timeout = ${patience}`);
    await query("SET LOCAL statement_timeout = 0");
    // Until the commit; the name of the lock is the schema's.
    await query("SELECT pg_advisory_xact_lock(hashtextextended($1, 0))", `swl store ${schema}`);
    const version = await versionOf(query, schema);
    if (version === undefined) await query(`CREATE SCHEMA "${schema}"`);
    if ((version ?? 0) === 0) await query("CREATE TABLE swl.format (version int NOT NULL)");
    for (const step of migrations.slice(version ?? 0)) for (const statement of step) await query(statement);
    if (version !== format) for (const statement of functions) await query(statement);
    if ((version ?? 0) === 0) await query("INSERT INTO swl.format VALUES ($1)", format);
    else if (version !== format) await query("UPDATE swl.format SET version = $1", format);
    await query("COMMIT");
  });
}

/** 0 for a schema in which nothing was made, undefined when there is none. */
async function versionOf(query: Query, schema: string): Promise<number | undefined> {
  const [found] = await query(
    `SELECT (SELECT count(*) FROM pg_class c WHERE c.relnamespace = n.oid) AS tables,
        EXISTS (SELECT 1 FROM pg_class c WHERE c.relnamespace = n.oid AND c.relname = 'format') AS marked
      FROM pg_namespace n WHERE n.nspname = $1`,
    schema,
  );
  if (found === undefined) return undefined;
  if (found["tables"] === 0) return 0;
  const rows = found["marked"] === true ? await readFormat(query) : [];
  const version = rows[0]?.["version"];
  if (typeof version !== "number") {
    throw storeError("incompatible", `The schema ${schema} belongs to something else; it was left as it is.`);
  }
  if (version <= format) return version;
  throw storeError(
    "incompatible",
    `The schema ${schema} was written by a newer version (format ${version}; this one reads up to ${format}).`,
  );
}

/** Not `version` of any table called `format`: only of one that has such a number. */
async function readFormat(query: Query) {
  return query("SELECT (to_jsonb(f)->>'version')::int AS version FROM swl.format f LIMIT 1");
}
