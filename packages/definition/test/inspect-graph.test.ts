import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Definition } from "../src/index.js";
import { boundedVisits, deadRoutes, explain, longestPath, loops, reachable } from "../src/inspect.js";
import { smallNodes, tryAll, workflow } from "./inspect-sample.js";
import { valid } from "./sample.js";

const visitsOf = (definition: Definition) =>
  Object.fromEntries(boundedVisits(definition).map(({ node, visits }) => [node, visits]));

/** A node whose routes are written as `outcome: target` or `outcome: [target, limit]`. */
function graph(nodes: {
  readonly [id: string]: { readonly [outcome: string]: string | readonly [string, number] };
}) {
  const said = Object.entries(nodes).map(([id, ways]) => {
    const entries = Object.entries(ways);
    if (entries.length === 0) return [id, { kind: "complete", output: null }];
    const routes = Object.fromEntries(
      entries.map(([outcome, to]) => [outcome, typeof to === "string" ? to : to[0]]),
    );
    const limits = entries.flatMap(([outcome, to]) => (typeof to === "string" ? [] : [[outcome, to[1]]]));
    const loopLimits = limits.length > 0 && { loopLimits: Object.fromEntries(limits) };
    return [id, { kind: "activity", action: "a", input: null, parameters: null, routes, ...loopLimits }];
  });
  const limits = { maxActivations: 1_000, maxInternalTransitions: 1_000 };
  return {
    ...valid(),
    start: Object.keys(nodes)[0],
    nodes: Object.fromEntries(said),
    limits,
  } as unknown as Definition;
}

describe("reachable", () => {
  it("gives the nodes that routes lead to, itself included, in reading order", () => {
    expect(reachable(valid(), "check")).toEqual(["check", "approve", "done", "denied"]);
    expect(reachable(valid(), "done")).toEqual(["done"]);
    expect(reachable(valid(), "nobody")).toEqual([]);
    expect(reachable(valid(), "__proto__")).toEqual([]);
  });
});

describe("loops", () => {
  it("names way in, ways out and the limit that ends a loop", () => {
    expect(loops(valid())).toEqual([
      {
        nodes: ["check", "approve"],
        entries: ["check"],
        exits: [
          { node: "check", outcome: "rejected", to: "denied" },
          { node: "check", outcome: "failed", to: "denied" },
          { node: "approve", outcome: "approved", to: "done" },
          { node: "approve", outcome: "exhausted", to: "denied" },
        ],
        bounds: [{ node: "approve", outcome: "again", limit: 2, to: "denied" }],
      },
    ]);
  });

  it("are unbounded without a limit, and with two outcomes that reset each other's count", () => {
    const plain = graph({ a: { ok: "b" }, b: { again: "a", ok: "end" }, end: {} });
    expect(loops(plain)).toMatchObject([{ nodes: ["a", "b"], bounds: "unbounded", unbounded: ["a", "b"] }]);
    const two = graph({ a: { x: ["a", 3], y: ["a", 3], ok: "end", exhausted: "end" }, end: {} });
    expect(loops(two)).toMatchObject([{ nodes: ["a"], bounds: "unbounded" }]);
    const back = graph({ a: { x: ["a", 3], ok: "end", exhausted: "a" }, end: {} });
    expect(loops(back)).toMatchObject([{ nodes: ["a"], bounds: "unbounded" }]);
  });

  it("name a node that leads to itself apart from the loop around it", () => {
    const definition = graph({
      a: { retry: ["a", 2], ok: "b", exhausted: "end" },
      b: { again: ["a", 4], ok: "end", exhausted: "end" },
      end: {},
    });
    expect(loops(definition).map(({ nodes, bounds }) => [nodes, bounds])).toEqual([
      [
        ["a", "b"],
        [
          { node: "a", outcome: "retry", limit: 2, to: "end" },
          { node: "b", outcome: "again", limit: 4, to: "end" },
        ],
      ],
      [["a"], [{ node: "a", outcome: "retry", limit: 2, to: "end" }]],
    ]);
    expect(visitsOf(definition)).toEqual({ a: 15, b: 5, end: 1 });
  });

  it("need no limit where only dead routes close them", () => {
    const definition = valid((d) => {
      d.nodes.approve.routes = { approved: "done", failed: "check" };
      delete d.nodes.approve.loopLimits;
    });
    expect(loops(definition)).toMatchObject([{ nodes: ["check", "approve"], bounds: [] }]);
  });
});

