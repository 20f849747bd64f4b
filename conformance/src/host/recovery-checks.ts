/**
 * How a host comes back, and what it never does.
 *
 * 1. a run goes on with the definition that it pinned (DUR-pinning)
 * 2. recovery is repeated while the store fails (DUR-recovery)
 * 3. a run that makes the engine fail is set aside, explained, and does not touch the others (DUR-quarantine)
 */
import { isSwlError, SwlError } from "@swl/base";
import { completed, HostBench, lease } from "./bench.js";
import type { HostCheck } from "./harness.js";
import { through } from "./mortal.js";
import { decision, single, versioned } from "./workflows.js";

export const recoveryChecks: readonly HostCheck[] = [
  {
    rule: "DUR-pinning",
    title: "finishes a run with the definition it was started with",
    run: (harness) =>
      HostBench.run(harness, async (bench) => {
        const first = await bench.host(() => completed());
        const run = await first.host.start(versioned("old"), { input: null });
        first.life.kill();
        const second = await bench.host(() => completed());
        await second.host.start(versioned("new"), { input: null });
        await second.host.signal({ run, messageId: "m1", name: "go" });
        const result = await second.host.result(run, bench.patience);
        return result.output === "old"
          ? []
          : [`a run started as old ends as ${JSON.stringify(result.output)}`];
      }),
  },
  {
    rule: "DUR-recovery",
    title: "recovers although the store fails at first at every call",
    run: (harness) =>
      HostBench.run(harness, async (bench) => {
        const first = await bench.host(() => new Promise(() => undefined), undefined, { lease });
        const run = await first.host.start(single, { input: null });
        await bench.eventually(() => bench.calls.length === 1);
        first.life.kill();
        const failed = new Map<string, number>();
        let opened = false;
        const second = await bench.host(
          () => completed("recovered"),
          (store) =>
            through(store, async (name, call) => {
              if (name === "openHolder") opened = true;
              const times = failed.get(name) ?? 0;
              if (!opened || name === "openHolder" || times >= 3) return call();
              failed.set(name, times + 1);
              throw new SwlError("store.unavailable", "The store is away.", { details: { retry: "same" } });
            }),
        );
        const ended = await bench.eventually(async () => {
          try {
            return (await second.host.result(run, bench.patience)).output === "recovered";
          } catch (error) {
            if (isSwlError(error) && error.code === "store.unavailable") return false;
            throw error;
          }
        });
        return ended ? [] : ["the run is never recovered"];
      }),
  },
  {
    rule: "DUR-quarantine",
    title: "sets a run aside whose stored state cannot be read, explains it, and serves the others",
    run: (harness) =>
      HostBench.run(harness, async (bench) => {
        const first = await bench.host(() => completed());
        const run = await first.host.start(decision, { input: null });
        const other = await first.host.start(decision, { input: null });
        first.life.kill();
        const peer = await bench.peer();
        const position = (await peer.head(run))!.position;
        const garbage = { commit: { head: { v: "not a state" } } };
        await peer.append([
          {
            stream: run,
            commit: "garbage",
            expect: position,
            stamp: Date.now(),
            applies: true,
            records: [{ kind: "applied", document: garbage }],
          },
        ]);
        const second = await bench.host(() => completed());
        for (const one of [run, other]) {
          await peer.append([signalTo(one)]);
        }
        await second.host.result(other, bench.patience);
        const held = await bench.eventually(async () => (await peer.head(run))?.hold === "quarantine");
        if (!held) return ["a run whose state cannot be read is not held"];
        const { blockers } = await second.host.why(run);
        return blockers.length > 0 ? [] : ["a quarantined run names no blocker"];
      }),
  },
];

function signalTo(run: string) {
  const at = Date.now();
  const event = {
    type: "signal",
    messageId: "m",
    name: "decide",
    outcome: "yes",
    payload: null,
    id: "m",
    at,
  };
  return {
    stream: run,
    commit: "request:m",
    expect: "next",
    stamp: at,
    records: [{ kind: "event", document: { event } }],
    receipts: [{ scope: run, request: "m", digest: "m" }],
  } as const;
}
