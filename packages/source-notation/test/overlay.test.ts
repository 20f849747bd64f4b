import { describe, expect, it } from "vitest";
import { overlayOf, type RunView } from "../src/render.js";

const at = (node: string, route: string, target: string) => ({ node, route, target, visit: 1 });
const left = (visits = 1) => ({ visits, visit: visits, outcome: "ok" });
const entered = (visits = 1) => ({ visits, visit: visits === 1 ? null : visits - 1, outcome: null });

function view(part: Partial<RunView> & Pick<RunView, "status">): RunView {
  return { positions: [], nodes: {}, blockers: [], ...part };
}

describe("overlayOf", () => {
  it("shows where a run is, how often it was where, and the way that it took", () => {
    const nodes = { check: left(), stock: entered(3) };
    const running = view({ status: "running", positions: [{ node: "stock" }], nodes });
    expect(overlayOf(running, [at("check", "ok", "stock")])).toEqual({
      path: [{ node: "check", route: "ok" }],
      current: ["stock"],
      parked: [],
      failed: [],
      completed: [],
      canceled: [],
      counts: { check: 1, stock: 3 },
    });
    expect(overlayOf(running)).not.toHaveProperty("path");
  });

  it("marks what stands at needs-intervention, and no other blocker", () => {
    const blockers = [
      { kind: "intervention", node: "charge" },
      { kind: "signal", node: "ask" },
      { kind: "start" },
    ];
    const parked = view({ status: "needs-intervention", positions: [{ node: "charge" }], blockers });
    expect(overlayOf(parked)).toMatchObject({ parked: ["charge"], current: ["charge"], failed: [] });
  });

  it.each(["completed", "failed", "canceled"] as const)("marks where a run ended: %s", (status) => {
    const ended = view({ status, nodes: { check: left(2), last: entered() } });
    const none = { current: [], parked: [], completed: [], failed: [], canceled: [] };
    expect(overlayOf(ended)).toMatchObject({ ...none, [status]: ["last"] });
  });

  it("marks where a run failed that left every node: where its way ends, or its only node", () => {
    const nodes = { check: left(), charge: left() };
    const failed = view({ status: "failed", nodes });
    expect(overlayOf(failed, [at("check", "ok", "charge")]).failed).toEqual(["charge"]);
    expect(overlayOf(view({ status: "failed", nodes: { check: left() } }), []).failed).toEqual(["check"]);
    expect(overlayOf(failed).failed).toEqual([]);
  });

  it("keeps names of nodes that objects have, too", () => {
    const nodes = Object.fromEntries([["__proto__", entered()]]);
    expect(Object.keys(overlayOf(view({ status: "running", nodes })).counts)).toEqual(["__proto__"]);
  });
});
