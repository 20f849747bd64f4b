/** What an editor that knows the JSON Schemas says about this example: nothing, until somebody mistypes. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Json, JsonObject } from "@swl/base";
import { compileSchema } from "@swl/definition/schema";
import { compileFolder } from "@swl/source-notation/folder";
import { describe, expect, it } from "vitest";
import { exampleFolder } from "../src/orders.ts";

function read(path: string): JsonObject {
  return JSON.parse(readFileSync(path, "utf8")) as JsonObject;
}

function findings(name: string, value: Json) {
  const schema = read(fileURLToPath(import.meta.resolve(`@swl/definition/${name}.schema.json`)));
  return compileSchema(schema).check(value);
}

describe("the published JSON Schemas", () => {
  it("accept the compiled workflow, and refuse it with a member of no kind of node", async () => {
    const compiled = await compileFolder(exampleFolder);
    if (!compiled.ok) throw new Error(JSON.stringify(compiled.findings));
    const definition = compiled.value.definition as unknown as JsonObject;
    expect(findings("definition", definition)).toEqual([]);
    const nodes = { ...(definition["nodes"] as JsonObject), odd: { kind: "complete", routes: {} } };
    expect(findings("definition", { ...definition, nodes })).not.toEqual([]);
  });

  it("accept its settings, and refuse a mistyped member", () => {
    const settings = read(join(exampleFolder, "settings.json"));
    expect(findings("settings", settings)).toEqual([]);
    expect(findings("settings", { ...settings, limts: {} })).toMatchObject([{ pointer: "/limts" }]);
  });
});
