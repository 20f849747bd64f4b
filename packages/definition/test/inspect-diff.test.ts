import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { definitionDigest } from "../src/identity.js";
import { validate } from "../src/index.js";
import { type Change, compare, diff } from "../src/inspect.js";
import { type Loose, sample, valid } from "./sample.js";

type Edit = (definition: Loose) => void;

/** Edits of meaning, each with the changes that it makes to the sample. */
const edits: readonly (readonly [Edit, readonly string[]])[] = [
  [(d) => (d.id = "order2"), ["name-changed /id"]],
  [(d) => (d.inputSchema = true), ["schema-changed /inputSchema"]],
  [(d) => (d.outputSchema = true), ["schema-added /outputSchema"]],
  [(d) => (d.dialects.numbers = "int53"), ["dialect-changed /dialects/numbers"]],
  [
    (d) => (d.limits = { maxActivations: 7, maxNodeVisits: 7 }),
    ["limit-changed /limits/maxActivations", "limit-added /limits/maxNodeVisits"],
  ],
  [(d) => (d.sensitive = { input: ["/order"] }), ["sensitivity-added /sensitive"]],
  [(d) => (d.nodes.check.input = null), ["mapping-changed /nodes/check/input"]],
  [(d) => (d.nodes.check.parameters.limit = 7), ["parameters-changed /nodes/check/parameters"]],
  [(d) => (d.nodes.check.routes.rejected = "done"), ["route-changed /nodes/check/routes/rejected"]],
  [(d) => delete d.nodes.check.routes.failed, ["route-removed /nodes/check/routes/failed"]],
  [(d) => (d.nodes.approve.routes.late = "denied"), ["route-added /nodes/approve/routes/late"]],
  [(d) => (d.nodes.approve.loopLimits.again = 3), ["loop-limit-changed /nodes/approve/loopLimits/again"]],
  [(d) => (d.nodes.approve.loopLimits.approved = 3), ["loop-limit-added /nodes/approve/loopLimits/approved"]],
  [(d) => (d.nodes.approve.signal = "boss"), ["signal-changed /nodes/approve/signal"]],
  [(d) => (d.nodes.approve.payloads.again = true), ["schema-added /nodes/approve/payloads/again"]],
  [(d) => (d.nodes.done.output.more = 1), ["mapping-changed /nodes/done/output"]],
  [(d) => (d.nodes.denied.error.code = "no"), ["error-code-changed /nodes/denied/error/code"]],
  [(d) => (d.nodes.denied.error.message = "no"), ["mapping-changed /nodes/denied/error/message"]],
  [(d) => delete d.nodes.denied.error.details, ["mapping-removed /nodes/denied/error/details"]],
  [
    (d) => (d.nodes.done = { kind: "fail", error: { code: "x", message: "x" } }),
    ["node-changed /nodes/done"],
  ],
  [(d) => (d.actions["check-credit"].effect = "pure"), ["effect-changed /actions/check-credit/effect"]],
  [
    (d) => (d.actions["check-credit"].version = "2"),
    ["contract-version-added /actions/check-credit/version"],
  ],
  [
    (d) => (d.actions["check-credit"].retry = { maxAttempts: 2 }),
    ["retry-changed /actions/check-credit/retry/maxAttempts"],
  ],
  [
    (d) => (d.actions["check-credit"].timeouts = { attemptMs: 5 }),
    ["timeout-added /actions/check-credit/timeouts/attemptMs"],
  ],
  [
    (d) => (d.actions["check-credit"].capabilities = ["net"]),
    ["capability-changed /actions/check-credit/capabilities"],
  ],
  [
    (d) => delete d.actions["check-credit"].outcomes.ok.outputSchema,
    ["schema-removed /actions/check-credit/outcomes/ok/outputSchema"],
  ],
  [(d) => (d.actions.spare = { outcomes: { ok: {} }, effect: "pure" }), ["action-added /actions/spare"]],
];

/** Edits of presentation, and of how things are written. */
const dressings: readonly Edit[] = [
  (d) => (d.version = "9"),
  (d) => (d.meta = { title: "T", labels: { check: "other" }, layout: { rankdir: "LR" } }),
  (d) => (d.hints = ["gpu"]),
  (d) => (d["x-color"] = "red"),
  (d) => (d.nodes.check["x-color"] = "red"),
  (d) => (d.actions["check-credit"].title = "T"),
  (d) => (d.actions["check-credit"].retry = { maxAttempts: 5 }),
  (d) => (d.nodes = Object.fromEntries(Object.entries(d.nodes).reverse())),
  (d) => (d.nodes.check.routes = Object.fromEntries(Object.entries(d.nodes.check.routes).reverse())),
];

const shown = (changes: readonly Change[]) => changes.map(({ kind, pointer }) => `${kind} ${pointer}`);
const some = <T>(from: readonly T[]) => fc.subarray([...from]);

