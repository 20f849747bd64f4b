/** Several hosts on one store, as the real-process tests do not show it: who begins what, and what a host asks when. */
import { defineWorkflow } from "@swl/definition";
import type { Provider } from "@swl/invocation-control";
import type { Answer } from "@swl/store-provider";
import { afterEach, describe, expect, it } from "vitest";
import { createControl, type Host } from "../src/index.js";
import { completed, core, Lab, oneStep, pause, through, until } from "./lab.js";

let lab = new Lab();
afterEach(async () => {
  await lab.end();
  lab = new Lab();
});

function provider(id: string, begun: string[], takes = 0): Provider {
  return {
    id,
    has: (action) => action === "work",
    invoke: async () => {
      begun.push(id);
      if (takes > 0) await pause(takes);
      return completed(id);
    },
  };
}

const answers = () => completed();

describe("hosts with different providers of one action", () => {
  it("leave an attempt to the one that the run pinned [DUR-shared-runs]", async () => {
    const begun: string[] = [];
    const closing = await lab.host(answers, { bindings: provider("cards/1", begun) });
    const waits = oneStep("idempotent", { delay: 50 });
    // Created by a host that leaves before anything begins.
    const starting = closing.start(waits);
    const closed = closing.close({ drain: 0 });
    const run = await starting;
    await closed;
    begun.length = 0;
    const other = await lab.host(answers, { bindings: provider("cards/2", begun) });
    await pause(300);
    expect(begun).toEqual([]);
    const { blockers } = await other.control.why(run.id);
    expect(blockers.map(({ message }) => message).join(" ")).toContain("(cards/1)");
    const right = await lab.host(answers, { bindings: provider("cards/1", begun) });
    expect(await right.run(run.id).result({ timeout: 60_000 })).toEqual({
      status: "completed",
      output: "cards/1",
    });
    expect(begun).toEqual(["cards/1"]);
  });

  it("wait for each other's results without asking all the time [DUR-wake-ups]", async () => {
    const begun: string[] = [];
    const first = await lab.host(answers, { bindings: provider("cards/1", begun, 600) });
    const run = await first.start(oneStep("idempotent"));
    let heads = 0;
    const store = through(lab.store(), (name, call) => {
      if (name === "head") heads++;
      return call();
    });
    const second = await lab.host(answers, { store, bindings: provider("cards/2", begun) });
    expect(await second.run(run.id).result({ timeout: 60_000 })).toMatchObject({ status: "completed" });
    expect(heads).toBeLessThan(15);
  });
});

describe("hosts that find the same", () => {
  it("begin each attempt once [DUR-shared-runs]", async () => {
    const hosts: Host[] = [];
    for (let count = 0; count < 4; count++) hosts.push(await lab.host(answers, { poll: 2 }));
    const runs = await Promise.all(
      Array.from({ length: 40 }, (_, index) => hosts[index % 4]!.start(oneStep("unsafe"))),
    );
    for (const run of runs) expect((await run.result({ timeout: 60_000 })).status).toBe("completed");
    expect(lab.calls).toHaveLength(40);
  });

  it("apply each accepted event once, and lose nothing but races [DUR-shared-runs]", async () => {
    const refused: string[] = [];
    const hosts: Host[] = [];
    for (let count = 0; count < 4; count++) {
      const store = through(lab.store(), async (name, call) => {
        const answer = await call();
        if (name === "append") refused.push(...refusals(answer as readonly Answer[]));
        return answer;
      });
      hosts.push(await lab.host(answers, { store, poll: 2 }));
    }
    const waits = defineWorkflow({
      id: "waits",
      start: "wait",
      actions: {},
      nodes: {
        wait: { kind: "await-signal", signal: "go", routes: { received: "done" } },
        done: { kind: "complete", output: { $get: ["from", "output"] } },
      },
    });
    const runs = await Promise.all(Array.from({ length: 30 }, (_, n) => hosts[n % 4]!.start(waits)));
    // By somebody who is no host, so that each of them may be the first to find it.
    const control = createControl({ store: lab.store(), models: [core] });
    for (const { id } of runs) {
      await control.signal({ run: id, messageId: "m", name: "go", payload: id }, { wait: 0 });
    }
    for (const [n, run] of runs.entries()) {
      const result = await hosts[(n + 1) % 4]!.run(run.id).result({ timeout: 60_000 });
      expect(result).toEqual({ status: "completed", output: run.id });
      const log = await lab.store().read(run.id);
      expect(log.filter(({ applies }) => applies)).toHaveLength(2);
    }
    expect(refused.filter((kind) => kind !== "stale" && kind !== "closed")).toEqual([]);
  });
});

function refusals(answers: readonly Answer[]): readonly string[] {
  return answers.flatMap((answer) => (answer.kind === "refused" ? [answer.failure.kind] : []));
}

describe("a host with nothing to do", () => {
  it("asks the store ever more rarely, and is there at once when something comes [DUR-wake-ups]", async () => {
    let calls = 0;
    const store = through(lab.store(), (name, call) => {
      if (name !== "renewHolder") calls++;
      return call();
    });
    const host = await lab.host(answers, { store, poll: 10, idlePoll: 60_000 });
    await pause(700);
    const sofar = calls;
    await pause(300);
    expect(calls - sofar).toBeLessThan(12);
    const run = await host.start(oneStep("idempotent"));
    expect((await run.result({ timeout: 60_000 })).status).toBe("completed");
  });

  it("is there when its own retry falls due, whatever the pause has grown to [DUR-wake-ups]", async () => {
    let failures = 0;
    const host = await lab.host(
      () =>
        failures++ === 0
          ? { kind: "failed", retryable: true, error: { code: "busy", message: "", details: null } }
          : completed("at last"),
      { poll: 10, idlePoll: 60_000 },
    );
    await pause(500);
    const run = await host.start(oneStep("idempotent", { delay: 400 }));
    expect(await run.result({ timeout: 60_000 })).toEqual({ status: "completed", output: "at last" });
  });
});

describe("a definition that the store no longer has", () => {
  it("is sent again by the next start [DUR-retention]", async () => {
    const host = await lab.host(answers, { retention: { closedRuns: 20 } });
    const workflow = oneStep("pure");
    const first = await host.start(workflow);
    await first.result({ timeout: 60_000 });
    expect(await until(async () => (await lab.store().head(first.id)) === undefined)).toBe(true);
    expect((await lab.store().stats()).blobs).toBe(0);
    const second = await host.start(workflow);
    expect((await second.result({ timeout: 60_000 })).status).toBe("completed");
  });
});
