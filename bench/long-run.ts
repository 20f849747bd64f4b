/**
 * Visits of one long run through the whole host on SQLite: from visit 10,000 on, against from visit 10 on. The run is a
 * loop of one activity that goes on when it is let.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { defineWorkflow } from "@swl/definition";
import { createHost, type Host } from "@swl/durable-state";
import { core } from "@swl/execution";
import { inProcess, ok } from "@swl/invocation-control/in-process";
import { openSqliteStore } from "@swl/store-sqlite";
import type { Bench, Subject } from "./lib/harness.ts";

const loop = defineWorkflow({
  id: "loop",
  start: "step",
  limits: { maxActivations: 10_000_000 },
  actions: { work: { effect: "idempotent", outcomes: { ok: {}, stop: {} } } },
  nodes: {
    step: { kind: "activity", action: "work", routes: { ok: "step", stop: "done" } },
    done: { kind: "complete", output: null },
  },
} as never);

/** Lets the activities of one run go on, so many at a time. */
class Gate {
  #left = 0;
  #go: (() => void) | undefined;
  #done: (() => void) | undefined;

  async pass(): Promise<void> {
    if (this.#left === 0) {
      this.#done?.();
      await new Promise<void>((resolve) => {
        this.#go = resolve;
      });
    }
    this.#left -= 1;
  }

  /** Resolves when the run stands before its next visit. */
  open(visits: number): Promise<void> {
    this.#left = visits;
    return new Promise((resolve) => {
      this.#done = resolve;
      this.#go?.();
    });
  }
}

export const longRun: Bench = {
  name: "long-run",
  question: "visits of a run that has had 10,000, against visits of one that has had 10 (asked: within 1.3)",
  clock: "cpu",
  async open({ quick }) {
    const folder = mkdtempSync(join(tmpdir(), "swl-bench-"));
    const store = await openSqliteStore({ file: join(folder, "store.db") });
    const gates = new Map<string, Gate>();
    let created: Gate | undefined;
    const work = async ({ run }: { readonly run: string }) => {
      const gate = gates.get(run) ?? created!;
      gates.set(run, gate);
      await gate.pass();
      return ok(null);
    };
    const bindings = inProcess({
      work: (_input: unknown, context: { readonly run: string }) => work(context),
    });
    const host: Host = await createHost({ store, models: [core], bindings });
    const begin = async (visits: number): Promise<Gate> => {
      const gate = new Gate();
      created = gate;
      const { id } = await host.start(loop, { input: null });
      gates.set(id, gate);
      await gate.open(visits);
      return gate;
    };
    const batch = quick ? 100 : 500;
    const old = await begin(10_000);
    // A new run for each round, so that it is always the same visits that are measured.
    const young: Gate[] = [];
    for (let round = 0; round < 10; round++) young.push(await begin(10));
    const subject = (name: string, next: () => Gate): Subject => ({
      name,
      unit: "visit",
      async run() {
        await next().open(batch);
        return batch;
      },
    });
    return [
      subject("from visit 10,000", () => old),
      {
        ...subject("from visit 10", () => young.pop()!),
        async close() {
          await host.close({ drain: 0 });
          await store.close();
          rmSync(folder, { recursive: true, force: true });
        },
      },
    ];
  },
};
