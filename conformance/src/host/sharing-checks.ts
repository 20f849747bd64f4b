/**
 * Several hosts on one store.
 *
 * 1. what comes for a run that a live host has in hand is left to that host (DUR-shared-runs)
 * 2. a host whose lease ran out begins nothing of what it had committed (DUR-lease)
 * 3. an exclusive host is let in only when no other lease runs (DUR-exclusive)
 * 4. with every wake-up lost the hosts find the same (DUR-wake-ups)
 * 5. a host that leaves lets what is under way end and leaves the rest to the others (DUR-drain)
 * 6. runs that are over go when their time has come, and no others (DUR-retention)
 */
import { isSwlError } from "@swl/base";
import type { Store } from "@swl/store-provider";
import { completed, eventually, gate, HostBench, lease, pause, type Script } from "./bench.js";
import type { HostCheck } from "./harness.js";
import { through } from "./mortal.js";
import { decision, limited, single, unsafe } from "./workflows.js";

export const sharingChecks: readonly HostCheck[] = [
  {
    rule: "DUR-shared-runs",
    title: "leaves the deadline of an attempt to the live host that has it under way",
    run: (harness) =>
      HostBench.run(harness, async (bench) => {
        let stopped = false;
        let looks = 0;
        const late = performance.now() + bench.patience / 3;
        // The owner is slow to look for deadlines: somebody else who looks has found this one, and looked again, before.
        const slow = (store: Store): Store =>
          through(store, (name, call) =>
            name === "due" && looks < 3 && performance.now() < late ? Promise.resolve([]) : call(),
          );
        const counting = (store: Store): Store =>
          through(store, async (name, call) => {
            const answer = await call();
            if (name === "due" && (answer as readonly unknown[]).length > 0) looks++;
            return answer;
          });
        const owner = await bench.host(async (_call, signal) => {
          await Promise.race([
            pause(bench.patience),
            new Promise((end) => signal.addEventListener("abort", end)),
          ]);
          stopped = signal.aborted;
          return completed();
        }, slow);
        await bench.host(() => completed("the other one"), counting);
        await owner.host.start(limited, { input: null });
        return (await bench.eventually(() => stopped))
          ? []
          : ["another host decides about an attempt that a live one has under way, which is never told"];
      }),
  },
  {
    rule: "DUR-lease",
    title: "begins nothing that it committed under a lease which has run out since",
    run: (harness) =>
      HostBench.run(harness, async (bench) => {
        const held = gate();
        let holding = true;
        // Its commit arrives; it hears of that, and of its lease, when another host has long taken over.
        const first = await bench.host(
          () => completed("first"),
          (store) =>
            through(store, async (name, call) => {
              if (holding && name === "renewHolder") await held.opened;
              const answer = await call();
              if (holding && name === "append") await held.opened;
              return answer;
            }),
          { lease },
        );
        const starting = first.host.start(unsafe, { input: null });
        const peer = await bench.peer();
        await bench.eventually(async () => (await peer.list()).items.length === 1);
        const second = await bench.host(() => completed("second"));
        const [stream] = (await peer.list()).items;
        const run = stream?.stream ?? "none";
        const parked = await bench.eventually(
          async () => (await second.host.why(run)).status === "needs-intervention",
        );
        holding = false;
        held.open();
        await starting;
        // Whatever it begins of that, it has begun before it has done this.
        const next = await first.host.start(single, { input: null });
        await first.host.result(next, bench.patience);
        const problems = parked ? [] : ["an attempt of a host whose lease ran out is not taken over"];
        return bench.calls.every((call) => call.run !== run)
          ? problems
          : [...problems, "an attempt begins that another host has already declared unknown"];
      }),
  },
  {
    rule: "DUR-exclusive",
    title: "refuses an exclusive host while another one's lease runs, and lets it in afterwards",
    run: (harness) =>
      HostBench.run(harness, async (bench) => {
        const first = await bench.host(() => completed(), undefined, { lease });
        await pause(lease * 2);
        const isLetIn = async (): Promise<boolean> => {
          try {
            await bench.host(() => completed(), undefined, { exclusive: true });
            return true;
          } catch (error) {
            if (!isSwlError(error) || error.code !== "store.host-active") throw error;
            return false;
          }
        };
        const problems = (await isLetIn())
          ? ["two hosts serve one store although one asked to be alone"]
          : [];
        first.life.kill();
        return (await bench.eventually(isLetIn)) ? problems : [...problems, "it is never let in"];
      }),
  },
  {
    rule: "DUR-wake-ups",
    title: "finds an event that somebody else accepted with every wake-up lost",
    run: (harness) =>
      HostBench.run(harness, async (bench) => {
        const deaf = (store: Store): Store =>
          new Proxy(store, {
            get: (target, name) =>
              name === "watch" ? () => () => undefined : (Reflect.get(target, name) as unknown),
          });
        const first = await bench.host(() => completed(), deaf);
        const run = await first.host.start(decision, { input: null });
        // Longer than anything that a busy host would still look for.
        await pause(600);
        const peer = await bench.peer();
        const at = await peer.now();
        const event = { type: "signal", messageId: "m", name: "decide", outcome: "yes", payload: "heard" };
        await peer.append([
          {
            stream: run,
            commit: "request:m",
            expect: "next",
            stamp: at,
            records: [{ kind: "event", document: { event: { ...event, id: "m", at } } }],
            receipts: [{ scope: run, request: "m", digest: "m" }],
          },
        ]);
        const ended = await bench.eventually(async () => (await peer.head(run))?.closed === true);
        return ended ? [] : ["an event of which no wake-up tells is never applied"];
      }),
  },
  {
    rule: "DUR-drain",
    title: "leaves a store that others go on serving without parking anything",
    run: (harness) =>
      HostBench.run(harness, async (bench) => {
        // Told to stop it breaks off, and nobody knows what became of it.
        const ends = gate();
        let stopped = false;
        const work: Script = async (_call, signal) => {
          await Promise.race([ends.opened, new Promise((end) => signal.addEventListener("abort", end))]);
          stopped ||= signal.aborted;
          return signal.aborted ? { kind: "unknown", reason: "crash" } : completed();
        };
        const first = await bench.host(work);
        const second = await bench.host(work);
        const runs: string[] = [];
        for (let count = 0; count < 6; count++) {
          runs.push(await first.host.start(unsafe, { input: null }));
        }
        const leaving = first.host.close(bench.patience);
        await eventually(() => stopped, 1_000);
        ends.open();
        await leaving;
        const problems: string[] = [];
        for (const run of runs) {
          if (problems.length > 0) break;
          const { status } = await second.host.result(run, bench.patience).catch(() => second.host.why(run));
          if (status !== "completed") problems.push(`a run stands as ${status} after its host left`);
        }
        const keys = new Set(bench.calls.map((call) => call.idempotencyKey));
        return keys.size === bench.calls.length ? problems : [...problems, "an attempt is made twice"];
      }),
  },
  {
    rule: "DUR-retention",
    title: "removes a run some time after its end, and keeps one that waits",
    run: (harness) =>
      HostBench.run(harness, async (bench) => {
        const { host } = await bench.host(() => completed(), undefined, { closedRuns: 100 });
        const waiting = await host.start(decision, { input: null });
        const ended = await host.start(single, { input: null });
        await host.result(ended, bench.patience);
        const peer = await bench.peer();
        const gone = await bench.eventually(async () => (await peer.head(ended)) === undefined);
        const kept = (await peer.head(waiting)) !== undefined;
        return [
          ...(gone ? [] : ["a run that ended long ago is still there"]),
          ...(kept ? [] : ["a run that waits is removed"]),
        ];
      }),
  },
];
