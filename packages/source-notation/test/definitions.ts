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
    effect: fc.constantFrom("pure", "read-only", "idempotent", "unsafe", "reconcilable"),
    retry: some(
      fc.constantFrom<Json>({}, { maxAttempts: 3 }, { jitter: "full", "x-why": 1 }, { initialDelayMs: 1000 }),
    ),
    version: some(fc.constantFrom("1", " ")),
    title: some(text),
    inputSchema: some(schema),
    parametersSchema: some(fc.constant<Json>(true)),
    timeouts: some(fc.constantFrom<Json>({}, { attemptMs: 5 })),
    capabilities: some(fc.constantFrom<Json>([], ["b", "a"])),
    deferred: some(fc.boolean()),
    cancellation: some(fc.constantFrom("none", "requestable")),
    onExhausted: some(fc.constantFrom("park", "fail")),
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
  modern: fc.boolean(),
  ids: fc.uniqueArray(id, { minLength: 2, maxLength: 7 }),
  workflow: id,
  terminals: fc.nat({ max: 2 }),
  kinds: fc.array(fc.constantFrom("activity", "activity", "await-signal", "await-timer", "choice"), {
    minLength: 7,
    maxLength: 7,
  }),
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

const contractProfiles = ["reconciliation", "deferred-actions", "cancellation-acks"];

/** Without what needs a profile. */
function early(contractSaid: { readonly [member: string]: unknown }): object {
  const { effect, deferred: _, cancellation: _cancellation, onExhausted, ...others } = contractSaid;
  return {
    ...others,
    effect: effect === "reconcilable" ? "unsafe" : effect,
    ...(effect === "idempotent" && onExhausted !== undefined && { onExhausted }),
  };
}

/** With them; `onExhausted` belongs to one effect. */
function late({ onExhausted, ...others }: { readonly [member: string]: unknown }): object {
  return {
    ...others,
    ...(others["effect"] === "idempotent" && onExhausted !== undefined && { onExhausted }),
  };
}

type Entries = readonly (readonly [string, unknown])[];

/** Fills the shape of a draft: all nodes are reachable, since each routed one leads on to the next or to the ends. */
class Builder {
  readonly #said: Draft;
  readonly #routed: readonly string[];
  readonly #contracts = new Map<string, unknown>();
  #flag = 0;
  #target = 0;

  constructor(said: Draft) {
    this.#said = said;
    this.#routed = said.ids.slice(0, said.ids.length - Math.min(said.terminals + 1, said.ids.length));
  }

