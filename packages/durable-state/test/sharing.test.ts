/** Several hosts on one store, as the real-process tests do not show it: who begins what, and what a host asks when. */
import { defineWorkflow } from "@swl/definition";
import type { Provider } from "@swl/invocation-control";
import type { Answer } from "@swl/store-provider";
import { afterEach, describe, expect, it } from "vitest";
import { createControl, type Host } from "../src/index.js";
import { Shares } from "../src/shares.js";
import { FakeClock, settle } from "./fake-clock.js";
import { completed, core, Lab, mortal, oneStep, pause, through, until } from "./lab.js";

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
    const isNamed = async () => {
      const { blockers } = await other.control.why(run.id);
      return blockers.some(({ message }) => message.includes("(cards/1)"));
    };
    expect(await until(isNamed)).toBe(true);
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

describe("what a dead host leaves behind", () => {
  const runs = 60;
  /** How many runs each of the others took over; the dead host had begun all of them. */
  async function takeovers(deaths: number, survivors: number): Promise<readonly number[]> {
    // Those that are to be found dead have a shorter lease, which outlasts the start of all: nobody loses its own alive.
    const [lease, short] = [30_000, 3_000];
    const first = mortal(lab.store());
    const hung = () => new Promise(() => undefined);
    const dead = await lab.host(hung, { store: first.store, lease: short });
    const begun = Array.from({ length: runs }, () => dead.start(oneStep("idempotent", { delay: 0 })));
    const ids = (await Promise.all(begun)).map(({ id }) => id);
    await until(() => lab.calls.length === runs);
    const others = [first];
    for (let count = 1; count < deaths; count++) {
      const life = mortal(lab.store());
      others.push(life);
      await lab.host(answers, { store: life.store, lease: short });
    }
    const living: Host[] = [];
    for (let count = 0; count < survivors; count++) living.push(await lab.host(answers, { lease }));
    for (const life of others) life.kill();
    const results = ids.map((id, n) => living[n % survivors]!.run(id).result({ timeout: 60_000 }));
    for (const { status } of await Promise.all(results)) expect(status).toBe("completed");
    const by = new Map<string, number>();
    for (const id of ids) {
      const taken = (await lab.store().read(id)).filter(({ kind }) => kind === "takeover");
      expect(taken).toHaveLength(1);
      const { by: host } = taken[0]!.document as { readonly by: string };
      by.set(host, (by.get(host) ?? 0) + 1);
    }
    return [...by.values()];
  }

  it("is taken over by all the others, each a part of it [DUR-takeover]", async () => {
    const parts = await takeovers(1, 3);
    expect(parts).toHaveLength(3);
    expect(Math.min(...parts)).toBeGreaterThan(runs / 10);
  });

  it("is taken over whole where another one died with it [DUR-takeover]", async () => {
    expect(await takeovers(2, 1)).toEqual([runs]);
  });
});

