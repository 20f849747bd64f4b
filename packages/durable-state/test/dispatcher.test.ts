import type { ActionRequirement, InvokeCommand } from "@swl/execution/model";
import type { Provider, ProviderAnswer } from "@swl/invocation-control";
import { describe, expect, it } from "vitest";
import { Dispatcher } from "../src/dispatcher.js";
import { FakeClock, settle } from "./fake-clock.js";

const command: InvokeCommand = {
  kind: "invoke",
  activation: "pay#1",
  invocation: "r/pay#1",
  action: "pay",
  attempt: 1,
  delay: 0,
  input: null,
  parameters: null,
  idempotencyKey: "r/pay/1",
};
const contract: ActionRequirement = {
  action: "pay",
  contract: "sha256:0",
  effect: "unsafe",
  capabilities: [],
  attemptMs: 100,
};

function provider(invoke: (signal: AbortSignal) => Promise<ProviderAnswer>): Provider {
  return {
    id: "test",
    has: (action) => action === "pay",
    invoke: (_call, _of, { signal }) => invoke(signal),
  };
}

function dispatcher(
  of: Provider,
  given: { clock?: FakeClock; leaseRuns?: () => boolean; onFree?: () => void } = {},
) {
  const { clock = new FakeClock(), leaseRuns = () => true, onFree = () => undefined } = given;
  return new Dispatcher({
    bindings: [{ provider: of }],
    clock,
    total: 10,
    actions: { pay: 1 },
    providers: {},
    grace: 50,
    askFor: 600_000,
    leaseRuns,
    onFree,
  });
}

describe("an attempt", () => {
  it("is told to stop at attemptMs, and its answer within the grace counts [INV-four-answers]", async () => {
    const clock = new FakeClock();
    const answers: ProviderAnswer[] = [];
    const stoppable = provider(
      (signal) =>
        new Promise((resolve) => {
          signal.addEventListener("abort", () =>
            resolve({
              kind: "failed",
              retryable: true,
              error: { code: String(signal.reason.name), message: "", details: null },
            }),
          );
        }),
    );
    const subject = dispatcher(stoppable, { clock });
    subject.reserve("pay");
    expect(subject.begin("r", command, contract, (answer) => answers.push(answer))).toBeDefined();
    await clock.advance(99);
    expect(answers).toEqual([]);
    await clock.advance(1);
    expect(answers).toEqual([
      { kind: "failed", retryable: true, error: { code: "TimeoutError", message: "", details: null } },
    ]);
  });

  it("is unknown after silence beyond the grace, and what it says later is passed on as well", async () => {
    const clock = new FakeClock();
    const answers: ProviderAnswer[] = [];
    let answerLate: (answer: ProviderAnswer) => void = () => undefined;
    const silent = provider(
      () =>
        new Promise((resolve) => {
          answerLate = resolve;
        }),
    );
    const subject = dispatcher(silent, { clock });
    subject.reserve("pay");
    subject.begin("r", command, contract, (answer) => answers.push(answer));
    await clock.advance(100);
    await clock.advance(50);
    answerLate({ kind: "completed", outcome: "ok", output: null });
    await settle();
    expect(answers.map((answer) => answer.kind)).toEqual(["unknown", "completed"]);
    expect(subject.free("pay")).toBe(1);
  });

  it("is unknown when the provider breaks its contract by rejecting", async () => {
    const answers: ProviderAnswer[] = [];
    const subject = dispatcher(provider(() => Promise.reject(new Error("bug"))));
    subject.reserve("pay");
    subject.begin("r", command, contract, (answer) => answers.push(answer));
    await settle();
    expect(answers).toMatchObject([{ kind: "unknown", reason: "crash" }]);
  });

  it("is not begun while the lease is in doubt, and frees its slot [DUR-dispatch-after-commit]", () => {
    let runs = true;
    const subject = dispatcher(
      provider(() => Promise.reject(new Error("never"))),
      { leaseRuns: () => runs },
    );
    expect(subject.reserve("pay")).toBe(true);
    runs = false;
    expect(subject.begin("r", command, contract, () => undefined)).toBeUndefined();
    runs = true;
    expect(subject.free("pay")).toBe(1);
  });
});

describe("slots", () => {
  it("keep to the action's limit and say when one that was wanted is free", async () => {
    let freed = 0;
    const subject = dispatcher(
      provider(async () => ({ kind: "completed", outcome: "ok", output: null })),
      { onFree: () => freed++ },
    );
    expect(subject.reserve("pay")).toBe(true);
    expect(subject.reserve("pay")).toBe(false);
    expect(subject.reserve("unbound")).toBe(false);
    subject.begin("r", command, contract, () => undefined);
    await settle();
    expect(freed).toBe(1);
    expect(subject.reserve("pay")).toBe(true);
  });

  it("are none while draining, and a drain stops what does not end by itself", async () => {
    const clock = new FakeClock();
    const answers: ProviderAnswer[] = [];
    const subject = dispatcher(
      provider(() => new Promise(() => undefined)),
      { clock },
    );
    subject.reserve("pay");
    subject.begin("r", command, { ...contract, attemptMs: 1_000_000 }, (answer) => answers.push(answer));
    const drained = subject.drain(500);
    expect(subject.free("pay")).toBe(0);
    await clock.advance(500);
    await clock.advance(50);
    await drained;
    expect(answers).toMatchObject([{ kind: "unknown", reason: "attempt-timeout" }]);
  });
});
