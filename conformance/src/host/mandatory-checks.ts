/**
 * The eight failure tests that every implementation must pass which claims durable behaviour, each in the words of the
 * specification (Durability, 5). What they show of single rules the other checks show too; here each failure is played
 * from its beginning to its end, and what must hold afterwards is all that is asked.
 */

import type { Store } from "@swl/store-provider";
import { demandsConflict, foreignSignal } from "./acceptance-checks.js";
import { completed, eventOf, gate, HostBench, lease, type Opened, pause } from "./bench.js";
import type { HostCheck } from "./harness.js";
import { through } from "./mortal.js";
import { accepted, isAccepted } from "./operation-checks.js";
import { sameRevision } from "./race-check.js";
import { decision, deferred, single, unsafe, versioned } from "./workflows.js";

/** The event is in the log; the host that would apply it dies with the commit in its hands. */
const beforeTransition: CheckBody = async (bench) => {
  let armed = false;
  const first = await bench.host(
    () => completed(),
    (store) =>
      through(store, (name, call) => {
        if (armed && name === "append") first.life.kill();
        return call();
      }),
  );
  const run = await first.host.start(decision, { input: null });
  const peer = await bench.peer();
  armed = true;
  await peer.append([foreignSignal(run, "yes")]);
  if (!(await bench.eventually(() => first.life.dead))) return ["an accepted event is never applied"];
  const before = (await peer.head(run))!.position;
  const second = await bench.host(() => completed());
  const { status, output } = await second.host.result(run, bench.patience);
  const problems = (await peer.receipt(run, "yes"))?.position === before ? [] : ["its receipt is gone"];
  return output === "yes" ? problems : [...problems, `the event is lost: ${status}`];
};

/** The intent is in the log; the host dies before it has begun anything. */
const beforeDispatch: CheckBody = async (bench) => {
  const problems: string[] = [];
  for (const workflow of [single, unsafe]) {
    let opened: Opened | undefined;
    const dying = (store: Store): Store =>
      through(store, async (name, call) => {
        const answer = await call();
        if (name === "append") opened?.life.kill();
        return opened?.life.dead ? new Promise(() => undefined) : answer;
      });
    const first = await bench.host(() => completed("begun by a dead host"), dying, { lease });
    opened = first;
    void first.host.start(workflow, { input: null }).catch(() => undefined);
    await bench.eventually(() => first.life.dead);
    const calls = bench.calls.length;
    const second = await bench.host(() => completed("recovered"));
    const peer = await bench.peer();
    const run = (await peer.list()).items[0]?.stream ?? "none";
    if (workflow === unsafe) {
      await bench.eventually(async () => (await second.host.why(run)).status === "needs-intervention");
      if (bench.calls.length !== calls) problems.push("an unsafe intent of a dead host is begun by itself");
      await second.host.resolve({ run, requestId: "r1", decision: "retry" });
    }
    const { output } = await second.host.result(run, bench.patience);
    if (output !== "recovered") problems.push("a committed intent is not recovered");
    if (bench.calls.length !== calls + 1) problems.push("a recovered intent is begun more than once");
    await second.host.close();
  }
  return problems;
};

/** The effect is there; the host dies before it hears so. */
const lostAcknowledgement: CheckBody = async (bench) => {
  const problems: string[] = [];
  const never = new Promise<never>(() => undefined);
  const first = await bench.host(() => never, undefined, { lease });
  const safe = await first.host.start(single, { input: null });
  const charge = await first.host.start(unsafe, { input: null });
  await bench.eventually(() => bench.calls.length === 2);
  first.life.kill();
  const second = await bench.host(() => completed("again"));
  const { output } = await second.host.result(safe, bench.patience);
  const keys = new Set(bench.callsOf("work").map(({ idempotencyKey }) => idempotencyKey));
  if (output !== "again" || keys.size !== 1)
    problems.push("a repeatable effect is not repeated under its key");
  if (!(await bench.eventually(async () => (await second.host.why(charge)).status === "needs-intervention")))
    problems.push("an unsafe effect of unknown result does not wait for a decision");
  await second.host.resolve({
    run: charge,
    requestId: "r",
    decision: "complete",
    outcome: "ok",
    output: "found",
  });
  if ((await second.host.result(charge, bench.patience)).output !== "found")
    problems.push("the decision does not settle it");
  const times = bench.callsOf("charge").length;
  return times === 1 ? problems : [...problems, `an unsafe effect is there ${times} times`];
};

