import { isSwlError, type Store } from "@swl/store-provider";
import { describe, expect, it, onTestFinished } from "vitest";
import { openPostgresStore, type PostgresStoreOptions } from "../src/index.js";
import { migrations } from "../src/schema.js";
import { faultOf, settle } from "../src/settings.js";
import { noServer, openForTest, scratchName, scratchSchema, sql, url } from "./scratch.js";

async function refusal(options: Partial<PostgresStoreOptions>): Promise<string> {
  let store: Store;
  try {
    store = await openPostgresStore({ url: url(), ...options });
  } catch (error) {
    if (!isSwlError(error)) throw error;
    expect(error.message).not.toContain("secret");
    return error.code;
  }
  await store.close();
  return "opened";
}

describe("opening with options that are none", () => {
  it.each([
    ["no address", { url: undefined as unknown as string }],
    ["an address of something else", { url: "mysql://localhost/x" }],
    ["an address that its password cuts short", { url: "postgres://me:1/secret@localhost/x" }],
    ["another one", { url: "postgres://me:1#secret@localhost/x" }],
    ["a port that there is not", { url: "postgres://me:secret@localhost/x?port=99999" }],
    ["port nought", { url: "postgres://me:secret@localhost:0/x" }],
    ["a port that is no number", { url: "postgres://me:secret@localhost:5432/x?port=secret" }],
    [
      "a port to listen at that there is not",
      { url: "postgres://localhost/x", listen: { url: "postgres://localhost/x?port=0" } },
    ],
    ["an address to listen at of something else", { url: "postgres://localhost/x", listen: { url: "x" } }],
    ["another way of migrating", { url: "postgres://localhost/x", migrate: "later" as "never" }],
    ["a schema with a quote", { url: "postgres://localhost/x", schema: 'a"b' }],
    ["a schema of the system's", { url: "postgres://localhost/x", schema: "pg_catalog" }],
    ["no connection", { url: "postgres://localhost/x", connections: 0 }],
    ["no time", { url: "postgres://localhost/x", callTimeout: 1 }],
  ])("%s is incompatible", async (_name, options) => {
    expect(await refusal(options)).toBe("store.incompatible");
  });
});

describe("a server that cannot be reached", () => {
  it("is unavailable, and nothing of the address's secrets is told", async () => {
    expect(await refusal({ url: "postgres://me:secret@127.0.0.1:1/x", callTimeout: 2_000 })).toBe(
      "store.unavailable",
    );
  });
});

describe.skipIf(noServer)("a schema", () => {
  it("is made once, however many open it at once [STO-version-gate]", async () => {
    const schema = scratchSchema();
    const stores = await Promise.all(
      Array.from({ length: 6 }, () => openForTest({ schema, connections: 1 })),
    );
    expect(stores.length).toBe(6);
    expect(await sql(`SELECT version FROM "${schema}".format`)).toEqual([{ version: migrations.length }]);
  });

  it("that is there and empty is used", async () => {
    const schema = scratchSchema();
    await sql(`CREATE SCHEMA "${schema}"`);
    expect(await refusal({ schema })).toBe("opened");
  });

  it("that is not there is not made when it must not be", async () => {
    const schema = scratchSchema();
    expect(await refusal({ schema, create: false })).toBe("store.not-found");
    expect(await sql("SELECT nspname FROM pg_namespace WHERE nspname = $1", [schema])).toEqual([]);
    await openForTest({ schema });
    expect(await refusal({ schema, create: false })).toBe("opened");
  });

  it("of a newer version is refused and left as it is [STO-version-gate]", async () => {
    const schema = scratchSchema();
    await openForTest({ schema });
    await sql(`UPDATE "${schema}".format SET version = version + 1`);
    expect(await refusal({ schema })).toBe("store.incompatible");
    expect(await sql(`SELECT version FROM "${schema}".format`)).toEqual([{ version: migrations.length + 1 }]);
  });

  it.each([
    ["other tables", "CREATE TABLE %.orders (id int)"],
    ["a table called like ours", "CREATE TABLE %.format (version text)"],
    ["such a table with other content", "CREATE TABLE %.format AS SELECT 'pdf' AS version"],
  ])("with %s is refused and left as it is [STO-version-gate]", async (_name, statement) => {
    const schema = scratchSchema();
    await sql(`CREATE SCHEMA "${schema}"`);
    await sql(statement.replace("%", `"${schema}"`));
    expect(await refusal({ schema })).toBe("store.incompatible");
    expect(await sql("SELECT 1 AS one FROM pg_tables WHERE schemaname = $1", [schema])).toHaveLength(1);
  });
});

