/** What a server or an operator does to a store: it is told by its kind, nothing is lost, and the store goes on. */
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:net";
import { inspect } from "node:util";
import { type Item, isSwlError, type Store } from "@swl/store-provider";
import pg from "pg";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { openPostgresStore } from "../src/index.js";
import { openProxy } from "./proxy.js";
import { noServer, openForTest, scratchName, scratchSchema, sql, url } from "./scratch.js";
import { smallDisk } from "./small-disk.js";

const item = (stream: string, expect: number, more: Partial<Item> = {}): Item => ({
  stream,
  commit: `c${expect}`,
  expect,
  records: [{ kind: "event", document: { expect } }],
  applies: true,
  stamp: 0,
  ...more,
});

async function codeOf(call: Promise<unknown>): Promise<string> {
  try {
    await call;
  } catch (error) {
    return isSwlError(error) ? error.code : String(error);
  }
  return "none";
}

/** Turns are taken until it is so, or the test has no time left. */
const patience = { timeout: 20_000 };

/** A session that has a transaction open. */
async function session() {
  const client = new pg.Client({ connectionString: url() });
  await client.connect();
  onTestFinished(() => client.end());
  return client;
}

describe("a password that is wrong", () => {
  it("is told as unauthorized, and never shown", async () => {
    const server = createServer((socket) => {
      socket.on("error", () => {});
      // Asks for the password, then says what PostgreSQL says (28P01).
      socket.once("data", () => {
        socket.write(Buffer.from([0x52, 0, 0, 0, 8, 0, 0, 0, 3]));
        socket.once("data", () => {
          const fields = Buffer.from("SFATAL\0VFATAL\0C28P01\0Mpassword authentication failed\0\0");
          const head = Buffer.from([0x45, 0, 0, 0, 0]);
          head.writeInt32BE(fields.length + 4, 1);
          socket.end(Buffer.concat([head, fields]));
        });
      });
    }).listen(0, "127.0.0.1");
    await once(server, "listening");
    onTestFinished(() => void server.close());
    const { port } = server.address() as { readonly port: number };
    const address = `postgres://me:hidden-word@127.0.0.1:${port}/x`;
    const thrown: unknown = await openPostgresStore({ url: address }).catch((error: unknown) => error);
    expect(isSwlError(thrown) && thrown.code).toBe("store.unauthorized");
    expect(inspect(thrown, { depth: null, showHidden: true })).not.toContain("hidden-word");
  });
});

describe("a server that takes calls and does not answer", () => {
  it("is given up after the time for a call", async () => {
    const server = createServer((socket) => socket.on("error", () => {})).listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as { readonly port: number };
    const opening = openPostgresStore({ url: `postgres://me@127.0.0.1:${port}/x`, callTimeout: 200 });
    expect(await codeOf(opening)).toBe("store.unavailable");
    server.close();
  });

  it.skipIf(noServer)("is given up also in the middle, and the write is not told as failed", async () => {
    const schema = scratchSchema();
    const wire = await openProxy(url());
    const store = await openForTest({ schema, url: wire.url, connections: 1, callTimeout: 300 });
    await store.append([item("a", 0)]);
    wire.mute();
    expect(await codeOf(store.append([item("a", 1)]))).toBe("store.unknown-commit");
    await store.now();
    wire.mute();
    expect(await codeOf(store.head("a"))).toBe("store.unavailable");
    expect(await store.append([item("a", 1)])).toMatchObject([{ first: 2, repeated: true }]);
  });
});

describe.skipIf(noServer)("a call that others keep waiting", () => {
  it("is broken off by the server, and nothing was written", async () => {
    const schema = scratchSchema();
    const store = await openForTest({ schema, callTimeout: 300 });
    await store.append([item("a", 0)]);
    const other = await session();
    await other.query("BEGIN");
    await other.query(`LOCK TABLE "${schema}".log IN ACCESS EXCLUSIVE MODE`);
    expect(await codeOf(store.append([item("a", 1)]))).toBe("store.unavailable");
    expect(await codeOf(store.append([item("b", 0)]))).toBe("store.unavailable");
    await other.query("COMMIT");
    expect((await store.head("a"))?.position).toBe(1);
    expect(await store.append([item("a", 1)])).toMatchObject([{ kind: "accepted", repeated: false }]);
  });

  it("gives up waiting for a connection that others of this process use", async () => {
    const schema = scratchSchema();
    const store = await openForTest({ schema, connections: 1, callTimeout: 1_000 });
    const other = await session();
    await other.query("BEGIN");
    await other.query(`LOCK TABLE "${schema}".log IN ACCESS EXCLUSIVE MODE`);
    const codes = await Promise.all([1, 2, 3].map((n) => codeOf(store.append([item(`s${n}`, 0)]))));
    expect(codes).toEqual(["store.unavailable", "store.unavailable", "store.unavailable"]);
    await other.query("COMMIT");
    expect(await store.append([item("s1", 0)])).toMatchObject([{ kind: "accepted" }]);
  });
});

