/** `--store postgres://…`: a server is a store like a file, and what of its address is secret is never printed. */
import { randomBytes } from "node:crypto";
import { describe, expect, it } from "vitest";
import { postgresAddress } from "../src/lib/postgres-address.js";
import { bindings, documentOf, flow, folder, start, swl, until } from "./support/call.js";

const server = process.env["SWL_TEST_DATABASE_URL"];
const secret = "s3cr3t-and-long";

function address(): string {
  const url = new URL(server as string);
  url.password ||= secret;
  url.searchParams.set("schema", `swl_cli_${randomBytes(6).toString("hex")}`);
  return url.href;
}

describe("an address", () => {
  it.each([
    ["postgres://me:s3cr3t@db/orders", "postgres://me@db/orders"],
    [
      "postgresql://me:s3cr3t@db:6432/orders?sslmode=require",
      "postgresql://me@db:6432/orders?sslmode=require",
    ],
    ["postgres://db/orders?user=me&password=s3cr3t", "postgres://db/orders?user=me"],
    ["postgres:///orders?host=/run/postgresql", "postgres:///orders?host=%2Frun%2Fpostgresql"],
  ])("is shown without its password: %s", (text, shown) => {
    expect(postgresAddress(text)?.shown).toBe(shown);
    expect(postgresAddress(text)?.url).toContain(text.includes("s3cr3t") ? "s3cr3t" : "host");
  });

  it("names the schema apart from what the driver gets", () => {
    const { url, options, shown } = postgresAddress("postgres://db/orders?schema=flows") ?? {};
    expect([url, options, shown]).toEqual([
      "postgres://db/orders",
      { schema: "flows" },
      "postgres://db/orders?schema=flows",
    ]);
  });

  it.each([
    ["pooler=true", { pooler: true }],
    ["pooler=true&listen=false&schema=flows", { pooler: true, listen: false, schema: "flows" }],
    ["pooler=false&listen=true", { pooler: false }],
    [
      "pooler=true&listen=postgres%3A%2F%2Fme%3As3cr3t%40db%2Forders",
      { pooler: true, listen: { url: "postgres://me:s3cr3t@db/orders" } },
    ],
    ["listen=postgres://me:s3cr3t@db/orders", { listen: { url: "postgres://me:s3cr3t@db/orders" } }],
  ])("says how its wake-ups come, apart from what the driver gets: %s", (parameters, options) => {
    const found = postgresAddress(`postgres://me:s3cr3t@pool/orders?sslmode=disable&${parameters}`);
    expect(found).toMatchObject({ url: "postgres://me:s3cr3t@pool/orders?sslmode=disable", options });
    expect(Object.keys(found?.options ?? {}).sort()).toEqual(Object.keys(options).sort());
    expect(found?.shown).not.toContain("s3cr3t");
    // What is shown can be typed again.
    expect(postgresAddress(found?.shown ?? "")?.options.pooler).toBe(found?.options.pooler);
  });

  it.each([
    ["poolre=true", "no parameter poolre", "did you mean pooler?"],
    ["channel_binding=require", "no parameter channel_binding", "ours are schema, pooler, listen"],
    ["port=99999", "port is a whole number from 1 to 65535", ""],
    ["port=abc", "port is a whole number from 1 to 65535", ""],
    ["port=0", "port is a whole number from 1 to 65535", ""],
    ["sslmode=requier", "sslmode is one of disable, prefer, require, verify-ca", ""],
    ["sslmode=", "sslmode is one of disable", ""],
    ["sslmode=verify-ca&uselibpqcompat=true", "sslmode=verify-ca needs sslrootcert", ""],
    ["sslrootcert=none/ca.pem", "the file of sslrootcert cannot be read: ", ""],
    ["sslcert=/&sslmode=require", "the file of sslcert cannot be read: ", ""],
    ["application_name=%zz", "the parameter application_name of the address has a %", "%25"],
    ["pooler=yes", "pooler is true or false", ""],
    ["listen=", "listen is true or false or the address of the server", ""],
    ["pooler=true&listen=true", "listen=true does not go with pooler=true", "leave listen out"],
    ["pooler=true&pooler=false", "pooler is given twice", ""],
  ])("with a parameter that cannot be is refused by its name: %s", async (parameters, said, hint) => {
    const store = `postgres://me:s3cr3t@db/orders?${parameters}`;
    const { code, out, err } = await swl(["list", "--store", store], { cwd: folder() });
    expect([code, out]).toEqual([2, ""]);
    expect(err).toMatch(/^error cli\.usage: --store: /);
    expect(err).toContain(said);
    expect(err).toContain(hint);
    expect(err).not.toContain("s3cr3t");
  });

  it.each([
    ["postgres://me%zz:s3cr3t@db/orders", "the user of the address has a %"],
    ["postgres://me:s3cr3t%zz@db/orders", "the password of the address has a %"],
    ["postgres://me:s3cr3t@db/or%c3ders", "the database of the address has a %"],
    ["postgres://me:s3cr3t@db:0/orders", "port is a whole number from 1 to 65535"],
    [
      "postgres://db/orders?listen=postgres%3A%2F%2Fme%3As3cr3t%25zz%40db%2Forders",
      "the password of the address",
    ],
  ])("with a part that cannot be is refused by its name: %s", async (store, said) => {
    const { code, err } = await swl(["list", "--store", store], { cwd: folder() });
    expect(code).toBe(2);
    expect(err).toContain(`error cli.usage: --store: ${said}`);
    expect(err).not.toContain("s3cr3t");
  });

  it("is none where a file is meant", () => {
    for (const file of ["orders.db", "/x/orders.db", "C:\\orders.db", "C://orders.db"]) {
      expect(postgresAddress(file)).toBeUndefined();
    }
  });

  it.each([
    "postgres://me:s3cr3t",
    "postgres://me:12/s3cr3t@db/orders",
    "postgres://me:12#s3cr3t@db/orders",
    "postgres://me:12?s3cr3t@db/orders",
    "postgres://me:12/x?s_cr_t=3@db/orders",
    "postgres://me:12/x?s_cr_t=%zz@db/orders",
    "postgres://db/orders?listen=postgres://me:12/s3cr3t@db/orders",
    "postgres://me:s3cr3t@db/orders?schema=No",
    "mysql://me:s3cr3t@db/orders",
    "redis+tls://me:s3cr3t@db",
  ])("that cannot be read is refused, and not repeated: %s", async (text) => {
    const { code, out, err } = await swl(["list", "--store", text], { cwd: folder() });
    expect([code, out]).toEqual([2, ""]);
    expect(err).toMatch(/^error cli\.usage: --store/);
    expect(err).not.toMatch(/s3cr3t|s_cr_t/);
  });

  it("of a server that is not there fails as the store, without its password", async () => {
    const SWL_STORE = `postgres://me:${secret}@127.0.0.1:1/x`;
    const { code, err } = await swl(["list"], { cwd: folder(), env: { SWL_STORE, SWL_DEBUG: "1" } });
    expect(code).toBe(5);
    expect(err).toContain("store.unavailable");
    expect(err).not.toContain(secret);
  });
});

