/**
 * The address of a store on PostgreSQL as a user types it, and as it may be shown. What of it is secret is never
 * printed, also when the address cannot be read: a password with characters that end it early is refused, not cut up.
 * Parameters are ours (`schema`, `pooler`, `listen`) or such as the driver reads; any other is refused by its name.
 */
import { readFileSync } from "node:fs";
import { nearest, SwlError } from "@swl/base";
import { reasonOf } from "./reason.js";

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

/** Where the driver would take another value for something else, or for nothing. */
const values: { readonly [name: string]: readonly string[] } = {
  sslmode: ["disable", "prefer", "require", "verify-ca", "verify-full", "no-verify"],
  sslnegotiation: ["postgres", "direct"],
  uselibpqcompat: ["true", "false"],
};
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
  checkEscapes(url);
  checkValues(url);
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
  const twice = ours.find((name) => searchParams.getAll(name).length > 1);
  if (twice !== undefined) throw new SwlError("cli.usage", `--store: ${twice} is given twice`);
}

/** What the driver would say of these is told as a server that cannot be reached. */
function checkValues({ port, searchParams }: URL): void {
  for (const given of [...(port === "" ? [] : [port]), ...searchParams.getAll("port")]) {
    if (/^[0-9]{1,5}$/.test(given) && Number(given) >= 1 && Number(given) <= 65_535) continue;
    throw new SwlError("cli.usage", "--store: port is a whole number from 1 to 65535");
  }
  for (const [name, allowed] of Object.entries(values)) {
    if (searchParams.getAll(name).every((given) => allowed.includes(given))) continue;
    throw new SwlError("cli.usage", `--store: ${name} is one of ${allowed.join(", ")}`);
  }
  const compatible = searchParams.get("uselibpqcompat") === "true";
  if (compatible && searchParams.get("sslmode") === "verify-ca" && !searchParams.has("sslrootcert")) {
    throw new SwlError(
      "cli.usage",
      "--store: sslmode=verify-ca needs sslrootcert beside uselibpqcompat=true",
    );
  }
}

/** Says which part, and never what stands in it. */
function checkEscapes({ username, password, hostname, pathname, search }: URL): void {
  const parameters = search.slice(1).split("&");
  const parts: readonly (readonly [string, string])[] = [
    ...([
      ["user", username],
      ["password", password],
      ["host", hostname],
      ["database", pathname],
    ] as const),
    ...parameters.map((text) => [`parameter ${text.split("=", 1)[0]}`, text] as const),
  ];
  for (const [part, text] of parts) {
    try {
      decodeURIComponent(text);
    } catch {
      throw new SwlError(
        "cli.usage",
        `--store: the ${part} of the address has a % that begins no character`,
        {
          hint: "write a % itself as %25",
        },
      );
    }
  }
}

/** Certificates that the driver reads when it connects. Throws `cli.usage` for one that cannot be read. */
export function checkCertificates({ url }: PostgresAddress): void {
  const { searchParams } = new URL(url);
  for (const name of ["sslrootcert", "sslcert", "sslkey"]) {
    const file = searchParams.get(name);
    if (!file) continue;
    try {
      readFileSync(file);
    } catch (cause) {
      throw new SwlError("cli.usage", `--store: the file of ${name} cannot be read: ${reasonOf(cause)}`, {
        cause,
      });
    }
  }
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
