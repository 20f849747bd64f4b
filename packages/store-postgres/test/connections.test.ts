/** Connections at hand: nobody waits while there is one, and who gave up waiting keeps none. */
import { describe, expect, it } from "vitest";
import { createConnections } from "../src/connections.js";
import { noServer, sql, url } from "./scratch.js";

describe.skipIf(noServer)("a connection that is given back", () => {
  const open = (application: string) => {
    const address = new URL(url());
    address.searchParams.set("application_name", application);
    const settings = { callTimeout: 30_000, durable: true, pooler: false };
    return createConnections({ name: "s", url: address.href, schema: "s", connections: 1, ...settings });
  };
  const soon = (milliseconds = 20_000) => performance.now() + milliseconds;
  const there = (application: string) =>
    sql("SELECT pid FROM pg_stat_activity WHERE application_name = $1", [application]);

  it("goes to those who wait, past those who gave up, and then stays at hand", async () => {
    const connections = open("swl given back");
    const only = await connections.take(soon());
    await expect(connections.take(soon(1))).rejects.toMatchObject({ code: "store.unavailable" });
    const waiting = [connections.take(soon()), connections.take(soon())];
    connections.release(only);
    expect(connections.idle()).toBeUndefined();
    for (const one of waiting) {
      expect(await one).toBe(only);
      connections.release(only);
    }
    expect(connections.idle()).toBe(only);
    connections.release(only);
    expect(await connections.take(soon())).toBe(only);
    expect(await there("swl given back")).toHaveLength(1);
    connections.release(only);
    await connections.close();
  });

  it("after the end is waited for and closed", async () => {
    const connections = open("swl ended");
    const only = await connections.take(soon());
    let isOver = false;
    const end = connections.close().then(() => {
      isOver = true;
    });
    expect(await only.query("SELECT 1 AS one")).toMatchObject({ rows: [{ one: 1 }] });
    expect(isOver).toBe(false);
    connections.release(only);
    await end;
    expect(connections.idle()).toBeUndefined();
    while ((await there("swl ended")).length > 0) await new Promise((resolve) => setTimeout(resolve, 10));
    await expect(connections.take(soon())).rejects.toThrow();
  });

  it("broken is not used again, and who waits gets a new one", async () => {
    const connections = open("swl broken");
    const first = await connections.take(soon());
    const waiting = connections.take(soon());
    connections.release(first, true);
    const second = await waiting;
    expect(second).not.toBe(first);
    expect(await second.query("SELECT 1 AS one")).toMatchObject({ rows: [{ one: 1 }] });
    connections.release(second);
    await connections.close();
  });
});
