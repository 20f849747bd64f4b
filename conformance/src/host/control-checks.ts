/**
 * What a host owes those who ask it and those whom it calls.
 *
 * 1. an answer says exactly how far a request got, and a repeated request gets the first answer's place (INV-answers)
 * 2. an attempt out of time is told to stop; what it says within the grace counts, silence is unknown
 *    (INV-attempt-timeout)
 */
import { type Json, type JsonObject, SwlError } from "@swl/base";
import type { ControlAnswer, ProviderAnswer } from "@swl/invocation-control";
import type { Item, Store } from "@swl/store-provider";
import { accessChecks } from "./access-checks.js";
import { completed, HostBench, pause } from "./bench.js";
import { dryRunCheck } from "./dry-run-check.js";
import type { HostCheck } from "./harness.js";
import { through } from "./mortal.js";
import { serviceChecks } from "./service-checks.js";
import { decision, unsafe } from "./workflows.js";

export const controlChecks: readonly HostCheck[] = [
  ...serviceChecks,
  dryRunCheck,
  ...accessChecks,
  {
    rule: "INV-answers",
    title: "says of every request how far it got, and no further",
    run: (harness) =>
      HostBench.run(harness, async (bench) => {
        const { host } = await bench.host(() => completed());
        const run = await host.start(decision, { input: null });
        const stray = await host.signal({ run, messageId: "m1", name: "other" });
        const wrong = await host.signal({ run, messageId: "m2", name: "decide", outcome: "maybe" });
        const matched = await host.signal({ run, messageId: "m3", name: "decide", outcome: "yes" });
        const again = await host.signal({ run, messageId: "m3", name: "decide", outcome: "yes" });
        const late = await host.cancel({ run, requestId: "c1" });
        return [
          ...expects("an unmatched signal", stray, ["applied", "none", "signal.unmatched"]),
          ...expects("an outcome that is not routed", wrong, ["refused", "signal.outcome-unrouted"]),
          ...expects("a matching signal", matched, ["applied", "moved"]),
          ...expects("the same signal again", again, ["applied", "moved"]),
          ...(placeOf(again) === placeOf(matched) ? [] : ["the same signal again has another position"]),
          ...expects("a cancel after the end", late, ["refused", "event.too-late"]),
          ...(await lostAnswers(bench)),
        ];
      }),
  },
  {
    rule: "INV-attempt-timeout",
    title: "tells an attempt out of time to stop, and hears it for the grace",
    run: (harness) =>
      HostBench.run(harness, async (bench) => {
        bench.hurry();
        const heard = await timed(bench, async (signal) => {
          await aborted(signal);
          await pause(100);
          return completed("just in time");
        });
        if (heard.reason === "nothing") return ["an attempt out of time is not told to stop"];
        const silent = await timed(bench, () => new Promise(() => undefined));
        return [
          ...(heard.reason === "TimeoutError" ? [] : [`the attempt is stopped for ${heard.reason}`]),
          ...(heard.status === "completed"
            ? []
            : [`an answer within the grace leaves the run ${heard.status}`]),
          ...(silent.reason === "TimeoutError" ? [] : [`the silent attempt is stopped for ${silent.reason}`]),
          ...(silent.status === "needs-intervention" ? [] : [`silence leaves the run ${silent.status}`]),
        ];
      }),
  },
];

/** The store takes a request and its answers are lost: nothing is claimed, and asking again tells. */
async function lostAnswers(bench: HostBench): Promise<readonly string[]> {
  let lost = 0;
  const forgetting = (store: Store): Store =>
    through(store, async (name, call, given) => {
      const answer = await call();
      const [item] = name === "append" ? (given[0] as readonly Item[]) : [];
      if (item?.expect !== "next" || lost >= 2) return answer;
      lost++;
      throw new SwlError("store.unknown-commit", "The answer was lost.", { details: { retry: "same" } });
    });
  const { host } = await bench.host(() => completed(), forgetting);
  const run = await host.start(decision, { input: null });
  const request = { run, messageId: "m1", name: "decide", outcome: "yes" };
  const first = await host.signal(request);
  const again = await host.signal(request);
  const ended = await host.result(run, bench.patience);
  return [
    ...(lost === 2 && first.kind !== "received" ? [`a request whose answer was lost is ${first.kind}`] : []),
    ...expects("asked again", again, ["applied", "moved"]),
    ...(ended.status === "completed" ? [] : [`the run ends as ${ended.status}`]),
  ];
}

/** `refused` with its code, or `applied` with its effect and, for `none`, its code. */
function expects(what: string, answer: ControlAnswer, words: readonly string[]): readonly string[] {
  const found: string[] = [answer.kind];
  if (answer.kind === "applied") found.push(answer.effect);
  if ("code" in answer) found.push(answer.code);
  return found.join() === words.join() ? [] : [`${what}: expected ${words.join()}, found ${found.join()}`];
}

function placeOf(answer: ControlAnswer): number | undefined {
  return "position" in answer ? answer.position : undefined;
}

/** Milliseconds that an attempt of the timed definition has. */
const attemptMs = 40;

function timedDefinition(): Json {
  const base = unsafe as JsonObject;
  const actions = base["actions"] as { readonly charge: JsonObject };
  return { ...base, actions: { charge: { ...actions.charge, timeouts: { attemptMs } } } };
}

/** Runs the timed definition once: for what reason the attempt was stopped, and where the run stands then. */
async function timed(
  bench: HostBench,
  act: (signal: AbortSignal) => Promise<ProviderAnswer>,
): Promise<{ readonly reason: string; readonly status: string }> {
  let given: AbortSignal | undefined;
  const { host } = await bench.host((_call, signal) => {
    given = signal;
    return act(signal);
  });
  const run = await host.start(timedDefinition(), { input: null });
  await bench.eventually(async () => (await host.why(run)).status !== "running");
  const { status } = await host.why(run);
  return { reason: reasonOf(given), status };
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
}

function reasonOf(signal: AbortSignal | undefined): string {
  if (signal?.aborted !== true) return "nothing";
  const name: unknown = (signal.reason as { readonly name?: unknown } | undefined)?.name;
  return typeof name === "string" ? name : "no reason";
}
