/**
 * Operations that outlive the attempt which began them, and the host.
 *
 * 1. accepted work is waited for by nobody in particular and never begun again (DUR-accepted)
 * 2. a completion is applied once, whenever it comes, and one of no operation harms nobody (DUR-completion)
 * 3. a question is put until it is answered, by whoever serves the store (DUR-inspect)
 * 4. so is a request to stop; that it was heard settles nothing (DUR-cancel-request)
 */
import type { CancelAnswer, InspectAnswer, Provider, ProviderAnswer } from "@swl/invocation-control";
import { completed, eventOf, HostBench, lease, pause } from "./bench.js";
import type { HostCheck } from "./harness.js";
import { deferred } from "./workflows.js";

export const accepted: ProviderAnswer = { kind: "accepted", handle: "op-1" };
const unknown: ProviderAnswer = { kind: "unknown", reason: "crash" };
const never = (): Promise<never> => new Promise(() => undefined);

/** The scripted provider, which can also be asked. */
function asked(
  bench: HostBench,
  answer: ProviderAnswer,
  more: { readonly inspect?: () => Promise<InspectAnswer>; readonly cancel?: () => Promise<CancelAnswer> },
): Provider {
  return { ...bench.provider(() => answer), ...more };
}

export async function isAccepted(bench: HostBench, run: string): Promise<boolean> {
  const peer = await bench.peer();
  return bench.eventually(async () => {
    const [newest] = (await peer.load(run))?.tail ?? [];
    return eventOf(newest)?.type === "accepted" && (await peer.head(run))?.owner === undefined;
  });
}

export const operationChecks: readonly HostCheck[] = [
  {
    rule: "DUR-accepted",
    title: "waits for accepted work through the death of its host, and never begins it again",
    run: (harness) =>
      HostBench.run(harness, async (bench) => {
        const first = await bench.host(() => accepted);
        const run = await first.host.start(deferred("idempotent"), { input: null });
        if (!(await isAccepted(bench, run))) return ["accepted work stays claimed, or is not committed"];
        first.life.kill();
        const second = await bench.host(() => completed("begun again"));
        await pause(500);
        await second.host.complete({ run, messageId: "m1", handle: "op-1", outcome: "ok", output: "later" });
        const result = await second.host.result(run, bench.patience);
        const problems = result.output === "later" ? [] : ["the run does not end with its completion"];
        return bench.calls.length === 1 ? problems : [...problems, "accepted work is begun again"];
      }),
  },
  {
    rule: "DUR-completion",
    title: "takes a completion once, and refuses that of an operation which the run never had",
    run: (harness) =>
      HostBench.run(harness, async (bench) => {
        const { host } = await bench.host(() => accepted);
        const run = await host.start(deferred("unsafe"), { input: null });
        await isAccepted(bench, run);
        const invocation = bench.calls[0]!.invocation;
        const stranger = await host.complete({
          run,
          messageId: "m0",
          invocation: `${invocation}9`,
          outcome: "ok",
        });
        const completion = { run, messageId: "m1", invocation, handle: "op-1", outcome: "ok", output: 1 };
        const first = await host.complete(completion);
        const again = await host.complete(completion);
        const result = await host.result(run, bench.patience);
        return [
          ...(stranger.kind === "refused" ? [] : ["takes the completion of an operation that never was"]),
          ...("position" in first && "position" in again && first.position === again.position
            ? []
            : ["takes one completion twice"]),
          ...(result.output === 1 ? [] : ["the run does not end with its completion"]),
        ];
      }),
  },
  {
    rule: "DUR-inspect",
    title: "asks what became of unknown work until somebody tells, also after the host that asked died",
    run: (harness) =>
      HostBench.run(harness, async (bench) => {
        let questions = 0;
        const dying = async (): Promise<InspectAnswer> => {
          questions++;
          return never();
        };
        const first = await bench.host(() => unknown, undefined, {
          lease,
          provider: asked(bench, unknown, { inspect: dying }),
        });
        const run = await first.host.start(deferred("reconcilable"), { input: null });
        if (!(await bench.eventually(() => questions === 1))) return ["the provider is not asked"];
        first.life.kill();
        const found = async (): Promise<InspectAnswer> => {
          if (++questions === 2) throw new TypeError("no route");
          return { kind: "completed", outcome: "ok", output: "found" };
        };
        const second = await bench.host(() => unknown, undefined, {
          provider: asked(bench, completed("begun again"), { inspect: found }),
        });
        const result = await second.host.result(run, bench.patience);
        const problems = result.output === "found" ? [] : ["the provider's answer does not settle the work"];
        return bench.calls.length === 1
          ? problems
          : [...problems, "work that can be asked about is begun again"];
      }),
  },
  {
    rule: "DUR-cancel-request",
    title: "asks a provider to stop until it has heard, also after the host that asked died",
    run: (harness) =>
      HostBench.run(harness, async (bench) => {
        let requests = 0;
        const cancel = async (): Promise<CancelAnswer> => {
          requests++;
          return requests === 1 ? never() : { kind: "acknowledged" };
        };
        const setting = { provider: asked(bench, accepted, { cancel }) };
        const first = await bench.host(() => accepted, undefined, { ...setting, lease });
        const run = await first.host.start(deferred("unsafe", true), { input: null });
        await isAccepted(bench, run);
        await first.host.cancel({ run, requestId: "c1" });
        if (!(await bench.eventually(() => requests === 1))) return ["the provider is not asked to stop"];
        first.life.kill();
        const second = await bench.host(() => accepted, undefined, setting);
        const problems = (await bench.eventually(() => requests === 2))
          ? []
          : ["nobody asks again when the host that asked has died"];
        await pause(200);
        if ((await second.host.why(run)).status === "canceled")
          problems.push("an acknowledgement is taken for the end");
        await second.host.complete({ run, messageId: "m1", handle: "op-1", outcome: "ok" });
        const { status } = await second.host.result(run, bench.patience);
        return status === "canceled" ? problems : [...problems, `the run ends as ${status}`];
      }),
  },
];
