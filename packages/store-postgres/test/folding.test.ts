/** How often the slots of a stream are folded: a run that is busy is not folded all the time. */
import type { Answer, PreparedItem } from "@swl/store-provider";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Database } from "../src/database.js";
import { createFolding } from "../src/slots.js";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["performance"] });
});
afterEach(() => {
  vi.useRealTimers();
});

/** Visits of one stream; at which of them it was folded. */
function visits(bytes: number) {
  const folded: number[] = [];
  let at = 0;
  const write = async () => {
    folded.push(at);
    return [];
  };
  const folding = createFolding({ write } as unknown as Database);
  const item = {
    item: { stream: "s", slots: [{ key: "k" }] },
    slots: [new Uint8Array(bytes)],
  } as unknown as PreparedItem;
  return {
    folded,
    async go(count: number) {
      for (let visit = 0; visit < count; visit++) {
        at += 1;
        const answer: Answer = { kind: "accepted", first: at, last: at, at: 0, repeated: false };
        folding.note([item], [answer]);
        for (let turns = 0; turns < 4; turns++) await Promise.resolve();
      }
    },
  };
}

describe("folding", () => {
  it("rests for ten seconds, or 1,024 records", async () => {
    const { folded, go } = visits(10);
    await go(2_000);
    expect(folded).toEqual([64, 1_088]);
    vi.advanceTimersByTime(10_000);
    await go(100);
    expect(folded).toEqual([64, 1_088, 2_048]);
  });

  it("of large slots rests until there is 1 MiB of them", async () => {
    const { folded, go } = visits(16_384);
    await go(200);
    expect(folded).toEqual([1, 65, 129, 193]);
  });
});
