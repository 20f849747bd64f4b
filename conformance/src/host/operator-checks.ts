/**
 * What an operator does to a run beside its model, and what a sender is promised of an update.
 *
 * 1. a run is closed at once, whatever it does, and nothing begins any more (DUR-terminate)
 * 2. a quarantine is lifted, and what was said meanwhile counts (DUR-release)
 * 3. an update is applied where it is waited for, and else refused and never kept (DUR-update)
 */
import type { Store } from "@swl/store-provider";
import { completed, gate, HostBench, type Opened, pause, type Script } from "./bench.js";
import type { HostCheck } from "./harness.js";
import { through } from "./mortal.js";
import { decision, deferred, single, tracked, unsafe } from "./workflows.js";

/** Statuses of the transition table, each with how a run gets there. */
const statuses: readonly {
  readonly status: string;
  readonly script: Script;
  reach(opened: Opened, bench: HostBench): Promise<string>;
}[] = [
  {
    status: "R-s",
    script: () => new Promise(() => undefined),
    reach: async ({ host }, bench) => {
      const run = await host.start(unsafe, { input: null });
      await bench.eventually(() => bench.calls.length === 1);
      return run;
    },
  },
  { status: "R-a", script: () => ({ kind: "accepted", handle: "op-1" }), reach: acceptedRun },
  {
    status: "W",
    script: () => completed(),
    reach: ({ host }) => host.start(decision, { input: null }),
  },
  {
    status: "N",
    script: () => ({ kind: "unknown", reason: "crash" }),
    reach: async ({ host }, bench) => {
      const run = await host.start(unsafe, { input: null });
      await bench.eventually(async () => (await host.why(run)).status === "needs-intervention");
      return run;
    },
  },
  {
    status: "C",
    script: () => ({ kind: "accepted", handle: "op-1" }),
    reach: async (opened, bench) => {
      const run = await acceptedRun(opened, bench);
      await opened.host.cancel({ run, requestId: "c1" });
      return run;
    },
  },
  { status: "created", script: () => completed(), reach: unserved },
];

async function acceptedRun({ host }: Opened, bench: HostBench): Promise<string> {
  const run = await host.start(deferred("unsafe"), { input: null });
  const peer = await bench.peer();
  await bench.eventually(async () => (await peer.head(run))?.owner === undefined && bench.calls.length === 1);
  return run;
}

/** A run that somebody created and no host has looked at. */
async function unserved({ host }: Opened, bench: HostBench): Promise<string> {
  const served = await host.start(decision, { input: null });
  const peer = await bench.peer();
  const [first] = await peer.read(served, { limit: 1 });
  const facets = (await peer.head(served))!.facets;
  const record = { kind: "created", document: first!.document };
  await peer.append([
    { stream: "run-nobody-served", commit: "c", expect: 0, stamp: Date.now(), records: [record], facets },
  ]);
  return "run-nobody-served";
}

/** A host that hears of nothing by itself. */
export const deaf = (store: Store): Store =>
  new Proxy(
    through(store, (name, call) => (name === "unapplied" ? Promise.resolve([]) : call())),
    {
      get: (target, name) =>
        name === "watch" ? () => () => undefined : (Reflect.get(target, name) as unknown),
    },
  );

