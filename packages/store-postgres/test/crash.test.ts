/** A server of this file's own, ended without warning under load: what was acknowledged is there whole, nothing twice. */
import { type Item, isSwlError } from "@swl/store-provider";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openPostgresStore } from "../src/index.js";
import { sql } from "./scratch.js";
import { canServe, findBinaries, startServer, type TestServer } from "./server.js";

const none = !canServe() || findBinaries() === undefined;
let server: TestServer;

describe.skipIf(none)("a server", () => {
  beforeAll(async () => {
    server = await startServer();
  }, 120_000);
  afterAll(() => server?.remove());

  it("that crashes under load loses nothing that it acknowledged, and the same batch is sent again [STO-durability]", async () => {
    const options = { url: server.url, connections: 4, callTimeout: 5_000 };
    const store = await openPostgresStore(options);
    const item = (stream: string, expect: number): Item => ({
      stream,
      commit: `c${expect}`,
      expect,
      records: [1, 2].map((n) => ({ kind: "event", document: { n } })),
      slots: [{ key: "s", document: { at: expect } }],
      receipts: [{ scope: stream, request: `r${expect}`, digest: "d" }],
      applies: true,
      stamp: 0,
    });
    const lost = new Map<string, Item>();
    const acknowledged = new Map<string, number>();
    let failures = 0;
    const load = ["a", "b", "c", "d"].map(async (stream) => {
      for (let position = 0; ; position += 2) {
        const next = item(stream, position);
        try {
          await store.append([next]);
          acknowledged.set(stream, position + 2);
        } catch (error) {
          expect(isSwlError(error) && error.code).toMatch(/^store\.(?:unavailable|unknown-commit)$/);
          failures += 1;
          lost.set(stream, next);
          return;
        }
      }
    });
    while ([...acknowledged.values()].filter((position) => position > 10).length < 4) {
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    await server.crash();
    await Promise.all(load);
    expect(failures).toBe(4);
    await expect(store.head("a")).rejects.toMatchObject({ code: "store.unavailable" });

    await server.start();
    for (const [stream, again] of lost) {
      const before = await store.head(stream).catch(() => store.head(stream));
      expect(before?.position).toBeGreaterThanOrEqual(acknowledged.get(stream) as number);
      const [answer] = await store.append([again]);
      expect(answer).toMatchObject({ kind: "accepted", first: (again.expect as number) + 1 });
      const state = await store.load(stream);
      expect(state?.position).toBe((again.expect as number) + 2);
      expect(state?.slots.get("s")).toEqual({ at: again.expect });
      const log = await store.read(stream);
      expect(log.map((record) => record.position)).toEqual(log.map((_, index) => index + 1));
    }
    await store.close();
  }, 120_000);

  it("that would not keep what it accepted is refused, unless told [STO-durable-settings]", async () => {
    await sql("ALTER SYSTEM SET fsync = off", [], server.url);
    await sql("SELECT pg_reload_conf()", [], server.url);
    while ((await sql("SHOW fsync", [], server.url))[0]?.["fsync"] !== "off") {
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    await expect(openPostgresStore({ url: server.url })).rejects.toMatchObject({
      code: "store.incompatible",
    });
    const store = await openPostgresStore({ url: server.url, durability: "relaxed" });
    expect(store.info.capabilities.durable).toBe(false);
    await store.close();
  }, 60_000);
});
