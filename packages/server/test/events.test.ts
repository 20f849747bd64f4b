import { defineWorkflow } from "@swl/definition";
import { describe, expect, it } from "vitest";
import { sseEvents } from "../src/client/sse-reader.js";
import { adding, hosted, until, waiting } from "./host-lab.js";
import { refusal, server } from "./lab.js";

async function opened(url: string, headers: { readonly [name: string]: string } = {}) {
  const leave = new AbortController();
  const response = await fetch(url, { headers, signal: leave.signal });
  const events = response.status === 200 ? sseEvents(response.body!) : undefined;
  return { response, next: async () => (await events!.next()).value, leave: () => leave.abort() };
}

const ignoringAborts = (promise: Promise<unknown>) => promise.catch(() => undefined);

describe("events of a run", () => {
  it("are its log, go on where the reader was, and end with the run [INV-http-events]", async () => {
    const { client, url } = await hosted();
    const { run } = await client.start({ definition: waiting });
    await until(async () => (await client.status(run)).status === "waiting");
    const log = await client.history(run);
    const stream = await opened(`${url}/runs/${run}/events`);
    expect(stream.response.headers.get("content-type")).toBe("text/event-stream");
    for (const entry of log) {
      const event = await stream.next();
      expect(event).toMatchObject({ id: String(entry.position), event: entry.kind });
      expect(JSON.parse(event!.data)).toEqual(entry);
    }
    const resumed = await opened(`${url}/runs/${run}/events`, {
      "last-event-id": String(log.at(-1)!.position),
    });
    await client.signal({ run, messageId: "m", name: "go", payload: 1 }, { wait: 10_000 });
    const after = (await client.history(run)).slice(log.length);
    for (const reader of [stream, resumed]) {
      for (const entry of after) expect(await reader.next()).toMatchObject({ id: String(entry.position) });
      const end = await reader.next();
      expect(end).toMatchObject({ event: "end", id: String(after.at(-1)!.position) });
      expect(JSON.parse(end!.data)).toEqual({ status: "completed", output: 1 });
      expect(await reader.next()).toBeUndefined();
    }
    const past = await opened(`${url}/runs/${run}/events`, {
      "last-event-id": String(after.at(-1)!.position),
    });
    expect(past.response.status).toBe(204);
  });

  it("of no run, or from no position, are refused before they begin [INV-http-events]", async () => {
    const { url } = await hosted();
    expect(await refusal(fetch(`${url}/runs/none/events`))).toEqual([404, "run.not-found"]);
    for (const last of ["x", "-1", "1.5", "0".repeat(3)]) {
      const headers = { "last-event-id": last };
      expect(await refusal(fetch(`${url}/runs/none/events`, { headers }))).toEqual([400, "request.invalid"]);
    }
  });

  it("keep an idle connection alive, and are given back when the reader leaves [INV-http-events]", async () => {
    const { client, url } = await hosted({ limits: { streams: { each: 1, heartbeat: 20 } } });
    const { run } = await client.start({ definition: waiting });
    const leave = new AbortController();
    const response = await fetch(`${url}/runs/${run}/events`, { signal: leave.signal });
    const reader = response.body!.getReader();
    let text = "";
    while (!/(: heartbeat\n\n){3}$/.test(text)) text += new TextDecoder().decode((await reader.read()).value);
    expect(await refusal(fetch(`${url}/runs/${run}/events`))).toEqual([429, "server.too-many"]);
    leave.abort();
    await ignoringAborts(reader.read());
    await until(async () => {
      const again = await opened(`${url}/runs/${run}/events`);
      const open = again.response.status === 200;
      again.leave();
      return open;
    });
  });

  it("are not made for a reader that takes nothing [INV-http-events]", async () => {
    let made = 0;
    const entry = (position: number) => ({
      position,
      at: 0,
      kind: "event",
      event: { type: "x".repeat(50_000) },
    });
    const history = (_run: string, { after = 0 }: { after?: number }) => {
      made++;
      return [entry(after + 1)];
    };
    const { port, healthy } = await server({ script: { history, result: () => ({ status: "canceled" }) } });
    const { connect } = await import("node:net");
    const socket = connect(port, "127.0.0.1", () => {
      socket.pause();
      socket.write("GET /runs/r/events HTTP/1.1\r\nHost: localhost\r\n\r\n");
    });
    // Until nothing more is made: what the sockets hold is full.
    let before = -1;
    await until(async () => {
      await new Promise((resolve) => setTimeout(resolve, 200));
      const still = made === before;
      before = made;
      return still;
    });
    expect(made).toBeGreaterThan(1);
    expect(made).toBeLessThan(2_000);
    expect(await healthy()).toBe(true);
    socket.destroy();
  });
});

