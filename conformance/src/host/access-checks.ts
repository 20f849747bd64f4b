/**
 * What a control plane keeps to itself.
 *
 * 1. who has no right is told so before anything is read, whether there is such a run or not (INV-authorization)
 * 2. what a definition marks as sensitive is in no answer, unless somebody with the right asks for it (INV-masking)
 */
import { isSwlError, type Json } from "@swl/base";
import type { ControlService } from "@swl/invocation-control";
import type { Store } from "@swl/store-provider";
import { completed, HostBench } from "./bench.js";
import type { HostCheck } from "./harness.js";
import { through } from "./mortal.js";
import { decision, marked } from "./workflows.js";

const canary = "canary-4711-0815";

export const accessChecks: readonly HostCheck[] = [
  {
    rule: "INV-authorization",
    title: "turns away who has no right before anything is read",
    run: (harness) =>
      HostBench.run(harness, async (bench) => {
        let reads = 0;
        const counting = (store: Store): Store =>
          through(store, (name, call, given) => {
            if (["load", "head", "read", "receipt", "blob"].includes(name) && given[0] === "run-asked-about")
              reads++;
            return call();
          });
        const { host } = await bench.host(() => completed(), counting);
        const run = await host.start(decision, { input: null });
        const nobody = host.control.as(() => false);
        const problems: string[] = [];
        for (const of of [run, "run-asked-about"]) {
          for (const [what, code] of await codesOf(nobody, of))
            if (code !== "request.unauthorized") problems.push(`${what} without a right is ${code}`);
        }
        if (reads > 0) problems.push("a run is read before the right to it is known");
        const some = host.control.as(({ operation, run: of }) => operation === "list" && of !== run);
        if ((await some.list()).items.length > 0)
          problems.push("a list shows what its reader has no right to");
        return problems;
      }),
  },
  {
    rule: "INV-masking",
    title: "keeps marked values out of every answer",
    run: (harness) =>
      HostBench.run(harness, async (bench) => {
        const { host } = await bench.host(() =>
          completed({ secret: canary, copy: `was ${canary}`, open: 1 }),
        );
        const { control } = host;
        const run = await host.start(marked, { input: { card: canary } });
        await bench.eventually(async () => (await control.why(run)).status === "waiting");
        const early = await everythingSaid(control, run);
        const payload = { pin: canary };
        await control.signal({ run, messageId: "m", name: "decide", outcome: "yes", payload });
        const result = await control.result(run, { timeout: bench.patience });
        const said = early + JSON.stringify(result) + (await everythingSaid(control, run));
        const revealed = JSON.stringify(await control.result(run, { reveal: true }));
        const shy = control.as(({ reveal }) => !reveal);
        const refused = await codeOf(() => shy.result(run, { reveal: true }));
        return [
          ...(said.includes(canary) ? ["a marked value comes out"] : []),
          ...(said.includes('"open":1') ? [] : ["what is not marked is masked"]),
          ...(revealed.includes(canary) ? [] : ["it is not shown to who may see it"]),
          ...(refused === "request.unauthorized" ? [] : ["it is shown to who may not see it"]),
        ];
      }),
  },
];

async function codesOf(
  control: ControlService,
  run: string,
): Promise<readonly (readonly [string, string])[]> {
  const asked: readonly (readonly [string, () => Promise<unknown>])[] = [
    ["signal", () => control.signal({ run, messageId: "m", name: "decide" })],
    ["update", () => control.update({ run, requestId: "m", name: "decide" })],
    ["complete", () => control.complete({ run, messageId: "m", handle: "h", outcome: "ok" })],
    ["resolve", () => control.resolve({ run, requestId: "m", decision: "retry" })],
    ["cancel", () => control.cancel({ run, requestId: "m" })],
    ["terminate", () => control.terminate({ run, requestId: "m" })],
    ["redrive", () => control.redrive({ run, requestId: "m" })],
    ["release", () => control.release({ run, requestId: "m" })],
    ["dryRun", () => control.dryRun("cancel", { run, requestId: "m" })],
    ["status", () => control.status(run)],
    ["why", () => control.why(run)],
    ["history", () => control.history(run)],
    ["path", () => control.path(run)],
    ["definition", () => control.definition(run)],
    ["result", () => control.result(run, { timeout: 1 })],
    ["verify", () => control.verify(run)],
    ["list", () => control.list()],
    ["bulk", () => control.bulk({ operation: "cancel", requestId: "m", filter: {} })],
    ["publish", () => control.publish({ definition: decision, requestId: "m" })],
    ["start", () => control.start({ definition: decision })],
  ];
  const codes: (readonly [string, string])[] = [];
  for (const [what, ask] of asked) codes.push([what, await codeOf(ask)]);
  return codes;
}

async function codeOf(ask: () => Promise<unknown>): Promise<string> {
  try {
    const answer = (await ask()) as { readonly code?: string };
    return answer.code ?? "answered";
  } catch (error) {
    if (isSwlError(error)) return error.code;
    throw error;
  }
}

/** Every answer about a run as text, and every error. */
async function everythingSaid(control: ControlService, run: string): Promise<string> {
  const payload: Json = { pin: canary };
  const said = await Promise.allSettled<unknown>([
    control.status(run),
    control.why(run),
    control.history(run),
    control.verify(run),
    control.signal({ run, messageId: "w", name: "decide", outcome: "else", payload }),
    control.dryRun("signal", { run, messageId: "d", name: "decide", outcome: "yes", payload }),
    control.dryRun("start", { definition: marked, input: { card: canary } }),
  ]);
  return said
    .map((one) => (one.status === "fulfilled" ? JSON.stringify(one.value) : String(one.reason)))
    .join();
}
