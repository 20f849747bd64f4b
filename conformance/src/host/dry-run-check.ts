/**
 * Every operation that changes something can be asked what it would do: it is said, and nothing happens. Spec: INV-dry-run.
 */
import { isJsonObject } from "@swl/base";
import type { ControlService } from "@swl/invocation-control";
import type { Store } from "@swl/store-provider";
import type { HostBench } from "./bench.js";
import type { HostCheck } from "./harness.js";
import { hold } from "./operator-checks.js";
import { check, failing, statusIs, unless } from "./service-checks.js";
import { decision, deferred, single, tracked, unsafe } from "./workflows.js";

type Dry = Awaited<ReturnType<ControlService["dryRun"]>>;

export const dryRunCheck: HostCheck = check(
  "INV-dry-run",
  "says what every operation would do, and nothing happens",
  async (bench) => {
    const { control, ...runs } = await standing(bench);
    const peer = await bench.peer();
    const before = await bytesOf(peer);
    const problems = [...(await ofRuns(control, runs)), ...(await ofNewOnes(control, runs.failed))];
    return [...problems, ...unless((await bytesOf(peer)) === before, "something was written")];
  },
);

interface Runs {
  readonly waits: string;
  readonly updated: string;
  readonly parked: string;
  readonly accepted: string;
  readonly failed: string;
  readonly held: string;
}

/** One run in each place where some operation is of use. */
async function standing(bench: HostBench): Promise<Runs & { readonly control: ControlService }> {
  const { host } = await bench.host(({ action, input }) => {
    if (input === "later") return { kind: "accepted", handle: "op" };
    return action === "work" ? failing() : { kind: "unknown", reason: "crash" };
  });
  const { control } = host;
  const runs = {
    waits: await host.start(decision, { input: null }),
    updated: await host.start(tracked, { input: null }),
    parked: await host.start(unsafe, { input: null }),
    accepted: await host.start(deferred("unsafe"), { input: "later" }),
    failed: await host.start(single, { input: "in" }),
    held: await host.start(decision, { input: null }),
  };
  await statusIs(bench, control, runs.parked, "needs-intervention");
  await bench.eventually(async () => {
    const { blockers } = await control.why(runs.accepted);
    return blockers.some(({ options }) => options.some((verb) => verb.startsWith("complete")));
  });
  await host.result(runs.failed, bench.patience);
  await hold(bench, runs.held);
  return { control, ...runs };
}

/** Of each operation on a run, as it should be, and of some as they should not. */
async function ofRuns(control: ControlService, runs: Runs): Promise<readonly string[]> {
  const { waits, updated, parked, accepted, held } = runs;
  const signal = { run: waits, name: "decide" };
  const update = { run: updated, requestId: "u", name: "decide", outcome: "yes" };
  const complete = { run: accepted, outcome: "ok" };
  const retry = await control.dryRun("resolve", { run: parked, requestId: "r", decision: "retry" });
  return [
    ...says(
      await control.dryRun("signal", { ...signal, messageId: "m1", outcome: "yes" }),
      "moved completed",
    ),
    ...says(
      await control.dryRun("signal", { ...signal, messageId: "m2", outcome: "else" }),
      "refused signal.outcome-unrouted",
    ),
    ...says(await control.dryRun("update", update), "moved completed"),
    ...says(
      await control.dryRun("complete", { ...complete, messageId: "m1", handle: "op" }),
      "moved completed",
    ),
    ...says(
      await control.dryRun("complete", { ...complete, messageId: "m2", handle: "other" }),
      "refused operation.unknown",
    ),
    ...says(await control.dryRun("cancel", { run: waits, requestId: "c" }), "moved canceled"),
    ...says(await control.dryRun("terminate", { run: waits, requestId: "t" }), "moved canceled"),
    ...says(await control.dryRun("release", { run: held, requestId: "h1" }), "moved waiting"),
    ...says(await control.dryRun("release", { run: waits, requestId: "h2" }), "refused run.not-held"),
    ...authorizes(retry, 1),
  ];
}

/** Of those that make something new. */
async function ofNewOnes(control: ControlService, failed: string): Promise<readonly string[]> {
  const redrive = await control.dryRun("redrive", { run: failed, requestId: "d" });
  const start = await control.dryRun("start", { definition: single, input: 1 });
  const publish = await control.dryRun("publish", { definition: single, requestId: "p" });
  return [
    ...authorizes(redrive, 1),
    ...authorizes(start, 1),
    ...unless(publish.revision === 1, "a publication does not say its revision"),
  ];
}

/** The effect, with the status after it, or with the code of what is refused. */
function says({ operation, effect, after, code }: Dry, expected: string): readonly string[] {
  const found = `${effect} ${effect === "moved" ? after : code}`;
  return unless(found === expected, `${operation}: it is said to be ${found}, and would be ${expected}`);
}

function authorizes({ operation, commands }: Dry, count: number): readonly string[] {
  const found = commands.filter((command) => isJsonObject(command) && command["kind"] === "invoke").length;
  return unless(found === count, `${operation}: it is said to begin ${found} attempts, and would ${count}`);
}

/** Everything that the streams hold. */
async function bytesOf(store: Store): Promise<string> {
  const { items } = await store.list();
  const streams = items.map(async ({ stream }) => {
    const [records, notes] = [await store.read(stream), await store.notes(stream)];
    return JSON.stringify([stream, records, notes]);
  });
  return JSON.stringify(await Promise.all(streams));
}
