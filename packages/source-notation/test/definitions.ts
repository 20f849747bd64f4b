/** Random valid definitions, with everything that is awkward to write down: odd names, labels, extensions, numbers. */
import type { Json } from "@swl/base";
import { type Definition, validate } from "@swl/definition";
import fc from "fast-check";

const anyText = fc.oneof(
  fc.constantFrom(
    "",
    "a",
    "\\N",
    "\\",
    'say "hi"\\',
    "line\nbreak",
    "end\n",
    "\r\n",
    "tab\t",
    "\u202eabc",
    "<b>",
    "é😀",
    "// no",
    "\u0000",
  ),
  fc.string({ unit: "grapheme", maxLength: 8 }),
  fc.stringMatching(/^[\\"nlrNG \n]{0,8}$/),
);
const names = [
  "a",
  "b",
  "node",
  "EDGE",
  "Graph",
  "digraph",
  "strict",
  "subgraph",
  "with-hyphen",
  "-x".slice(1),
  "_",
  "__proto__",
  "constructor",
  "toString",
  "start",
  "kind",
  "on",
  "label",
  `${"long".repeat(16)}`,
  "N1",
  "hasOwnProperty",
];
const id = fc.oneof(fc.constantFrom(...names), fc.stringMatching(/^[A-Za-z_][A-Za-z0-9_-]{0,4}$/));
const outcome = fc.oneof(
  fc.constantFrom("ok", "x-ext", "constructor", "short", "a-b"),
  fc.stringMatching(/^[a-z][a-z0-9-]{0,4}$/).filter((name) => name !== "failed" && name !== "exhausted"),
);
const json = fc
  .jsonValue({ maxDepth: 3, noneOf: undefined } as never)
  .map((value) => JSON.parse(JSON.stringify(value)) as Json);
const wellFormed = (text: string): string => text.replace(/\p{Surrogate}/gu, "?");
const text = anyText.map(wellFormed);
const data = json.map(
  (value) => JSON.parse(wellFormed(JSON.stringify(value)).replace(/\\ud[89a-f][0-9a-f]{2}/gi, "?")) as Json,
);
const extensions = fc.dictionary(fc.stringMatching(/^x-[a-z]{0,2}$/), data, { maxKeys: 1 });
const mapping = fc.oneof(
  fc.constantFrom<Json>(
    null,
    { $get: ["input"] },
    { $get: ["run", "id"] },
    { deep: [{ $get: ["input", "__proto__"] }] },
  ),
  data.map((value): Json => ({ $literal: value })),
);
const schema = fc.oneof(
  fc.constantFrom<Json>(
    true,
    false,
    {},
    { type: "object", properties: { $schemaFile: { type: "string" } } },
    { $schemaFile: "schemas/a.json" },
    { $comment: "a", anyOf: [{ $schemaFile: 1 }, true] },
    { $schemaLiteral: { type: "null" } },
    JSON.parse('{"properties":{"__proto__":{"const":1e21}}}'),
  ),
  data.map((value): Json => ({ const: value })),
);
const some = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> => fc.option(value, { nil: undefined });
const given = (object: object): object =>
  Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined));

const contract = fc
  .record({
    more: extensions,
    effect: fc.constantFrom("pure", "read-only", "idempotent", "unsafe"),
    retry: some(
      fc.constantFrom<Json>({}, { maxAttempts: 3 }, { jitter: "full", "x-why": 1 }, { initialDelayMs: 1000 }),
    ),
    version: some(fc.constantFrom("1", " ")),
    title: some(text),
    inputSchema: some(schema),
    parametersSchema: some(fc.constant<Json>(true)),
    timeouts: some(fc.constantFrom<Json>({}, { attemptMs: 5 })),
    capabilities: some(fc.constantFrom<Json>([], ["b", "a"])),
    deferred: some(fc.constant(false)),
    limits: some(fc.constantFrom<Json>({}, { maxInputBytes: 9 })),
    sensitive: some(fc.constantFrom<Json>({}, { input: ["/a~1b"] })),
    outputs: fc.array(some(schema), { minLength: 3, maxLength: 3 }),
    plain: fc.boolean(),
  })
  .map(({ more, outputs, plain, ...said }) => (outcomes: readonly string[]) => ({
    ...(plain ? { effect: "unsafe" } : { ...more, ...given(said) }),
    outcomes: Object.fromEntries(
      outcomes.map((name, index) => [name, given({ outputSchema: plain ? undefined : outputs[index] })]),
    ),
  }));

