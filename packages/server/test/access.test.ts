import { describe, expect, it } from "vitest";
import {
  type AccessToken,
  createApp,
  type Scope,
  scopes,
  serve,
  tokenDigest,
  tokensFrom,
} from "../src/index.js";
import { refusal, scripted, server } from "./lab.js";

const secretOf = (id: string) => `${id}-token-0123456789`;
const token = (id: string, ...given: Scope[]): AccessToken => ({
  id,
  sha256: tokenDigest(secretOf(id)),
  scopes: given,
});
const bearer = (id: string) => ({ authorization: `Bearer ${secretOf(id)}` });

describe("a bearer", () => {
  it("may do what its scopes say and nothing else [INV-http-access]", async () => {
    const publish = () => ({ kind: "applied", requestId: "k", repeated: false, name: "w", revision: 1 });
    const tokens = scopes.map((scope) => token(scope, scope));
    const { call, post, asked } = await server({ tokens, script: { publish } });
    const requests: readonly (readonly [Scope, (as: object) => Promise<Response>])[] = [
      ["read", (headers) => call("/runs", { headers: headers as never })],
      ["read", (headers) => call("/runs/r/history", { headers: headers as never })],
      ["start", (headers) => post("/runs", { name: "w" }, headers as never)],
      ["signal", (headers) => post("/runs/r/signals", { name: "go" }, headers as never)],
      ["signal", (headers) => post("/runs/r/completions", { handle: "h", outcome: "ok" }, headers as never)],
      ["operate", (headers) => post("/runs/r/cancel", {}, headers as never)],
      ["operate", (headers) => post("/publications", { definition: {} }, headers as never)],
      ["operate", (headers) => post("/bulk", { operation: "cancel", filter: {} }, headers as never)],
    ];
    for (const [needed, send] of requests) {
      for (const scope of scopes) {
        const before = asked.length;
        const answer = send(bearer(scope));
        if (scope === needed)
          expect([needed, (await answer).status]).toEqual([
            needed,
            expect.toSatisfy((status) => Number(status) < 300),
          ]);
        else expect(await refusal(answer)).toEqual([403, "request.unauthorized"]);
        expect(asked.length - before).toBe(scope === needed ? 1 : 0);
      }
    }
  });

  it("needs operate to see marked values [INV-http-access]", async () => {
    const { call } = await server({ tokens: [token("r", "read"), token("o", "read", "operate")] });
    expect(await refusal(call("/runs/r?reveal=true", { headers: bearer("r") }))).toEqual([
      403,
      "request.unauthorized",
    ]);
    expect((await call("/runs/r?reveal=true", { headers: bearer("o") })).status).toBe(200);
  });

  it("that is missing, unknown, malformed or expired is told the same [INV-http-access]", async () => {
    const expired = { ...token("old", "read"), expires: Date.now() - 1 };
    const { call, asked } = await server({ tokens: [token("r", "read"), expired] });
    const bodies = new Set<string>();
    for (const authorization of [
      undefined,
      "",
      "Bearer",
      "Bearer ",
      `Basic ${secretOf("r")}`,
      `Bearer ${secretOf("r")}x`,
      `Bearer ${secretOf("old")}`,
      `Bearer ${"x".repeat(5_000)}`,
    ]) {
      const answer = await call("/runs", { headers: authorization === undefined ? {} : { authorization } });
      expect([answer.status, answer.headers.get("www-authenticate")]).toEqual([401, "Bearer"]);
      bodies.add(await answer.text());
    }
    expect(bodies.size).toBe(1);
    expect(asked).toEqual([]);
    expect((await call("/health")).status).toBe(200);
  });

  it("that guesses is not heard any more after a while [INV-http-access]", async () => {
    const { call } = await server({
      tokens: [token("r", "read")],
      limits: { failures: { perSecond: 1, burst: 3 } },
    });
    const statuses: number[] = [];
    for (let guess = 0; guess < 6; guess++) {
      statuses.push((await call("/runs", { headers: { authorization: `Bearer ${guess}` } })).status);
    }
    expect(statuses.slice(0, 3)).toEqual([401, 401, 401]);
    expect(statuses).toContain(429);
  });

  it("is asked about by the hook, with the run [INV-http-access]", async () => {
    const seen: object[] = [];
    const { call } = await server({
      tokens: [token("r", "read")],
      authorize: (principal, access) => {
        seen.push({ who: principal.id, ...access });
        return access.run !== "secret";
      },
    });
    expect((await call("/runs/open", { headers: bearer("r") })).status).toBe(200);
    expect(await refusal(call("/runs/secret", { headers: bearer("r") }))).toEqual([
      403,
      "request.unauthorized",
    ]);
    expect(seen[1]).toEqual({ who: "r", operation: "status", run: "secret", dryRun: false, reveal: false });
  });

  it("that asks too often is told to wait [INV-http-access]", async () => {
    const { call } = await server({ limits: { rate: { perSecond: 1, burst: 5 } } });
    const answers = await Promise.all(Array.from({ length: 10 }, () => call("/runs")));
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused.length).toBeGreaterThanOrEqual(4);
    expect(refused[0]?.headers.get("retry-after")).toBe("1");
  });
});

describe("the id of a token", () => {
  it("has no slash: with one, two bearers could use one name for their workers [INV-http-access]", () => {
    const { control } = scripted();
    const tokens = [{ ...token("a", "work"), id: "a/b" }];
    expect(() => createApp({ control, tokens })).toThrow(
      expect.objectContaining({ code: "server.option-invalid" }),
    );
  });
});

