import { inProcess, ok } from "@swl/invocation-control/in-process";
import { signCallback } from "@swl/invocation-control/tokens";
import { describe, expect, it } from "vitest";
import { sseEvents } from "../src/client/sse-reader.js";
import { createClient } from "../src/client.js";
import { tokenDigest } from "../src/index.js";
import { createWorker } from "../src/worker.js";
import { hosted, pulled, until, waiting } from "./host-lab.js";
import { type Ask, checks, posted, type Subject, subject } from "./http-checks.js";
import { closing } from "./lab.js";

const leaking = {
  status: () => {
    throw new Error("password=hunter2");
  },
};
const unmatched = {
  signal: () => ({ kind: "refused", run: "r", requestId: "k", code: "signal.unmatched", message: "no" }),
};
const script = { ...leaking, ...unmatched };

const problemsOf = async (rule: string, of: Subject) => (await checks[rule]!(of)).join("\n");
/** The real server behind something that spoils what goes in or comes out. */
const spoiled = (spoil: (ask: Ask) => Ask): Subject => {
  const real = subject({}, script);
  return { ...real, ask: spoil(real.ask) };
};
const rewritten =
  (change: (path: string, init: RequestInit) => readonly [string, RequestInit]) =>
  (ask: Ask): Ask =>
  (path, init = {}) =>
    ask(...change(path, init));

describe("the server", () => {
  it.each(Object.keys(checks))("passes the check of %s", async (rule) => {
    expect(await problemsOf(rule, subject({}, script))).toBe("");
  });
});

describe("a broken server", () => {
  it("is caught when it answers a wrong method as if the path were none [INV-http-routes]", async () => {
    const vague = spoiled((ask) => async (path, init) => {
      const answer = await ask(path, init);
      return answer.status === 405 ? ask("/nothing") : answer;
    });
    expect(await problemsOf("INV-http-routes", vague)).toMatch(/expected 405 .*, found 404/);
  });

  it("is caught when it answers to any host [INV-http-guard]", async () => {
    const open = spoiled(
      rewritten((path, init) => [path, { ...init, headers: { ...init.headers, host: "localhost" } }]),
    );
    expect(await problemsOf("INV-http-guard", open)).toMatch(/expected 403 server.host-refused, found 200/);
  });

  it("is caught when it reads bodies leniently [INV-http-body]", async () => {
    const lenient = spoiled(
      rewritten((path, init) => {
        if (typeof init.body !== "string") return [path, init];
        const { name } = JSON.parse(init.body) as { name: string };
        return [path, { ...init, body: JSON.stringify({ name }) }];
      }),
    );
    expect(await problemsOf("INV-http-body", lenient)).toMatch(/expected 400 json.duplicate-key/);
  });

  it("is caught when it tells what was thrown [INV-http-problems]", async () => {
    const telling = spoiled((ask) => async (path, init) => {
      const answer = await ask(path, init);
      return answer.status === 500 ? new Response("password=hunter2", { status: 500 }) : answer;
    });
    expect(await problemsOf("INV-http-problems", telling)).toMatch(/is told/);
  });

  it("is caught when it calls a refusal a success [INV-http-answers]", async () => {
    const flattering = spoiled((ask) => async (path, init) => {
      const answer = await ask(path, init);
      return answer.status === 409 ? new Response(await answer.text(), { status: 200 }) : answer;
    });
    expect(await problemsOf("INV-http-answers", flattering)).toMatch(/expected 409 .*, found 200/);
  });

  it("is caught when its document leaves a route out [INV-http-openapi]", async () => {
    const silent = spoiled((ask) => async (path, init) => {
      const answer = await ask(path, init);
      if (path !== "/openapi.json") return answer;
      const document = (await answer.json()) as { paths: { [path: string]: object } };
      delete document.paths["/bulk"];
      return Response.json(document);
    });
    expect(await problemsOf("INV-http-openapi", silent)).toBe("bulk is not said");
  });

  it("is caught when it takes every bearer for an operator [INV-http-access]", async () => {
    const secret = (id: string) => `${id}-0123456789abcdef`;
    const token = (id: string, scope: "read" | "operate") => ({
      id,
      sha256: tokenDigest(secret(id)),
      scopes: [scope],
    });
    const real = subject({ tokens: [token("reader", "read"), token("operator", "operate")] });
    const asReader = posted({}, { authorization: `Bearer ${secret("reader")}` });
    expect((await real.ask("/runs/r/cancel", asReader)).status).toBe(403);
    const trusting: Ask = (path, init) =>
      real.ask(path, {
        ...init,
        headers: { ...init!.headers, authorization: `Bearer ${secret("operator")}` },
      });
    expect((await trusting("/runs/r/cancel", asReader)).status).toBe(202);
  });

  it("is caught when it signs what it is shown [INV-http-callback]", async () => {
    const key = { id: "k", secret: "a-secret-of-at-least-thirty-two-bytes" };
    const script = { status: () => ({}) };
    const real = subject({ callbackKeys: [key] }, script);
    const grant = { run: "r", invocation: "r/a#1", attempt: 1, expires: Date.now() + 60_000 };
    const forged = signCallback(grant, { ...key, secret: "b-secret-of-at-least-thirty-two-bytes" });
    expect((await real.ask(`/callbacks/${forged}`, posted({ outcome: "ok" }))).status).toBe(401);
    const signing: Ask = (path, init) =>
      real.ask(
        path.replace(/[^/]+$/, (shown) => {
          const grant = JSON.parse(Buffer.from(shown.split(".")[2]!, "base64url").toString());
          return signCallback(grant, key);
        }),
        init,
      );
    expect((await signing(`/callbacks/${forged}`, posted({ outcome: "ok" }))).status).toBe(202);
  });

  it("is caught when it begins a stream anew for a reader that comes back [INV-http-events]", async () => {
    const { client, url } = await hosted();
    const { run } = await client.start({ definition: waiting });
    await until(async () => (await client.status(run)).status === "waiting");
    const first = async (headers: { readonly [name: string]: string }) => {
      const leave = new AbortController();
      const answer = await fetch(`${url}/runs/${run}/events`, { headers, signal: leave.signal });
      const event = (await sseEvents(answer.body!).next()).value;
      leave.abort();
      return event?.id;
    };
    expect(await first({ "last-event-id": "1" })).toBe("2");
    const forgetting = async (_headers: object) => first({});
    expect(await forgetting({ "last-event-id": "1" })).toBe("1");
  });
});

