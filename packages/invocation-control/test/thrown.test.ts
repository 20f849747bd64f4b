import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fail, isActionFailure, ok } from "../src/in-process.js";
import { call, effects, repeatable, unrepeatable } from "./call.js";

function thrower(value: unknown) {
  return () => {
    throw value;
  };
}

describe("a thrown error", () => {
  it("is a retryable failure where the action may be repeated [INV-thrown-error]", async () => {
    for (const effect of repeatable) {
      const error = Object.assign(new TypeError("socket closed"), { code: "ECONNRESET" });
      expect(await call(thrower(error), effect)).toEqual({
        kind: "failed",
        retryable: true,
        error: {
          code: "provider.failed",
          message: "the function of action act threw TypeError: socket closed",
          details: { name: "TypeError", code: "ECONNRESET" },
        },
      });
    }
  });

  it("is unknown where the action may not be repeated [INV-thrown-error]", async () => {
    for (const effect of [...unrepeatable, "no-such-effect"]) {
      expect(await call(async () => Promise.reject(new Error("socket closed")), effect)).toEqual({
        kind: "unknown",
        reason: "crash",
        message: "the function of action act threw Error: socket closed",
      });
    }
  });

  it("is a report in every effect class when it is branded [INV-thrown-error]", async () => {
    for (const effect of effects) {
      for (const retryable of [true, false]) {
        const error = fail("card.declined", { retryable, message: "no funds", details: { left: 3 } });
        expect(await call(thrower(error), effect)).toEqual({
          kind: "failed",
          retryable,
          error: { code: "card.declined", message: "no funds", details: { left: 3 } },
        });
      }
    }
  });

  it("is a report when the action begins explicitly and had not begun [INV-begins-explicit]", async () => {
    for (const effect of effects) {
      const answer = await call(
        {
          begins: "explicit",
          run: async () => {
            throw new Error("no connection");
          },
        },
        effect,
      );
      expect(answer).toMatchObject({ kind: "failed", retryable: true, error: { code: "provider.failed" } });
    }
  });

  it("is unknown when the action begins explicitly and had begun [INV-begins-explicit]", async () => {
    for (const effect of unrepeatable) {
      const answer = await call(
        {
          begins: "explicit",
          async run(_, { begin }) {
            begin();
            throw new Error("connection lost");
          },
        },
        effect,
      );
      expect(answer).toMatchObject({ kind: "unknown", reason: "crash" });
    }
  });

  it("is unknown when begin was never called and nothing was declared [INV-begins-explicit]", async () => {
    expect(await call({ run: thrower(new Error("x")) }, "unsafe")).toMatchObject({ kind: "unknown" });
  });

  it("names the attempt's time limit when the host stopped it for that [INV-thrown-error]", async () => {
    const controller = new AbortController();
    const answer = call(
      (_, { signal }) =>
        new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason))),
      "unsafe",
      { signal: controller.signal },
    );
    controller.abort(new DOMException("attemptMs is over", "TimeoutError"));
    expect(await answer).toMatchObject({ kind: "unknown", reason: "attempt-timeout" });
  });

  it("keeps neither stack nor cause nor more than 1,000 characters [INV-nothing-leaks]", async () => {
    const error = new Error(
      `${"x".repeat(50)}\n    at charge (/srv/app/charge.ts:3:1)\n${"y".repeat(2_000)}`,
      {
        cause: new Error("password=hunter2"),
      },
    );
    for (const effect of effects) {
      const text = JSON.stringify(await call(thrower(error), effect));
      expect(text).not.toMatch(/charge\.ts|hunter2|\bat \b/);
      expect(text.length).toBeLessThan(1_400);
    }
    const reported = await call(
      thrower(fail("a.b", { retryable: false, message: "z".repeat(3_000) })),
      "unsafe",
    );
    expect(reported).toMatchObject({ error: { message: `${"z".repeat(999)}…` } });
  });

  it("does not print the source of a thrown function [INV-nothing-leaks]", async () => {
    const answer = await call(
      thrower(() => "secret"),
      "pure",
    );
    expect(answer).toMatchObject({ error: { message: "the function of action act threw a function" } });
  });

  it("may be any value at all; the provider never rejects [INV-thrown-error]", async () => {
    const hostile = new Proxy(
      {},
      {
        get() {
          throw new Error("hostile");
        },
      },
    );
    const odd = [undefined, null, 0, "text", Symbol("s"), 1n, hostile, Object.create(null), { message: {} }];
    for (const value of odd) {
      expect(await call(thrower(value), "pure")).toMatchObject({ kind: "failed", retryable: true });
      expect(await call(thrower(value), "unsafe")).toMatchObject({ kind: "unknown" });
    }
    await fc.assert(
      fc.asyncProperty(
        fc.anything({ withNullPrototype: true }),
        fc.constantFrom(...effects),
        async (value, effect) => {
          const answer = await call(thrower(value), effect);
          expect(answer.kind).toBe(effect === "unsafe" || effect === "reconcilable" ? "unknown" : "failed");
          expect(JSON.parse(JSON.stringify(answer))).toEqual(answer);
        },
      ),
      { numRuns: 200 },
    );
  });
});

describe("fail", () => {
  it("is recognised by its brand, also from another copy of the package", () => {
    const foreign = Object.assign(new Error("x"), { [Symbol.for("@swl/action-failure")]: true });
    expect([isActionFailure(fail("a", { retryable: true })), isActionFailure(foreign)]).toEqual([true, true]);
    expect([isActionFailure(new Error("x")), isActionFailure(null), isActionFailure("x")]).toEqual([
      false,
      false,
      false,
    ]);
  });

  it("stays the word that nothing happened when its code or details are wrong [INV-thrown-error]", async () => {
    const wrong = fail("Card Declined!", { retryable: true, message: "no", details: { at: new Date(0) } });
    expect(await call(thrower(wrong), "unsafe")).toEqual({
      kind: "failed",
      retryable: true,
      error: {
        code: "provider.failed",
        message: 'no (code "Card Declined!" is against the grammar of codes; details were not JSON)',
        details: null,
      },
    });
  });

  it("returned instead of thrown is no result [INV-result-checked]", async () => {
    const answer = await call(() => fail("a.b", { retryable: true }) as never, "pure");
    expect(answer).toMatchObject({ error: { code: "provider.result-invalid" } });
    expect(await call(() => ok(), "pure")).toMatchObject({ kind: "completed" });
  });
});
