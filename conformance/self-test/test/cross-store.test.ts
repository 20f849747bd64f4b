/**
 * The same random histories through all stores, in lockstep: every answer and, after every history, everything that can
 * be read must be the same, byte for byte. The suite says what the contract demands; this says that the stores agree
 * where nobody thought of asking. The seeds are fixed: 10,000 operations, and 100,000 in the full run.
 */
import type { Store } from "@swl/store-provider";
import { afterAll, describe, expect, it } from "vitest";
import { Driver, dump, outcome } from "../src/lockstep/driver.ts";
import { histories, type Step } from "../src/lockstep/plan.ts";
import { createStores, type Stores } from "../src/lockstep/stores.ts";

const url = process.env["SWL_TEST_DATABASE_URL"];
/** Two histories at a time: while one waits for the server the other one has the processor. */
const lanes = [createStores(url), createStores(url)];
afterAll(() => Promise.all(lanes.map((stores) => stores.end())));

const length = 250;
/** Each seed stands for 2,500 operations. */
const seeds = Array.from({ length: process.env["SWL_FULL"] ? 40 : 4 }, (_, n) => 1_001 + n);

/** What was answered at least once, by the step. */
const reached = new Set<string>();
/** First words of the names of the stores that took part. */
const among = new Set<string>();

async function compare(stores: Stores, steps: readonly Step[], where: string): Promise<void> {
  const time = { now: 1_700_000_000_000 };
  const opened = await stores.open(() => time.now);
  for (const { info } of opened) among.add(info.name.split(" ")[0] ?? "");
  const driver = new Driver(opened[0] as Store, time);
  try {
    for (const [index, given] of steps.entries()) {
      const call = await driver.callOf(given);
      const [model = "", ...others] = await Promise.all(opened.map((store) => outcome(call, store)));
      note(given.kind, model);
      for (const [n, answer] of others.entries()) {
        if (answer === model) continue;
        const store = opened[n + 1]?.info.name;
        expect({ where, index, given, store, answer }).toEqual({ where, index, given, store, answer: model });
      }
    }
    const [model, ...others] = await Promise.all(opened.map((store) => outcome(dump, store)));
    for (const left of others) expect(left).toEqual(model);
    expect(model).toContain('"faults":[]');
  } finally {
    await Promise.all(opened.map((store) => store.close()));
  }
}

function note(kind: Step["kind"], answer: string): void {
  for (const [, word] of answer.matchAll(/"kind":"([a-z-]+)"/g)) reached.add(`${kind} ${word}`);
  for (const [, code] of answer.matchAll(/"thrown":"([a-z.-]+)"/g)) reached.add(`${kind} ${code}`);
  if (answer.includes('"repeated":true')) reached.add(`${kind} again`);
  if (kind === "prune" && !answer.includes('"streams":0'))
    reached.add(answer.includes('"more":true') ? "a portion" : "all that is over");
  if (kind === "prune" && !answer.includes('"blobs":0')) reached.add("a blob that nobody pins");
}

describe("a history on all stores", () => {
  for (const seed of seeds) {
    it(`of seed ${seed} is answered alike and leaves the same behind [STO-peers]`, async () => {
      const all = [...histories(10, length, seed).entries()];
      const inLane = async (stores: Stores, lane: number) => {
        for (const [index, steps] of all) {
          if (index % lanes.length === lane) await compare(stores, steps, `history ${index} of seed ${seed}`);
        }
      };
      await Promise.all(lanes.map(inLane));
    }, 600_000);
  }

  it("has gone through memory and sqlite", () => {
    expect([...among]).toEqual(expect.arrayContaining(["memory", "sqlite"]));
  });

  it.skipIf(url === undefined)(
    `has gone through postgres too${url === undefined ? " (skipped: no server)" : ""}`,
    () => expect([...among]).toContain("postgres"),
  );

  it("has met every answer that there is", () => {
    const kinds = [
      "conflict",
      "stale",
      "closed",
      "held",
      "claimed",
      "lease-lost",
      "clock-ahead",
      "not-found",
    ];
    const wanted = [
      ...["accepted", "receipt", "again", ...kinds].map((word) => `append ${word}`),
      ...["open held", "open active", "open lease-lost", "renew held", "renew lease-lost"],
      ...["claim store.lease-lost", "note store.not-found"],
      ...["a portion", "all that is over", "a blob that nobody pins"],
    ];
    expect(wanted.filter((one) => !reached.has(one))).toEqual([]);
  });
});
