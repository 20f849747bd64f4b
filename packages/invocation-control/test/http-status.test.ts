import { describe, expect, it } from "vitest";
import type { HttpBinding } from "../src/http.js";
import type { ProviderAnswer } from "../src/index.js";
import { effects, repeatable, unrepeatable } from "./call.js";
import { callHttp, type Respond, serve } from "./http-server.js";

const binding = (url: string, more: Partial<HttpBinding> = {}): HttpBinding => ({ url, ...more });

async function answerTo(
  respond: (respond: Respond) => void,
  effect: string,
  more: Partial<HttpBinding> = {},
): Promise<ProviderAnswer> {
  const server = await serve((_, answer) => respond(answer));
  return callHttp(binding(server.origin, more), { effect });
}

const status = (code: number, effect: string, more: Partial<HttpBinding> = {}) =>
  answerTo((respond) => respond(code, ""), effect, more);

describe("a status", () => {
  it("of success is a completion with the body as output [INV-call-status]", async () => {
    for (const effect of effects) {
      expect(await status(204, effect)).toEqual({ kind: "completed", outcome: "ok", output: null });
      expect(await answerTo((respond) => respond(201, { id: 1 }), effect)).toEqual({
        kind: "completed",
        outcome: "ok",
        output: { id: 1 },
      });
    }
  });

  it("of a request that was not taken is a retryable failure in every class [INV-call-status]", async () => {
    for (const effect of effects) {
      for (const code of [408, 425, 429, 503]) {
        expect(await status(code, effect)).toMatchObject({
          kind: "failed",
          retryable: true,
          error: { code: "provider.status", details: { status: code } },
        });
      }
    }
  });

  it("of a mistaken request is a final failure in every class [INV-call-status]", async () => {
    for (const effect of effects) {
      for (const code of [400, 401, 404, 409, 422, 307, 308]) {
        expect(await status(code, effect)).toMatchObject({
          kind: "failed",
          retryable: false,
          error: { code: "provider.status", details: { status: code } },
        });
      }
    }
  });

  it("of a server's trouble is no word about the effect [INV-call-status]", async () => {
    for (const code of [500, 501, 502, 504, 599]) {
      for (const effect of [...unrepeatable, "no-such-effect"]) {
        expect(await status(code, effect)).toEqual({
          kind: "unknown",
          reason: "crash",
          message: `the server of action act answered with status ${code}`,
        });
      }
      for (const effect of repeatable) {
        expect(await status(code, effect)).toMatchObject({
          kind: "failed",
          retryable: true,
          error: { code: "provider.status", details: { status: code } },
        });
      }
    }
  });

  it("means what the binding says of it, an exact one before its class [INV-call-status]", async () => {
    const statuses = {
      404: { outcome: "not-found" },
      "4xx": { failed: "retryable", code: "shop.refused" },
      500: { failed: "retryable" },
      "5xx": { failed: "final" },
      202: { outcome: "queued" },
      503: { unknown: true },
    } as const;
    const more = { statuses };
    expect(await answerTo((respond) => respond(404, { looked: 1 }), "unsafe", more)).toEqual({
      kind: "completed",
      outcome: "not-found",
      output: { looked: 1 },
    });
    expect(await status(410, "unsafe", more)).toMatchObject({
      kind: "failed",
      retryable: true,
      error: { code: "shop.refused" },
    });
    expect(await status(500, "unsafe", more)).toMatchObject({ kind: "failed", retryable: true });
    expect(await status(502, "unsafe", more)).toMatchObject({ kind: "failed", retryable: false });
    expect(await status(202, "unsafe", more)).toMatchObject({ kind: "completed", outcome: "queued" });
    expect(await status(503, "pure", more)).toMatchObject({ kind: "unknown" });
  });

  it("of failure keeps what a problem says of itself, and when to come again [INV-call-status]", async () => {
    const problem = { code: "card.declined", title: "Declined", detail: "no funds", internal: "secret" };
    const date = new Date(Date.now() + 90_000).toUTCString();
    for (const [header, least, most] of [
      ["7", 7_000, 7_000],
      [date, 60_000, 91_000],
      ["999999999", 86_400_000, 86_400_000],
    ] as const) {
      const answer = await answerTo((respond) => respond(429, problem, { "retry-after": header }), "unsafe");
      expect(answer).toMatchObject({
        error: {
          code: "card.declined",
          message: "the server of action act answered with status 429: Declined: no funds",
        },
      });
      const { retryAfterMs } = (answer as never as { error: { details: { retryAfterMs: number } } }).error
        .details;
      expect(retryAfterMs).toBeGreaterThanOrEqual(least);
      expect(retryAfterMs).toBeLessThanOrEqual(most);
      expect(JSON.stringify(answer)).not.toContain("secret");
    }
    expect(
      await answerTo((respond) => respond(503, "<html>", { "retry-after": "soon" }), "unsafe"),
    ).toMatchObject({ error: { code: "provider.status", details: { status: 503 } } });
  });

  it("of acceptance needs the handle by which the operation is found again [INV-call-accepted]", async () => {
    const location = { location: "https://shop.example/operations/op-9/" };
    const cases: readonly [Partial<HttpBinding>, unknown, string][] = [
      [{}, { handle: "op-7" }, "op-7"],
      [{ handle: { body: "/operation/id" } }, { operation: { id: 8 } }, "8"],
      [{ handle: { header: "Location" } }, "", location.location],
      [{ handle: { header: "location", lastSegment: true } }, "", "op-9"],
    ];
    for (const [more, body, handle] of cases) {
      const answer = await answerTo((respond) => respond(202, body, location), "unsafe", more);
      expect(answer).toEqual({ kind: "accepted", handle });
    }
    for (const effect of effects) {
      for (const body of ["", {}, { handle: "" }, { handle: {} }, { handle: "x".repeat(1_025) }, "no JSON"]) {
        expect(await answerTo((respond) => respond(202, body), effect)).toMatchObject({
          kind: "unknown",
          reason: "ack-lost",
        });
      }
    }
  });

  it("counts less than the document of a server that speaks in documents [INV-answer-document]", async () => {
    const more = { answer: "document" } as const;
    const say = (code: number, document: unknown) =>
      answerTo((respond) => respond(code, document), "unsafe", more);
    expect(await say(200, { outcome: "rejected", output: 1 })).toEqual({
      kind: "completed",
      outcome: "rejected",
      output: 1,
    });
    expect(await say(202, { accepted: "op-7" })).toEqual({ kind: "accepted", handle: "op-7" });
    expect(await say(500, { error: { code: "db.down" }, retryable: true })).toMatchObject({
      kind: "failed",
      retryable: true,
      error: { code: "db.down" },
    });
    expect(await say(500, { outcome: "ok" })).toMatchObject({ kind: "unknown", reason: "crash" });
    expect(await say(200, { result: 1 })).toMatchObject({ kind: "unknown", reason: "ack-lost" });
  });
});

describe("a body", () => {
  const unreadable = (effect: string) =>
    effect === "unsafe" || effect === "reconcilable"
      ? { kind: "unknown", reason: "ack-lost" }
      : { kind: "failed", retryable: false, error: { code: "provider.result-invalid" } };

  it("that is no JSON leaves work that was done unread [INV-call-body]", async () => {
    for (const body of ["<html>", '{"a": 1, "a": 2}', '{"a": 1} x', '"\\ud800"', "1e999"]) {
      for (const effect of effects) {
        expect(await answerTo((respond) => respond(200, body), effect)).toMatchObject(unreadable(effect));
      }
    }
  });

  it("that is larger than it may be is not read to its end [INV-call-body]", async () => {
    for (const effect of effects) {
      const server = await serve((_, respond) => respond(200, `"${"x".repeat(5_000_000)}"`));
      expect(await callHttp({ url: server.origin, maxResponseBytes: 1_000 }, { effect })).toMatchObject(
        unreadable(effect),
      );
    }
    const server = await serve((_, respond) => respond(404, "x".repeat(5_000)));
    expect(await callHttp({ url: server.origin, maxResponseBytes: 1_000 })).toMatchObject({
      kind: "failed",
      retryable: false,
    });
  });
});
