import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { explain } from "../src/inspect.js";
import { type Loose, valid } from "./sample.js";

describe("explain", () => {
  it("tells the sample in reading order", () => {
    expect(explain(valid())).toEqual([
      "The workflow order starts at check. Its input is checked against a schema. A run visits nodes at most 100000 times; beyond that it fails.",
      "check calls the action check-credit: read-only, up to 5 attempts, 1 s apart doubling up to 60 s; an attempt whose result is unknown is made again. On ok it goes to approve; on rejected or when it fails to denied.",
      `approve waits for the signal "approval", however long it takes. The payload of approved is checked against a schema. On again (at most twice in a row, then to denied) it goes back to check; on approved to done.`,
      `done ends the run as completed; its output is {"credit":{"$get":["nodes","check","output"]}}.`,
      `denied ends the run as failed, with the error order.denied, message "denied" and details {"$get":["from","output"]}.`,
      "check and approve form a loop, entered at check. A limit ends it: at approve again is taken at most twice in a row, then exhausted leads to denied. It is left by rejected at check to denied, failed at check to denied and approved at approve to done. A run visits check at most 3 times and approve at most 3 times.",
    ]);
  });

  it("says what is waited for, and what a choice goes by", () => {
    const about = (node: Loose) =>
      explain(
        valid((d) => {
          d.requires.push("timers", "expressions-jsonlogic");
          d.dialects.expressions = "jsonlogic";
          d.nodes.done = node;
          d.nodes.end = { kind: "complete" };
        }),
      ).find((text) => text.startsWith("done "));
    const timer = (time: Loose) => about({ kind: "await-timer", ...time, routes: { elapsed: "end" } });
    expect(timer({ after: "PT90S" })).toBe("done waits until 90 s have passed. On elapsed it goes to end.");
    expect(timer({ until: "2030-01-31T08:00:00Z" })).toContain("done waits until 2030-01-31T08:00:00Z. ");
    expect(timer({ after: { $get: ["input"] } })).toContain(
      `waits until the duration {"$get":["input"]} has passed. `,
    );
    expect(timer({ until: { $get: ["input"] } })).toContain(`waits until the instant {"$get":["input"]}. `);
    const deadline = { after: "P2D", outcome: "late" };
    const routes = { ok: "end", late: "denied" };
    expect(about({ kind: "await-signal", signal: "go", deadline, routes })).toBe(
      `done waits for the signal "go" until 48 h have passed; then it is late. On late it goes to denied; on ok to end.`,
    );
    const choice = (...whens: Loose[]) =>
      about({
        kind: "choice",
        cases: whens.map((when) => ({ when, outcome: "yes" })),
        otherwise: "no",
        routes: { yes: "end", no: "denied" },
      });
    expect(choice({ ">": [{ var: "input.amount" }, 100] })).toBe(
      "done chooses by data: yes when input.amount > 100; otherwise no. On no it goes to denied; on yes to end.",
    );
    const either = { or: [{ "!": { var: "from.output" } }, { "==": [{ var: "input.kind" }, "a or b"] }] };
    expect(choice(either, { missing: ["input.x"] })).toContain(
      `, the first that holds: yes when (not from.output) or (input.kind == "a or b"); yes when {"missing":["input.x"]}; otherwise no.`,
    );
    expect(choice({ var: "input.a\u001b[2J; otherwise yes" })).toContain(
      `yes when {"var":"input.a\\u001b[2J; otherwise yes"}; otherwise no.`,
    );
  });

  it("says what each effect class, retry policy and condition means", () => {
    const about = (contract: Loose) =>
      explain(
        valid((d) => {
          Object.assign(d.actions["check-credit"], contract);
        }),
      )[1]!;
    expect(about({ effect: "unsafe" })).toContain(
      ": unsafe, one attempt; an attempt whose result is unknown is not made again: the run stands until somebody decides.",
    );
    expect(about({ effect: "idempotent", onExhausted: "fail" })).toContain(
      "is made again under the same key, and when none is left that is a failure.",
    );
    const retry = (policy: Loose) => /, (.*?);/.exec(about({ retry: policy }))![1];
    expect(retry({ maxAttempts: 3, initialDelayMs: 250, backoff: "fixed" })).toBe(
      "up to 3 attempts, 250 ms apart",
    );
    expect(retry({ maxAttempts: 3, initialDelayMs: 0 })).toBe("up to 3 attempts, one right after the other");
    expect(retry({ maxAttempts: 9, initialDelayMs: 1_500, maxDelayMs: 300_000, jitter: "full" })).toBe(
      "up to 9 attempts, 1.5 s apart doubling up to 5 min, each delay shortened at random",
    );
    expect(
      about({ timeouts: { attemptMs: 2_000, operationMs: 7_200_000 }, capabilities: ["net"] }),
    ).toContain(`An attempt may take 2 s, all attempts together 2 h. It must be granted "net".`);
    expect(about({ timeouts: { operationMs: 61_234 } })).toContain(
      "All attempts together may take 61234 ms.",
    );
  });

  it("says which loop nothing but the limits of the run ends", () => {
    const [, , , , , loop] = explain(
      valid((d) => {
        delete d.nodes.approve.loopLimits;
        delete d.nodes.approve.routes.exhausted;
        d.limits = { maxActivations: 50 };
      }),
    );
    expect(loop).toContain(
      "No loop limit ends it: only 50 visits of nodes in all do, and they fail the run.",
    );
  });

  it("says what nothing can take", () => {
    const waits = explain(valid((d) => (d.nodes.approve.routes.failed = "denied")))[2];
    expect(waits).toMatch(/Nothing can take failed\.$/);
  });

  it("shows labels quoted beside IDs, whatever they hold, and says the same without them", () => {
    const plain = explain(valid());
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", minLength: 1 }), (label) => {
        const labelled = explain(
          valid((d) => {
            d.meta = { title: label, labels: { check: label } };
          }),
        );
        expect(labelled.slice(2)).toEqual(plain.slice(2));
        expect(labelled[1]!.startsWith(label === "check" ? "check calls" : 'check ("')).toBe(true);
        expect(labelled[1]!.endsWith(plain[1]!.slice("check".length))).toBe(true);
      }),
    );
    const hostile = explain(
      valid((d) => {
        d.meta = { title: "\u001b[31m\n\u202e\u009b", labels: { check: "x".repeat(500), __proto__: "y" } };
        d.nodes.denied.error.message = '". The run is completed.\n\u001b[2J';
      }),
    ).join("");
    expect(hostile).toContain(String.raw`("\u001b[31m\n\u202e\u009b")`);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: that is what must not be there
    expect(hostile).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202e]/);
    expect(hostile).toContain(`${"x".repeat(80)}…`);
    expect(hostile).toContain(String.raw`message "\". The run`);
  });

  it("does not depend on how the definition was written", () => {
    const turned = valid((d) => {
      const turn = (object: Loose) => Object.fromEntries(Object.entries(object).reverse());
      d.nodes = turn(d.nodes);
      for (const node of Object.values<Loose>(d.nodes)) if (node.routes) node.routes = turn(node.routes);
    });
    expect(explain(turned)).toEqual(explain(valid()));
  });
});

describe("./inspect", () => {
  it("loads no validator: nothing but base, identity, and what reads times and rules", () => {
    const source = join(import.meta.dirname, "..", "src");
    const seen = new Set<string>();
    const outside = new Set<string>();
    const open = [join(source, "inspect.ts")];
    for (let file = open.pop(); file !== undefined; file = open.pop()) {
      if (seen.has(file)) continue;
      seen.add(file);
      const text = readFileSync(file, "utf8");
      // Type imports are gone in the build.
      for (const [, what] of text.matchAll(/^(?:import|export) (?!type )(?:[^;]*? from )?"([^"]+)";/gm)) {
        if (what!.startsWith(".")) open.push(join(dirname(file), what!.replace(/\.js$/, ".ts")));
        else outside.add(what!);
      }
    }
    expect([...outside]).toEqual(["@swl/base"]);
    const beside = [...seen]
      .map((file) => file.slice(source.length + 1))
      .filter((file) => !file.startsWith("inspect"));
    const texts = beside.filter((file) => !file.startsWith("logic") && file !== "written-time.ts");
    expect(texts.sort()).toEqual(["durations.ts", "identity.ts", "looking.ts", "mapping-size.ts"]);
    expect(seen.size).toBeGreaterThan(10);
  });
});
