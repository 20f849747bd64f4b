import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { dominators } from "../src/dominators.js";
import { buildGraph } from "../src/graph.js";

function graphOf(edges: readonly (readonly number[])[]) {
  const nodes = Object.fromEntries(
    edges.map((targets, index) => {
      const routes = Object.fromEntries(targets.map((target, route) => [`r${route}`, `n${target}`]));
      return [`n${index}`, { kind: "activity", routes }];
    }),
  );
  return buildGraph(nodes);
}

/** By definition: without `before`, the node cannot be reached. */
function slowly(edges: readonly (readonly number[])[], before: number, node: number): boolean {
  const reach = (without: number) => {
    const seen = new Set<number>();
    const open = without === 0 ? [] : [0];
    for (let at = open.pop(); at !== undefined; at = open.pop()) {
      if (seen.has(at) || at === without) continue;
      seen.add(at);
      open.push(...edges[at]!);
    }
    return seen;
  };
  if (!reach(-1).has(node)) return true;
  return before !== node && !reach(before).has(node);
}

describe("dominators", () => {
  it("agree with the definition on every small graph", () => {
    const graphs = fc.integer({ min: 1, max: 9 }).chain((size) => {
      const targets = fc.array(fc.integer({ min: 0, max: size - 1 }), { maxLength: 3 });
      return fc.array(targets, { minLength: size, maxLength: size });
    });
    fc.assert(
      fc.property(graphs, (edges) => {
        const dominates = dominators(graphOf(edges), 0);
        for (let before = 0; before < edges.length; before++) {
          for (let node = 0; node < edges.length; node++) {
            expect([before, node, dominates(before, node)]).toEqual([
              before,
              node,
              slowly(edges, before, node),
            ]);
          }
        }
      }),
      { numRuns: 400 },
    );
  });

  it("need no stack on a chain of 100,000 nodes", () => {
    const size = 100_000;
    const edges = Array.from({ length: size }, (_, index) => (index + 1 < size ? [index + 1, 0] : []));
    const dominates = dominators(graphOf(edges), 0);
    expect(dominates(0, size - 1)).toBe(true);
    expect(dominates(size - 1, 0)).toBe(false);
  });
});
