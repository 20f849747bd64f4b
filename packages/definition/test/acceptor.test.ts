import { type Json, setOwn } from "@swl/base";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import * as z from "zod/mini";
import { acceptorOf, undecided } from "../src/acceptor.js";
import * as documents from "../src/document-schemas.js";
import type { Schema } from "../src/members.js";
import * as schemas from "../src/schemas.js";
import { type Loose, sample } from "./sample.js";

/** A definition that says something in every member. */
function rich(): Loose {
  const definition = sample();
  Object.assign(definition, {
    version: "1",
    hints: ["a"],
    outputSchema: true,
    limits: { maxActivations: 10, maxNodeVisits: 3 },
    sensitive: { input: ["/order"] },
    meta: { title: "Orders", labels: { check: "Check" }, layout: [1] },
  });
  definition.nodes.later = { kind: "await-timer", after: "PT1H", routes: { due: "pick" } };
  definition.nodes.pick = {
    kind: "choice",
    cases: [{ when: { "==": [1, 1] }, outcome: "yes" }],
    otherwise: "no",
    routes: { yes: "done", no: "denied" },
  };
  definition.nodes.approve.deadline = { until: "2030-01-01T00:00:00Z", outcome: "late" };
  definition.nodes.approve.sensitive = { payloads: { approved: ["/by"] } };
  Object.assign(definition.actions["check-credit"], {
    version: "2",
    effect: "idempotent",
    retry: { maxAttempts: 3, jitter: "full" },
    timeouts: { attemptMs: 1_000, operationMs: 5_000 },
    capabilities: ["b", "a"],
    deferred: false,
    cancellation: "none",
    limits: { maxInputBytes: 1_000 },
    sensitive: { outputs: { ok: ["/score"] } },
  });
  return definition;
}

const nodes: { readonly [id: string]: Schema } = {
  check: schemas.activityNode,
  approve: schemas.awaitSignalNode,
  done: schemas.completeNode,
  denied: schemas.failNode,
  later: schemas.awaitTimerNode,
  pick: schemas.choiceNode,
};

/** Every schema that validation reads with, and a value for it. */
function parts(definition: Loose): readonly (readonly [Schema, Json])[] {
  return [
    [documents.definition, definition],
    [schemas.frame, definition],
    [schemas.actionContract, definition.actions?.["check-credit"]],
    ...Object.keys(nodes).map((id): [Schema, Json] => [nodes[id]!, definition.nodes?.[id]]),
  ];
}

/** Places inside a value, as paths. */
function places(value: Loose, path: readonly string[] = []): (readonly string[])[] {
  if (typeof value !== "object" || value === null) return [path];
  return [path, ...Object.keys(value).flatMap((key) => places(value[key], [...path, key]))];
}

/** What an acceptor and the library make of a value, as text: the order of members counts. */
function both(schema: Schema, value: Json): readonly [accepted: string, byLibrary: string] {
  const accepted = acceptorOf(schema)(value);
  const result = z.safeParse(schema, value);
  return [
    accepted === undecided ? "refused" : JSON.stringify(accepted),
    result.success ? JSON.stringify(result.data) : "refused",
  ];
}

describe("acceptorOf", () => {
  it("yields what the library yields for what is right [DEF-normalized]", () => {
    for (const definition of [sample(), rich()]) {
      for (const [schema, value] of parts(definition)) {
        if (value === undefined) continue;
        const [accepted, byLibrary] = both(schema, value);
        expect(accepted).toBe(byLibrary);
        expect(accepted).not.toBe("refused");
      }
    }
  });

  it("accepts nothing else, whatever stands at any place [DEF-members]", () => {
    const names = fc.constantFrom("kind", "retry", "failed", "__proto__", "constructor", "x-a", "a b");
    const values = fc.oneof(
      fc.constantFrom<Json>(null, true, "", "a", "A b", 0, 1.5, -1, 1e9, [], ["a", "a"], {}, { a: 1 }),
      fc.jsonValue() as fc.Arbitrary<Json>,
    );
    const all = places(rich());
    fc.assert(
      fc.property(
        fc.nat(all.length - 1),
        fc.option(names, { nil: undefined }),
        fc.option(values, { nil: undefined }),
        (index, name, put) => {
          const definition = rich();
          const path = name === undefined ? all[index]! : [...all[index]!, name];
          const holder = path.slice(0, -1).reduce((at, key) => at?.[key], definition);
          if (path.length === 0 || typeof holder !== "object" || holder === null) return;
          if (Array.isArray(holder)) holder.splice(0, 1, ...(put === undefined ? [] : [put]));
          else if (put === undefined) delete holder[path.at(-1)!];
          else setOwn(holder, path.at(-1)!, put);
          for (const [schema, value] of parts(definition)) {
            if (value === undefined) continue;
            const [accepted, byLibrary] = both(schema, value);
            expect(accepted).toBe(byLibrary);
          }
        },
      ),
      { numRuns: 2_000 },
    );
  });
});