describe.skipIf(noServer)("a server that is at its limit", () => {
  it("of connections is unavailable, and is not when there are some again", async () => {
    const schema = scratchSchema();
    await openForTest({ schema });
    const name = scratchName();
    await sql(`CREATE ROLE "${name}" LOGIN CONNECTION LIMIT 1`);
    onTestFinished(async () => {
      await sql(`DROP OWNED BY "${name}"`);
      await sql(`DROP ROLE "${name}"`);
    });
    await sql(`GRANT USAGE ON SCHEMA "${schema}" TO "${name}"`);
    await sql(`GRANT ALL ON ALL TABLES IN SCHEMA "${schema}" TO "${name}"`);
    const address = new URL(url());
    address.username = name;
    const first = await openPostgresStore({ url: address.href, schema, connections: 1 });
    await first.head("a");
    const second = openPostgresStore({ url: address.href, schema, connections: 1 });
    expect(await codeOf(second)).toBe("store.unavailable");
    await first.close();
    const third = await openPostgresStore({ url: address.href, schema, connections: 1 });
    expect(await third.head("a")).toBeUndefined();
    await third.close();
  });

  const disk = noServer ? undefined : smallDisk();
  it.skipIf(disk === undefined)(
    "of its disk is unavailable, and goes on when there is space again",
    async () => {
      const schema = scratchSchema();
      const store = await openForTest({ schema });
      const { folder, fill, free, remove } = disk as NonNullable<typeof disk>;
      const space = scratchName();
      await sql(`CREATE TABLESPACE "${space}" LOCATION '${folder}'`);
      onTestFinished(async () => {
        await sql(`DROP SCHEMA IF EXISTS "${schema}" CASCADE`);
        await sql(`DROP TABLESPACE "${space}"`);
        remove();
      });
      await sql(`ALTER TABLE "${schema}".log SET TABLESPACE "${space}"`);
      await store.append([item("a", 0)]);
      fill();
      let at = 1;
      const next = () =>
        item("a", at, { records: [{ kind: "event", document: randomBytes(50_000).toString("hex") }] });
      let full = next();
      for (; (await codeOf(store.append([full]))) === "none"; full = next()) at += 1;
      const thrown: unknown = await store.append([full]).catch((error: unknown) => error);
      expect([isSwlError(thrown) && thrown.code, String(thrown)]).toEqual([
        "store.unavailable",
        expect.stringContaining("disk is full"),
      ]);
      expect((await store.head("a"))?.position).toBe(at);
      free();
      expect(await store.append([full])).toMatchObject([
        { kind: "accepted", first: at + 1, repeated: false },
      ]);
      expect(await store.check()).toEqual([]);
    },
  );
});

describe.skipIf(noServer)("a server that takes no writes", () => {
  it("is refused when it is opened", async () => {
    const address = new URL(url());
    address.searchParams.set("options", "-c default_transaction_read_only=on");
    const opening = openPostgresStore({ url: address.href, schema: scratchSchema() });
    expect(await codeOf(opening)).toBe("store.unauthorized");
  });

  it("from now on is told by every call, reads as well, until it takes them again", async () => {
    const name = scratchName();
    await sql(`CREATE DATABASE "${name}"`);
    onTestFinished(async () => {
      await sql(`DROP DATABASE "${name}" WITH (FORCE)`);
    });
    const address = new URL(url());
    address.pathname = `/${name}`;
    const store = await openForTest({ url: address.href });
    await store.append([item("a", 0)]);
    const reconnected = async (setting: string) => {
      await sql(`ALTER DATABASE "${name}" ${setting}`);
      await sql("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1", [name]);
    };

    await reconnected("SET default_transaction_read_only = on");
    // The store may not have heard yet that its sessions are gone.
    await vi.waitFor(async () => expect(await codeOf(store.head("a"))).toBe("store.unauthorized"), patience);
    const calls = [store.append([item("a", 1)]), store.append([item("b", 0), item("c", 0)]), store.load("a")];
    expect(await Promise.all(calls.map(codeOf))).toEqual(calls.map(() => "store.unauthorized"));

    await reconnected("RESET default_transaction_read_only");
    await vi.waitFor(async () => expect((await store.head("a"))?.position).toBe(1), patience);
    expect(await store.append([item("a", 1)])).toMatchObject([
      { kind: "accepted", first: 2, repeated: false },
    ]);
    expect(await store.head("b")).toBeUndefined();
    expect(await store.check()).toEqual([]);
  });
});

describe.skipIf(noServer)("a client whose clock is a day wrong", () => {
  it("is told the server's time when it is ahead, and is taken when it is behind [STO-clock-ahead]", async () => {
    const store = await openForTest({ schema: scratchSchema() });
    const day = 86_400_000;
    const now = await store.now();
    const [ahead] = await store.append([item("a", 0, { stamp: now + day })]);
    expect(ahead).toMatchObject({ kind: "refused", failure: { kind: "clock-ahead" } });
    const told = ahead?.kind === "refused" ? ahead.failure.now : 0;
    expect(Math.abs((told ?? 0) - now)).toBeLessThan(day / 2);
    const [behind] = await store.append([item("a", 0, { stamp: now - day })]);
    expect(behind).toMatchObject({ kind: "accepted" });
    expect(await store.append([item("a", 1, { stamp: now + day })])).toMatchObject([{ kind: "refused" }]);
    expect((await store.read("a"))[0]?.at).toBeGreaterThanOrEqual(now);
  });
});

describe.skipIf(noServer)("two hosts with one name", () => {
  it("get no position twice, and lose nothing of each other's [STO-append-position]", async () => {
    const schema = scratchSchema();
    const stores = await Promise.all([openForTest({ schema }), openForTest({ schema })]);
    for (const store of stores) {
      expect(await store.openHolder("host", { lease: 60_000, exclusive: false })).toMatchObject({
        kind: "held",
      });
    }
    await stores[0]?.append([item("run", 0, { owner: "host" })]);
    const won = async (store: Store, n: number, at: number) => {
      const [answer] = await store.append([item("run", at, { commit: `${at} by ${n}`, owner: "host" })]);
      return answer?.kind === "accepted" ? [n] : [];
    };
    for (let at = 1; at < 8; at += 1) {
      const winners = await Promise.all(stores.map((store, n) => won(store, n, at)));
      expect(winners.flat()).toHaveLength(1);
    }
    expect((await stores[0]?.read("run"))?.map(({ position }) => position)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
  });
});
