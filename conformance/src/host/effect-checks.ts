/**
 * What a host does in the world.
 *
 * 1. nothing is dispatched before its intent is durable (DUR-dispatch-after-commit)
 * 2. the dead host's attempts are unknown: repeatable ones are repeated, unsafe ones park (DUR-takeover)
 * 3. an attempt that nobody claimed is taken back by a cancel and never begins (DUR-withdraw)
 * 4. a host that was stopped beyond its lease begins nothing, and its late answer is kept beside a closed log (DUR-late-answer)
 */
import type { Item } from "@swl/store-provider";
import { completed, gate, HostBench, lease, pause } from "./bench.js";
import type { HostCheck } from "./harness.js";
import { through } from "./mortal.js";
import { patient, single, unsafe } from "./workflows.js";

export const effectChecks: readonly HostCheck[] = [
  {
    rule: "DUR-dispatch-after-commit",
    title: "begins an action only when the store has its intent",
    run: (harness) =>
      HostBench.run(harness, async (bench) => {
        const problems: string[] = [];
        const durable = new Set<string>();
        const { host } = await bench.host(
          ({ run }) => {
            if (!durable.has(run)) problems.push("an action begins before its commit");
            return completed();
          },
          (store) =>
            through(store, async (name, call, given) => {
              if (name !== "append") return call();
              await pause(50);
              const answer = await call();
              for (const { stream } of given[0] as readonly Item[]) durable.add(stream);
              return answer;
            }),
        );
        const run = await host.start(single, { input: null });
        if (!(await bench.eventually(() => bench.calls.length > 0))) return ["it never begins"];
        if (problems.length === 0) await host.result(run, bench.patience);
        return problems;
      }),
  },
  {
    rule: "DUR-takeover",
    title: "repeats a dead host's repeatable attempt with the same key and parks its unsafe one",
    run: (harness) =>
      HostBench.run(harness, async (bench) => {
        const never = gate();
        const script = async () => {
          await never.opened;
          return completed();
        };
        const first = await bench.host(script, undefined, { lease });
        const safe = await first.host.start(single, { input: null });
        const charge = await first.host.start(unsafe, { input: null });
        await bench.eventually(() => bench.calls.length === 2);
        first.life.kill();
        const second = await bench.host(() => completed("again"));
        await second.host.result(safe, bench.patience);
        const problems: string[] = [];
        const keys = new Set(bench.callsOf("work").map((call) => call.idempotencyKey));
        if (keys.size !== 1) problems.push("a repeated attempt has another idempotency key");
        const parked = await bench.eventually(
          async () => (await second.host.why(charge)).status === "needs-intervention",
        );
        if (!parked) problems.push("an unsafe attempt of unknown result does not park");
        else if ((await second.host.why(charge)).blockers.length === 0)
          problems.push("a parked run names no blocker");
        const charges = bench.callsOf("charge").length;
        return charges === 1 ? problems : [...problems, `an unsafe action is begun ${charges} times`];
      }),
  },
  {
    rule: "DUR-withdraw",
    title: "cancels a run in its retry delay without another attempt",
    run: (harness) =>
      HostBench.run(harness, async (bench) => {
        const { host } = await bench.host(() => ({
          kind: "failed",
          retryable: true,
          error: { code: "busy", message: "Try again.", details: null },
        }));
        const run = await host.start(patient, { input: null });
        const peer = await bench.peer();
        const waits = async () => (await peer.load(run))?.work.length === 1;
        if (!(await bench.eventually(waits))) return ["what is to be tried again is not work in the store"];
        await host.cancel({ run, requestId: "c1" });
        const canceled = await bench.eventually(async () => (await host.why(run)).status === "canceled");
        const problems = canceled ? [] : ["the run is not canceled while its attempt waits"];
        return (await waits()) ? [...problems, "an attempt is there to begin after the cancel"] : problems;
      }),
  },
  {
    rule: "DUR-late-answer",
    title: "keeps the late answer of a host that was stopped beyond its lease beside the closed log",
    run: (harness) =>
      HostBench.run(harness, async (bench) => {
        const late = gate();
        const script = async () => {
          await late.opened;
          return completed("late");
        };
        const first = await bench.host(script, undefined, { lease });
        const run = await first.host.start(unsafe, { input: null });
        await bench.eventually(() => bench.calls.length === 1);
        first.life.stall();
        const second = await bench.host(() => completed("second"));
        await bench.eventually(async () => (await second.host.why(run)).status === "needs-intervention");
        await second.host.resolve({
          run,
          requestId: "r1",
          decision: "complete",
          outcome: "ok",
          output: "decided",
        });
        const result = await second.host.result(run, bench.patience);
        late.open();
        first.life.resume();
        const peer = await bench.peer();
        const kept = await bench.eventually(async () => (await peer.notes(run)).length === 1);
        const problems = kept ? [] : ["the late answer of a closed run is lost"];
        return result.output === "decided" ? problems : [...problems, "a late answer overturns a resolution"];
      }),
  },
];
