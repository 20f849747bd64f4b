/** The published schema of bindings documents and the reader of them agree about what is sound. */
import { readFileSync } from "node:fs";
import type { Json } from "@swl/base";
import { compileSchema } from "@swl/definition/schema";
import { readBindings, remoteKind } from "@swl/invocation-control";
import { childProcessKind } from "@swl/invocation-control/child-process";
import { httpKind } from "@swl/invocation-control/http";
import { describe, expect, it } from "vitest";

const file = new URL("../../../packages/invocation-control/schema/bindings.schema.json", import.meta.url);
const schema = JSON.parse(readFileSync(file, "utf8"));

const environment = { NAME: "x".repeat(40) };
const from = { env: "NAME" };
const url = "https://x.example/";

const program = (more: object) => ({ provider: "child-process", command: ["x"], ...more });
const server = (more: object) => ({ provider: "http", url, ...more });

const sound: readonly object[] = [
  { provider: "remote" },
  { provider: "remote", version: "1", grants: ["a", "b"], "x-note": [1] },
  program({
    cwd: "/x",
    env: { A: "1", B: from, C: { env: "NAME", prefix: "p" } },
    pass: [],
    answer: "output",
  }),
  program({
    exitCodes: { 1: { outcome: "no" }, 255: { failed: "final", code: "a.b" }, 9: { unknown: true } },
  }),
  program({
    maxOutputBytes: 1,
    killAfterMs: 0,
    timeoutMs: 1,
    inspect: { command: ["y"] },
    cancel: { command: ["z"] },
  }),
  server({
    method: "PUT",
    headers: { "x-a": "1", authorization: from },
    body: [null],
    idempotencyHeader: null,
  }),
  server({
    url: "http://x.example:8080/{input.a}?b={attempt}",
    idempotencyHeader: "x-key",
    answer: "document",
  }),
  server({ statuses: { 404: { outcome: "none" }, "5xx": { failed: "retryable" }, 202: { accepted: true } } }),
  server({
    handle: { header: "location", lastSegment: true },
    allow: ["10.0.0.0/8"],
    redirects: { max: 1, to: [url] },
  }),
  server({
    inspect: { url, status: "/a", words: { a: "running" }, notFound: [404] },
    cancel: { url, method: "DELETE" },
  }),
  server({
    callback: { url, key: { id: "k", secret: from }, ttlMs: 1_000 },
    ca: "pem",
    connectMs: 1,
    graceMs: 0,
  }),
];

const wrong: readonly unknown[] = [
  7,
  {},
  { provider: "other" },
  { provider: "remote", url },
  { provider: "remote", version: 1 },
  { provider: "remote", grants: "a" },
  { provider: "child-process" },
  program({ command: [] }),
  program({ command: "x" }),
  program({ env: { "A-B": "1" } }),
  program({ env: { A: { env: "NAME", suffix: "x" } } }),
  program({ env: { A: { prefix: "x" } } }),
  program({ pass: [1] }),
  program({ exitCodes: { 0: { outcome: "no" } } }),
  program({ exitCodes: { 256: { outcome: "no" } } }),
  program({ exitCodes: { 1: {} } }),
  program({ exitCodes: { 1: { outcome: "no", unknown: true } } }),
  program({ timeoutMs: 0 }),
  program({ inspect: {} }),
  program({ inspect: { command: ["x"], url } }),
  { provider: "http" },
  server({ method: "TRACE" }),
  server({ headers: { "a b": "1" } }),
  server({ idempotencyHeader: 1 }),
  server({ statuses: { 99: { outcome: "x" } } }),
  server({ statuses: { "6xx": { outcome: "x" } } }),
  server({ statuses: { 404: { failed: "never" } } }),
  server({ handle: { body: "id" } }),
  server({ inspect: { status: "/a" } }),
  server({ inspect: { url, words: { a: "done" } } }),
  server({ inspect: { url, notFound: [200] } }),
  server({ callback: { url, key: { id: "a b", secret: from } } }),
  server({ callback: { key: { id: "a", secret: from } } }),
  server({ redirects: { max: 11 } }),
  server({ maxResponseBytes: 0 }),
  server({ retries: 3 }),
];

describe("the schema of bindings documents", () => {
  const check = compileSchema(schema);
  const agree = (binding: unknown) => {
    const document = { bindings: { act: binding } };
    const kinds = [childProcessKind, httpKind, remoteKind];
    const read = readBindings(JSON.stringify(document), { file: "b.json", kinds, environment });
    return [binding, check.check(JSON.parse(JSON.stringify(document)) as Json).length === 0, read.ok];
  };

  it("takes what the reader takes [INV-bindings-document]", () => {
    for (const binding of sound) expect(agree(binding)).toEqual([binding, true, true]);
  });

  it("refuses what the reader refuses [INV-bindings-strict]", () => {
    for (const binding of wrong) expect(agree(binding)).toEqual([binding, false, false]);
  });
});
