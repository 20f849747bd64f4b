/**
 * What a host has accepted.
 *
 * 1. what was acknowledged survives the host's death (DUR-acknowledged-kept)
 * 2. accepted events are applied in the order of their positions (DUR-accepted-order)
 * 3. a lost answer is repaired by sending the same again (DUR-lost-answer)
 * 4. a start key gives one run (DUR-start-key)
 * 5. a request ID is applied once, and is a conflict with other content (DUR-receipts)
 * 6. what the state refuses is refused before acceptance and leaves no trace (DUR-refused-before-acceptance)
 * 7. commits of many runs share a batch, a lone one is not held back (DUR-group-commit)
 */
import { isSwlError, type Json, SwlError } from "@swl/base";
import { completed, HostBench } from "./bench.js";
import type { HostCheck } from "./harness.js";
import { through } from "./mortal.js";
import { decision, single } from "./workflows.js";

export const acceptanceChecks: readonly HostCheck[] = [
  {
    rule: "DUR-acknowledged-kept",
    title: "keeps a run and a signal that it acknowledged when it dies right after",
    run: (harness) =>
      HostBench.run(harness, async (bench) => {
        const short = await bench.host(() => completed());
        const started = await short.host.start(decision, { input: null });
        short.life.kill();
        if ((await (await bench.peer()).head(started)) === undefined) return ["a started run is lost"];
        const first = await bench.host(() => completed());
        const run = await first.host.start(decision, { input: null });
        const answer = await first.host.signal({
          run,
          messageId: "m1",
          name: "decide",
          outcome: "yes",
          payload: "kept",
        });
        first.life.kill();
        if (answer.kind === "refused") return ["refuses a signal that a waiter matches"];
        const second = await bench.host(() => completed());
        const result = await second.host.result(run, bench.patience);
        return result.output === "kept"
          ? []
          : [`ends with ${JSON.stringify(result.output)} instead of the signal's payload`];
      }),
  },
  {
    rule: "DUR-accepted-order",
    title: "applies two accepted decisions in the order of their positions",
    run: (harness) =>
      HostBench.run(harness, async (bench) => {
        const first = await bench.host(() => completed());
        const run = await first.host.start(decision, { input: null });
        first.life.kill();
        const peer = await bench.peer();
        for (const word of ["yes", "no"]) await peer.append([foreignSignal(run, word)]);
        const second = await bench.host(() => completed());
        const result = await second.host.result(run, bench.patience);
        return result.output === "yes" ? [] : ["a decision accepted later counts before an earlier one"];
      }),
  },
  {
    rule: "DUR-lost-answer",
    title: "sends the same commit again when an answer is lost",
    run: (harness) =>
      HostBench.run(harness, async (bench) => {
        let lost = 0;
        const { host } = await bench.host(
          () => completed("once"),
          (store) =>
            through(store, async (name, call) => {
              const answer = await call();
              if (name !== "append" || ++lost % 2 === 0) return answer;
              throw new SwlError("store.unknown-commit", "The answer was lost.", {
                details: { retry: "same" },
              });
            }),
        );
        const run = await host.start(single, { input: null });
        const result = await host.result(run, bench.patience);
        const calls = bench.callsOf("work").length;
        const problems = result.output === "once" ? [] : ["the run does not complete"];
        return calls === 1 ? problems : [...problems, `the action is begun ${calls} times`];
      }),
  },
  {
    rule: "DUR-start-key",
    title: "gives one run for one start key, and refuses other content under it",
    run: (harness) =>
      HostBench.run(harness, async (bench) => {
        const { host } = await bench.host(() => completed());
        const runs = await Promise.all(
          [1, 2, 3].map(() => host.start(decision, { input: 1, startKey: "order-1" })),
        );
        const problems = new Set(runs).size === 1 ? [] : ["one start key gives several runs"];
        return [
          ...problems,
          ...(await demandsConflict(() => host.start(decision, { input: 2, startKey: "order-1" }))),
        ];
      }),
  },
  {
    rule: "DUR-receipts",
    title: "answers a repeated request with its first receipt, and refuses other content under its ID",
    run: (harness) =>
      HostBench.run(harness, async (bench) => {
        const { host } = await bench.host(() => completed());
        const run = await host.start(decision, { input: null });
        const request = { run, messageId: "m1", name: "other", payload: null } as const;
        const first = await host.signal(request);
        const again = await host.signal(request);
        const problems: string[] = [];
        if (first.kind !== "applied" || again.kind !== "applied")
          problems.push("does not say what became of the signal");
        else if (!again.repeated || again.position !== first.position)
          problems.push("accepts one message twice");
        return [...problems, ...(await demandsConflict(() => host.signal({ ...request, payload: 1 })))];
      }),
  },
  {
    rule: "DUR-refused-before-acceptance",
    title: "refuses a resolution of a run that is not parked, and writes nothing",
    run: (harness) =>
      HostBench.run(harness, async (bench) => {
        const { host } = await bench.host(() => completed());
        const run = await host.start(decision, { input: null });
        const peer = await bench.peer();
        const before = (await peer.head(run))?.position;
        const answer = await host.resolve({ run, requestId: "r1", decision: "retry" });
        const after = (await peer.head(run))?.position;
        const problems = answer.kind === "refused" ? [] : [`says ${answer.kind} instead of refused`];
        if ((await peer.receipt(run, "r1")) !== undefined)
          problems.push("keeps a receipt of what it refused");
        return before === after ? problems : [...problems, "appends what it refused"];
      }),
  },
  {
    rule: "DUR-group-commit",
    title: "commits what arrives together in one batch, and a lone run at once",
    run: (harness) =>
      HostBench.run(harness, async (bench) => {
        const sizes: number[] = [];
        const { host } = await bench.host(
          () => completed(),
          (store) =>
            through(store, (name, call, given) => {
              if (name === "append") sizes.push((given[0] as readonly unknown[]).length);
              return call();
            }),
        );
        const runs = await Promise.all(
          Array.from({ length: 40 }, (_, index) => host.start(single, { input: index })),
        );
        await Promise.all(runs.map((run) => host.result(run, bench.patience)));
        const problems = sizes.length <= 20 ? [] : [`80 commits of 40 runs take ${sizes.length} batches`];
        sizes.length = 0;
        await host.result(await host.start(single, { input: null }), bench.patience);
        if (sizes.length === 2) return problems;
        return [...problems, `a lone run of two commits takes ${sizes.length} batches`];
      }),
  },
];

/** What somebody appends who serves nothing. */
export function foreignSignal(run: string, word: string) {
  const at = Date.now();
  const event: Json = {
    type: "signal",
    messageId: word,
    name: "decide",
    outcome: word,
    payload: word,
    id: word,
    at,
  };
  return {
    stream: run,
    commit: `request:${word}`,
    expect: "next",
    stamp: at,
    records: [{ kind: "event", document: { event } }],
    receipts: [{ scope: run, request: word, digest: word }],
  } as const;
}

export async function demandsConflict(act: () => Promise<unknown>): Promise<string[]> {
  try {
    await act();
    return ["takes other content under a known ID"];
  } catch (error) {
    return isSwlError(error) && error.code === "request.conflict"
      ? []
      : [`says ${String(error)} instead of request.conflict`];
  }
}