/** Everything comes twice, or from an attempt that is over, or with other words under a known ID. */
const duplicates: CheckBody = async (bench) => {
  const problems: string[] = [];
  const { host } = await bench.host(() => accepted);
  const waiting = await host.start(decision, { input: null });
  const event = { run: waiting, messageId: "m1", name: "other", payload: null } as const;
  const [once, twice] = [await host.signal(event), await host.signal(event)];
  if (!("position" in once && "position" in twice && once.position === twice.position))
    problems.push("one event counts twice");
  problems.push(...(await demandsConflict(() => host.signal({ ...event, payload: "other" }))));

  const operation = await host.start(deferred("unsafe"), { input: null });
  await isAccepted(bench, operation);
  const completion = { run: operation, messageId: "c1", handle: "op-1", outcome: "ok", output: 1 };
  await host.complete(completion);
  const again = await host.complete(completion);
  const other = await host
    .complete({ ...completion, messageId: "c2", output: 2 })
    .catch(() => ({ kind: "refused" }));
  if (!("repeated" in again && again.repeated)) problems.push("one completion counts twice");
  if ((await host.result(operation, bench.patience)).output !== 1)
    problems.push("a second completion counts");
  if (other.kind === "applied" && "effect" in other && other.effect === "moved")
    problems.push("a second completion moves a run that is over");
  await host.close();
  return [...problems, ...(await staleAttempt(bench))];
};

async function staleAttempt(bench: HostBench): Promise<readonly string[]> {
  const late = gate();
  const script = async () => {
    await late.opened;
    return completed("stale");
  };
  const { host, life } = await bench.host(script, undefined, { lease });
  const run = await host.start(single, { input: null });
  await bench.eventually(() => bench.calls.some((call) => call.run === run));
  life.stall();
  const fresh = gate();
  const second = await bench.host(async () => {
    await fresh.opened;
    return completed("fresh");
  });
  await bench.eventually(() => bench.calls.filter((call) => call.run === run).length === 2);
  life.resume();
  late.open();
  // The stale word is in the log, whatever it counts for, before there is another one.
  const peer = await bench.peer();
  await bench.eventually(async () =>
    (await peer.read(run)).some((record) => eventOf(record)?.type === "result"),
  );
  fresh.open();
  const { output } = await second.host.result(run, bench.patience);
  return output === "fresh" ? [] : ["the result of a stale attempt counts"];
}

/** The attempt ends when its host's lease has ended. */
const leaseExpiry: CheckBody = async (bench) => {
  const late = gate();
  const script = async () => {
    await late.opened;
    return completed("late");
  };
  const first = await bench.host(script, undefined, { lease });
  const run = await first.host.start(unsafe, { input: null });
  await bench.eventually(() => bench.calls.length === 1);
  const peer = await bench.peer();
  const owner = (await peer.head(run))?.owner ?? "none";
  first.life.stall();
  await pause(lease * 2);
  const problems: string[] = [];
  if ((await peer.renewHolder(owner, 60_000)).kind === "held") problems.push("a late heartbeat succeeds");
  const second = await bench.host(() => completed("second"));
  const parked = async () => (await second.host.why(run)).status === "needs-intervention";
  if (!(await bench.eventually(parked))) problems.push("nobody takes over what an ended lease had");
  await second.host.resolve({ run, requestId: "r", decision: "complete", outcome: "ok", output: "decided" });
  late.open();
  first.life.resume();
  await pause(lease);
  if ((await second.host.result(run, bench.patience)).output !== "decided")
    problems.push("an answer that came after the lease's end counts");
  return bench.calls.length === 1 ? problems : [...problems, "the effect is begun again"];
};