  build(): object {
    const { ids, workflow, more, modern } = this.#said;
    const nodes = ids.map((id, index) => [id, this.#node(id, index)] as const);
    if (this.#next() && this.#next()) this.#contracts.set("unused-action", this.#contract(8, ["ok"]));
    const { meta, dialects, ...top } = this.#said.top as { readonly meta?: Meta; readonly dialects: object };
    const profiles = modern && {
      requires: ["timers", ...contractProfiles, "expressions-jsonlogic", "core"],
      dialects: { ...dialects, expressions: "jsonlogic" },
    };
    return {
      swl: "0.1",
      id: workflow,
      start: ids[0],
      dialects,
      ...top,
      ...profiles,
      ...(meta && { meta: { ...meta, ...this.#labels(meta) } }),
      ...more,
      actions: byName([...this.#contracts]),
      nodes: byName(nodes),
    };
  }

  #next(): boolean {
    const { flags } = this.#said;
    return flags[this.#flag++ % flags.length]!;
  }

  /** One of the drawn mappings, or one that reads a node. */
  #mapping(index: number): Json {
    const { ids, mappings } = this.#said;
    const read = this.#next() && this.#next();
    return read ? { deep: [{ $get: ["nodes", ids[index % ids.length]!, "outcome"] }] } : mappings[index]!;
  }

  #instant(): Json {
    const read = this.#next() ? ["nodes", this.#said.ids[0]!, "output"] : ["input", "__proto__"];
    return { $get: read };
  }

  #node(id: string, index: number): object {
    const { kinds, modern } = this.#said;
    if (index >= this.#routed.length) return this.#end(id, index);
    const last = index === this.#routed.length - 1;
    const forward = last ? this.#said.ids.slice(index + 1) : [this.#said.ids[index + 1]!];
    const kind = kinds[index]!;
    if (kind === "await-timer" && modern && forward.length === 1) {
      const time = this.#next() ? { after: "PT1H" } : { until: this.#instant() };
      return { kind, ...time, routes: { elapsed: forward[0] } };
    }
    const ways = forward.map((_, way) => (way === 0 && this.#next() ? "ok" : `way-${way}`));
    const drawn = [...new Set([...ways, ...this.#said.outcomes[index]!])];
    const routes = drawn.map((outcomeName, way) => [outcomeName, forward[way] ?? this.#someNode()] as const);
    const more = this.#said.nodeExtensions[index]!;
    if (kind === "choice" && modern) return { ...this.#choice(drawn), routes: byName(routes), ...more };
    const action = this.#said.actionNames[index] ?? id;
    // The contract of a shared action is made by its first user; another node waits instead.
    if (kind === "await-signal" || this.#contracts.has(action)) return this.#wait(id, routes, more);
    this.#contracts.set(action, this.#contract(index, drawn));
    const mapped = this.#next() ? { input: this.#mapping(index) } : {};
    const parameters = this.#next() ? { parameters: { a: 1 } } : {};
    const failed: Entries = this.#next() ? [["failed", this.#said.ids.at(-1)]] : [];
    return {
      kind: "activity",
      action,
      ...this.#limited([...routes, ...failed]),
      ...mapped,
      ...parameters,
      ...more,
    };
  }

  #contract(index: number, outcomes: readonly string[]): object {
    const said = this.#said.contracts[index]!(outcomes);
    return this.#said.modern ? late(said) : early(said);
  }

  #someNode(): string {
    const { ids, targets } = this.#said;
    return ids[targets[this.#target++ % targets.length]! % ids.length]!;
  }

  #limited(routes: Entries): object {
    if (!(this.#next() && this.#next())) return { routes: byName(routes) };
    return {
      routes: byName([...routes, ["exhausted", this.#said.ids.at(-1)]]),
      loopLimits: byName([[routes[0]![0], 3]]),
    };
  }

  #wait(id: string, routes: Entries, more: object): object {
    const [first] = routes[0]!;
    return {
      kind: "await-signal",
      signal: this.#next() ? id : "some.signal",
      ...this.#limited(routes),
      ...(this.#next() && { payloads: byName([[first, { $schemaFile: "x" }]]) }),
      ...(this.#said.modern && this.#next() && { deadline: { after: "PT5M", outcome: first } }),
      ...more,
    };
  }

  #choice(drawn: readonly string[]): object {
    const node = this.#said.ids[0]!;
    const reads: readonly Json[] = [
      { "==": [{ var: `nodes.${node}.visit` }, 1] },
      { "!": { var: [`nodes.${node}.outcome`, "x"] } },
      { ">": [{ val: ["nodes", node, "visit"] }, 3] },
    ];
    const cases = drawn.map((outcomeName, index) => ({ when: reads[index % 3]!, outcome: outcomeName }));
    return { kind: "choice", cases, otherwise: drawn[0] };
  }

  #end(id: string, index: number): object {
    const more = this.#said.nodeExtensions[index]!;
    if (this.#said.ends[index - this.#routed.length] === "complete") {
      return { kind: "complete", ...(this.#next() && { output: this.#mapping(index) }), ...more };
    }
    const error = {
      code: this.#next() ? "workflow.failed" : "x.y",
      message: this.#next() ? `fail node ${id} reached` : "no",
      ...(this.#next() && { details: this.#mapping(index) }),
      ...more,
    };
    return { kind: "fail", error, ...more };
  }

  #labels({ labels }: Meta): object {
    if (labels === undefined) return {};
    const some = this.#said.ids.slice(0, 6).filter(() => this.#next());
    const drawn = some.map((id, index) => [id, labels[index]!] as const);
    return {
      labels: byName([...drawn, ...(this.#next() && this.#next() ? [["nowhere", "?"] as const] : [])]),
    };
  }
}

interface Meta {
  readonly labels?: readonly string[];
}

/** Drafts that are no definition (a schema without a dialect, say) are left out. */
export const definitions: fc.Arbitrary<Definition> = draft
  .map((said) => validate(new Builder(said).build()))
  .filter((outcome) => outcome.ok)
  .map((outcome) => (outcome as { readonly value: Definition }).value);

/** What became of drafts, to see that the generator makes definitions at all. */
export const drafts: fc.Arbitrary<object> = draft.map((said) => new Builder(said).build());
