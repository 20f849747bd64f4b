import { isSwlError } from "@swl/base";
import { describe, expect, expectTypeOf, it } from "vitest";
import * as z from "zod";
import * as mini from "zod/mini";
import {
  type ActionsOf,
  type Definition,
  defineWorkflow,
  definitionDigest,
  type InputOf,
  type OutcomesOf,
  type OutputOf,
  type ParametersOf,
  type StandardJsonSchema,
  validate,
} from "../src/index.js";
import { type Carrier, Order, order, type Receipt } from "./builder-sample.js";
import type { Loose } from "./sample.js";

const done = { kind: "complete" } as const;
const findingsOf = (input: object) => {
  try {
    (defineWorkflow as (input: object) => unknown)({ id: "a", start: "done", nodes: { done }, ...input });
  } catch (error) {
    if (isSwlError(error))
      return error.findings?.map(({ code, pointer, message }) => ({ code, pointer, message }));
    throw error;
  }
  return [];
};

/** The interface as somebody else implements it. */
function standard(written: unknown, more: object = {}): StandardJsonSchema<{ readonly n: number }> {
  const say = () => {
    if (written instanceof Error) throw written;
    return written as { readonly [key: string]: unknown };
  };
  return { "~standard": { version: 1, vendor: "acme", jsonSchema: { input: say, output: say }, ...more } };
}

describe("a schema of a library", () => {
  it("becomes the JSON Schema that one would have written by hand, with its identity [DEF-normalized]", () => {
    const byHand = JSON.parse(JSON.stringify(order)) as Loose;
    byHand.inputSchema = {
      type: "object",
      properties: {
        id: { type: "string" },
        amount: { type: "number" },
        note: { type: "string" },
        lines: {
          type: "array",
          items: { type: "object", properties: { item: { type: "string" } }, required: ["item"] },
        },
      },
      required: ["id", "amount", "lines"],
    };
    const receipt = { type: "object", properties: { receipt: { type: "string" } }, required: ["receipt"] };
    byHand.outputSchema = { ...receipt, additionalProperties: false };
    byHand.actions.ship.inputSchema = receipt;
    byHand.actions.charge.outcomes.ok = { outputSchema: byHand.outputSchema };
    const carrier = { type: "string", enum: ["post", "courier"] };
    byHand.nodes.ask.payloads.yes = { type: "object", properties: { carrier }, required: ["carrier"] };
    expect(order).toEqual(byHand);
    const outcome = validate(byHand);
    expect(outcome.ok && definitionDigest(outcome.value)).toBe(definitionDigest(order));
  });

  it("is asked for what goes in, or for what comes out, and gives the same each time", () => {
    const schema = z.object({ a: z.number().default(1) });
    const build = () =>
      defineWorkflow({
        id: "a",
        start: "done",
        inputSchema: schema,
        outputSchema: schema,
        nodes: { done: { kind: "complete", output: { a: 1 } } },
      });
    expect(build().inputSchema).not.toHaveProperty("required");
    expect(build().outputSchema).toMatchObject({ required: ["a"], additionalProperties: false });
    expect(definitionDigest(build())).toBe(definitionDigest(build()));
    expect(build().inputSchema).not.toHaveProperty("$schema");
  });

  it("is left as it was", () => {
    const inputSchema = z.object({ a: z.string() });
    const workflow = Object.freeze({ id: "a", start: "done", inputSchema, nodes: Object.freeze({ done }) });
    defineWorkflow(workflow);
    expect(workflow.inputSchema).toBe(inputSchema);
  });

  it("may be of any library, a function too, or a JSON Schema that brings the interface along", () => {
    const schema = { type: "object", required: ["n"] };
    const callable = Object.assign(() => 1, standard(schema));
    const withDialect = standard({ $schema: "https://json-schema.org/draft/2020-12/schema", ...schema });
    const written = [
      standard(schema),
      callable,
      withDialect,
      mini.toJSONSchema(mini.object({ n: mini.number() })),
      standard(true),
    ].map(
      (inputSchema) => defineWorkflow({ id: "a", start: "done", inputSchema, nodes: { done } }).inputSchema,
    );
    expect(written.slice(0, 3)).toEqual([schema, schema, schema]);
    expect(written[3]).toMatchObject({ type: "object", required: ["n"] });
    expect(written[4]).toBe(true);
  });

  it("may have every text format of zod but one, whose pattern is refused [DEF-schema-patterns]", () => {
    const formats = {
      ...{
        email: z.email(),
        url: z.url(),
        httpUrl: z.httpUrl(),
        emoji: z.emoji(),
        e164: z.e164(),
        jwt: z.jwt(),
      },
      ...{
        guid: z.guid(),
        uuid: z.uuid(),
        nanoid: z.nanoid(),
        cuid2: z.cuid2(),
        ulid: z.ulid(),
        ksuid: z.ksuid(),
      },
      ...{ ipv4: z.ipv4(), ipv6: z.ipv6(), mac: z.mac(), cidrv4: z.cidrv4(), cidrv6: z.cidrv6() },
      ...{ base64: z.base64(), base64url: z.base64url(), hex: z.hex(), hash: z.hash("sha256") },
      ...{ date: z.iso.date(), time: z.iso.time(), datetime: z.iso.datetime({ offset: true }) },
      ...{ duration: z.iso.duration(), lower: z.string().lowercase(), includes: z.string().includes("a.b") },
      ...{ template: z.templateLiteral(["a-", z.number(), "-", z.string()]), hostname: z.hostname() },
    };
    const refused = Object.entries(formats).filter(
      ([, format]) => findingsOf({ inputSchema: format })?.length,
    );
    expect(refused.map(([name]) => name)).toEqual(["hostname"]);
  });

  it("is a finding where it stands when it cannot be said, beside all others [DEF-findings]", () => {
    const message = (what: string) =>
      `zod cannot say this schema as JSON Schema: "${what} cannot be represented in JSON Schema"`;
    expect(
      findingsOf({
        inputSchema: z.object({ at: z.date() }),
        outputSchema: z.string().transform(Number),
        start: "dnoe",
        actions: { "a b": { effect: "pure", outcomes: { ok: { outputSchema: z.bigint() } } } },
      }),
    ).toMatchObject([
      { code: "definition.schema-invalid", pointer: "/inputSchema", message: message("Date") },
      { code: "definition.schema-invalid", pointer: "/outputSchema", message: message("Transforms") },
      { code: "definition.schema-invalid", pointer: "/actions/a b/outcomes/ok/outputSchema" },
      { code: "definition.id-grammar", pointer: "/actions/a b" },
      { code: "definition.action-unused", pointer: "/actions/a b" },
      { code: "definition.start-unknown", pointer: "/start" },
    ]);
  });

  it("is a finding when what it yields is no JSON, no schema, or nothing [DEF-findings]", () => {
    const said = (written: unknown, more?: object) => findingsOf({ inputSchema: standard(written, more) });
    const code = "definition.schema-invalid";
    expect(said(new Error("no\nstack"))).toMatchObject([
      { code, pointer: "/inputSchema", message: 'acme cannot say this schema as JSON Schema: "no"' },
    ]);
    expect(said({ properties: { a: { default: new Date(0) } } })).toMatchObject([
      { code: "json.not-json", pointer: "/inputSchema/properties/a/default" },
    ]);
    expect(said(7)).toMatchObject([{ code, message: "acme says something that is no JSON Schema" }]);
    expect(said(undefined)).toMatchObject([{ code: "json.not-json", pointer: "/inputSchema" }]);
    expect(said({ type: "texts" })).toMatchObject([{ code, pointer: "/inputSchema/type" }]);
    expect(said({ $schema: "http://json-schema.org/draft-07/schema#" })).toMatchObject([{ code }]);
    expect(said({}, { jsonSchema: {} })).toMatchObject([
      { code, message: "acme says no JSON Schema of this schema" },
    ]);
    expect(said({}, { vendor: "a\u001b[31m" })).toEqual([]);
    expect(findingsOf({ inputSchema: mini.string() })).toMatchObject([
      { code, message: "zod says no JSON Schema of this schema" },
    ]);
    const hostile = {
      get "~standard"(): never {
        throw new Error("no");
      },
    };
    expect(findingsOf({ inputSchema: hostile })).toMatchObject([{ code: "json.not-json" }]);
  });

  it("stands where schemas stand, and nowhere else [DEF-members]", () => {
    expect(findingsOf({ nodes: { done: { kind: "complete", output: Order } } })).toMatchObject([
      { code: "json.not-json", pointer: expect.stringMatching(/^\/nodes\/done\/output/) },
    ]);
  });
});

