import { canonicalize, type Json, pointerSegments, pointerTo } from "@swl/base";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { canonicalDefinition, definitionDigest } from "../src/identity.js";
import { type Definition, readDefinition, validate } from "../src/index.js";
import { type Loose, sample } from "./sample.js";

/** The sample with every optional member said, so that every place of the model can be edited. */
function full(): Loose {
  const definition = sample();
  Object.assign(definition, {
    $schema: "./definition.schema.json",
    version: "3",
    hints: ["gpu"],
    requires: ["core", "buffered-signals", "timers", "expressions-jsonlogic"],
    limits: { maxActivations: 500, maxNodeVisits: 50, maxInternalTransitions: 70, maxBufferedSignals: 9 },
    outputSchema: { title: "Result", type: "object" },
    sensitive: { input: ["/order"] },
    meta: { title: "T", description: "D", labels: { check: "L" }, layout: { rankdir: "LR" } },
    "x-tool": { colour: "red" },
  });
  Object.assign(definition.nodes.check, { loopLimits: { rejected: 9 }, "x-colour": "blue" });
  definition.nodes.check.routes.exhausted = "denied";
  definition.dialects.expressions = "jsonlogic";
  definition.nodes.check.routes.ok = "choose";
  const cases = [
    { when: { ">": [{ var: "input.order" }, 1] }, outcome: "a", "x-why": "big" },
    { when: true, outcome: "b" },
  ];
  definition.nodes.choose = {
    kind: "choice",
    cases,
    otherwise: "c",
    routes: { a: "rest", b: "stay", c: "approve" },
  };
  definition.nodes.rest = { kind: "await-timer", after: "PT60S", routes: { elapsed: "approve" } };
  definition.nodes.stay = {
    kind: "await-timer",
    until: "2030-01-31T08:00:00Z",
    routes: { elapsed: "approve" },
    "x-why": "stay",
  };
  definition.nodes.approve.deadline = { after: "P1D", outcome: "again", "x-why": "late" };
  definition.nodes.approve.sensitive = { payloads: { approved: ["/name"] } };
  Object.assign(definition.actions["check-credit"], {
    version: "1.2",
    title: "Check",
    description: "Checks the credit",
    effect: "idempotent",
    inputSchema: { title: "In", type: "object", properties: { order: {} } },
    retry: { maxAttempts: 4, initialDelayMs: 10, backoff: "fixed", maxDelayMs: 20, jitter: "full" },
    onExhausted: "fail",
    timeouts: { attemptMs: 1_000, operationMs: 9_000 },
    capabilities: ["net.http", "disk"],
    limits: { maxInputBytes: 100, maxOutputBytes: 200 },
    sensitive: { input: ["/order"], outputs: { ok: ["/score"] } },
    "x-note": [1],
  });
  return definition;
}

/** Where nothing changes an identity: the whole list, so that a member too many in the projection is found too. */
const presentation = [
  /^\/(\$schema|version|hints|meta|x-tool)(\/|$)/,
  /^\/nodes\/check\/x-colour(\/|$)/,
  /^\/nodes\/(choose\/cases\/0|stay|approve\/deadline)\/x-why$/,
  /^\/actions\/check-credit\/(title|description|x-note)(\/|$)/,
];

const others: readonly Json[] = [
  null,
  true,
  false,
  1,
  2,
  5,
  7,
  60,
  "park",
  "unsafe",
  "pure",
  "read-only",
  "exponential",
  "none",
  "2.0",
  "done",
  "denied",
  "check",
  "check-credit",
  "int53",
  "order.other",
  "approve",
  "approved",
  "a",
  "PT5S",
  "2031-01-31T08:00:00Z",
  { var: "a" },
  "other",
  [],
  ["a"],
  ["/a"],
  ["core"],
  {},
  { a: 1 },
  { $get: ["input"] },
  { type: "string" },
];

function pointers(value: Loose, pointer = ""): string[] {
  if (typeof value !== "object" || value === null) return [pointer];
  return [pointer, ...Object.keys(value).flatMap((key) => pointers(value[key], pointerTo(pointer, key)))];
}

/** A copy in which another value stands at a pointer; `undefined` takes the member away. */
function edited(pointer: string, value: Json | undefined): Loose {
  const copy = full();
  const path = pointerSegments(pointer)!;
  let holder = copy;
  for (const key of path.slice(0, -1)) holder = holder[key];
  const last = path.at(-1)!;
  if (value !== undefined) holder[last] = value;
  else if (Array.isArray(holder)) holder.splice(Number(last), 1);
  else delete holder[last];
  return copy;
}