/** Somebody cancels while the operation's completion comes. */
const cancelRace: CheckBody = async (bench) => {
  const { host } = await bench.host(() => accepted);
  const problems: string[] = [];
  const orders = [true, false].flatMap((cancelFirst) =>
    [true, true, false].map((atOnce) => [cancelFirst, atOnce] as const),
  );
  for (const [cancelFirst, atOnce] of orders) {
    const run = await host.start(deferred("unsafe"), { input: null });
    await isAccepted(bench, run);
    const cancel = () => host.cancel({ run, requestId: "stop" });
    const done = { run, messageId: "done", handle: "op-1", outcome: "ok", output: "done" };
    const complete = () => host.complete(done);
    const [first, second] = cancelFirst ? [cancel, complete] : [complete, cancel];
    const one = first();
    // Where they race the host says who came first; where one waits for the other's acceptance it must be that one.
    if (!atOnce) await Promise.allSettled([one]);
    const answers = await Promise.allSettled([one, second()]);
    const at = answers.map((one) =>
      one.status === "fulfilled" && "position" in one.value ? one.value.position : Number.POSITIVE_INFINITY,
    );
    const [canceled, ended] = cancelFirst ? at : at.reverse();
    const { status, output } = await host.result(run, bench.patience);
    const expected = canceled! < ended! ? "canceled" : "completed";
    if (status !== expected) problems.push(`the run is ${status} although ${expected} came first`);
    if (status === "completed" && output !== "done") problems.push("its completion brought something else");
  }
  return problems;
};

/** Meanwhile there is a new definition of the same name. */
const pinned: CheckBody = async (bench) => {
  const first = await bench.host(() => completed());
  const run = await first.host.start(versioned("old"), { input: null });
  const before = (await first.host.control.status(run)).view?.definition;
  first.life.kill();
  const second = await bench.host(({ input }) => completed(input));
  await second.host.control.publish({ requestId: "p1", definition: versioned("new") });
  const other = await second.host.start(versioned("new"), { input: null });
  await second.host.signal({ run, messageId: "m1", name: "go" });
  await second.host.signal({ run: other, messageId: "m1", name: "go" });
  const [old, fresh] = [
    await second.host.result(run, bench.patience),
    await second.host.result(other, bench.patience),
  ];
  const inputs = bench.calls.filter((call) => call.run === run).map(({ input }) => input);
  const after = (await second.host.control.status(run)).view?.definition;
  return [
    ...(old.output === "old" && fresh.output === "new" ? [] : [`a run started as old ends as ${old.output}`]),
    ...(inputs.join() === "old" ? [] : [`its action is given ${inputs.join()}`]),
    ...(before === after ? [] : ["another definition is shown after the restart"]),
  ];
};

export const mandatoryChecks: readonly HostCheck[] = [
  mandatory(
    "DUR-acknowledged-kept",
    "Crash between event acceptance and transition commit",
    beforeTransition,
  ),
  mandatory("DUR-dispatch-after-commit", "Crash after committed intent but before dispatch", beforeDispatch),
  mandatory("DUR-takeover", "External effect succeeds but its acknowledgement is lost", lostAcknowledgement),
  mandatory(
    "DUR-receipts",
    "Duplicate event, duplicate completion, stale attempt and conflicting request body",
    duplicates,
  ),
  mandatory("DUR-lease", "Lease expiry racing with completion; late heartbeat must fail", leaseExpiry),
  mandatory("DUR-shared-runs", "Concurrent coordinator commits at the same revision", sameRevision),
  mandatory("DUR-completion", "Cancellation racing with deferred completion", cancelRace),
  mandatory("DUR-pinning", "Recovery after host restart with immutable pinned definition", pinned),
];

function mandatory(rule: string, title: string, body: CheckBody): HostCheck {
  return { rule, title, mandatory: title, run: (harness) => HostBench.run(harness, body) };
}

type CheckBody = (bench: HostBench) => Promise<readonly string[]>;