describe("the types of a workflow", () => {
  type W = typeof order;

  it("are those of its schemas", () => {
    expectTypeOf<ActionsOf<W>>().toEqualTypeOf<"charge" | "ship">();
    expectTypeOf<OutcomesOf<W, "charge">>().toEqualTypeOf<"ok" | "declined">();
    expectTypeOf<InputOf<W>>().toEqualTypeOf<z.input<typeof Order>>();
    expectTypeOf<OutputOf<W>>().toEqualTypeOf<z.output<typeof Receipt>>();
    expectTypeOf<InputOf<W, "charge">>().toEqualTypeOf<{ amount: number; order: string }>();
    expectTypeOf<ParametersOf<W, "ship">>().toEqualTypeOf<z.input<typeof Carrier>>();
    expectTypeOf<ParametersOf<W, "charge">>().toBeUnknown();
    expectTypeOf<OutputOf<W, "charge", "ok">>().toEqualTypeOf<{ receipt: string }>();
    expectTypeOf<OutputOf<W, "charge">>().toEqualTypeOf<{ receipt: string } | { reason: string }>();
    expectTypeOf<OutputOf<W, "ship", "ok">>().toBeUnknown();
    // @ts-expect-error there is no such action
    expectTypeOf<InputOf<W, "refund">>().toBeUnknown();
    // @ts-expect-error there is no such outcome
    expectTypeOf<OutputOf<W, "ship", "lost">>().toBeUnknown();
  });

  it("go in where they differ, and come out where they do", () => {
    const schema = z.object({ a: z.number().default(1) });
    const built = () =>
      defineWorkflow({
        id: "a",
        start: "done",
        inputSchema: schema,
        outputSchema: schema,
        nodes: { done: { kind: "complete", output: { a: 1 } } },
      });
    expectTypeOf<InputOf<ReturnType<typeof built>>>().toEqualTypeOf<{ a?: number | undefined }>();
    expectTypeOf<OutputOf<ReturnType<typeof built>>>().toEqualTypeOf<{ a: number }>();
  });

  it("are unknown of a plain JSON Schema, and of a definition that was read", () => {
    const plain = defineWorkflow({
      id: "a",
      start: "done",
      inputSchema: { type: "string" },
      nodes: { done },
    });
    expectTypeOf<InputOf<typeof plain>>().toBeUnknown();
    expectTypeOf<InputOf<Definition>>().toBeUnknown();
    expectTypeOf<ActionsOf<Definition>>().toEqualTypeOf<string>();
    expectTypeOf<OutputOf<Definition, "anything", "any">>().toBeUnknown();
    const definition: Definition = order;
    expect(definition.id).toBe("order");
  });
});
