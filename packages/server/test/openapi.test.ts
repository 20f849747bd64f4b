import { readFileSync, writeFileSync } from "node:fs";
import { Validator } from "@seriousme/openapi-schema-validator";
import { codes } from "@swl/base";
import { describe, expect, it } from "vitest";
import { openApi } from "../src/index.js";
import { statusCodes, statusOf } from "../src/problem.js";
import { operations, pathTo, routes } from "../src/routes.js";
import { version } from "../src/version.js";
import { server } from "./lab.js";

type Document = {
  readonly openapi: string;
  readonly info: { readonly version: string };
  readonly paths: {
    readonly [path: string]: { readonly [method: string]: { readonly operationId: string } };
  };
  readonly components: {
    readonly schemas: { readonly [id: string]: { readonly enum?: readonly string[] } };
    readonly responses: { readonly Problem: { readonly description: string } };
  };
};
const document = openApi() as Document;

describe("the OpenAPI document", () => {
  it("is a valid OpenAPI 3.1 document whose references lead somewhere [INV-http-openapi]", async () => {
    const validator = new Validator();
    const { valid, errors } = await validator.validate(structuredClone(document));
    expect(errors).toBeUndefined();
    expect(valid).toBe(true);
    expect(validator.version).toBe("3.1");
    const text = JSON.stringify(document);
    expect(text).not.toContain("$defs");
    for (const [, id] of text.matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
      expect(Object.keys(document.components.schemas)).toContain(id);
    }
  });

  it("has every route and nothing else [INV-http-openapi]", () => {
    const said = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, { operationId }]) => [operationId, method.toUpperCase(), path]),
    );
    const routed = operations.map((operation) => {
      const { method, path } = routes[operation];
      return [operation, method, path.replace(/:(\w+)/g, "{$1}")];
    });
    expect(said.sort()).toEqual(routed.sort());
  });

  it("has every code, and the status of each that has one of its own [INV-http-openapi]", () => {
    expect(document.components.schemas["Code"]?.enum).toEqual([...codes]);
    for (const [code, status] of statusCodes) {
      expect(document.components.responses.Problem.description).toContain(`${status} \`${code}\``);
    }
    for (const code of codes) expect(statusOf(code)).toBeGreaterThanOrEqual(400);
  });

  it("is served, and exported as a file, as it is [INV-http-openapi]", async () => {
    const { call } = await server();
    expect(await (await call("/openapi.json")).json()).toEqual(document);
    const file = new URL("../schema/openapi.json", import.meta.url);
    // SWL_BLESS=1 writes it anew: what changed is then to be looked at.
    if (process.env["SWL_BLESS"] === "1") writeFileSync(file, `${JSON.stringify(document, null, 2)}\n`);
    expect(JSON.parse(readFileSync(file, "utf8"))).toEqual(document);
    const manifest = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
    expect([version, document.info.version]).toEqual([manifest.version, manifest.version]);
  });
});

describe("a path to a route", () => {
  it("keeps each parameter in its segment [INV-http-client]", () => {
    expect(pathTo("why", { run: "a/b?c#d%e" })).toBe("/runs/a%2Fb%3Fc%23d%25e/why");
    expect(pathTo("why", { run: "../x" })).toBe("/runs/..%2Fx/why");
  });
});
