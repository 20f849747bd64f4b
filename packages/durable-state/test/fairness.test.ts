/** Limits of attempts under way, and who goes first where more waits than may begin. */
import { defineWorkflow } from "@swl/definition";
import { inProcess, ok } from "@swl/invocation-control/in-process";
import { afterEach, describe, expect, it } from "vitest";
import { dealt, Slots } from "../src/slots.js";
import { Lab, pause, through, until } from "./lab.js";

let lab = new Lab();
afterEach(async () => {
  await lab.end();
  lab = new Lab();
});

describe("slots", () => {
  const limits = { total: 10, actions: { a: 2 }, providers: { p: 3 } };

  it("are those of the tightest limit [DUR-concurrency]", () => {
    const slots = new Slots(limits);
    const [a, b, c] = [
      { action: "a", provider: "p" },
      { action: "b", provider: "p" },
      { action: "c", provider: "q" },
    ];
    expect([slots.free(a!), slots.free(b!), slots.free(c!)]).toEqual([2, 3, 10]);
    slots.take(a!);
    slots.take(a!);
    expect([slots.free(a!), slots.free(b!), slots.free(c!)]).toEqual([0, 1, 8]);
    slots.giveBack(a!);
    expect([slots.free(a!), slots.free(b!)]).toEqual([1, 2]);
  });

  it("are for what waits first, where it waits for the same limit [DUR-concurrency]", () => {
    const slots = new Slots(limits);
    const [a, b] = [
      { action: "a", provider: "p" },
      { action: "b", provider: "p" },
    ];
    for (const of of [a, a]) slots.take(of!);
    slots.wait(a!);
    expect([slots.isTaken(a!), slots.isTaken(b!)]).toEqual([true, false]);
    slots.keepWaiting(new Set());
    expect(slots.isTaken(a!)).toBe(false);
  });

  it("are dealt out among queues in turn [DUR-concurrency]", () => {
    const queues = [{ most: 10 }, { most: 1 }, { most: 10 }];
    const limitsOf = (free: number, turn: number) =>
      queues.map((queue) => dealt(queues, free, turn).find(({ of }) => of === queue)?.limit);
    expect(limitsOf(9, 0)).toEqual([3, 1, 5]);
    expect([0, 1, 2].map((turn) => limitsOf(1, turn))).toEqual([
      [1, 0, 0],
      [0, 1, 0],
      [0, 0, 1],
    ]);
    expect(dealt([], 5, 3)).toEqual([]);
  });
});

const steps = (id: string, action: string, count: number) =>
  defineWorkflow({
    id,
    start: "s1",
    actions: { [action]: { effect: "pure", outcomes: { ok: {} } } },
    nodes: {
      ...Object.fromEntries(
        Array.from({ length: count }, (_, index) => [
          `s${index + 1}`,
          {
            kind: "activity",
            action,
            input: { $literal: `${id} ${index + 1}` },
            routes: { ok: index + 1 === count ? "done" : `s${index + 2}` },
          },
        ]),
      ),
      done: { kind: "complete" },
    },
  } as never);

describe("a host with one slot", () => {
  it("serves a short run while a long one goes on, and another workflow's too [DUR-concurrency]", async () => {
    const order: string[] = [];
    let go: () => void = () => undefined;
    const asked = new Promise<void>((resolve) => (go = resolve));
    const act = async (input: string) => {
      order.push(input);
      await asked;
      await pause(2);
      return ok();
    };
    const bindings = inProcess({ a: act, b: act } as never);
    const host = await lab.host(() => null, { bindings, concurrency: { providers: { "in-process": 1 } } });
    const long = await host.start(steps("long", "a", 60));
    const [short, other] = await Promise.all([
      host.start(steps("short", "a", 2)),
      host.start(steps("other", "b", 2)),
    ]);
    go();
    await Promise.all([short.result({ timeout: 60_000 }), other.result({ timeout: 60_000 })]);
    const before = order.filter((step) => step.startsWith("long")).length;
    expect(before).toBeLessThan(40);
    expect(await long.result({ timeout: 60_000 })).toMatchObject({ status: "completed" });
    expect(order.length).toBe(64);
  });
});

/** Attempts that end when the test lets them. */
class Gates {
  readonly begun: string[] = [];
  readonly #open: { readonly input: string; readonly end: () => void }[] = [];

  readonly act = (input: string): Promise<ReturnType<typeof ok>> =>
    new Promise((resolve) => {
      this.begun.push(input);
      this.#open.push({ input, end: () => resolve(ok()) });
    });

  get underWay(): readonly string[] {
    return this.#open.map(({ input }) => input);
  }

  endOldest(): void {
    this.#open.shift()?.end();
  }
}

const wordOf = (input: string): string => input.split(" ")[0]!;
const countOf = (inputs: readonly string[], word: string): number =>
  inputs.filter((input) => wordOf(input) === word).length;

