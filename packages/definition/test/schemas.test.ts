import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Json } from "@swl/base";
import { describe, expect, expectTypeOf, it } from "vitest";
import type * as z from "zod/mini";
import { validate } from "../src/index.js";
import type * as model from "../src/model.js";
import { compileSchema } from "../src/schema.js";
import * as schemas from "../src/zod.js";
import { type Loose, sample } from "./sample.js";

/** Read-only to the bottom, intersections flattened; what may be any JSON stays. */
type Frozen<T> = [Json] extends [T]
  ? T
  : T extends readonly (infer Item)[]
    ? readonly Frozen<Item>[]
    : T extends object
      ? { readonly [Key in keyof T]: Frozen<T[Key]> }
      : T;
type Output<S extends z.ZodMiniType> = Frozen<z.output<S>>;
/** Members that the model calls optional, and that the normalized form always has. */
type Written<T, Key extends keyof T> = Frozen<T & Required<Pick<T, Key>>>;
type Contract = Written<model.ActionContract, "capabilities" | "deferred" | "cancellation">;
type Extensions = { readonly [extension: `x-${string}`]: Json };

describe("the types of the model", () => {
  it("are what the schemas yield [DEF-normalized]", () => {
    expectTypeOf<Output<typeof schemas.activityNode>>().toEqualTypeOf<Frozen<model.ActivityNode>>();
    expectTypeOf<Output<typeof schemas.awaitSignalNode>>().toEqualTypeOf<Frozen<model.AwaitSignalNode>>();
    expectTypeOf<Output<typeof schemas.awaitTimerNode>>().toEqualTypeOf<Frozen<model.AwaitTimerNode>>();
    expectTypeOf<Output<typeof schemas.choiceNode>>().toEqualTypeOf<Frozen<model.ChoiceNode>>();
    expectTypeOf<Output<typeof schemas.deadline>>().toEqualTypeOf<Frozen<model.Deadline>>();
    expectTypeOf<Output<typeof schemas.completeNode>>().toEqualTypeOf<Frozen<model.CompleteNode>>();
    expectTypeOf<Output<typeof schemas.failNode>>().toEqualTypeOf<Frozen<model.FailNode>>();
    expectTypeOf<Output<typeof schemas.node>>().toEqualTypeOf<Frozen<model.Node>>();
    expectTypeOf<Output<typeof schemas.retryPolicy>>().toEqualTypeOf<Frozen<model.RetryPolicy>>();
    expectTypeOf<Output<typeof schemas.limits>>().toEqualTypeOf<Frozen<model.Limits>>();
    expectTypeOf<Output<typeof schemas.dialects>>().toEqualTypeOf<Frozen<model.Dialects>>();
    expectTypeOf<Output<typeof schemas.meta>>().toEqualTypeOf<Frozen<model.Meta>>();
    expectTypeOf<Output<typeof schemas.actionContract>>().toEqualTypeOf<Contract>();
    type Whole = Omit<model.Definition, "actions"> & {
      readonly actions: { readonly [id: string]: Contract };
    };
    expectTypeOf<Frozen<z.output<typeof schemas.definition> & Extensions>>().toEqualTypeOf<Frozen<Whole>>();
  });
});

describe("./zod", () => {
  it("yields what validation yields, where structure is all there is to say [DEF-normalized]", () => {
    const outcome = validate(sample());
    expect(schemas.definition.parse(sample())).toEqual(outcome.ok && outcome.value);
  });

  it("keeps names that JavaScript has a meaning for [DEF-names]", () => {
    const hostile = JSON.parse(JSON.stringify(sample()).replaceAll('"check"', '"__proto__"'));
    const { nodes } = schemas.definition.parse(hostile);
    expect(Object.keys(nodes)).toEqual(["__proto__", "approve", "done", "denied"]);
    expect(Object.getPrototypeOf(nodes)).toBe(Object.prototype);
    expect(schemas.activityNode.safeParse(JSON.parse('{"__proto__":1}')).error?.issues).toContainEqual(
      expect.objectContaining({ code: "unrecognized_keys", keys: ["__proto__"] }),
    );
  });

  it("tells names, values and counts apart [DEF-members]", () => {
    const spoiled = sample();
    spoiled.nodes["a b"] = { kind: "complete", outputs: 1 };
    spoiled.actions["check-credit"].outcomes = {};
    const { issues } = schemas.definition.safeParse(spoiled).error!;
    expect(issues.map(({ code, path }) => [code, path.join("/")])).toEqual([
      ["invalid_key", "nodes/a b"],
      ["unrecognized_keys", "nodes/a b"],
      ["custom", "actions/check-credit/outcomes"],
    ]);
  });
});