describe.skipIf(server === undefined)("a store on a server", () => {
  it("is missing until somebody serves it, and is not made by looking", async () => {
    const store = address();
    for (let times = 0; times < 2; times += 1) {
      const { code, err } = await swl(["list", "--store", store], { cwd: folder() });
      expect(code).toBe(3);
      expect(err).toMatch(
        /^error cli\.store-missing: there is no store at postgres:.*: the database has no schema swl_cli_/,
      );
      expect(err).not.toContain(secret);
    }
  });

  it("is made by nobody where the database does not exist, and who makes that is told", async () => {
    const url = new URL(address());
    url.pathname = "/nobodys";
    for (const command of [["list"], ["publish", flow], ["worker", "--bindings", bindings]]) {
      const { code, err } = await swl([...command, "--store", url.href], { cwd: folder() });
      expect(code).toBe(3);
      expect(err).toMatch(/^error cli\.store-missing: .*: the database does not exist\n/);
      expect(err).toContain(
        "hint: name another, or make it with PostgreSQL's own tool: createdb --encoding UTF8 nobodys",
      );
      expect(err).not.toContain(secret);
    }
  });

  it("keeps runs that other commands see", async () => {
    const store = `${address()}&pooler=true&listen=false`;
    const cwd = folder();
    const input = '{"name": "ada", "direct": true}';
    const ran = await swl(["run", flow, "--bindings", bindings, "--input", input, "--store", store], { cwd });
    expect(ran.code).toBe(0);
    const listed = documentOf(await swl(["list", "--json"], { cwd, env: { SWL_STORE: store } }));
    const { run } = listed as unknown as { run: string };
    const history = await swl(["history", run, "--store", store], { cwd });
    expect(history.code).toBe(0);
    expect(ran.out + ran.err + history.out).not.toContain(secret);
  });

  it("is served by a worker, which says where, and tells lines to type without the password", async () => {
    const store = address();
    const cwd = folder();
    const worker = start(["worker", "--bindings", bindings, "--store", store, "--json"], { cwd });
    await until(() => worker.out().includes('"ready"'));
    worker.interrupt();
    const { code, out } = await worker.ended;
    expect(code).toBe(0);
    expect(JSON.parse(out.split("\n")[0] as string).store).toMatch(/^postgres:.*schema=swl_cli_/);
    const waits = await swl(
      ["run", flow, "--bindings", bindings, "--input", '{"name": "ada"}', "--store", store],
      { cwd },
    );
    expect(waits.code).toBe(7);
    expect(waits.out).toContain("--store");
    expect(out + waits.out + waits.err).not.toContain(secret);
  });
});
