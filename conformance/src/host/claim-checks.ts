/**
 * What a host must not take for its own: an attempt that somebody has begun, words that are of another run or were used
 * before, a run that is over, work that it has no time left for.
 *
 * 1. a cancel takes back no attempt that somebody has begun: it waits for its end (DUR-withdraw)
 * 2. what is evidence for a parked run is adopted once (DUR-adoption)
 * 3. a completion counts for the run whose operation it names, and for no other (DUR-completion)
 * 4. what a host that is being closed brings about is for others to begin (DUR-drain)
 * 5. who hears late that a run was closed begins nothing more of it (DUR-terminate)
 */
import type { Json, JsonObject } from "@swl/base";
import type { ProviderAnswer } from "@swl/invocation-control";
import type { Store } from "@swl/store-provider";
import { completed, eventOf, gate, HostBench, pause } from "./bench.js";
import type { HostCheck } from "./harness.js";
import { deaf } from "./operator-checks.js";
import { deferred, fast, single, twoSteps } from "./workflows.js";

const error = { code: "busy", message: "Try again.", details: null };
const unknown: ProviderAnswer = { kind: "unknown", reason: "crash" };

/** Types of the events in a run's log. */
async function typesOf(peer: Store, run: string): Promise<readonly string[]> {
  return (await peer.read(run)).flatMap((record) => eventOf(record)?.type ?? []);
}

const claimedWithdraw: CheckBody = async (bench) => {
  const ends = gate();
  // The second attempt is claimed in the store, and under way.
  const first = await bench.host(async ({ attempt }) => {
    if (attempt === 1) return { kind: "failed", retryable: true, error };
    await ends.opened;
    return completed("done all the same");
  });
  const run = await first.host.start(single, { input: null });
  if (!(await bench.eventually(() => bench.calls.length === 2))) return ["what may be tried again is not"];
  const second = await bench.host(() => completed("the other one"));
  await second.host.cancel({ run, requestId: "c1" });
  const peer = await bench.peer();
  const applied = async () =>
    (await typesOf(peer, run)).includes("cancel") && (await peer.unapplied(1)).length === 0;
  const problems = (await bench.eventually(applied)) ? [] : ["the cancel is never applied"];
  if ((await peer.head(run))?.closed === true) problems.push("the run is over while an attempt is under way");
  ends.open();
  const { status } = await second.host.result(run, bench.patience);
  const types = await typesOf(peer, run);
  return [
    ...problems,
    ...(status === "canceled" ? [] : [`the run ends as ${status}`]),
    ...(types.includes("withdrawn") ? ["an attempt that was begun is said never to have begun"] : []),
    ...(types.includes("result") ? [] : ["what came of the attempt is not in the log"]),
  ];
};

/** An operation that may be tried three times, if its provider says that nothing was begun. */
function repeatable(): Json {
  const base = deferred("unsafe") as JsonObject;
  const { work } = base["actions"] as { readonly work: JsonObject };
  return { ...base, actions: { work: { ...work, retry: { ...fast, maxAttempts: 3 } } } };
}

const adoption: CheckBody = async (bench) => {
  const { host } = await bench.host(() => unknown);
  const run = await host.start(repeatable(), { input: null });
  const parked = async () => (await host.why(run)).status === "needs-intervention";
  if (!(await bench.eventually(parked))) return ["an unsafe attempt of unknown result does not park"];
  const { invocation } = bench.calls[0]!;
  await host.complete({ run, messageId: "m1", invocation, error, retryable: true });
  // Adopted it authorizes the second attempt; of that nobody knows anything either.
  if (!(await bench.eventually(() => bench.calls.length === 2))) return ["evidence is not adopted"];
  await bench.eventually(async () => bench.calls.length > 2 || (await parked()));
  if (bench.calls.length > 2) return ["what one word authorized once is begun again and again"];
  await host.resolve({ run, requestId: "r1", decision: "complete", outcome: "ok", output: "decided" });
  const { output } = await host.result(run, bench.patience);
  const used = (await (await bench.peer()).read(run)).flatMap(
    (record) => eventOf(record)?.["fromEvidence"] ?? [],
  );
  return [
    ...(output === "decided" ? [] : ["a person's decision does not count"]),
    ...(used.length === 1 ? [] : [`evidence is adopted ${used.length} times`]),
    ...(bench.calls.length === 2 ? [] : [`an unsafe action is begun ${bench.calls.length} times`]),
  ];
};

