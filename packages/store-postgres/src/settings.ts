/**
 * What a connection must be like before it is used: settings are made and read back, and a server on which a commit
 * would not be on the disk is refused. Spec: STO-durable-settings.
 */
import { storeError } from "@swl/store-provider";
import type pg from "pg";

export interface Demands {
  readonly name: string;
  /** Milliseconds after which the server breaks a statement off. */
  readonly callTimeout: number;
  /** False: take a server that may lose what it acknowledged. */
  readonly durable: boolean;
  /** True: the session is somebody else's, too. Nothing is set; what each write needs it sets for itself. */
  readonly pooler: boolean;
}

/** Oldest server that is tested against. */
const oldest = 140_000;

/**
 * `plan_cache_mode`: a batch of one would be planned anew each time, which costs more than carrying it out.
 * `enable_seqscan`: every query of ours has an index, and a plan that was made while the tables were empty is kept.
 * A session may be quiet and a transaction may take its time: only a statement has a limit, which is ours.
 * `synchronous_commit` is raised only where it is weaker than a flush to the server's own disk and its standbys'.
 */
const make = `SELECT
  set_config('search_path', 'pg_catalog', false),
  set_config('bytea_output', 'hex', false),
  set_config('default_transaction_isolation', 'read committed', false),
  set_config('enable_seqscan', 'off', false),
  set_config('jit', 'off', false),
  set_config('plan_cache_mode', 'force_generic_plan', false),
  set_config('idle_in_transaction_session_timeout', $1, false),
  set_config('statement_timeout', $1, false),
  set_config('lock_timeout', '0', false),
  set_config('idle_session_timeout', '0', false),
  CASE WHEN current_setting('server_version_num')::int >= 170000
    THEN set_config('transaction_timeout', '0', false) END,
  set_config('synchronous_commit', CASE
    WHEN $2 AND current_setting('synchronous_commit') IN ('off', 'local') THEN 'on'
    ELSE current_setting('synchronous_commit') END, false)`;

const look = `SELECT current_setting('server_version_num')::int AS version,
  current_setting('server_encoding') AS encoding,
  current_setting('transaction_read_only') AS read_only,
  current_setting('synchronous_commit') AS synchronous_commit,
  current_setting('fsync') AS fsync,
  current_setting('full_page_writes') AS full_page_writes`;

/** Throws `store.incompatible` or `store.unauthorized`, or what the driver throws. */
export async function settle(client: Pick<pg.ClientBase, "query">, demands: Demands): Promise<void> {
  if (!demands.pooler) await client.query(make, [String(demands.callTimeout), demands.durable]);
  const { rows } = await client.query<Record<string, string | number>>(look);
  const found = { ...rows[0], ...(demands.pooler && { synchronous_commit: "on" }) };
  const fault = faultOf(found, demands.durable);
  if (fault !== undefined)
    throw storeError(fault[0], `The store ${demands.name} cannot be used: ${fault[1]}.`);
}

/** Why a server with these settings is refused; undefined when it is not. */
export function faultOf(
  found: Readonly<Record<string, unknown>>,
  durable: boolean,
): readonly ["incompatible" | "unauthorized", string] | undefined {
  if (!((found["version"] as number) >= oldest)) {
    return ["incompatible", "the server is older than PostgreSQL 14"];
  }
  if (found["encoding"] !== "UTF8") {
    return ["incompatible", `the database's encoding is ${String(found["encoding"])} instead of UTF8`];
  }
  if (found["read_only"] !== "off") return ["unauthorized", "the server takes no writes"];
  if (!durable) return undefined;
  for (const [name, weak] of [
    ["fsync", ["off"]],
    ["full_page_writes", ["off"]],
    ["synchronous_commit", ["off", "local"]],
  ] as const) {
    const value = found[name] as string;
    if ((weak as readonly string[]).includes(value)) {
      return ["incompatible", `it would not keep what it accepted, the server has ${name} = ${value}`];
    }
  }
  return undefined;
}