function normalized(value: Loose): Definition | undefined {
  const outcome = validate(value);
  return outcome.ok ? outcome.value : undefined;
}

describe("definitionDigest", () => {
  const original = normalized(full())!;
  const digest = definitionDigest(original);

  it("changes with every edit that is not presentation, and with no other, at every place [DEF-identity]", () => {
    const seen = { kept: 0, changed: 0 };
    const places = new Set<string>();
    for (const pointer of pointers(full()).slice(1)) {
      const quiet = presentation.some((place) => place.test(pointer));
      for (const value of [undefined, ...others]) {
        const definition = normalized(edited(pointer, value));
        if (!definition) continue;
        // What a default says anyway, said or not, is the same definition.
        const same =
          canonicalize(definition as unknown as Json) === canonicalize(original as unknown as Json);
        if (same) continue;
        const kept = definitionDigest(definition) === digest;
        expect([pointer, value, kept]).toEqual([pointer, value, quiet]);
        if (kept) seen.kept++;
        else seen.changed++;
        places.add(pointer);
      }
    }
    expect(seen.kept).toBeGreaterThan(50);
    expect(seen.changed).toBeGreaterThan(300);
    expect(places.size).toBeGreaterThan(60);
  });

  it("is another for every two edits that mean different things [DEF-identity]", () => {
    const forms = new Map<string, string>();
    for (const pointer of pointers(full()).slice(1)) {
      for (const value of others) {
        const definition = normalized(edited(pointer, value));
        if (!definition) continue;
        const form = canonicalDefinition(definition);
        const of = definitionDigest(definition);
        expect(forms.get(of) ?? form).toBe(form);
        forms.set(of, form);
      }
    }
    expect(forms.size).toBeGreaterThan(200);
  });

  it("stays through any order of keys, presentation and spacing at once [DEF-identity]", () => {
    const edit = fc.record({
      version: fc.string({ minLength: 1, maxLength: 64, unit: "grapheme-ascii" }),
      hints: fc.uniqueArray(fc.string({ minLength: 1, maxLength: 9, unit: "grapheme-ascii" }), {
        maxLength: 3,
      }),
      title: fc.string({ unit: "grapheme" }),
      layout: fc.jsonValue({ maxDepth: 2 }),
      extension: fc.jsonValue({ maxDepth: 2 }),
      indent: fc.constantFrom(0, 1, 4),
      swaps: fc.infiniteStream(fc.nat()),
    });
    fc.assert(
      fc.property(edit, ({ version, hints, title, layout, extension, indent, swaps }) => {
        const definition = full();
        Object.assign(definition, { version, hints, meta: { title, layout, labels: { done: title } } });
        definition["x-more"] = extension;
        definition.nodes.done["x-more"] = extension;
        definition.actions["check-credit"].description = title;
        definition.actions["check-credit"].capabilities.reverse();
        const text = JSON.stringify(
          shuffled(definition, () => swaps.next().value ?? 0),
          null,
          indent,
        );
        const read = readDefinition(text, { file: "f" });
        expect(read.findings.filter(({ severity }) => severity === "error")).toEqual([]);
        expect(read.ok && definitionDigest(read.value)).toBe(digest);
        if (!read.ok) return;
        // What is printed is read back equal: the whole, and the canonical form, which is its own canonical form.
        const whole = readDefinition(canonicalize(read.value as unknown as Json), { file: "f" });
        expect(whole.ok && whole.value).toEqual(read.value);
        const form = canonicalDefinition(read.value);
        const again = readDefinition(form, { file: "f" });
        expect(again.ok && canonicalDefinition(again.value)).toBe(form);
      }),
      { numRuns: 60 },
    );
  });
});

function shuffled(value: Loose, next: () => number): Loose {
  if (Array.isArray(value)) return value.map((item) => shuffled(item, next));
  if (typeof value !== "object" || value === null) return value;
  const keys = Object.keys(value);
  for (let index = keys.length - 1; index > 0; index--) {
    const other = next() % (index + 1);
    [keys[index], keys[other]] = [keys[other]!, keys[index]!];
  }
  return Object.fromEntries(keys.map((key) => [key, shuffled(value[key], next)]));
}
