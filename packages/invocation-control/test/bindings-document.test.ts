import { describe, expect, it } from "vitest";
import { Secrets } from "../src/bindings/secrets.js";
import { childProcessKind } from "../src/child-process.js";
import { httpKind } from "../src/http.js";
import { type Environment, readBindings, remoteKind, resolveBindings } from "../src/index.js";

const kinds = [childProcessKind, httpKind, remoteKind];
const read = (document: unknown, environment: Environment = {}) =>
  readBindings(typeof document === "string" ? document : JSON.stringify(document), {
    file: "bindings.json",
    kinds,
    environment,
  });
const found = (document: unknown, environment: Environment = {}) =>
  read(document, environment).findings.map(({ code, pointer }) => `${code} ${pointer}`);

const sound = {
  $schema: "https://swl.dev/schema/bindings.json",
  bindings: {
    charge: { provider: "http", url: "https://pay.example/charges", version: "1", grants: ["payments"] },
    refund: { provider: "http", url: "https://pay.example/refunds", "x-note": 1 },
    resize: { provider: "child-process", command: ["node", "resize.mjs"] },
    review: { provider: "remote" },
  },
};

describe("a bindings document", () => {
  it("says who serves which action, by which kind [INV-bindings-document]", () => {
    const result = read(sound);
    if (!result.ok) throw new Error(JSON.stringify(result.findings));
    const said = result.value.map(({ provider, actions, version, grants }) => [
      provider.id,
      actions,
      version,
      grants,
    ]);
    expect(said).toEqual([
      ["child-process", ["resize"], undefined, []],
      ["http", ["charge"], "1", ["payments"]],
      ["http", ["refund"], undefined, []],
      ["remote", ["review"], undefined, []],
    ]);
    expect(result.value[1]?.provider).toBe(result.value[2]?.provider);
  });

  it("is refused whole, with everything that is wrong and where it stands [INV-bindings-strict]", () => {
    const text = `{
  "bindings": {
    "a": { "provider": "htpp" },
    "b": { "provider": "http", "url": "https://x.example/", "hedaers": {} },
    "c": { "provider": "child-process", "comand": ["x"] },
    "d": { "url": "https://x.example/" },
    "e": 7,
    "f": { "provider": "http", "url": "https://x.example/", "headers": { "x-key": { "env": "NOT_SET" } } }
  },
  "binding": {}
}`;
    const { findings } = read(text);
    expect(
      findings.map(({ code, pointer, place, hint }) => [code, pointer, place?.line, hint]).sort(),
    ).toEqual(
      [
        ["binding.invalid", "/binding", 10, "did you mean bindings?"],
        ["binding.invalid", "/bindings/a/provider", 3, "did you mean http?"],
        ["binding.invalid", "/bindings/b/hedaers", 4, "did you mean headers?"],
        ["binding.invalid", "/bindings/c", 5, undefined],
        ["binding.invalid", "/bindings/c/comand", 5, "did you mean command?"],
        ["binding.invalid", "/bindings/d", 6, undefined],
        ["binding.invalid", "/bindings/e", 7, undefined],
        ["binding.secret-missing", "/bindings/f/headers/x-key", 8, undefined],
      ].sort(),
    );
  });

  it("is strict JSON [INV-bindings-strict]", () => {
    expect(found('{"bindings": {"a": 1, "a": 2}}')).toEqual(["json.duplicate-key /bindings/a"]);
    expect(found("{")).toEqual(["json.syntax /"]);
    expect(found("[]")).toEqual(["binding.invalid ", "binding.invalid "]);
    expect(found({})).toEqual(["binding.invalid "]);
    expect(found({ bindings: {} })).toEqual([]);
    expect(found('{"bindings": {"__proto__": {"provider": "constructor"}}}')).toEqual([
      "binding.invalid /bindings/__proto__/provider",
    ]);
  });

  it("never tells the value of a variable, whatever is wrong with it [INV-secret-references]", () => {
    const environment = { KEY: "canary-0123", LINE: "canary\r\nx: y", NUL: "canary\u0000-99" };
    const document = {
      bindings: {
        a: {
          provider: "http",
          url: { env: "KEY" },
          headers: { a: { env: "LINE" }, b: { env: "NUL" } },
          callback: { url: "https://x.example", key: { id: "k", secret: { env: "KEY" } } },
          nonsense: { env: "KEY" },
        },
        b: { provider: "child-process", command: ["x"], env: { A: { env: "NUL" } } },
      },
    };
    const { ok, findings } = read(document, environment);
    expect([ok, findings.length > 4]).toEqual([false, true]);
    expect(JSON.stringify(findings)).not.toContain("canary");
  });
});

describe("bindings and contracts", () => {
  const needs = (more: object) => [{ action: "act", capabilities: [], ...more }];
  const check = (binding: object, more: object, granted: readonly string[] = []) => {
    const sets = read({ bindings: { act: binding } });
    if (!sets.ok) throw new Error(JSON.stringify(sets.findings));
    return resolveBindings(needs(more), sets.value, granted).findings.map(
      ({ code, pointer }) => `${code} ${pointer}`,
    );
  };
  const http = { provider: "http", url: "https://x.example/" };

  it("have the same version, where a binding names one [INV-bindings-resolved]", () => {
    expect(check({ ...http, version: "2" }, { version: "2" })).toEqual([]);
    expect(check(http, { version: "2" })).toEqual([]);
    for (const more of [{ version: "1" }, {}]) {
      expect(check({ ...http, version: "2" }, more)).toEqual([
        "binding.contract-version /actions/act/version",
      ]);
    }
  });

  it("agree about what the provider can do [INV-bindings-resolved]", () => {
    const all = { effect: "reconcilable", deferred: true, cancelable: true };
    const program = { provider: "child-process", command: ["x"] };
    expect(check({ ...program, answer: "output" }, all)).toEqual([
      "binding.profile-unsupported /actions/act/deferred",
      "binding.profile-unsupported /actions/act/effect",
      "binding.profile-unsupported /actions/act/cancellation",
    ]);
    expect(check(http, all)).toEqual([
      "binding.profile-unsupported /actions/act/effect",
      "binding.profile-unsupported /actions/act/cancellation",
    ]);
    const ask = { url: "https://x.example/{handle}" };
    expect(check({ ...http, inspect: ask, cancel: ask }, all)).toEqual([]);
    expect(check({ ...program, answer: "output" }, { effect: "unsafe" })).toEqual([]);
  });

  it("are granted what the contract lists, by the host or by the binding [INV-bindings-resolved]", () => {
    const capabilities = ["mail", "payments"];
    expect(check({ ...http, grants: ["payments"] }, { capabilities })).toEqual([
      "binding.not-granted /actions/act/capabilities",
    ]);
    expect(check({ ...http, grants: ["payments"] }, { capabilities }, ["mail"])).toEqual([]);
  });
});

describe("a secret", () => {
  it("is kept out of texts however a server encodes what it repeats [INV-secret-references]", () => {
    const secrets = new Secrets({ KEY: "pass/wörd: 9+" });
    const value = secrets.take("KEY")!;
    const upper = encodeURIComponent(value);
    const lower = upper.replace(/%../g, (sign) => sign.toLowerCase());
    const form = new URLSearchParams({ key: value }).toString();
    for (const said of [value, upper, lower, form, form.toLowerCase(), JSON.stringify({ value })])
      expect(secrets.scrub(`a ${said} b`)).toContain("[secret KEY]");
  });
});