describe.skipIf(noServer)("a role", () => {
  async function role(): Promise<{ readonly name: string; readonly address: string }> {
    const name = scratchName();
    await sql(`CREATE ROLE "${name}" LOGIN PASSWORD 'secret'`);
    onTestFinished(async () => {
      await sql(`DROP OWNED BY "${name}"`);
      await sql(`DROP ROLE "${name}"`);
    });
    const address = new URL(url());
    address.username = name;
    address.password = "secret";
    return { name, address: address.href };
  }

  it("that may not make a schema is told so, and nothing is made", async () => {
    const schema = scratchSchema();
    expect(await refusal({ schema, url: (await role()).address })).toBe("store.unauthorized");
    expect(await sql("SELECT 1 AS one FROM pg_namespace WHERE nspname = $1", [schema])).toEqual([]);
  });

  it("that may only read is told so at the first write, and what it may do goes on", async () => {
    const schema = scratchSchema();
    await openForTest({ schema });
    const { name, address } = await role();
    await sql(`GRANT USAGE ON SCHEMA "${schema}" TO "${name}"`);
    await sql(`GRANT SELECT ON ALL TABLES IN SCHEMA "${schema}" TO "${name}"`);
    const store = await openForTest({ schema, url: address });
    const write = store.note("run", "e", null);
    await expect(write).rejects.toMatchObject({ code: "store.unauthorized" });
    expect(await store.head("run")).toBeUndefined();
  });

  it("without a database is told so", async () => {
    const address = new URL(url());
    address.pathname = `/${scratchName()}`;
    expect(await refusal({ url: address.href })).toBe("store.not-found");
  });
});

describe.skipIf(noServer)("the encoding of a database", () => {
  it("must be UTF8", async () => {
    const name = scratchName();
    await sql(`CREATE DATABASE "${name}" ENCODING 'SQL_ASCII' LOCALE 'C' TEMPLATE template0`);
    const address = new URL(url());
    address.pathname = `/${name}`;
    expect(await refusal({ url: address.href })).toBe("store.incompatible");
    await sql(`DROP DATABASE "${name}" WITH (FORCE)`);
  });
});

const good = {
  version: 180_000,
  encoding: "UTF8",
  read_only: "off",
  fsync: "on",
  full_page_writes: "on",
  synchronous_commit: "on",
};

describe("what durability rests on", () => {
  it.each([
    ["fsync", { fsync: "off" }],
    ["full_page_writes", { full_page_writes: "off" }],
    ["synchronous_commit", { synchronous_commit: "off" }],
    ["synchronous_commit", { synchronous_commit: "local" }],
  ])("is read back: %s as %o is refused, unless told [STO-durable-settings]", (name, found) => {
    expect(faultOf({ ...good, ...found }, true)).toEqual(["incompatible", expect.stringContaining(name)]);
    expect(faultOf({ ...good, ...found }, false)).toBeUndefined();
  });

  it("is as it must be on a server that can be used", () => {
    expect(faultOf(good, true)).toBeUndefined();
    for (const [found, kind] of [
      [{ version: 130_012 }, "incompatible"],
      [{ encoding: "LATIN1" }, "incompatible"],
      [{ read_only: "on" }, "unauthorized"],
    ] as const) {
      expect(faultOf({ ...good, ...found }, true)?.[0]).toBe(kind);
    }
  });

  it.skipIf(noServer)("is raised where the role has it weaker [STO-durable-settings]", async () => {
    const statements: string[] = [];
    const { default: pg } = await import("pg");
    const client = new pg.Client({ connectionString: url(), options: "-c synchronous_commit=off" });
    await client.connect();
    await settle(client, { name: "s", callTimeout: 1_000, durable: true, pooler: false });
    const { rows } = await client.query<{ value: string }>(
      "SELECT current_setting('synchronous_commit') AS value",
    );
    statements.push(...rows.map((row) => row.value));
    await client.end();
    expect(statements).toEqual(["on"]);
  });
});