describe("two tokens", () => {
  it("with one secret are refused by their names, and not by it [INV-http-access]", () => {
    const secret = "one-secret-of-two-bearers";
    const read = () => tokensFrom(`a:read:${secret} b:operate:sha256=${tokenDigest(secret).toUpperCase()}`);
    expect(read).toThrow(
      expect.objectContaining({
        code: "server.option-invalid",
        message: 'tokens "a" and "b" have one secret',
      }),
    );
    // A bearer whose secret is being changed has two.
    expect(tokensFrom(`a:read:${secret} a:read:another-${secret}`)).toHaveLength(2);
  });
});

describe("an address that others can reach", () => {
  it("is refused at the start without tokens, by name [INV-http-access]", async () => {
    const { control } = scripted();
    for (const host of ["0.0.0.0", "::", "192.0.2.1", "example.test"]) {
      await expect(serve({ control, host })).rejects.toMatchObject({ code: "server.open-address" });
    }
    expect(() => createApp({ control, loopback: false })).toThrow(
      expect.objectContaining({ code: "server.open-address" }),
    );
    await using open = await serve({ control, host: "0.0.0.0", tokens: [token("r", "read")] });
    expect((await fetch(`http://127.0.0.1:${open.port}/runs`)).status).toBe(401);
  });
});

describe("a request of a browser", () => {
  it("to a name that was turned to the loopback address is refused [INV-http-guard]", async () => {
    const app = createApp({ control: scripted().control });
    for (const host of [
      "evil.test",
      "evil.test:4777",
      "localhost.evil.test",
      "127.0.0.1.evil.test",
      "",
      "a b",
      "[::2]",
    ]) {
      const answer = await app.fetch(new Request("http://x/runs", { headers: { host } }));
      expect([host, answer.status, ((await answer.json()) as { code: string }).code]).toEqual([
        host,
        403,
        "server.host-refused",
      ]);
    }
    for (const host of ["localhost", "LOCALHOST:1", "127.0.0.1:4777", "[::1]:4777"]) {
      expect((await app.fetch(new Request("http://x/health", { headers: { host } }))).status).toBe(200);
    }
    const named = createApp({ control: scripted().control, allowedHosts: ["swl.test"] });
    expect(
      (await named.fetch(new Request("http://x/health", { headers: { host: "swl.test" } }))).status,
    ).toBe(200);
  });

  it.each(["http://swl.test", "*", "*.swl.test", "swl.test:4777", "swl.test/", "::1", "", "ä.test"])(
    "could never name the host %j, which is refused as an option [INV-http-guard]",
    (host) => {
      expect(() => createApp({ control: scripted().control, allowedHosts: ["swl.test", host] })).toThrow(
        expect.objectContaining({
          code: "server.option-invalid",
          message: `Option allowedHosts has ${JSON.stringify(host)}, which is no host name.`,
        }),
      );
    },
  );

  it.each(["*", "console.test", "https://console.test/", "https://*.console.test", "null"])(
    "could never come from the origin %j, which is refused as an option [INV-http-guard]",
    (origin) => {
      expect(() => createApp({ control: scripted().control, allowedOrigins: [origin] })).toThrow(
        expect.objectContaining({
          code: "server.option-invalid",
          message: expect.stringContaining(`allowedOrigins has ${JSON.stringify(origin)}`),
        }),
      );
    },
  );

  it("of another origin is refused unless the origin is named [INV-http-guard]", async () => {
    const { call, url, post } = await server({ allowedOrigins: ["https://console.test"] });
    for (const origin of [
      "https://evil.test",
      "null",
      "http://localhost:1",
      "https://console.test.evil.test",
    ]) {
      expect(await refusal(post("/runs", { name: "w" }, { origin }))).toEqual([403, "server.origin-refused"]);
    }
    expect((await call("/runs", { headers: { origin: url } })).status).toBe(200);
    const allowed = await call("/runs", { headers: { origin: "https://console.test" } });
    expect(allowed.headers.get("access-control-allow-origin")).toBe("https://console.test");
    const asked = { method: "OPTIONS", headers: { origin: "https://console.test" } };
    const preflight = await call("/runs", asked);
    expect([preflight.status, preflight.headers.get("access-control-allow-methods")]).toEqual([
      204,
      "GET, HEAD, OPTIONS, POST",
    ]);
  });
});

describe("tokens as text", () => {
  it("are read, and what is wrong with one is told without it [INV-http-access]", () => {
    const secret = "a-secret-that-nobody-sees";
    const [first, second] = tokensFrom(` ci:read+start:${secret}\n ops:operate:sha256=${"ab".repeat(32)} `);
    expect(first).toEqual({ id: "ci", sha256: tokenDigest(secret), scopes: ["read", "start"] });
    expect(second).toEqual({ id: "ops", sha256: "ab".repeat(32), scopes: ["operate"] });
    for (const text of [secret, `x:read`, `x:raed:${secret}`, `x:read:short`, `é:read:${secret}`]) {
      let thrown: unknown;
      try {
        tokensFrom(text);
      } catch (error) {
        thrown = error;
      }
      expect(thrown).toMatchObject({ code: "server.option-invalid" });
      if (text === secret)
        expect(thrown).toMatchObject({ hint: expect.stringContaining("id:scope+scope:secret") });
      expect(JSON.stringify(thrown)).not.toContain(secret);
    }
  });
});
