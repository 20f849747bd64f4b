/**
 * Operations with a crash at every point: the host dies before and after each of its appends, claims and give-backs, and
 * the next one goes on. The end is that of an undisturbed run, and nothing is begun twice that may not be.
 */
import type { Provider, ProviderAnswer } from "@swl/invocation-control";
import { createMemoryBacking, openMemoryStore } from "@swl/store-memory";
import type { Store } from "@swl/store-provider";
import { describe, expect, it } from "vitest";
import { createControl, createHost, type Host } from "../src/index.js";
import { completed, core, mortal, pause, through } from "./lab.js";
import { workflow } from "./operations-lab.js";

const points = new Set(["append", "claim", "unclaim"]);

interface Scenario {
  readonly title: string;
  readonly effect: "unsafe" | "reconcilable" | "idempotent";
  readonly answer: ProviderAnswer;
  readonly cancel: boolean;
  /** Most times that the work may be begun. */
  readonly most: number;
  readonly end: object;
}

const paid = { status: "completed", output: "paid" };
const scenarios: readonly Scenario[] = [
  {
    title: "accepted unsafe work that is completed",
    effect: "unsafe",
    answer: { kind: "accepted", handle: "op-1" },
    cancel: false,
    most: 1,
    end: paid,
  },
  {
    title: "accepted work that is asked to stop",
    effect: "unsafe",
    answer: { kind: "accepted", handle: "op-1" },
    cancel: true,
    most: 1,
    end: { status: "canceled" },
  },
  {
    title: "unknown work that is asked about",
    effect: "reconcilable",
    answer: { kind: "unknown", reason: "crash" },
    cancel: false,
    most: 1,
    end: paid,
  },
  {
    title: "accepted repeatable work",
    effect: "idempotent",
    answer: { kind: "accepted", handle: "op-1" },
    cancel: false,
    most: 2,
    end: paid,
  },
];

/** One run; the host dies at the point with this number, if there is one. */
async function played(
  scenario: Scenario,
  dies: { readonly at: number; readonly after: boolean } | undefined,
) {
  const backing = createMemoryBacking();
  const begun: string[] = [];
  const stops: string[] = [];
  const provider: Provider = {
    id: "lab",
    has: () => true,
    invoke: async ({ idempotencyKey }) => {
      begun.push(idempotencyKey);
      return scenario.answer;
    },
    inspect: async () => completed("paid") as { kind: "completed"; outcome: string; output: string },
    cancel: async ({ idempotencyKey }) => {
      stops.push(idempotencyKey);
      return { kind: "acknowledged" };
    },
  };
  const life = mortal(openMemoryStore({ backing }));
  let count = 0;
  const dying = through(life.store, async (name, call) => {
    if (!points.has(name)) return call();
    const mine = ++count;
    if (mine === dies?.at && !dies.after) life.kill();
    const answer = await call();
    if (mine === dies?.at) life.kill();
    return answer;
  });
  const options = { models: [core], bindings: provider, poll: 5, lease: 250, grace: 30 };
  const open = (store: Store): Promise<Host> => createHost({ ...options, store });
  const hosts = [await open(dying)];
  const started = hosts[0]!.start(workflow(scenario.effect), { startKey: "k" }).catch(() => undefined);
  // Whoever else asks has a process of their own.
  const control = createControl({ store: openMemoryStore({ backing }), models: [core] });
  let sent = false;
  for (const until = performance.now() + 100_000; performance.now() < until; await pause(20)) {
    if (life.dead && hosts.length === 1) {
      hosts.push(await open(openMemoryStore({ backing })));
      // Whoever started it does not know whether that was heard, and asks again under the same key.
      void hosts[1]!.start(workflow(scenario.effect), { startKey: "k" });
    }
    const [run] = (await openMemoryStore({ backing }).list()).items;
    if (run === undefined) continue;
    if (run.closed) break;
    const { blockers } = await control.why(run.stream);
    const [first] = blockers;
    const reason = first !== undefined && "reason" in first ? first.reason : undefined;
    if (reason === "unknown-result") {
      // A person looks into the books.
      if (scenario.cancel) await control.cancel({ run: run.stream, requestId: "stop" }, { wait: 50 });
      const decided = { decision: "complete", outcome: "ok", output: "paid" } as const;
      await control.resolve({ run: run.stream, requestId: "books", ...decided }, { wait: 50 });
    } else if (reason === "accepted" || reason === "canceling") {
      const acknowledged = first !== undefined && "acknowledged" in first;
      if (scenario.cancel && !sent) {
        await control.cancel({ run: run.stream, requestId: "stop" }, { wait: 50 });
        sent = reason === "canceling";
      } else if (!scenario.cancel || acknowledged) {
        const done = { messageId: "done", handle: "op-1", outcome: "ok", output: "paid" };
        await control.complete({ run: run.stream, ...done }, { wait: 50 });
      }
    }
  }
  const [run] = (await openMemoryStore({ backing }).list()).items;
  const result = run?.closed === true ? await control.result(run.stream) : undefined;
  const faults = await openMemoryStore({ backing }).check();
  await Promise.all(
    hosts.map((host, index) => (index === 0 && life.dead ? undefined : host.close({ drain: 10 }))),
  );
  if (!life.dead) await started;
  return { count, begun, stops, result, faults };
}

describe.each(scenarios)("$title", (scenario) => {
  it("ends alike wherever its host dies [DUR-accepted] [DUR-inspect] [DUR-cancel-request]", async () => {
    const calm = await played(scenario, undefined);
    expect(calm.result).toMatchObject(scenario.end);
    expect(calm.count).toBeGreaterThan(2);
    const deaths = Array.from({ length: Math.min(calm.count, 10) }, (_, index) => index + 1).flatMap((at) => [
      { at, after: false },
      { at, after: true },
    ]);
    const ends = await Promise.all(deaths.map((dies) => played(scenario, dies)));
    for (const [index, { begun, stops, result, faults }] of ends.entries()) {
      const { at, after } = deaths[index]!;
      const where = `${after ? "after" : "before"} call ${at}`;
      expect([where, result]).toEqual([where, expect.objectContaining(scenario.end)]);
      expect([where, begun.length <= scenario.most]).toEqual([where, true]);
      expect([where, faults]).toEqual([where, []]);
      // Not where the host died before its handle was known, or before it began: then nobody could be asked.
      if (scenario.cancel && stops.length === 0) expect(begun.length).toBeLessThanOrEqual(1);
    }
  });
});
