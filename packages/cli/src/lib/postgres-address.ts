/**
 * The address of a store on PostgreSQL as a user types it, and as it may be shown. What of it is secret is never
 * printed, also when the address cannot be read: a password with characters that end it early is refused, not cut up.
 * Parameters are ours (`schema`, `pooler`, `listen`) or such as the driver reads; any other is refused by its name.
 */
import { nearest, SwlError } from "@swl/base";

export interface PostgresAddress {
  readonly kind: "postgres";
  /** Without what is secret. */
  readonly shown: string;
  /** As the driver takes it. */
  readonly url: string;
  /** What our own parameters say, as the store takes it. */
  readonly options: PostgresChoices;
}

export interface PostgresChoices {
  /** `?schema=NAME`: the schema that holds the store. */
  readonly schema?: string;
  /** `?pooler=true`: the address is that of a pooler by transaction. */
  readonly pooler?: boolean;
  /** `?listen=false`, or `?listen=ADDRESS` of the server itself. */
  readonly listen?: { readonly url: string } | false;
}

const secrets = ["password", "passfile", "sslkey", "sslpassword"];
const ours = ["schema", "pooler", "listen"];
/** What the driver `pg` reads of an address; it would pass over others without a word. */
const drivers = [
  ...["application_name", "client_encoding", "fallback_application_name", "host"],
  ...["idle_in_transaction_session_timeout", "lock_timeout", "options", "password", "port", "query_timeout"],
  ...["ssl", "sslcert", "sslkey", "sslmode", "sslnegotiation", "sslrootcert", "statement_timeout"],
  ...["uselibpqcompat", "user"],
];

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
  checkNames(url);
  const shown = new URL(url);
  shown.password = "";
  for (const name of secrets) shown.searchParams.delete(name);
  const options = choicesOf(url, shown);
  for (const name of ours) url.searchParams.delete(name);
  return { kind: "postgres", shown: shown.href, url: url.href, options };
}

/** The password of the address that is listened to is not shown either. */
function choicesOf({ searchParams }: URL, shown: URL): PostgresChoices {
  const schema = searchParams.get("schema") ?? undefined;
  if (schema !== undefined && !/^[a-z_][a-z0-9_]{0,62}$/.test(schema)) {
    throw new SwlError("cli.usage", "--store: the schema is no plain lower-case name");
  }
  const pooler = flag("pooler", searchParams.get("pooler"));
  const to = searchParams.get("listen") ?? undefined;
  const server = to !== undefined && /^postgres(ql)?:/i.test(to) ? postgresAddress(to) : undefined;
  const listens = server === undefined ? flag("listen", to ?? null, " or the address of the server") : true;
  if (listens === true && pooler === true && server === undefined) {
    throw new SwlError("cli.usage", "--store: listen=true does not go with pooler=true", {
      hint: "a pooler by transaction passes no wake-ups on: leave listen out, or name the server, listen=postgres%3A%2F%2F…",
    });
  }
  if (server !== undefined) shown.searchParams.set("listen", server.shown);
  const listen = server === undefined ? (listens === false ? false : undefined) : { url: server.url };
  return {
    ...(schema !== undefined && { schema }),
    ...(pooler !== undefined && { pooler }),
    ...(listen !== undefined && { listen }),
  };
}

function flag(name: string, value: string | null, or = ""): boolean | undefined {
  if (value === null) return undefined;
  if (value === "true" || value === "false") return value === "true";
  throw new SwlError("cli.usage", `--store: ${name} is true or false${or}`);
}

function checkNames({ search, searchParams }: URL): void {
  const names = [...searchParams.keys()];
  const unknown = names.find((name) => !ours.includes(name) && !drivers.includes(name));
  if (unknown !== undefined) {
    // What stands before an `@` may be the end of a password.
    if (search.includes("@")) throw unreadable();
    const near = nearest(unknown, [...ours, ...drivers]);
    throw new SwlError("cli.usage", `--store: an address has no parameter ${unknown}`, {
      hint: `${near === undefined ? "" : `did you mean ${near}? `}ours are ${ours.join(", ")}; the driver's, such as sslmode, are in the guide`,
    });
  }
  const port = searchParams.get("port");
  if (port !== null && !(/^[0-9]{1,5}$/.test(port) && Number(port) <= 65_535)) {
    throw new SwlError("cli.usage", "--store: port is a whole number up to 65535");
  }
  const twice = ours.find((name) => searchParams.getAll(name).length > 1);
  if (twice !== undefined) throw new SwlError("cli.usage", `--store: ${twice} is given twice`);
}

function parsed(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const whole =
    url !== undefined &&
    url.hash === "" &&
    /^\/[^/@]+$/.test(url.pathname) &&
    [...url.searchParams.keys()].every((name) => /^[a-z_]+$/i.test(name));
  if (whole) return url;
  throw unreadable();
}

function unreadable(): SwlError {
  return new SwlError("cli.usage", "--store: the address of the PostgreSQL server cannot be read", {
    hint: "write postgres://USER@HOST:PORT/DATABASE, and characters such as @ / ? # in a password as %40 %2F %3F %23; better, leave it to PGPASSWORD or ~/.pgpass",
  });
}
