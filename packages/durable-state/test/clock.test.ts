/** The machine's clock waits as long as it is told: the platform's timers end at 2^31 - 1 ms, and fire at once beyond. */
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { sleep, systemClock } from "../src/clock.js";

const DAY = 86_400_000;
beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance", "Date"] });
});
afterEach(() => {
  vi.useRealTimers();
});

describe("the machine's clock", () => {
  it.each([
    ["an instant", 0],
    ["what a timer just holds", 2 ** 31 - 1],
    ["25 days", 25 * DAY],
    ["a year", 365 * DAY],
    ["a hundred years", 36_525 * DAY],
  ])("calls back once after %s, and not a millisecond earlier", (_, milliseconds) => {
    let calls = 0;
    const timer = vi.spyOn(globalThis, "setTimeout");
    systemClock.after(milliseconds, () => calls++);
    if (milliseconds > 0) vi.advanceTimersByTime(milliseconds - 1);
    expect(calls).toBe(0);
    vi.advanceTimersByTime(1);
    expect(calls).toBe(1);
    vi.advanceTimersByTime(400 * DAY);
    expect(calls).toBe(1);
    // No piece is longer than the platform's timers hold.
    for (const [, piece] of timer.mock.calls) expect(piece).toBeLessThan(2 ** 31);
    timer.mockRestore();
  });

  it("calls nobody who has canceled, in whichever piece of the time", () => {
    let calls = 0;
    for (const passed of [0, DAY, 13 * DAY, 40 * DAY]) {
      const cancel = systemClock.after(50 * DAY, () => calls++);
      vi.advanceTimersByTime(passed);
      cancel();
    }
    vi.advanceTimersByTime(400 * DAY);
    expect(calls).toBe(0);
    expect(vi.getTimerCount()).toBe(0);
  });

  it("goes by time that never goes back: a wall clock that jumps changes no waiting", () => {
    let calls = 0;
    systemClock.after(30 * DAY, () => calls++);
    vi.setSystemTime(Date.now() + 400 * DAY);
    vi.advanceTimersByTime(30 * DAY - 1);
    expect(calls).toBe(0);
    vi.advanceTimersByTime(1);
    expect(calls).toBe(1);
  });

  it("lets go of who is told to wait no longer", async () => {
    const stop = new AbortController();
    const slept = sleep(systemClock, 365 * DAY, stop.signal);
    stop.abort();
    await slept;
    expect(vi.getTimerCount()).toBe(0);
  });
});