describe("events of the list", () => {
  it("begin with the list as it stands and say what changes [INV-http-events]", async () => {
    const { client, url } = await hosted({ limits: { streams: { poll: 20 } } });
    const first = await client.start({ definition: waiting });
    await until(async () => (await client.status(first.run)).status === "waiting");
    const stream = await opened(`${url}/events?workflow=waiting`);
    const reset = await stream.next();
    expect(reset!.event).toBe("reset");
    expect(JSON.parse(reset!.data)).toMatchObject({ runs: [{ run: first.run, status: "waiting" }] });
    await client.result((await client.start({ definition: adding, input: 1 })).run);
    await client.signal({ run: first.run, messageId: "m", name: "go" });
    const changed = await stream.next();
    expect(changed!.event).toBe("run");
    expect(JSON.parse(changed!.data)).toMatchObject({ run: first.run, workflow: "waiting" });
    stream.leave();
    await client.result(first.run);
    // A reader that comes back gets what it missed; one of another server the list as it stands.
    const back = await opened(`${url}/events?workflow=waiting`, { "last-event-id": reset!.id });
    expect((await back.next())!.event).toBe("run");
    back.leave();
    const stranger = await opened(`${url}/events`, { "last-event-id": "other-7" });
    expect((await stranger.next())!.event).toBe("reset");
    stranger.leave();
  });
});

describe("events of the list, for a bearer who may not see every run", () => {
  it("leave out the runs that the hook keeps from it [INV-authorization]", async () => {
    let hidden = "";
    const { client, url } = await hosted({
      authorize: (_principal, { run }) => run === undefined || run !== hidden,
      limits: { streams: { poll: 20 } },
    });
    hidden = (await client.start({ definition: waiting })).run;
    const { run: open } = await client.start({ definition: waiting });
    const stream = await opened(`${url}/events`);
    expect(JSON.parse((await stream.next())!.data).runs).toMatchObject([{ run: open }]);
    const control = (await client.list()).items;
    expect(control).toMatchObject([{ run: open }]);
    const { run: later } = await client.start({ definition: adding, input: 1 });
    await client.result(later);
    for (let seen = ""; seen !== "completed"; ) {
      const summary = JSON.parse((await stream.next())!.data);
      expect(summary.run).not.toBe(hidden);
      if (summary.run === later) seen = summary.status;
    }
    stream.leave();
  });
});

describe("what a definition marks", () => {
  it("stands in no event, of a run or of the list [INV-masking]", async () => {
    const canary = "canary-4111-1111-1111";
    const { client, url } = await hosted({ limits: { streams: { poll: 20 } } });
    const marked = defineWorkflow({
      id: "marked",
      sensitive: { input: ["/card"] },
      start: "wait",
      nodes: {
        wait: { kind: "await-signal", signal: "go", routes: { received: "broken" } },
        broken: { kind: "fail", error: { code: "card.refused", message: { $get: ["input", "card"] } } },
      },
    } as never);
    const list = await opened(`${url}/events`);
    const { run } = await client.start({ definition: marked, input: { card: canary }, startKey: "order-7" });
    const events = fetch(`${url}/runs/${run}/events`).then((response) => response.text());
    await client.signal({ run, messageId: "m", name: "go", payload: { card: canary } }, { wait: 10_000 });
    let told = await events;
    expect(told).toContain("card.refused");
    for (let status = ""; status !== "failed"; ) {
      const { data } = (await list.next())!;
      told += data;
      status = JSON.parse(data).status;
    }
    list.leave();
    expect(told).not.toContain(canary);
    expect(told).not.toContain(canary.slice(0, 11));
  });
});

describe("closing", () => {
  it("ends streams, lets requests under way end and refuses what is new [INV-http-routes]", async () => {
    const { client, url, served } = await hosted();
    const { run } = await client.start({ definition: waiting });
    const stream = await opened(`${url}/runs/${run}/events`);
    await stream.next();
    const closed = served.close();
    while ((await stream.next()) !== undefined);
    await closed;
    await expect(client.list()).rejects.toMatchObject({ code: "client.unreachable" });
  });
});