describe("diff", () => {
  it.each(edits.map(([edit, changes]) => [changes.join(", "), edit, changes] as const))(
    "shows %s",
    (_, edit, changes) => {
      const found = diff(valid(), valid(edit));
      expect(shown(found)).toEqual(changes);
      for (const { message, running } of found) {
        expect(message).toMatch(/ (was (added|removed)(: .+)?|changed( from .+ to .+)?)$/);
        expect(running).toMatch(
          /^(A running execution|No running execution|The (in|out)put of a running|In a running).*\.$/,
        );
      }
    },
  );

  it("finds nothing between a definition and itself", () => {
    expect(diff(valid(), valid())).toEqual([]);
    expect(compare(valid(), valid())).toMatchObject({ identity: "same", changes: [] });
  });

  it("is empty exactly where identity is the same [DEF-identity]", () => {
    fc.assert(
      fc.property(
        some(edits),
        some(edits),
        some(dressings),
        some(dressings),
        (some1, some2, looks1, looks2) => {
          const make = (chosen: typeof some1, looks: readonly Edit[]) => {
            const definition = sample();
            for (const [edit] of chosen) edit(definition);
            for (const look of looks) look(definition);
            return validate(definition);
          };
          const before = make(some1, looks1);
          const after = make(some2, looks2);
          fc.pre(before.ok && after.ok);
          const { identity, changes } = compare(before.value, after.value);
          const same = definitionDigest(before.value) === definitionDigest(after.value);
          expect([identity, changes.length === 0]).toEqual([same ? "same" : "different", same]);
          expect(new Set(changes.map(({ pointer }) => pointer)).size).toBe(changes.length);
          // The other way round the same places differ, and what was added was removed.
          const turned = { added: "removed", removed: "added", changed: "changed" } as const;
          const mirrored = changes.map(({ kind, pointer }) => {
            const how = kind.slice(kind.lastIndexOf("-") + 1) as keyof typeof turned;
            return `${kind.slice(0, -how.length)}${turned[how]} ${pointer}`;
          });
          expect(shown(diff(after.value, before.value))).toEqual(mirrored);
        },
      ),
      { numRuns: 200 },
    );
  });

  it("yields no change for presentation, order and defaults that are written out", () => {
    fc.assert(
      fc.property(some(dressings), (looks) => {
        expect(
          diff(
            valid(),
            valid((d) => {
              for (const look of looks) look(d);
            }),
          ),
        ).toEqual([]);
      }),
      { numRuns: 100 },
    );
  });

  it("yields a change and another identity for any other data in a mapping", () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 3 }), fc.json({ maxDepth: 3 }), (one, two) => {
        const make = (text: string) =>
          valid((d) => {
            d.nodes.done.output = { $literal: JSON.parse(text) };
          });
        const { identity, changes } = compare(make(one), make(two));
        expect(shown(changes)).toEqual(identity === "same" ? [] : ["mapping-changed /nodes/done/output"]);
      }),
    );
  });

  it("says what a run sees that stands where something changed", () => {
    const after = valid((d) => {
      d.nodes.check.routes.ok = "done";
      d.actions["check-credit"].effect = "unsafe";
      d.nodes.check.routes.rejected = "lost";
      d.nodes.lost = { kind: "complete" };
      delete d.nodes.approve;
    });
    expect(diff(valid(), after)).toMatchObject([
      {
        kind: "node-removed",
        node: "approve",
        running:
          "A running execution that stands at approve, or comes to it, goes on there: its pinned definition still has it.",
      },
      {
        kind: "route-changed",
        node: "check",
        before: "approve",
        after: "done",
        message: `the route ok of check changed from "approve" to "done"`,
        running: "A running execution that stands at check, or comes to it, still goes on ok to approve.",
      },
      { kind: "route-changed", pointer: "/nodes/check/routes/rejected" },
      {
        kind: "node-added",
        node: "lost",
        running: expect.stringMatching(/^No running execution ever comes to it/),
      },
      {
        kind: "effect-changed",
        action: "check-credit",
        nodes: ["check"],
        running:
          "A running execution at check still treats it as read-only: an attempt whose result is unknown is made again.",
      },
      { kind: "retry-changed", pointer: "/actions/check-credit/retry/maxAttempts" },
    ]);
  });

  it("shows what is said on one side only, and empty there", () => {
    const loose = (edit: Edit) => {
      const definition = structuredClone(valid()) as Loose;
      edit(definition);
      return definition;
    };
    const empty = loose((d) => (d.actions["check-credit"].timeouts = {}));
    expect(shown(diff(valid(), empty))).toEqual(["timeout-added /actions/check-credit/timeouts"]);
    const unknown = loose((d) => (d.nodes.check.later = { $get: ["input"] }));
    expect(shown(diff(unknown, valid()))).toEqual(["other-removed /nodes/check/later"]);
  });

  it("takes hostile names as data", () => {
    const loose = structuredClone(valid()) as Loose;
    for (const name of ["__proto__", "constructor", "toString"]) {
      Object.defineProperty(loose.nodes, name, {
        value: { kind: "complete", output: null },
        enumerable: true,
      });
      Object.defineProperty(loose.actions["check-credit"], name, { value: 1, enumerable: true });
    }
    expect(shown(diff(valid(), loose))).toEqual([
      "node-added /nodes/__proto__",
      "node-added /nodes/constructor",
      "node-added /nodes/toString",
      "other-added /actions/check-credit/__proto__",
      "other-added /actions/check-credit/constructor",
      "other-added /actions/check-credit/toString",
    ]);
    expect(({} as Loose).kind).toBeUndefined();
  });

  it("says of timeouts without a member that there is none", () => {
    const empty = structuredClone(valid()) as Loose;
    empty.actions["check-credit"].timeouts = {};
    const [change] = diff(empty, valid());
    expect(change?.message).toContain("was removed: {}");
    expect(change?.running).toContain("still gives it any time.");
  });
});
