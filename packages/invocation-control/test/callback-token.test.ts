import { randomBytes } from "node:crypto";
import { describe, expect, it } from "vitest";
import { type CallbackKey, maxTokenLength, signCallback, verifyCallback } from "../src/tokens.js";

const key: CallbackKey = { id: "k1", secret: randomBytes(32) };
const other: CallbackKey = { id: "k2", secret: randomBytes(32) };
const grant = { run: "r1", invocation: "r1/charge#1", attempt: 2, expires: 1_000 };
const codeOf = (token: string, keys: readonly CallbackKey[], now = 0) =>
  verifyCallback(token, keys, now).findings.map(({ code }) => code);

describe("a callback token", () => {
  it("grants what it was made for, until it expires [INV-callback-token]", () => {
    const token = signCallback(grant, key);
    expect(verifyCallback(token, [other, key], 999)).toEqual({ ok: true, value: grant, findings: [] });
    expect(codeOf(token, [key], 1_000)).toEqual(["token.expired"]);
    expect(token).toMatch(/^[A-Za-z0-9_.-]+$/);
  });

  it("is refused when anything of it was changed [INV-callback-token]", () => {
    const token = signCallback(grant, key);
    for (let at = 0; at < token.length; at++) {
      const changed = `${token.slice(0, at)}${token[at] === "A" ? "B" : "A"}${token.slice(at + 1)}`;
      expect(codeOf(changed, [key, other])).toEqual(["token.invalid"]);
    }
    const [, , body, mac] = token.split(".");
    const further = Buffer.from(JSON.stringify({ ...grant, run: "r2" })).toString("base64url");
    expect(codeOf(`swl1.k1.${further}.${mac}`, [key])).toEqual(["token.invalid"]);
    expect(codeOf(`swl1.k2.${body}.${mac}`, [key, other])).toEqual(["token.invalid"]);
  });

  it("is refused when it is none, or signed with a key that is not known [INV-callback-token]", () => {
    for (const text of ["", ".", "...", "swl1.k1..", "swl1.__proto__.x.y", "x".repeat(maxTokenLength + 1)]) {
      expect(codeOf(text, [key])).toEqual(["token.invalid"]);
    }
    expect(codeOf(undefined as unknown as string, [key])).toEqual(["token.invalid"]);
    expect(codeOf(signCallback(grant, other), [key])).toEqual(["token.invalid"]);
    expect(codeOf(signCallback(grant, { ...key, secret: randomBytes(32) }), [key])).toEqual([
      "token.invalid",
    ]);
  });

  it("is not made with a key that can be guessed or cannot be named [INV-callback-token]", () => {
    const weak = { id: "k", secret: "short" };
    expect(() => signCallback(grant, weak)).toThrow(expect.objectContaining({ code: "binding.invalid" }));
    expect(() => verifyCallback("x", [weak], 0)).toThrow(
      expect.objectContaining({ code: "binding.invalid" }),
    );
    const unnamed = { ...key, id: "a.b" };
    expect(() => signCallback(grant, unnamed)).toThrow(expect.objectContaining({ code: "binding.invalid" }));
  });

  it("says nothing of its secret", () => {
    const secret = "canary-0123456789-0123456789-0123456789";
    const token = signCallback(grant, { id: "k", secret });
    const decoded = token.split(".").map((part) => Buffer.from(part, "base64url").toString("latin1"));
    expect([token, ...decoded].join()).not.toContain("canary");
  });
});
