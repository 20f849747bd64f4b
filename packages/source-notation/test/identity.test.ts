import { defineWorkflow } from "@swl/definition";
import { definitionDigest } from "@swl/definition/identity";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { compiled } from "./support.js";

const statements = [
  "start = work",
  "work",
  'ask [kind="await-signal"]',
  "done [kind=complete]",
  "stop [kind=fail]",
  "work -> ask",
  "work -> stop [on=short]",
  "ask -> done [on=yes]",
];
const settings = {
  nodes: { work: { parameters: { limit: 3 } } },
  actions: { work: { effect: "idempotent", outcomes: { ok: {}, short: {} } } },
};

const written = (parts: readonly string[], said: object = settings) => ({
  "workflow.dot": `digraph demo {\n${parts.map((part) => `${part};`).join("\n")}\n}`,
  "settings.json": JSON.stringify(said),
});
const digestOf = (files: { readonly [name: string]: string }) => definitionDigest(compiled(files).definition);

/** One statement written another way that says the same. */
const same: ((statement: string) => string)[] = [
  (statement) => `// a comment\n${statement}`,
  (statement) => `/* -> */ ${statement} # not here`.replace(/ # .*$/, " /* [on=x] */"),
  (statement) => (statement === "work" ? 'work [label="Other", color=red]' : statement),
  (statement) => statement.replace(/\]$/, ' color="blue" fontsize=12]'),
  (statement) => statement.replace("work ->", '"work" ->'),
  (statement) => statement.replace("on=short", 'on="sh" + "ort", label="too short"'),
  (statement) => statement.replace(" -> ", "\n  ->\t"),
  (statement) =>
    statement.startsWith("start") ? `${statement}; rankdir=LR; node [shape=box]; bgcolor=white` : statement,
];

describe("the digest of a graph", () => {
  const digest = digestOf(written(statements));

  it("stays through any order, comment, colour, label and layout [DEF-identity]", () => {
    const way = fc.array(fc.tuple(fc.nat(statements.length - 1), fc.constantFrom(...same)), { maxLength: 8 });
    const order = fc.shuffledSubarray(
      statements.map((_, index) => index),
      { minLength: statements.length },
    );
    fc.assert(
      fc.property(order, way, fc.boolean(), (indexes, edits, turned) => {
        const parts = [...statements];
        const once = new Set<string>();
        for (const [index, edit] of edits) {
          const key = `${index} ${same.indexOf(edit)}`;
          if (!once.has(key)) parts[index] = edit(parts[index]!);
          once.add(key);
        }
        const said = turned ? Object.fromEntries(Object.entries(settings).reverse()) : settings;
        expect(
          digestOf(
            written(
              indexes.map((index) => parts[index]!),
              said,
            ),
          ),
        ).toBe(digest);
      }),
    );
  });

  it("changes with every edit of what the graph says [DEF-identity]", () => {
    const swap = (from: string, to: string) => written(statements.map((one) => (one === from ? to : one)));
    const digests = [
      digest,
      digestOf({
        ...written(statements),
        "workflow.dot": written(statements)["workflow.dot"].replace("demo", "demo2"),
      }),
      digestOf(swap("ask -> done [on=yes]", "ask -> done [on=yes]; ask -> work [on=no]")),
      digestOf(swap("ask -> done [on=yes]", "ask -> done [on=yes]; ask -> stop [on=no]")),
      digestOf(swap("ask -> done [on=yes]", "ask -> done [on=no]")),
      digestOf(swap("done [kind=complete]", "done [kind=complete]; ask -> stop [on=maybe]")),
      digestOf(swap("start = work", "start = ask; ask -> work [on=no]")),
      digestOf(swap("work -> ask", "work -> ask; work -> stop [on=failed]")),
      digestOf(written(statements, { ...settings, nodes: { work: { parameters: { limit: 4 } } } })),
      digestOf(
        written(statements, {
          ...settings,
          actions: { work: { ...settings.actions.work, effect: "unsafe" } },
        }),
      ),
    ];
    expect(new Set(digests).size).toBe(digests.length);
  });
});

describe("a workflow in TypeScript", () => {
  it("is the definition that the graph is, with the schemas of a library for schema files [DEF-normalized]", () => {
    const limit = z.object({ limit: z.number() });
    const built = defineWorkflow({
      id: "demo",
      start: "work",
      inputSchema: z.object({ amount: z.number() }),
      actions: {
        work: {
          effect: "idempotent",
          parametersSchema: limit,
          outcomes: { ok: { outputSchema: z.array(z.string()) }, short: {} },
        },
      },
      nodes: {
        work: {
          kind: "activity",
          action: "work",
          input: { $get: ["input"] },
          parameters: { limit: 3 },
          routes: { ok: "ask", short: "stop" },
        },
        ask: { kind: "await-signal", signal: "ask", payloads: { yes: limit }, routes: { yes: "done" } },
        done: { kind: "complete", output: { $get: ["from", "output"] } },
        stop: { kind: "fail", error: { code: "workflow.failed", message: "fail node stop reached" } },
      },
    });
    const amount = { type: "object", properties: { amount: { type: "number" } }, required: ["amount"] };
    const three = { type: "object", properties: { limit: { type: "number" } }, required: ["limit"] };
    const { definition } = compiled({
      ...written(statements, {
        requires: ["core", "buffered-signals"],
        inputSchema: { $schemaFile: "amount.json" },
        nodes: { ...settings.nodes, ask: { payloads: { yes: three } } },
        actions: {
          work: {
            effect: "idempotent",
            parametersSchema: three,
            outcomes: { ok: { outputSchema: { type: "array", items: { type: "string" } } }, short: {} },
          },
        },
      }),
      "amount.json": JSON.stringify(amount),
    });
    expect(built).toEqual(definition);
    expect(definitionDigest(built)).toBe(definitionDigest(definition));
  });
});
