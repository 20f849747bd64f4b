/**
 * What a control plane owes its operators.
 *
 * 1. every operation is answered once by request ID: again the first receipt, other content a conflict (INV-operations)
 * 2. a name stands for its newest revision, and a start by name says which one it took (INV-publish)
 * 3. a start needs no host, and one that is refused leaves nothing (INV-start)
 * 4. a redrive goes on from before what failed, in a new run, and leaves the old one as it was (INV-redrive)
 * 5. a bulk operation looks first, answers for each run, and goes on where it stopped (INV-bulk)
 * 6. whatever a run waits for, it is said, with a verb that would move it (INV-why)
 * 7. a log folds to the states that were stored, and one that does not is named (INV-verify)
 */
import { isJsonObject, isSwlError, type Json } from "@swl/base";
import type { ControlAnswer, ControlService, ProviderAnswer } from "@swl/invocation-control";
import type { LogRecord, Store } from "@swl/store-provider";
import { completed, HostBench } from "./bench.js";
import type { HostCheck } from "./harness.js";
import { through } from "./mortal.js";
import { decision, single, twoSteps, unsafe, versioned } from "./workflows.js";

export const failing = (): ProviderAnswer => ({
  kind: "failed",
  retryable: false,
  error: { code: "shop.shut", message: "The shop is shut.", details: null },
});

export function check(
  rule: string,
  title: string,
  body: (bench: HostBench) => Promise<readonly string[]>,
): HostCheck {
  return { rule, title, run: (harness) => HostBench.run(harness, body) };
}

/** Nothing when it holds. */
export function unless(holds: boolean, problem: string): readonly string[] {
  return holds ? [] : [problem];
}

/** The code that it is refused or thrown with; the kind of its answer otherwise. */
async function codeOf(asked: Promise<{ readonly kind: string; readonly code?: string }>): Promise<string> {
  try {
    const answer = await asked;
    return answer.kind === "refused" ? (answer.code ?? "refused") : answer.kind;
  } catch (error) {
    if (isSwlError(error)) return error.code;
    throw error;
  }
}

export async function statusIs(
  bench: HostBench,
  control: ControlService,
  run: string,
  status: string,
): Promise<boolean> {
  return bench.eventually(async () => (await control.why(run)).status === status);
}

/** The same request again, and another one under its ID. */
async function repeats(
  what: string,
  ask: (other: boolean) => Promise<ControlAnswer>,
): Promise<readonly string[]> {
  const first = await ask(false);
  const again = await ask(false);
  const other = await codeOf(ask(true));
  const same = "position" in first && "position" in again && first.position === again.position;
  return [
    ...unless("position" in first && !first.repeated, `${what}: the first request is ${first.kind}`),
    ...unless(
      same && first.run === again.run && again.repeated,
      `${what}: asked again it has another receipt`,
    ),
    ...unless(other === "request.conflict", `${what}: other content under its ID is ${other}`),
  ];
}