export const operatorChecks: readonly HostCheck[] = [
  {
    rule: "DUR-terminate",
    title: "closes a run at once in every status, and a quarantined one, and none that is over",
    async run(harness) {
      const problems: string[] = [];
      for (const { status, script, reach } of statuses) {
        const found = await HostBench.run(harness, async (bench) => {
          const opened = await bench.host(script, status === "created" ? deaf : undefined);
          const run = await reach(opened, bench);
          const terminated = opened.host.terminate({ run, requestId: "t1" });
          const answer = await Promise.race([terminated, pause(bench.patience)]);
          if (answer === undefined) {
            terminated.catch(() => undefined);
            return ["it is never answered"];
          }
          const result = await opened.host.result(run, bench.patience);
          const again = await opened.host.terminate({ run, requestId: "t2" });
          const calls = bench.calls.length;
          const shown = await opened.host.status(run);
          const underWay = shown.view?.outstanding.some(({ kind }) => kind === "invoke") === true;
          await pause(50);
          return [
            ...(answer.kind === "refused" ? ["it is refused"] : []),
            ...(again.kind === "refused" && again.code === "event.too-late" ? [] : ["it ends twice"]),
            ...(result.status === "canceled" ? [] : [`it ends as ${result.status}`]),
            ...(shown.status === "canceled" && (shown.view?.status ?? "canceled") === "canceled"
              ? []
              : [`it is shown as ${shown.status}`]),
            ...(underWay === ["R-s", "R-a", "C"].includes(status)
              ? []
              : ["what it had under way is not shown"]),
            ...(bench.calls.length === calls ? [] : ["something begins after it"]),
          ];
        });
        problems.push(...found.map((problem) => `${status}: ${problem}`));
        if (problems.length > 0) return problems;
      }
      return [...problems, ...(await terminatedQuarantine(harness))];
    },
  },
  {
    rule: "DUR-release",
    title: "goes on with a run whose quarantine is lifted, with what was answered meanwhile",
    run: (harness) =>
      HostBench.run(harness, async (bench) => {
        const answer = gate();
        const { host } = await bench.host(async () => {
          await answer.opened;
          return completed("meanwhile");
        });
        const run = await host.start(unsafe, { input: null });
        await bench.eventually(() => bench.calls.length === 1);
        await hold(bench, run);
        answer.open();
        const peer = await bench.peer();
        if (!(await bench.eventually(async () => (await peer.notes(run)).length === 1)))
          return ["what is answered for a quarantined run is lost"];
        const released = await host.release({ run, requestId: "r1" });
        if (released.kind === "refused") return [`a quarantine cannot be lifted: ${released.code}`];
        const result = await host.result(run, bench.patience);
        const problems = result.output === "meanwhile" ? [] : ["what was answered meanwhile does not count"];
        const twice = await host.release({ run, requestId: "r2" });
        return twice.kind === "refused" ? problems : [...problems, "what is not held can be released"];
      }),
  },
  {
    rule: "DUR-update",
    title: "applies an update where it is waited for, refuses it elsewhere, and keeps none",
    run: (harness) =>
      HostBench.run(harness, async (bench) => {
        const { host } = await bench.host(() => completed());
        const run = await host.start(tracked, { input: null });
        const update = { run, requestId: "u1", name: "other", outcome: "yes", payload: "a" };
        const elsewhere = await host.update(update);
        const applied = await host.update({ ...update, requestId: "u2", name: "decide" });
        const result = await host.result(run, bench.patience);
        return [
          ...(elsewhere.kind === "refused" ? [] : [`an update that nobody waits for is ${elsewhere.kind}`]),
          ...(applied.kind === "applied" || applied.kind === "finished" ? [] : ["it is not applied"]),
          ...(result.output === "a" ? [] : ["its payload is not what the waiter gets"]),
        ];
      }),
  },
];

async function terminatedQuarantine(harness: Parameters<HostCheck["run"]>[0]): Promise<readonly string[]> {
  const found = await HostBench.run(harness, async (bench) => {
    const { host } = await bench.host(() => completed());
    const run = await host.start(decision, { input: null });
    const other = await host.start(single, { input: null });
    await host.result(other, bench.patience);
    await hold(bench, run);
    await host.terminate({ run, requestId: "t1" });
    const result = await host.result(run, bench.patience);
    const over = await host.terminate({ run: other, requestId: "t2" });
    return [
      ...(result.status === "canceled" ? [] : [`quarantined: it ends as ${result.status}`]),
      ...(over.kind === "refused" && over.code === "event.too-late" ? [] : ["T: it is not refused"]),
    ];
  });
  return found;
}

/** Sets the run aside, as a host does that cannot go on with it. */
export async function hold(bench: HostBench, run: string): Promise<void> {
  const peer = await bench.peer();
  await bench.eventually(async () => {
    const { position } = (await peer.head(run))!;
    const document = { hold: "quarantine", code: "host.quarantined", message: "for this check" };
    const [answer] = await peer.append([
      {
        stream: run,
        commit: `hold-${position}`,
        expect: position,
        stamp: Date.now(),
        records: [{ kind: "hold", document }],
        hold: "quarantine",
      },
    ]);
    return answer?.kind === "accepted";
  });
}
