import { describe, expect, it } from "vitest";
import { createWakeHub, type Item, sharedWakeHub, type Wake, wakesOf } from "../src/index.js";

const item = (rest: Partial<Item>): Item => ({
  stream: "run",
  commit: "c",
  expect: 4,
  records: [{ kind: "event", document: null }],
  applies: true,
  stamp: 0,
  ...rest,
});
const work = (id: string, queue: string, delay = 0) => ({ id, queue, delay, document: null });
const records = { kind: "records", name: "run" };

describe("an accepted item", () => {
  it.each<[string, Partial<Item>, readonly unknown[]]>([
    ["that applies wakes nobody", {}, []],
    ["that is foreign tells of records", { expect: "next", applies: false }, [records]],
    ["that does not apply tells of records", { applies: false }, [records]],
    [
      "tells of each queue once, when work may be claimed at once",
      { work: [work("a", "q"), work("b", "q"), work("c", "later", 1), work("d", "r")] },
      [
        { kind: "work", name: "q" },
        { kind: "work", name: "r" },
      ],
    ],
    ["tells of no work that it withdraws", { work: [work("a", "q")], withdraw: ["a"] }, []],
    [
      "that closes tells only that",
      { close: true, work: [work("a", "q")] },
      [{ kind: "closed", name: "run" }],
    ],
    ["that sets a hold wakes nobody", { hold: "quarantine", work: [work("a", "q")], applies: false }, []],
    ["that lifts a hold tells of what waited", { lift: "quarantine", applies: false }, [records]],
  ])("%s [STO-wake-ups]", (_what, rest, wakes) => {
    expect(wakesOf([item(rest)])).toEqual(wakes);
  });

  it("is not told of twice in a batch [STO-wake-ups]", () => {
    const batch = ["a", "b"].map((stream) => item({ stream, work: [work(stream, "q")] }));
    expect(wakesOf(batch)).toEqual([{ kind: "work", name: "q" }]);
  });
});

describe("a hub", () => {
  const wakes: readonly Wake[] = [{ kind: "work", name: "q" }];

  it("tells everyone who listens, whatever one of them throws [STO-wake-ups]", () => {
    const hub = createWakeHub();
    const told: unknown[] = [];
    hub.listen(() => {
      throw new TypeError("a listener's trouble");
    });
    // Unhandled, this would end the process.
    hub.listen(async () => {
      throw new TypeError("a listener's later trouble");
    });
    const end = hub.listen((some) => void told.push(some));
    hub.tell(wakes);
    hub.tell([]);
    end();
    end();
    hub.tell(wakes);
    expect(told).toEqual([wakes]);
  });

  it("is shared by those who name the same storage, and kept while somebody listens [STO-wake-ups]", () => {
    const [a, b, other] = [sharedWakeHub("one"), sharedWakeHub("one"), sharedWakeHub("two")];
    const told: string[] = [];
    const endA = a.listen(() => void told.push("a"));
    const endB = b.listen(() => void told.push("b"));
    const endOther = other.listen(() => void told.push("other"));
    b.tell(wakes);
    endA();
    endA();
    a.tell(wakes);
    endB();
    a.tell(wakes);
    a.listen(() => void told.push("again"));
    b.tell(wakes);
    endOther();
    expect(told).toEqual(["a", "b", "b", "again"]);
  });
});
