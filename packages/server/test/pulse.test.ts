import { getEventListeners } from "node:events";
import { describe, expect, it } from "vitest";
import { Pulse } from "../src/streams/pulse.js";

describe("a pulse", () => {
  it("leaves nothing at signals that outlive it [INV-http-events]", async () => {
    const [closing, gone] = [new AbortController(), new AbortController()];
    const pulse = new Pulse(undefined, () => true, 10, [gone.signal, closing.signal]);
    await pulse.next(1);
    expect(getEventListeners(closing.signal, "abort").length).toBe(1);
    pulse.close();
    expect(getEventListeners(closing.signal, "abort")).toEqual([]);
    expect(getEventListeners(gone.signal, "abort")).toEqual([]);
  });

  it("ends its wait when one of them says so [INV-http-events]", async () => {
    const gone = new AbortController();
    const pulse = new Pulse(undefined, () => true, 60_000, [gone.signal, new AbortController().signal]);
    expect(pulse.over).toBe(false);
    const waiting = pulse.next(60_000);
    gone.abort();
    await waiting;
    expect(pulse.over).toBe(true);
    pulse.close();
  });
});
