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

function committer(append: Append, itemsPerBatch = 100, appendsAtOnce?: number): Committer {
  const store = { append, info: { limits: { itemsPerBatch }, appendsAtOnce } } as unknown as Store;
  return new Committer(store, systemClock, () => undefined);
}

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

  it("never puts two items of one stream into a batch, and keeps their order", async () => {
    const batches: string[][] = [];
    const subject = committer(async (items) => {
      batches.push(items.map(({ commit }) => commit));
      return items.map(() => accepted);
    });
    await Promise.all([item("a", "a1"), item("a", "a2"), item("b", "b1")].map((one) => subject.submit(one)));
    expect(batches).toEqual([["a1", "b1"], ["a2"]]);
  });

  it("has as many batches in flight as the store wants, none of two with one stream [DUR-group-commit]", async () => {
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
    );
    const begun = async (count: number) => {
      while (batches.length < count) await new Promise((resolve) => setImmediate(resolve));
    };
    const all = [subject.submit(item("a", "a1"))];
    await begun(1);
    all.push(...[item("a", "a2"), item("b", "b1")].map((one) => subject.submit(one)));
    await begun(2);
    all.push(...[item("a", "a3"), item("b", "b2"), item("c", "c1")].map((one) => subject.submit(one)));
    for (let turns = 0; turns < 5; turns++) await new Promise((resolve) => setImmediate(resolve));
    expect(batches).toEqual([["a1"], ["b1"]]);
    releases[0]?.();
    await begun(3);
    expect(batches[2]).toEqual(["a2", "c1"]);
    const idle = subject.idle();
    let over = false;
    void idle.then(() => {
      over = true;
    });
    while (!over) {
      for (const release of releases.splice(0)) release();
      await new Promise((resolve) => setImmediate(resolve));
    }
    await Promise.all(all);
    expect(batches.flat().sort()).toEqual(["a1", "a2", "a3", "b1", "b2", "c1"]);
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
