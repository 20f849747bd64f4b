/**
 * Every status that a run can stand in, each way that leads there: a run that is not over says what it waits for, and at
 * least one thing that somebody can do; whatever it names is taken by the run, and terminate always is.
 */
import { type Definition, defineWorkflow } from "@swl/definition";
import type { ChangingOperation, ControlRequests, Explanation } from "@swl/invocation-control";
import { afterAll, afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Control, createControl } from "../src/index.js";
import { completed, core, Lab, mortal, oneStep, until } from "./lab.js";
import { workflow } from "./operations-lab.js";

let lab: Lab;
beforeEach(() => {
  lab = new Lab();
});
afterEach(() => lab.end());

const hung = () => new Promise(() => undefined);
const lost = () => ({ kind: "unknown", reason: "crash" });
const busy = () => ({ kind: "failed", retryable: true, error: { code: "busy", message: "", details: null } });
const accepted = () => ({ kind: "accepted", handle: "op-1" });

const waits = (wait: object): Definition =>
  defineWorkflow({
    id: "waits",
    start: "wait",
    requires: ["core", "timers"],
    actions: {},
    nodes: {
      wait: { kind: "await-signal", signal: "go", routes: { received: "done" }, ...wait },
      done: { kind: "complete" },
    },
  } as never) as unknown as Definition;
const timer = defineWorkflow({
  id: "timer",
  start: "wait",
  requires: ["core", "timers"],
  actions: {},
  nodes: {
    wait: { kind: "await-timer", after: "P1D", routes: { elapsed: "done" } },
    done: { kind: "complete" },
  },
} as never) as unknown as Definition;

const begun = () => until(() => lab.calls.length > 0);
const standsAs = (control: Control, run: string, status: string) =>
  until(async () => (await control.why(run)).status === status);

async function started(definition: Definition, answer: () => unknown): Promise<string> {
  const host = await lab.host(answer);
  return (await host.start(definition)).id;
}

async function canceled(definition: Definition, answer: () => unknown, status = "running"): Promise<string> {
  const host = await lab.host(answer);
  const { id: run } = await host.start(definition);
  await begun();
  await standsAs(host.control, run, status);
  await host.control.cancel({ run, requestId: "stop" }, { wait: 20_000 });
  return run;
}

async function parked(): Promise<string> {
  const host = await lab.host(lost);
  const { id } = await host.start(oneStep("unsafe"));
  await standsAs(host.control, id, "needs-intervention");
  return id;
}

/** What the store keeps as the run's status, and how a run gets there. */
const ways: readonly (readonly [
  status: string,
  how: string,
  reach: (control: Control) => Promise<string>,
])[] = [
  [
    "created",
    "by nobody who serves",
    async (control) => (await control.start({ definition: oneStep("pure") })).run,
  ],
  [
    "running",
    "with an attempt under way",
    async () => {
      const run = await started(oneStep("unsafe"), hung);
      await begun();
      return run;
    },
  ],
  [
    "running",
    "until its next attempt is due",
    async () => {
      const run = await started(oneStep("idempotent", { delay: 3_600_000 }), busy);
      await begun();
      await until(async () => (await lab.store().stats()).work.waiting === 1);
      return run;
    },
  ],
  [
    "running",
    "with an operation that was accepted",
    async () => {
      const run = await started(workflow("unsafe"), accepted);
      await until(async () => lab.calls.length > 0 && (await lab.store().head(run))?.owner === undefined);
      return run;
    },
  ],
  [
    "running",
    "while a provider is asked what became of it",
    async () => {
      const run = await started(workflow("reconcilable"), lost);
      await begun();
      return run;
    },
  ],
  [
    "running",
    "whose host has died",
    async () => {
      const life = mortal(lab.store());
      const host = await lab.host(hung, { store: life.store, lease: 300 });
      const { id } = await host.start(oneStep("unsafe"));
      await begun();
      life.kill();
      await until(async () => (await lab.store().orphaned(10)).length > 0);
      return id;
    },
  ],
  [
    "running",
    "whose action no host serves any more",
    async () => {
      const host = await lab.host(busy);
      const { id } = await host.start(oneStep("idempotent", { delay: 10 }));
      await begun();
      await host.close({ drain: 0 });
      await lab.host(hung, { bindings: { id: "lab", has: () => false, invoke: async () => completed() } });
      return id;
    },
  ],
  ["waiting", "for a signal", () => started(waits({}), hung)],
  [
    "waiting",
    "for a signal, with a deadline",
    () =>
      started(
        waits({ deadline: { after: "P1D", outcome: "late" }, routes: { received: "done", late: "done" } }),
        hung,
      ),
  ],
  ["waiting", "for a time", () => started(timer, hung)],
  [
    "waiting",
    "with an event that no host has applied",
    async (control) => {
      const host = await lab.host(hung);
      const { id: run } = await host.start(waits({ routes: { received: "wait", enough: "done" } }));
      await host.close();
      await control.signal({ run, messageId: "m", name: "go" }, { wait: 0 });
      return run;
    },
  ],
  ["needs-intervention", "after an attempt of which nobody knows", () => parked()],
  [
    "needs-intervention",
    "and canceled",
    async (control) => {
      const run = await parked();
      await control.cancel({ run, requestId: "stop" }, { wait: 20_000 });
      return run;
    },
  ],
  ["running", "canceled, while its attempt is under way", () => canceled(oneStep("unsafe"), hung)],
  ["running", "canceled, while its operation goes on", () => canceled(workflow("unsafe"), accepted)],
  [
    "quarantined",
    "because it made the engine fail",
    async (control) => {
      const run = await started(waits({}), hung);
      const { position } = (await lab.store().head(run))!;
      const records = [
        { kind: "hold", document: { hold: "quarantine", code: "host.quarantined", message: "It failed." } },
      ];
      const item = { stream: run, commit: "hold", expect: position, stamp: Date.now(), records } as const;
      await lab.store().append([{ ...item, hold: "quarantine", facets: { status: "quarantined" } }]);
      await standsAs(control, run, "quarantined");
      return run;
    },
  ],
  [
    "completed",
    "at its end",
    async (control) => {
      const run = await started(oneStep("pure"), () => completed());
      await control.result(run, { timeout: 20_000 });
      return run;
    },
  ],
  [
    "failed",
    "at its end",
    async (control) => {
      const run = await started(oneStep("unsafe"), () => ({ ...busy(), retryable: false }));
      await control.result(run, { timeout: 20_000 });
      return run;
    },
  ],
  [
    "canceled",
    "at its end",
    async (control) => {
      const run = await started(waits({}), hung);
      await control.terminate({ run, requestId: "now" });
      return run;
    },
  ],
];