/** A host with four slots, flooded before anybody else comes. */
async function flooded(
  concurrency: object,
  floods: readonly (readonly [id: string, action: string])[],
  runs = 30,
) {
  const gates = new Gates();
  let unclaimed = 0;
  const store = through(lab.store(), (name, call, given) => {
    if (name === "unclaim") unclaimed += (given[1] as readonly string[]).length;
    return call();
  });
  const bindings = inProcess({ a: gates.act, b: gates.act, c: gates.act } as never);
  const host = await lab.host(() => null, { store, bindings, concurrency, lease: 60_000 });
  const start = async (id: string, action: string, count: number, length = 3) => {
    const workflow = steps(id, action, length);
    return Promise.all(Array.from({ length: count }, () => host.start(workflow)));
  };
  for (const [id, action] of floods) await start(id, action, runs);
  return { host, gates, start, unclaimed: () => unclaimed };
}

describe("a host with several slots", () => {
  it("has none idle while work waits [DUR-concurrency]", async () => {
    const { gates, start } = await flooded({ total: 4 }, [["flood", "a"]]);
    await start("other", "b", 5);
    for (let ended = 0; ended < 60; ended++) {
      expect(await until(() => gates.underWay.length === 4)).toBe(true);
      gates.endOldest();
    }
  });

  it("begins nothing twice over, and gives back next to nothing of what it claimed [DUR-concurrency]", async () => {
    const { gates, start, unclaimed } = await flooded({ total: 4 }, [["flood", "a"]]);
    await start("other", "b", 5);
    for (let ended = 0; ended < 60; ended++) {
      await until(() => gates.underWay.length === 4);
      gates.endOldest();
    }
    expect(unclaimed()).toBeLessThan(6);
  });

  it("serves another action in turn with one that floods it [DUR-concurrency]", async () => {
    const { gates, start } = await flooded({ total: 4 }, [["flood", "a"]]);
    expect(await until(() => gates.underWay.length === 4)).toBe(true);
    const short = await start("short", "b", 4, 2);
    const before = gates.begun.length;
    while (countOf(gates.begun, "short") < 8) {
      expect(await until(() => gates.underWay.length === 4)).toBe(true);
      gates.endOldest();
    }
    // Eight steps of the one and about as many of the other.
    expect(countOf(gates.begun.slice(before), "flood")).toBeLessThan(20);
    const ending = setInterval(() => gates.endOldest(), 1);
    for (const run of short) expect((await run.result({ timeout: 8_000 })).status).toBe("completed");
    clearInterval(ending);
  });

  it("serves a workflow that shares the action oldest first, whatever the flood's next steps are [DUR-concurrency]", async () => {
    const { gates, start } = await flooded({ total: 4 }, [["flood", "a"]]);
    await start("late", "a", 4, 2);
    const endAll = async (count: number): Promise<void> => {
      for (let ended = 0; ended < count; ended++) {
        expect(await until(() => gates.underWay.length === 4)).toBe(true);
        gates.endOldest();
      }
    };
    // The first step of each of the thirty, then those of the four: before them a few second ones, begun meanwhile.
    await endAll(40);
    expect(countOf(gates.begun, "late")).toBe(4);
    expect(gates.begun.filter((input) => input === "flood 1")).toHaveLength(30);
    await endAll(45);
    expect(countOf(gates.begun, "late")).toBe(8);
  });

  it("keeps places of one limit from the work of another [DUR-concurrency]", async () => {
    const { gates, start } = await flooded({ total: 4, actions: { a: 2 } }, [["flood", "a"]]);
    await start("other", "b", 3);
    for (let ended = 0; ended < 12; ended++) {
      expect(await until(() => gates.underWay.length === 4)).toBe(true);
      expect(countOf(gates.underWay, "flood")).toBeLessThan(3);
      expect(countOf(gates.underWay, "flood")).toBeGreaterThan(0);
      gates.endOldest();
    }
  });

  it("lets no run of several floods starve [DUR-concurrency]", async () => {
    const floods = [
      ["flood-a", "a"],
      ["flood-b", "b"],
    ] as const;
    const { gates, start } = await flooded({ total: 4 }, floods, 20);
    const short = await start("short", "c", 6, 3);
    const ending = setInterval(() => gates.endOldest(), 1);
    for (const run of short) expect((await run.result({ timeout: 20_000 })).status).toBe("completed");
    const [a, b] = [countOf(gates.begun, "flood-a"), countOf(gates.begun, "flood-b")];
    clearInterval(ending);
    // Three actions in turn: each of the floods had about as much as the eighteen steps of the short ones.
    expect(Math.max(a, b)).toBeLessThan(45);
    expect(Math.abs(a - b)).toBeLessThan(12);
    const rest = setInterval(() => gates.endOldest(), 1);
    const store = lab.store();
    expect(await until(async () => (await store.stats()).streams.open === 0, 20_000)).toBe(true);
    clearInterval(rest);
  });
});