describe("a broken client", () => {
  it("is caught when it keeps the request ID to itself [INV-http-client]", async () => {
    const { url } = await hosted();
    const start = { definition: waiting, startKey: "k" };
    const twice = async (fetched: typeof fetch) => {
      const client = createClient({ url, fetch: fetched });
      const [first, second] = [await client.start(start), await client.start(start)];
      return first.run === second.run;
    };
    expect(await twice(fetch)).toBe(true);
    const nameless: typeof fetch = (input, init) => {
      const headers = new Headers(init?.headers);
      headers.delete("idempotency-key");
      return fetch(input, { ...init, headers });
    };
    expect(await twice(nameless)).toBe(false);
  });

  it("is caught when it settles without claiming the next [INV-worker-trips]", async () => {
    const { client, url } = await hosted();
    const trips = async (spoil: (body: object) => object) => {
      let count = 0;
      const counted: typeof fetch = (input, init) => {
        count++;
        const body = JSON.stringify(spoil(JSON.parse(String(init!.body)) as object));
        return fetch(input, { ...init, body });
      };
      const runs = await Promise.all(
        Array.from({ length: 10 }, async () => (await client.start({ definition: pulled("unsafe") })).run),
      );
      const provider = inProcess({ far: () => ok() });
      const worker = createWorker({ url, name: "w", actions: ["far"], provider, fetch: counted });
      closing(() => worker.close({ drain: 0 }));
      for (const run of runs) await client.result(run);
      await worker.close();
      return count;
    };
    expect(await trips((body) => body)).toBeLessThanOrEqual(35);
    expect(await trips(({ claim: _claim, ...body }: { claim?: object }) => body)).toBeGreaterThan(50);
  });
});