describe("deadRoutes", () => {
  it("are none in the sample", () => {
    expect(deadRoutes(valid())).toEqual([]);
  });

  it("are found with their reason", () => {
    const definition = valid((d) => {
      d.nodes.approve.routes.failed = "lost";
      d.nodes.lost = {
        kind: "await-signal",
        signal: "s",
        routes: { ok: "done", no: "denied", exhausted: "denied" },
        loopLimits: { no: 3 },
      };
      d.nodes.approve.payloads.approved = false;
      d.nodes.approve.loopLimits.again = 200_000;
    });
    expect(deadRoutes(definition).map(({ pointer, reason }) => [pointer, reason])).toEqual([
      ["/nodes/approve/routes/approved", "schema"],
      ["/nodes/approve/routes/failed", "no-producer"],
      ["/nodes/approve/routes/exhausted", "limit-first"],
      ["/nodes/lost/routes/no", "not-reached"],
      ["/nodes/lost/routes/ok", "not-reached"],
      ["/nodes/lost/routes/exhausted", "not-reached"],
    ]);
    const once = valid((d) => {
      d.nodes.approve.routes.again = "done";
    });
    expect(deadRoutes(once)).toEqual([
      {
        node: "approve",
        outcome: "exhausted",
        to: "denied",
        pointer: "/nodes/approve/routes/exhausted",
        reason: "no-repetition",
      },
    ]);
  });

  it("are taken by no run of any small workflow [EXE-loop-limit]", () => {
    fc.assert(
      fc.property(smallNodes, (nodes) => {
        const definition = workflow(nodes);
        const { taken } = tryAll(definition);
        const wrong = deadRoutes(definition).filter(({ node, outcome }) => taken.has(`${node} ${outcome}`));
        expect(wrong).toEqual([]);
      }),
      { numRuns: 300 },
    );
  });
});

describe("boundedVisits", () => {
  it("counts a loop up to its escape", () => {
    expect(boundedVisits(valid())).toEqual([
      { node: "check", visits: 3, atMost: 3 },
      { node: "approve", visits: 3, atMost: 3 },
      { node: "done", visits: 1, atMost: 1 },
      { node: "denied", visits: 1, atMost: 1 },
    ]);
  });

  it("shows what the limits of the run leave of it", () => {
    const endless = valid((d) => {
      delete d.nodes.approve.loopLimits;
      delete d.nodes.approve.routes.exhausted;
      d.limits = { maxActivations: 50, maxNodeVisits: 9 };
    });
    expect(boundedVisits(endless)[0]).toEqual({ node: "check", visits: "unbounded", atMost: 9 });
  });

  it("is never below what a run can do, and unbounded only where one can go on for ever [EXE-loop-limit]", () => {
    fc.assert(
      fc.property(smallNodes, (nodes) => {
        const definition = workflow(nodes);
        const { visits, taken } = tryAll(definition);
        const bounds = boundedVisits(definition);
        for (const { node, visits: bound } of bounds) {
          if (bound !== "unbounded") expect([node, visits.get(node)! <= bound]).toEqual([node, true]);
        }
        // Where limits keep each other from being used up, less is possible than the graph shows.
        const dead = new Set(deadRoutes(definition).map(({ node, outcome }) => `${node} ${outcome}`));
        if (routesOf(definition).some((route) => !dead.has(route) && !taken.has(route))) return;
        for (const { node, visits: bound } of bounds) {
          const endless = visits.get(node) === Number.POSITIVE_INFINITY;
          expect([node, bound === "unbounded"]).toEqual([node, endless]);
        }
        for (const { bounds: limits, nodes: around } of loops(definition)) {
          if (around.length === 1) continue;
          const endless = around.some((node) => visits.get(node) === Number.POSITIVE_INFINITY);
          expect([around, limits === "unbounded"]).toEqual([around, endless]);
        }
      }),
      { numRuns: 300 },
    );
  });
});

