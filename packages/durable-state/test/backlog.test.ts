/** More accepted events than one document has room to answer. */
import type { Definition } from "@swl/definition";
import { afterEach, describe, expect, it } from "vitest";
import { createControl } from "../src/index.js";
import { core, Lab, until } from "./lab.js";

const labs: Lab[] = [];
afterEach(async () => {
  for (const lab of labs.splice(0)) await lab.end();
});

const definition = {
  swl: "0.1",
  id: "waiting",
  requires: ["core"],
  dialects: { numbers: "binary64", expressions: "minimal" },
  start: "wait",
  nodes: {
    wait: { kind: "await-signal", signal: "go", routes: { received: "done" } },
    done: { kind: "complete", output: { $get: ["from", "output"] } },
  },
  actions: {},
  limits: { maxActivations: 1_000, maxInternalTransitions: 1_000 },
} as unknown as Definition;

/** A run and so many signals that nothing waits for, accepted while its state was known to nobody. */
async function waiting(lab: Lab, count: number): Promise<string> {
  const store = lab.store();
  const { run } = await createControl({ store, models: [core] }).start({ definition: definition as never });
  for (let sent = 0; sent < count; ) {
    const at = Date.now();
    const records = Array.from({ length: Math.min(256, count - sent) }, (_, n) => {
      const id = `m${sent + n}`;
      const event = { type: "signal", messageId: id, name: "other", payload: null, id, at };
      return { kind: "event", document: { event } };
    });
    const receipts = [{ scope: run, request: `r${sent}`, digest: "d" }];
    const item = { stream: run, commit: `c${sent}`, expect: "next", stamp: at, records, receipts } as const;
    expect((await store.append([item]))[0]).toMatchObject({ kind: "accepted" });
    sent += records.length;
  }
  return run;
}

/** Position 1 is the record of the creation, 2 that of the first signal. */
async function checked(lab: Lab, run: string, count: number): Promise<number> {
  const host = await lab.host(() => undefined);
  expect(await until(async () => (await host.control.status(run)).unapplied === 0)).toBe(true);
  expect(await host.control.status(run)).toMatchObject({ status: "waiting", closed: false });
  const store = lab.store();
  const added = await store.read(run, { after: count + 1 });
  const told = added.flatMap(({ document }) => {
    const { commit } = document as { commit?: { answers?: readonly { position: number; code?: string }[] } };
    return commit?.answers ?? [];
  });
  expect(told.map(({ position }) => position)).toEqual(Array.from({ length: count }, (_, n) => n + 2));
  expect(new Set(told.map(({ code }) => code))).toEqual(new Set(["signal.unmatched"]));
  expect(added.map(({ applies }) => applies)).toEqual(added.map((_, n) => n === added.length - 1));
  expect(await host.control.verify(run)).toMatchObject({ differing: [], position: added.at(-1)!.position });
  expect(await host.control.signal({ run, messageId: "last", name: "go" })).toMatchObject({
    effect: "moved",
  });
  expect(await host.control.result(run)).toMatchObject({ status: "completed" });
  return added.length;
}

describe("a backlog that no document can answer", () => {
  it("is applied by one commit, its answers in several records, and the run goes on [DUR-accepted-order]", async () => {
    const lab = new Lab({ limits: { documentBytes: 4_096 } });
    labs.push(lab);
    const run = await waiting(lab, 500);
    expect(await checked(lab, run, 500)).toBeGreaterThan(10);
  });

  it.runIf(process.env["SWL_FULL"])(
    "is so too with documents of their ordinary size [DUR-accepted-order]",
    async () => {
      const lab = new Lab();
      labs.push(lab);
      const run = await waiting(lab, 300_000);
      expect(await checked(lab, run, 300_000)).toBeGreaterThan(1);
    },
  );

  it("tells each sender what became of its own signal, in whichever record that stands [INV-answers]", async () => {
    const lab = new Lab({ limits: { documentBytes: 4_096 } });
    labs.push(lab);
    const control = createControl({ store: lab.store(), models: [core], poll: 5 });
    const run = await waiting(lab, 0);
    const sent = Array.from({ length: 300 }, (_, n) =>
      control.signal({ run, messageId: `m${n}`, name: `other-${n}` }, { wait: 60_000 }),
    );
    expect(await until(async () => (await lab.store().head(run))?.position === 301)).toBe(true);
    await lab.host(() => undefined);
    for (const answer of await Promise.all(sent)) {
      expect(answer).toMatchObject({ kind: "applied", effect: "none", code: "signal.unmatched" });
    }
  });
});
