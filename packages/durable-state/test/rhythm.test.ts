import { createMemoryBacking, openMemoryStore } from "@swl/store-memory";
import { describe, expect, it } from "vitest";
import { StoreClock } from "../src/clock.js";
import { Lease } from "../src/lease.js";
import { Newest } from "../src/newest.js";
import { PassedOver } from "../src/passed-over.js";
import { Rhythm } from "../src/rhythm.js";
import { FakeClock, settle } from "./fake-clock.js";

function rhythm(clock: FakeClock) {
  return new Rhythm({ clock, poll: 10, idlePoll: 80, random: () => 0 });
}

describe("the rhythm of looking", () => {
  it("slows down step by step while nothing is found, up to its bound [DUR-wake-ups]", async () => {
    const clock = new FakeClock();
    const subject = rhythm(clock);
    const pauses: number[] = [];
    for (let looks = 0; looks < 6; looks++) {
      subject.looked(false);
      const since = clock.monotonic();
      while (!subject.whole) await clock.advance(1);
      pauses.push(clock.monotonic() - since);
    }
    expect(pauses).toEqual([10, 20, 40, 80, 80, 80]);
    subject.looked(true);
    await clock.advance(10);
    expect(subject.whole).toBe(true);
  });

  it("is not put off for ever by hints", async () => {
    const clock = new FakeClock();
    const subject = rhythm(clock);
    subject.looked(true);
    for (let hints = 0; hints < 5; hints++) {
      subject.hint();
      subject.begin();
      subject.stir();
      await clock.advance(2);
    }
    expect(subject.whole).toBe(true);
  });

  it("is there for what falls due soon, however much falls due later [DUR-wake-ups]", async () => {
    const clock = new FakeClock();
    const subject = rhythm(clock);
    for (let looks = 0; looks < 5; looks++) subject.looked(false);
    for (let far = 0; far < 10_000; far++) subject.dueIn(86_400_000 + far * 10);
    subject.dueIn(25);
    let woken = 0;
    void subject.wait().then(() => woken++);
    await clock.advance(40);
    expect([woken, subject.whole]).toEqual([1, true]);
    subject.stop();
  });

  it("ends a pause on a hint and at an instant that is known", async () => {
    const clock = new FakeClock();
    const subject = rhythm(clock);
    for (let looks = 0; looks < 5; looks++) subject.looked(false);
    let woken = 0;
    const wait = () => void subject.wait().then(() => woken++);
    wait();
    subject.hint();
    await settle();
    expect([woken, subject.whole]).toEqual([1, false]);
    subject.begin();
    subject.dueIn(25);
    wait();
    await clock.advance(20);
    expect(woken).toBe(1);
    await clock.advance(20);
    expect([woken, subject.whole]).toEqual([2, true]);
    subject.stop();
  });
});

describe("a lease", () => {
  it("is in doubt when the machine slept and its monotonic clock with it [DUR-lease]", async () => {
    const clock = new FakeClock();
    let slept = 0;
    const sleepy = {
      now: () => clock.now() + slept,
      monotonic: () => clock.monotonic(),
      after: (milliseconds: number, wake: () => void) => clock.after(milliseconds, wake),
    };
    let regained = 0;
    const store = openMemoryStore({ backing: createMemoryBacking(), clock: clock.now });
    const lease = new Lease({
      store,
      clock: sleepy,
      storeClock: new StoreClock(sleepy),
      holder: "h",
      lease: 1_000,
      exclusive: false,
      waitForLease: 0,
      signal: undefined,
      log: () => undefined,
      regained: () => regained++,
    });
    await lease.open();
    expect(lease.running()).toBe(true);
    const before = regained;
    slept = 60_000;
    expect(lease.running()).toBe(false);
    for (let turns = 0; turns < 5; turns++) await settle();
    expect([lease.running(), regained - before]).toEqual([true, 1]);
    const closed = lease.close();
    await clock.advance(1_000);
    await closed;
  });
});

describe("a run that is passed over", () => {
  it("is looked at again when the time is over", async () => {
    const clock = new FakeClock();
    const subject = new PassedOver(clock);
    expect([subject.pass("r", 100), subject.pass("r", 100), subject.has("r")]).toEqual([true, false, true]);
    await clock.advance(100);
    expect(subject.has("r")).toBe(false);
  });
});

describe("what is remembered of the newest", () => {
  it("grows no further than it may, and forgets the oldest", () => {
    const newest = new Newest<number>(3);
    for (const name of ["a", "b", "c"]) newest.set(name, 1);
    newest.set("a", 2);
    newest.set("d", 1);
    expect(["a", "b", "c", "d"].map((name) => newest.get(name))).toEqual([2, undefined, 1, 1]);
    newest.delete("a");
    expect(newest.has("a")).toBe(false);
  });
});