export const serviceChecks: readonly HostCheck[] = [
  check("INV-operations", "answers every operation once by its request ID", async (bench) => {
    const { host } = await bench.host((call) =>
      call.action === "charge" ? { kind: "unknown", reason: "crash" } : failing(),
    );
    const { control } = host;
    const waits = await host.start(decision, { input: null });
    const parked = await host.start(unsafe, { input: null });
    const failed = await host.start(single, { input: null });
    await statusIs(bench, control, parked, "needs-intervention");
    await host.result(failed, bench.patience);
    const doomed = await host.start(decision, { input: null });
    const publish = (other: boolean) =>
      control.publish({ name: "shop", requestId: "p", definition: other ? unsafe : single });
    const first = await publish(false);
    const again = await publish(false);
    const published = first.kind === "applied" && again.kind === "applied" && again.repeated;
    return [
      ...unless(
        published && first.revision === again.revision,
        "publish: asked again it has another receipt",
      ),
      ...unless(
        (await codeOf(publish(true))) === "request.conflict",
        "publish: other content is no conflict",
      ),
      ...(await repeats("start", (other) =>
        control.start({ definition: decision, input: other ? 1 : 2, startKey: "s" }),
      )),
      ...(await repeats("signal", (other) =>
        control.signal({ run: waits, messageId: "m", name: other ? "else" : "stray" }, { wait: 0 }),
      )),
      ...(await repeats("cancel", (other) =>
        control.cancel({ run: waits, requestId: "c", reason: other ? "b" : "a" }, { wait: 0 }),
      )),
      ...(await repeats("resolve", (other) =>
        control.resolve({
          run: parked,
          requestId: "r",
          decision: "fail",
          error: { code: other ? "b" : "a", message: "" },
        }),
      )),
      ...(await repeats("terminate", (other) =>
        control.terminate({ run: doomed, requestId: "t", reason: other ? "b" : "a" }),
      )),
      ...(await repeats("redrive", (other) =>
        control.redrive({ run: failed, requestId: "d", by: other ? "b" : "a" }),
      )),
    ];
  }),
  check("INV-publish", "starts the newest revision of a name, and says which", async (bench) => {
    const { host } = await bench.host(() => completed());
    const { control } = host;
    const unknown = await codeOf(control.start({ name: "shop" }));
    const one = await control.publish({ name: "shop", requestId: "p1", definition: versioned("one") });
    const before = (await control.start({ name: "shop", startKey: "a" })).run;
    const two = await control.publish({ name: "shop", requestId: "p2", definition: versioned("two") });
    const after = (await control.start({ name: "shop" })).run;
    const repeated = (await control.start({ name: "shop", startKey: "a" })).run;
    const revisions = [one, two].map((answer) => (answer.kind === "applied" ? answer.revision : answer.kind));
    const took = [await control.status(before), await control.status(after)].map(
      ({ published }) => published?.revision,
    );
    const ended = [before, after].map(async (run) => {
      await statusIs(bench, control, run, "waiting");
      await control.signal({ run, messageId: "m", name: "go" });
      return (await host.result(run, bench.patience)).output;
    });
    return [
      ...unless(unknown === "name.not-found", `a name that nobody published is ${unknown}`),
      ...unless(revisions.join() === "1,2", `the revisions are ${revisions.join()}`),
      ...unless(took.join() === "1,2", `the runs say that they took ${took.join()}`),
      ...unless(repeated === before, "a repeated start makes another run after a publication"),
      ...unless((await Promise.all(ended)).join() === "one,two", "a run does not go by the revision it took"),
    ];
  }),
  check(
    "INV-start",
    "creates a run that a host then serves, and nothing for a start that is refused",
    async (bench) => {
      const { host } = await bench.host((call) => completed(call.input));
      const { control } = host;
      const refused = [
        await codeOf(control.start({})),
        await codeOf(control.start({ definition: single, name: "shop" })),
        await codeOf(control.start({ definition: { ...(single as object), swl: "9" } as Json })),
      ];
      const none = (await control.list()).items.length;
      const started = await control.start({ definition: single, input: 7 });
      const result = await host.result(started.run, bench.patience);
      return [
        ...unless(
          refused.join() === "request.invalid,request.invalid,definition.invalid",
          `refused as ${refused.join()}`,
        ),
        ...unless(none === 0, "a refused start leaves a run"),
        ...unless(started.kind === "accepted" && started.position === 1, `a start is ${started.kind}`),
        ...unless(result.status === "completed" && result.output === 7, `the run ends as ${result.status}`),
      ];
    },
  ),
  check(
    "INV-redrive",
    "goes on from before the activation that failed, in a run of its own",
    async (bench) => {
      let shut = true;
      const { host } = await bench.host(({ action, input }) =>
        action === "second" && shut ? failing() : completed(input),
      );
      const { control } = host;
      const peer = await bench.peer();
      const run = await host.start(twoSteps, { input: "in" });
      await host.result(run, bench.patience);
      const before = JSON.stringify([await peer.read(run), await peer.notes(run)]);
      shut = false;
      const answer = await control.redrive(
        { run, requestId: "r" },
        { wait: bench.patience, until: "finished" },
      );
      const output =
        answer.kind === "finished" && answer.result.status === "completed"
          ? answer.result.output
          : answer.kind;
      const keys = new Set(bench.callsOf("second").map((call) => call.idempotencyKey));
      const [old, made] = [await control.status(run), await control.status(answer.run)];
      const linked = made.redriveOf?.run === run && old.redrives?.join() === answer.run;
      return [
        ...unless(answer.run !== run, "it is no run of its own"),
        ...unless(output === "in", `it ends with ${JSON.stringify(output)}`),
        ...unless(bench.callsOf("first").length === 1, "what was done before is done again"),
        ...unless(keys.size === 2, "the failed activation is called again under its old key"),
        ...unless(linked, "the two runs do not name each other"),
        ...unless(
          JSON.stringify([await peer.read(run), await peer.notes(run)]) === before,
          "the old run has changed",
        ),
        ...unless(
          (await codeOf(control.redrive({ run: answer.run, requestId: "r" }))) === "run.not-failed",
          "what has not failed is redriven",
        ),
      ];
    },
  ),
  check("INV-bulk", "looks first, answers for each run, and goes on where it stopped", async (bench) => {
    const { host } = await bench.host(() => ({ kind: "unknown", reason: "crash" }));
    const { control } = host;
    const runs = [];
    for (let count = 0; count < 3; count++) runs.push(await host.start(unsafe, { input: null }));
    const other = await host.start(decision, { input: null });
    for (const run of runs) await statusIs(bench, control, run, "needs-intervention");
    const resolve = {
      operation: "resolve",
      requestId: "all",
      filter: { action: "charge" },
      decision: { decision: "fail", error: { code: "shop.lost", message: "" } },
    } as const;
    const looked = await control.bulk(resolve);
    const written = looked.items.some(({ answer }) => answer.kind !== "dry-run");
    const nobody = await control.bulk({ ...resolve, filter: { action: "other" }, apply: true });
    const answers = new Map<string, string>();
    let after: string | undefined;
    do {
      const part = await control.bulk({
        ...resolve,
        apply: true,
        limit: 1,
        ...(after !== undefined && { after }),
      });
      for (const { run, answer } of part.items) answers.set(run, answer.kind);
      after = part.next;
    } while (after !== undefined && answers.size < 10);
    const ends = await Promise.all(runs.map(async (run) => (await host.result(run, bench.patience)).status));
    const canceled = await control.bulk({
      operation: "cancel",
      requestId: "c",
      filter: { workflow: "decision" },
      apply: true,
    });
    return [
      ...unless(looked.items.length === 3 && !written, "what was only looked at has changed"),
      ...unless(nobody.items.length === 0, "a filter that holds for no run finds some"),
      ...unless(answers.size === 3, `${answers.size} runs of 3 have an answer`),
      ...unless(ends.join() === "failed,failed,failed", `the runs end as ${ends.join()}`),
      ...unless(
        canceled.items.map(({ run }) => run).join() === other,
        "a cancel by workflow finds other runs",
      ),
    ];
  }),
  check("INV-why", "says what a run waits for, with a verb that would move it", async (bench) => {
    const { host } = await bench.host(({ action }) =>
      action === "charge" ? { kind: "unknown", reason: "crash" } : new Promise(() => undefined),
    );
    const { control } = host;
    const waits = await host.start(decision, { input: null });
    const parked = await host.start(unsafe, { input: null });
    const running = await host.start(single, { input: null });
    await statusIs(bench, control, parked, "needs-intervention");
    const problems: string[] = [];
    for (const [status, run] of [
      ["waiting", waits],
      ["needs-intervention", parked],
      ["running", running],
    ] as const) {
      const said = await control.why(run);
      const verbs = said.blockers.flatMap(({ options }) => options);
      if (said.status !== status) problems.push(`a run that is ${status} is said to be ${said.status}`);
      if (said.summary === "" || said.blockers.length === 0) problems.push(`${status}: nothing is said`);
      if (!verbs.some((verb) => control[verb.split(" ")[0] as keyof ControlService] !== undefined))
        problems.push(`${status}: no verb is named`);
    }
    return problems;
  }),
  check(
    "INV-verify",
    "folds a log to the states that were stored, and names the one that differs",
    async (bench) => {
      const { host } = await bench.host(({ input }) => completed(input));
      const run = await host.start(twoSteps, { input: "in" });
      await host.result(run, bench.patience);
      const sound = await host.control.verify(run);
      const early = await host.control.verify(run, { position: 2 });
      const log = await (await bench.peer()).read(run);
      const place = log.findLast((record) => record.applies)?.position ?? 0;
      const { host: other } = await bench.host(() => completed(), forging(place));
      const forged = await other.control.verify(run);
      return [
        ...unless(sound.differing.length === 0 && sound.compared > 1, "a sound log is said to differ"),
        ...unless(
          early.position === 2 && early.view?.positions[0]?.node === "first",
          "an early state is not shown",
        ),
        ...unless(forged.differing.join() === String(place), "a forged state is not found"),
      ];
    },
  ),
];

/** A store that reads another head at one position than was written there. */
function forging(place: number): (store: Store) => Store {
  return (store) =>
    through(store, async (name, call) => {
      const answer = await call();
      return name === "read"
        ? (answer as readonly LogRecord[]).map((record) => forged(record, place))
        : answer;
    });
}

function forged(record: LogRecord, place: number): LogRecord {
  const { document } = record;
  if (record.position !== place || !isJsonObject(document) || !isJsonObject(document["commit"]))
    return record;
  return { ...record, document: { ...document, commit: { ...document["commit"], head: { forged: true } } } };
}