const strangeHandle: CheckBody = async (bench) => {
  const { host } = await bench.host(({ run }) => ({ kind: "accepted", handle: `op-of-${run}` }));
  const runs = [
    await host.start(deferred("unsafe"), { input: 1 }),
    await host.start(deferred("unsafe"), { input: 2 }),
  ];
  const [one, other] = runs as [string, string];
  const peer = await bench.peer();
  const accepted = async (run: string) => (await typesOf(peer, run)).includes("accepted");
  for (const run of runs) {
    if (!(await bench.eventually(() => accepted(run)))) return ["accepted work is not committed"];
  }
  const invocation = bench.calls.find((call) => call.run === other)!.invocation;
  const wrong = { run: one, outcome: "ok", output: "of another run" };
  const answers = [
    await host.complete({ ...wrong, messageId: "m1", handle: `op-of-${other}` }),
    await host.complete({ ...wrong, messageId: "m2", invocation }),
  ];
  const problems = answers.every(({ kind }) => kind === "refused")
    ? []
    : [`a completion of another run's operation is ${answers.map(({ kind }) => kind).join(", ")}`];
  for (const run of runs) {
    const right = { run, messageId: "m3", handle: `op-of-${run}`, outcome: "ok", output: run };
    await host.complete(right).catch(() => undefined);
    const { output } = await host.result(run, bench.patience);
    if (output !== run) problems.push("a run ends with what was said of another one");
  }
  return problems;
};

const drainingBirth: CheckBody = async (bench) => {
  const ends = gate();
  const first = await bench.host(async ({ action }) => {
    if (action === "first") await ends.opened;
    return completed("the one that leaves");
  });
  const run = await first.host.start(twoSteps, { input: null });
  await bench.eventually(() => bench.calls.length === 1);
  const second = await bench.host(() => completed("the one that stays"));
  const leaving = first.host.close(bench.patience);
  ends.open();
  const { output } = await second.host.result(run, bench.patience);
  await leaving;
  return [
    ...(output === "the one that stays" ? [] : ["a host that is being closed begins what comes next"]),
    ...(bench.calls.length === 2 ? [] : [`two steps are begun ${bench.calls.length} times`]),
  ];
};

const closedBehind: CheckBody = async (bench) => {
  const ends = gate();
  const script = async () => {
    await ends.opened;
    return completed();
  };
  // It does not hear that the run was closed, and learns it from the store's answer to its commit.
  const first = await bench.host(script, deaf);
  const run = await first.host.start(twoSteps, { input: null });
  await bench.eventually(() => bench.calls.length === 1);
  const second = await bench.host(() => completed());
  await second.host.terminate({ run, requestId: "t1" });
  const peer = await bench.peer();
  if (!(await bench.eventually(async () => (await peer.head(run))?.closed === true)))
    return ["the run is not closed"];
  const last = (await peer.head(run))?.position;
  ends.open();
  const kept = async () => (await peer.notes(run)).length > 0 || bench.callsOf("second").length > 0;
  const problems = (await bench.eventually(kept)) ? [] : ["what came after the end is lost"];
  await pause(20);
  const { status } = await second.host.result(run, bench.patience);
  return [
    ...problems,
    ...(bench.callsOf("second").length === 0 ? [] : ["a run goes on after its end"]),
    ...((await peer.head(run))?.position === last ? [] : ["something is in its log after the end"]),
    ...(status === "canceled" ? [] : [`it ends as ${status}`]),
  ];
};

export const claimChecks: readonly HostCheck[] = [
  check("DUR-withdraw", "takes back no attempt that somebody has begun", claimedWithdraw),
  check("DUR-adoption", "adopts the evidence for a parked run once", adoption),
  check("DUR-completion", "counts a completion for the run that its operation is of", strangeHandle),
  check("DUR-drain", "leaves what it brings about while it is closed to others", drainingBirth),
  check("DUR-terminate", "begins nothing more of a run that was closed behind its back", closedBehind),
];

type CheckBody = (bench: HostBench) => Promise<readonly string[]>;

function check(rule: string, title: string, body: CheckBody): HostCheck {
  return { rule, title, run: (harness) => HostBench.run(harness, body) };
}