const root = join(import.meta.dirname, "../../..");
const published = (name: string): Loose =>
  JSON.parse(readFileSync(join(root, "packages/definition/schema", `${name}.schema.json`), "utf8"));
const accepts = (name: string) => {
  const check = compileSchema(published(name));
  return (value: Json) => check.check(value);
};
const cases = (file: string) =>
  readdirSync(join(root, "conformance/cases"), { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(file))
    .map((path) => join(root, "conformance/cases", path));
const read = (file: string): Loose => JSON.parse(readFileSync(file, "utf8"));

describe("the published JSON Schemas", () => {
  it("say what the schemas say; else run: node tools/json-schema.ts", () => {
    expect(published("definition")).toEqual(schemas.definitionJsonSchema());
    expect(published("settings")).toEqual(schemas.settingsJsonSchema());
  });

  it("accept every definition that is valid, as written and normalized", () => {
    const check = accepts("definition");
    let valid = 0;
    for (const file of cases("definition.json")) {
      let definition: Json;
      try {
        definition = read(file);
      } catch {
        continue;
      }
      const outcome = validate(definition);
      if (!outcome.ok) continue;
      valid += 1;
      expect([file, check(definition), check(outcome.value as unknown as Json)]).toEqual([file, [], []]);
    }
    expect(valid).toBeGreaterThan(50);
  });

  it("accept the settings of workflows that compile", () => {
    const check = accepts("settings");
    const notation = cases("settings.json").filter(
      (file) => read(join(file, "../../case.json")).verdict === "accept",
    );
    expect(notation.length).toBeGreaterThan(0);
    for (const file of [...notation, join(root, "examples/orders/settings.json")]) {
      expect([file, check(read(file))]).toEqual([file, []]);
    }
  });

  it("refuse what is not laid out like a definition", () => {
    const check = accepts("definition");
    const spoil = (change: (definition: Loose) => void) => {
      const definition = sample();
      change(definition);
      return check(definition).map(({ pointer }) => pointer);
    };
    expect(spoil(() => {})).toEqual([]);
    expect(spoil((d) => (d["x-owner"] = "a"))).toEqual([]);
    expect(spoil((d) => (d.$schema = "./definition.schema.json"))).toEqual([]);
    expect(spoil((d) => (d.$schema = 1))).toContain("/$schema");
    expect(spoil((d) => (d.foo = 1))).toContain("/foo");
    expect(spoil((d) => delete d.dialects)).not.toEqual([]);
    expect(spoil((d) => (d.nodes["a b"] = { kind: "complete" }))).not.toEqual([]);
    expect(spoil((d) => (d.nodes.check.kind = "aktivity"))).not.toEqual([]);
    expect(spoil((d) => (d.nodes.check.parameter = 1))).not.toEqual([]);
    expect(spoil((d) => (d.actions["check-credit"].outcomes.failed = {}))).not.toEqual([]);
    expect(spoil((d) => (d.limits = { maxActivations: 0 }))).toContain("/limits/maxActivations");
  });

  it("refuse settings that say what the graph says", () => {
    const check = accepts("settings");
    expect(check({ id: "a" })).not.toEqual([]);
    expect(check({ start: "a" })).not.toEqual([]);
    expect(check({ nodes: { a: { kind: "activity" } } })).not.toEqual([]);
    expect(check({ nodes: { a: { routes: {} } } })).not.toEqual([]);
    expect(check({ actions: { a: { outcomes: { ok: {} }, effect: "safe" } } })).not.toEqual([]);
  });
});
