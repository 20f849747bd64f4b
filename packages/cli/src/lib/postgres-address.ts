/**
 * The address of a store on PostgreSQL as a user types it, and as it may be shown. What of it is secret is never
 * printed, also when the address cannot be read: a password with characters that end it early is refused, not cut up.
 */
import { SwlError } from "@swl/base";

export interface PostgresAddress {
  readonly kind: "postgres";
  /** Without what is secret. */
  readonly shown: string;
  /** As the driver takes it. */
  readonly url: string;
  /** `?schema=NAME`: the schema that holds the store. */
  readonly schema?: string;
}

const secrets = ["password", "passfile", "sslkey", "sslpassword"];

/** Undefined for what is no address: a file. Throws `cli.usage` for an address of something else, or a broken one. */
export function postgresAddress(text: string): PostgresAddress | undefined {
  // Two letters at least: `C:` is a drive.
  const scheme = /^([a-z][a-z0-9+.-]+):\/\//i.exec(text)?.[1]?.toLowerCase();
  if (scheme === undefined) return undefined;
  if (scheme !== "postgres" && scheme !== "postgresql") {
    throw new SwlError(
      "cli.usage",
      `--store names a SQLite file or a PostgreSQL server, and ${scheme}://… is neither`,
      { hint: "a host of your own opens other stores" },
    );
  }
  const url = parsed(text);
  const schema = url.searchParams.get("schema") ?? undefined;
  if (schema !== undefined && !/^[a-z_][a-z0-9_]{0,62}$/.test(schema)) {
    throw new SwlError("cli.usage", "--store: the schema is no plain lower-case name");
  }
  const shown = new URL(url);
  shown.password = "";
  for (const name of secrets) shown.searchParams.delete(name);
  url.searchParams.delete("schema");
  return { kind: "postgres", shown: shown.href, url: url.href, ...(schema !== undefined && { schema }) };
}

function parsed(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const whole =
    url !== undefined &&
    url.hash === "" &&
    /^\/[^/@]+$/.test(url.pathname) &&
    [...url.searchParams.keys()].every((name) => /^[a-z_]+$/i.test(name));
  if (whole) return url;
  throw new SwlError("cli.usage", "--store: the address of the PostgreSQL server cannot be read", {
    hint: "write postgres://USER@HOST:PORT/DATABASE, and characters such as @ / ? # in a password as %40 %2F %3F %23; better, leave it to PGPASSWORD or ~/.pgpass",
  });
}