describe("the time until a dead host's runs go on", () => {
  const [lease, idlePoll, poll, runs] = [1_000, 200, 10, 20];
  /** What follows within the same instant may show in the next. */
  const step = 5;

  async function pass(clock: FakeClock, milliseconds: number): Promise<void> {
    for (let passed = 0; passed < milliseconds; passed++) {
      await clock.advance(1);
      for (let turns = 0; turns < 3; turns++) await settle();
    }
  }

  /** Milliseconds from its death, right after it had renewed its lease, in time that the test moves. */
  async function delays(dyingHeirs: number): Promise<readonly number[]> {
    const clock = new FakeClock();
    lab = new Lab({ clock: clock.now });
    const given = (host: string) => {
      let count = 0;
      const newId = () => `${String(++count).padStart(12, "0")}${host}${"x".repeat(12)}`;
      return { clock, lease, poll, idlePoll, random: () => 0, newId };
    };
    const life = mortal(lab.store());
    const dead = await lab.host(() => new Promise(() => undefined), { ...given("a"), store: life.store });
    const begun = Array.from({ length: runs }, () => dead.start(oneStep("idempotent", { delay: 0 })));
    const ids = (await Promise.all(begun)).map(({ id }) => id);
    await until(() => lab.calls.length === runs);
    const heirs = Array.from({ length: dyingHeirs }, () => mortal(lab.store()));
    for (const { store } of heirs) await lab.host(answers, { ...given("h"), store });
    await lab.host(answers, given("z"));
    await pass(clock, lease / 4 + 1);
    life.kill();
    const died = clock.now();
    // Who dies shortly before still counts as one of those that share.
    await pass(clock, lease - 2 * step);
    for (const heir of heirs) heir.kill();
    await pass(clock, lease);
    const taken: number[] = [];
    for (const id of ids) {
      for (const { kind, at } of await lab.store().read(id)) if (kind === "takeover") taken.push(at - died);
    }
    let ended = false;
    const ending = lab.end().then(() => {
      ended = true;
    });
    while (!ended) await pass(clock, 50);
    await ending;
    return taken;
  }

  it("is at most its lease and a look of a living one [DUR-takeover]", async () => {
    const taken = await delays(0);
    expect(taken).toHaveLength(runs);
    expect(Math.min(...taken)).toBeGreaterThanOrEqual(lease - step);
    expect(Math.max(...taken)).toBeLessThanOrEqual(lease + idlePoll + step);
  });

  it("is a quarter of a lease and a look more where whom they fall to is dead as well [DUR-takeover]", async () => {
    const taken = await delays(1);
    expect(taken).toHaveLength(runs);
    expect(Math.min(...taken)).toBeGreaterThanOrEqual(lease - step);
    expect(Math.max(...taken)).toBeLessThanOrEqual(lease + idlePoll + lease / 4 + poll + step);
    expect(Math.max(...taken)).toBeGreaterThan(lease + idlePoll + step);
  });
});

describe("shares of what is left behind", () => {
  const shares = (holder: string, hosts: readonly string[], clock = new FakeClock()) => {
    let asked = 0;
    const store = {
      holders: async () => {
        asked++;
        return hosts.map((name) => ({ holder: name, until: 0 }));
      },
    };
    const lease = { holder, isMine: (owner: string | undefined) => owner === `${holder}~before` };
    const made = new Shares({ store, clock, lease, patience: 1_000 });
    return { made, clock, asked: () => asked };
  };
  const names = Array.from({ length: 900 }, (_, n) => `run-${n}`);

  it("are each run to one host, about as many to each, and the hosts asked for once a look [DUR-takeover]", async () => {
    const hosts = ["c", "a", "b"];
    const counts: number[] = [];
    const taken = new Set<string>();
    for (const host of hosts) {
      const { made, asked } = shares(host, hosts);
      made.begin();
      let count = 0;
      for (const name of names) {
        if (!(await made.isMine(name, "dead"))) continue;
        taken.add(name);
        count++;
      }
      counts.push(count);
      expect(asked()).toBe(1);
    }
    expect(taken.size).toBe(names.length);
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(names.length);
    expect(Math.min(...counts)).toBeGreaterThan(240);
  });

  it("are everything after a while, what was one's own before, and to a host that has no lease [DUR-takeover]", async () => {
    const { made, clock } = shares("a", ["a", "b"]);
    made.begin();
    const left = [];
    for (const name of names) if (!(await made.isMine(name, "dead"))) left.push(name);
    expect(left.length).toBeGreaterThan(300);
    expect(await made.isMine(left[0]!, "a~before")).toBe(true);
    await clock.advance(999);
    made.begin();
    expect(await made.isMine(left[0]!, "dead")).toBe(false);
    await clock.advance(1);
    made.begin();
    expect(await made.isMine(left[0]!, "dead")).toBe(true);
    // Another owner that dies later is waited for anew.
    expect(await made.isMine(left[0]!, "later")).toBe(false);
    const lost = shares("z", ["a", "b"]).made;
    expect(await lost.isMine(left[0]!, "dead")).toBe(true);
  });
});
