import { SwlError } from "@swl/base";
import type { Answer, Item, Store } from "@swl/store-provider";
import { describe, expect, it } from "vitest";
import { Committer } from "../src/committer.js";
import { systemClock } from "../src/index.js";

type Append = (items: readonly Item[]) => Promise<readonly Answer[]>;

const accepted: Answer = { kind: "accepted", first: 1, last: 1, at: 0, repeated: false };
const item = (stream: string, commit = stream): Item => ({
  stream,
  commit,
  expect: 0,
  stamp: 0,
  records: [{ kind: "x", document: null }],
});

function committer(
  append: Append,
  itemsPerBatch = 100,
  appendsAtOnce?: number,
  clock = systemClock,
): Committer {
  const store = { append, info: { limits: { itemsPerBatch }, appendsAtOnce } } as unknown as Store;
  return new Committer(store, clock, () => undefined);
}

/** On which no time is ever over. */
const still = { ...systemClock, after: () => () => undefined };

const fails = (kind: "unavailable" | "unknown-commit" | "corrupt", retry: string) =>
  new SwlError(`store.${kind}`, "no", { details: { retry } });

describe("group commit", () => {
  it("makes what arrives while a batch is in flight the next one [DUR-group-commit]", async () => {
    const batches: string[][] = [];
    let release: () => void = () => undefined;
    const subject = committer(async (items) => {
      batches.push(items.map(({ stream }) => stream));
      if (batches.length === 1)
        await new Promise<void>((resolve) => {
          release = resolve;
        });
      return items.map(() => accepted);
    });
    const first = subject.submit(item("a"));
    await new Promise((resolve) => setTimeout(resolve, 5));
    const rest = ["b", "c", "d"].map((stream) => subject.submit(item(stream)));
    release();
    await Promise.all([first, ...rest]);
    expect(batches).toEqual([["a"], ["b", "c", "d"]]);
  });

  describe("for somebody who is alone", () => {
    const batches: string[][] = [];
    const atOnce = () =>
      committer(async (items) => {
        batches.push(items.map(({ stream }) => stream));
        return items.map(() => accepted);
      });

    it("goes without a turn of the event loop, but leaves others theirs [DUR-group-commit]", async () => {
      const subject = atOnce();
      let turns = 0;
      const count = (): void => {
        turns += 1;
        if (turns < 1_000) setImmediate(count);
      };
      setImmediate(count);
      for (let n = 0; n < 100; n++) await subject.submit(item(`${n}`));
      expect(turns).toBeGreaterThan(10);
      expect(turns).toBeLessThan(60);
    });

    it("takes those along who come in the same step, and waits for those who come together again", async () => {
      const subject = atOnce();
      await subject.submit(item("a"));
      batches.length = 0;
      const names = Array.from({ length: 50 }, (_, n) => `${n}`);
      await Promise.all(names.map((name) => subject.submit(item(name))));
      const late = names.slice(0, 2).map(async (name, n) => {
        if (n > 0) await new Promise((resolve) => process.nextTick(resolve));
        await subject.submit(item(`${name} again`));
      });
      await Promise.all(late);
      expect(batches).toEqual([names, ["0 again", "1 again"]]);
    });
  });

  it("never puts two items of one stream into a batch, and keeps their order", async () => {
    const batches: string[][] = [];
    const subject = committer(async (items) => {
      batches.push(items.map(({ commit }) => commit));
      return items.map(() => accepted);
    });
    await Promise.all([item("a", "a1"), item("a", "a2"), item("b", "b1")].map((one) => subject.submit(one)));
    expect(batches).toEqual([["a1", "b1"], ["a2"]]);
  });

  describe("where the store wants two batches in flight", () => {
    /** Batches that wait until they are released, and what is in them. */
    function held() {
      const batches: string[][] = [];
      const releases: (() => void)[] = [];
      const subject = committer(
        async (items) => {
          batches.push(items.map(({ commit }) => commit));
          await new Promise<void>((resolve) => releases.push(resolve));
          return items.map(() => accepted);
        },
        100,
        2,
        still,
      );
      const all: Promise<Answer>[] = [];
      const turns = async (count: number) => {
        for (let n = 0; n < count; n++) await new Promise((resolve) => setImmediate(resolve));
      };
      const submit = async (...items: readonly Item[]) => {
        all.push(...items.map((one) => subject.submit(one)));
        await turns(5);
      };
      const end = async () => {
        let over = false;
        void subject.idle().then(() => {
          over = true;
        });
        while (!over) {
          for (const release of releases.splice(0)) release();
          await turns(1);
        }
        await Promise.all(all);
      };
      return { batches, releases, submit, turns, end };
    }
    const many = (prefix: string, count: number) =>
      Array.from({ length: count }, (_, index) => item(`${prefix}${index}`));
    const commits = (items: readonly Item[]) => items.map(({ commit }) => commit);

    it("sends the second when enough is waiting, and none of two with one stream [DUR-group-commit]", async () => {
      const { batches, releases, submit, turns, end } = held();
      await submit(item("a", "a1"));
      await submit(item("a", "a2"), ...many("b", 30));
      expect(batches).toEqual([["a1"]]);
      await submit(item("b30"));
      expect(batches.slice(1)).toEqual([commits(many("b", 31))]);
      await submit(item("a", "a3"), item("b0", "b0 again"), item("c"));
      expect(batches.length).toBe(2);
      releases[0]?.();
      await turns(5);
      expect(batches[2]).toEqual(["a2", "c"]);
      await end();
      expect(batches.flat().sort()).toEqual(
        ["a1", "a2", "a3", "b0 again", "c", ...commits(many("b", 31))].sort(),
      );
    });

    it("divides what comes at once when each half is worth a batch, and only then [DUR-group-commit]", async () => {
      for (const [count, sizes] of [
        [63, [63]],
        [64, [32, 32]],
        [151, [76, 75]],
        [250, [100, 100]],
      ] as const) {
        const { batches, submit, end } = held();
        await submit(...many("r", count));
        expect(batches.map(({ length }) => length)).toEqual(sizes);
        await end();
        expect(batches.flat().sort()).toEqual(commits(many("r", count)).sort());
      }
    });
  });

  it("holds nothing back behind a batch that the store fails, where it takes two [DUR-group-commit]", async () => {
    let isBack = false;
    let failures = 0;
    const subject = committer(
      async (items) => {
        if (isBack || items.every(({ stream }) => stream !== "stuck")) return items.map(() => accepted);
        failures += 1;
        throw fails("unavailable", "same");
      },
      100,
      2,
    );
    const stuck = [subject.submit(item("stuck", "1")), subject.submit(item("stuck", "2"))];
    while (failures === 0) await new Promise((resolve) => setImmediate(resolve));
    for (const stream of ["b", "c"]) expect(await subject.submit(item(stream))).toEqual(accepted);
    isBack = true;
    expect(await Promise.all(stuck)).toEqual([accepted, accepted]);
    await subject.idle();
  });

  it("holds nothing back behind a batch that takes long, where it takes two [DUR-group-commit]", async () => {
    let release: () => void = () => undefined;
    const subject = committer(
      async (items) => {
        if (items.some(({ stream }) => stream === "locked"))
          await new Promise<void>((resolve) => {
            release = resolve;
          });
        return items.map(() => accepted);
      },
      100,
      2,
    );
    const locked = subject.submit(item("locked"));
    for (let n = 0; n < 5; n++) await new Promise((resolve) => setImmediate(resolve));
    expect(await Promise.all([subject.submit(item("b")), subject.submit(item("c"))])).toEqual([
      accepted,
      accepted,
    ]);
    release();
    expect(await locked).toEqual(accepted);
    await subject.idle();
  });

  it("sends the same batch again after a lost answer [DUR-lost-answer]", async () => {
    const sent: (readonly Item[])[] = [];
    const subject = committer(async (items) => {
      sent.push(items);
      if (sent.length < 3) throw fails("unknown-commit", "same");
      return items.map(() => accepted);
    });
    await subject.submit(item("a"));
    expect(sent).toHaveLength(3);
    expect(sent[2]).toEqual(sent[0]);
  });

  it("lets one item that the store cannot take not block the others", async () => {
    const subject = committer(async (items) => {
      if (items.some(({ stream }) => stream === "bad")) throw fails("corrupt", "never");
      return items.map(() => accepted);
    });
    const [bad, good] = await Promise.all([subject.submit(item("bad")), subject.submit(item("good"))]);
    expect(bad).toMatchObject({ kind: "refused", failure: { kind: "corrupt" } });
    expect(good).toEqual(accepted);
  });

  it("rejects what it waits for once it is abandoned", async () => {
    const subject = committer(async () => {
      throw fails("unavailable", "same");
    });
    const waiting = subject.submit(item("a"));
    subject.abandon();
    await expect(waiting).rejects.toMatchObject({ code: "host.stopped" });
    await expect(subject.submit(item("b"))).rejects.toMatchObject({ code: "host.stopped" });
    await subject.idle();
  });
});