/** A request of each verb as `why` names it, for this run. */
function requestOf(option: string, run: string, said: Explanation): [ChangingOperation, object] | undefined {
  const [verb, decision] = option.split(" ");
  const requestId = "try";
  const blocker = said.blockers.find((one) => one.kind !== "host");
  switch (verb) {
    case "cancel":
    case "terminate":
    case "release":
      return [verb, { run, requestId }];
    case "resolve":
      return [verb, { run, requestId, decision, ...resolutions[decision!] }];
    case "signal":
      return [verb, { run, messageId: requestId, name: blocker?.signal?.name, outcome: "received" }];
    case "complete":
      return [verb, { run, messageId: requestId, handle: blocker?.handle, outcome: "ok", output: null }];
    default:
      return undefined;
  }
}

const resolutions: { readonly [decision: string]: object } = {
  complete: { outcome: "ok", output: null },
  fail: { error: { code: "given-up", message: "By hand." } },
};

const met = new Map<string, number>();

describe("a run", () => {
  it.each(ways)("%s %s names what it waits for and a verb that helps [INV-why]", async (status, _, reach) => {
    const control = createControl({ store: lab.store(), models: [core] });
    const run = await reach(control);
    expect((await lab.store().head(run))?.facets["status"]).toBe(status);
    met.set(status, (met.get(status) ?? 0) + 1);
    const said = await control.why(run);
    const ended = ["completed", "failed", "canceled"].includes(status);
    if (ended) {
      expect(said.blockers).toEqual([]);
      const again = await control.dryRun("redrive", { run, requestId: "again" });
      expect(again.effect === "refused").toBe(status !== "failed");
      return;
    }
    expect(said.blockers.length).toBeGreaterThan(0);
    for (const { message } of said.blockers) expect(message).not.toBe("");
    const options = new Set(said.blockers.flatMap((blocker) => blocker.options));
    expect(options.size).toBeGreaterThan(0);
    for (const option of [...options, "terminate"]) {
      const request = requestOf(option, run, said);
      if (request === undefined) expect(option).toContain("start a worker");
      else {
        const tried = await control.dryRun(request[0], request[1] as ControlRequests[ChangingOperation]);
        expect(`${option}: ${tried.effect}`).not.toContain("refused");
      }
    }
  });

  // Of every word that any part of a host or a control plane writes as a run's status.
  afterAll(() => {
    const words = [
      "canceled",
      "completed",
      "created",
      "failed",
      "needs-intervention",
      "quarantined",
      "running",
      "waiting",
    ];
    expect([...met.keys()].sort()).toEqual(words);
  });
});