const draft = fc.record({
  ids: fc.uniqueArray(id, { minLength: 2, maxLength: 7 }),
  workflow: id,
  terminals: fc.nat({ max: 2 }),
  kinds: fc.array(fc.constantFrom("activity", "activity", "await-signal"), { minLength: 7, maxLength: 7 }),
  ends: fc.array(fc.constantFrom("complete", "fail"), { minLength: 3, maxLength: 3 }),
  outcomes: fc.array(fc.uniqueArray(outcome, { maxLength: 3 }), { minLength: 7, maxLength: 7 }),
  targets: fc.array(fc.nat(), { minLength: 40, maxLength: 40 }),
  contracts: fc.array(contract, { minLength: 9, maxLength: 9 }),
  actionNames: fc.array(some(fc.constantFrom("shared", "node", "__proto__", "a")), {
    minLength: 7,
    maxLength: 7,
  }),
  flags: fc.array(fc.boolean(), { minLength: 60, maxLength: 60 }),
  mappings: fc.array(mapping, { minLength: 14, maxLength: 14 }),
  nodeExtensions: fc.array(extensions, { minLength: 7, maxLength: 7 }),
  top: fc
    .record({
      version: some(fc.constantFrom("1", "v 2")),
      hints: some(fc.constantFrom<Json>([], ["fast"])),
      inputSchema: some(schema),
      outputSchema: some(schema),
      limits: some(fc.constantFrom<Json>({}, { maxActivations: 100000 }, { maxNodeVisits: 3, "x-l": 1 })),
      sensitive: some(fc.constantFrom<Json>({}, { input: [""] })),
      requires: fc.constant<Json>(["core"]),
      dialects: fc.constantFrom<Json>(
        { numbers: "binary64", expressions: "minimal" },
        {
          schema: "https://json-schema.org/draft/2020-12/schema",
          numbers: "binary64",
          expressions: "minimal",
          "x-d": [],
        },
        {
          schema: "https://json-schema.org/draft/2020-12/schema",
          numbers: "binary64",
          expressions: "minimal",
        },
      ),
      meta: some(
        fc
          .record({
            title: some(text),
            description: some(text),
            labels: some(fc.array(text, { minLength: 8, maxLength: 8 })),
            layout: some(data),
          })
          .map(given),
      ),
    })
    .map(given),
  more: extensions,
});

/** Members by name as plain data, `__proto__` too. */
const byName = (entries: readonly (readonly [string, unknown])[]): object => Object.fromEntries(entries);

type Draft = typeof draft extends fc.Arbitrary<infer T> ? T : never;

function build(said: Draft): object {
  const { ids, flags } = said;
  const ends = Math.min(said.terminals + 1, ids.length);
  const routed = ids.slice(0, ids.length - ends);
  let flag = 0;
  let target = 0;
  const next = (): boolean => flags[flag++ % flags.length]!;
  const contracts = new Map<string, unknown>();
  const nodes = ids.map((name, index) => {
    const more = said.nodeExtensions[index]!;
    if (index >= routed.length) {
      const kind = said.ends[index - routed.length]!;
      const output = next() ? { output: said.mappings[index]! } : {};
      const error = {
        code: next() ? "workflow.failed" : "x.y",
        message: next() ? `fail node ${name} reached` : "no",
      };
      return [
        name,
        kind === "complete"
          ? { kind, ...output, ...more }
          : { kind, error: { ...error, ...(next() && { details: 1 }), ...more }, ...more },
      ] as const;
    }
    const kind = said.kinds[index]!;
    const action = said.actionNames[index] ?? name;
    // The way on: to the next node, from the last routed one to every end.
    const forward = index < routed.length - 1 ? [ids[index + 1]!] : ids.slice(routed.length);
    const drawn = [
      ...new Set([
        ...forward.map((_, way) => (way === 0 && next() ? "ok" : `way-${way}`)),
        ...said.outcomes[index]!,
      ]),
    ];
    const outcomes = contracts.has(action) && kind === "activity" ? undefined : drawn;
    if (outcomes === undefined) {
      // The contract of a shared action is made by its first user; another node waits instead.
      return [name, wait(name, drawn, forward)] as const;
    }
    const routes = drawn.map(
      (outcomeName, way) =>
        [outcomeName, forward[way] ?? ids[said.targets[target++ % 40]! % ids.length]!] as const,
    );
    const limited = next() && next();
    const reserved = [
      ...(kind === "activity" && next() ? [["failed", ids.at(-1)!] as const] : []),
      ...(limited ? [["exhausted", ids.at(-1)!] as const] : []),
    ];
    const loopLimits = limited ? { loopLimits: byName([[drawn[0]!, 3]]) } : {};
    if (kind === "await-signal") {
      const signal = next() ? name : "some.signal";
      const payloads = next() ? { payloads: byName([[drawn[0]!, { $schemaFile: "x" }]]) } : {};
      return [
        name,
        { kind, signal, routes: byName([...routes, ...reserved]), ...loopLimits, ...payloads, ...more },
      ] as const;
    }
    contracts.set(action, said.contracts[index]!(drawn));
    const mapped = next() ? { input: said.mappings[index]!, ...(next() && { parameters: { a: 1 } }) } : {};
    return [
      name,
      { kind, action, routes: byName([...routes, ...reserved]), ...loopLimits, ...mapped, ...more },
    ] as const;
  });
  if (next() && next()) contracts.set("unused-action", said.contracts[8]!(["ok"]));
  const { meta, ...top } = said.top as { readonly meta?: { readonly labels?: readonly string[] } };
  const labels = meta?.labels && {
    labels: byName([
      ...ids
        .slice(0, 6)
        .filter(() => next())
        .map((name, index) => [name, meta.labels![index]!] as const),
      ...(next() && next() ? [["nowhere", "?"] as const] : []),
    ]),
  };
  return {
    swl: "0.1",
    id: said.workflow,
    start: ids[0],
    ...top,
    ...(meta && { meta: { ...meta, ...labels } }),
    ...said.more,
    actions: byName([...contracts]),
    nodes: byName(nodes),
  };
}

function wait(name: string, drawn: readonly string[], forward: readonly string[]): object {
  return {
    kind: "await-signal",
    signal: name,
    routes: byName(drawn.map((way, index) => [way, forward[index] ?? forward[0]!])),
  };
}

/** Drafts that are no definition (a schema without a dialect, say) are left out. */
export const definitions: fc.Arbitrary<Definition> = draft
  .map((said) => validate(build(said)))
  .filter((outcome) => outcome.ok)
  .map((outcome) => (outcome as { readonly value: Definition }).value);

/** What became of drafts, to see that the generator makes definitions at all. */
export const drafts: fc.Arbitrary<object> = draft.map(build);