const routesOf = ({ nodes }: Definition) =>
  Object.entries(nodes).flatMap(([id, node]) =>
    "routes" in node ? Object.keys(node.routes).map((outcome) => `${id} ${outcome}`) : [],
  );

describe("longestPath", () => {
  it("is exact without loops, and between bounds with one", () => {
    const straight = graph({ a: { x: "b", y: "c" }, b: { ok: "c" }, c: { ok: "end" }, end: {} });
    expect(longestPath(straight)).toEqual({
      over: "graph",
      atLeast: 3,
      atMost: 3,
      path: [["a"], ["b"], ["c"], ["end"]],
    });
    expect(longestPath(valid())).toEqual({
      over: "condensation",
      atLeast: 1,
      atMost: 2,
      path: [["check", "approve"], ["denied"]],
    });
  });

  it("agrees with trying every simple path", () => {
    fc.assert(
      fc.property(smallNodes, (nodes) => {
        const definition = workflow(nodes);
        const found = longestPath(definition);
        const walk = (id: string, seen: readonly string[]): number => {
          const node = definition.nodes[id]!;
          const targets = "routes" in node ? Object.values(node.routes) : [];
          const ways = targets.filter((target) => !seen.includes(target));
          return Math.max(0, ...ways.map((target) => 1 + walk(target, [...seen, target])));
        };
        const most = walk("n0", ["n0"]);
        expect(found.atLeast <= most && most <= found.atMost).toBe(true);
        if (found.over === "graph") expect([found.atLeast, found.atMost]).toEqual([most, most]);
      }),
      { numRuns: 300 },
    );
  });
});

describe("a definition that nobody validated", () => {
  it("is looked at as far as it goes: routes to nowhere lead nowhere, names are data", () => {
    const loose = structuredClone(valid()) as unknown as { start: string; nodes: { [id: string]: unknown } };
    loose.start = "nobody";
    const routes = { ok: "nowhere", constructor: "__proto__", again: "toString" };
    for (const id of ["__proto__", "toString"]) {
      const value = { kind: "activity", action: "hasOwnProperty", input: null, parameters: null, routes };
      Object.defineProperty(loose.nodes, id, { value, enumerable: true });
    }
    const definition = loose as unknown as Definition;
    expect(reachable(definition, "__proto__")).toEqual(["__proto__", "toString"]);
    expect(loops(definition).map(({ nodes }) => nodes)).toContainEqual(["__proto__", "toString"]);
    expect(longestPath(definition)).toMatchObject({ atLeast: 0, atMost: 0, path: [] });
    expect(boundedVisits(definition).every(({ visits }) => visits === 0)).toBe(true);
    expect(deadRoutes(definition).every(({ reason }) => reason === "not-reached")).toBe(true);
    expect(
      explain(definition).filter((text) => text.includes("No path leads here from start.")),
    ).toHaveLength(6);
  });
});

describe("a graph of 100,000 nodes", () => {
  const size = 100_000;
  const id = (index: number) => `n${String(index).padStart(6, "0")}`;
  const chain = (back: (index: number) => number) =>
    graph(
      Object.fromEntries(
        Array.from({ length: size }, (_, index) =>
          index + 1 === size
            ? [id(index), {}]
            : [id(index), { ok: id(index + 1), x: [id(back(index)), 2], exhausted: id(size - 1) }],
        ),
      ),
    );

  const shapes: readonly (readonly [string, (index: number) => number])[] = [
    ["a chain of loops", (index) => index],
    ["loops that all lead back to start", () => 0],
    ["loops inside each other", (index) => Math.max(0, size - 2 - index)],
  ];

  it.each(shapes)("is inspected without a stack: %s", { timeout: 120_000 }, (_, back) => {
    const definition = chain(back);
    expect(boundedVisits(definition).length).toBe(size);
    expect(longestPath(definition).atMost).toBe(size - 1);
  });

  it("is read and explained without a stack", { timeout: 120_000 }, () => {
    const definition = chain((index) => index);
    expect(reachable(definition, id(0)).length).toBe(size);
    expect(deadRoutes(definition).length).toBe(0);
    // The workflow, every node, and a loop for every node but the last.
    expect(explain(definition).length).toBe(1 + size + (size - 1));
  });
});
