/** Limits of attempts under way, and who goes first where more waits than may begin. */
import { defineWorkflow } from "@swl/definition";
import { inProcess, ok } from "@swl/invocation-control/in-process";
import { afterEach, describe, expect, it } from "vitest";
import { dealt, Slots } from "../src/slots.js";
import { Lab, pause } from "./lab.js";

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
    const act = async (input: string) => {
      order.push(input);
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
    await Promise.all([short.result({ timeout: 60_000 }), other.result({ timeout: 60_000 })]);
    const before = order.filter((step) => step.startsWith("long")).length;
    expect(before).toBeLessThan(40);
    expect(await long.result({ timeout: 60_000 })).toMatchObject({ status: "completed" });
    expect(order.length).toBe(64);
  });
});
