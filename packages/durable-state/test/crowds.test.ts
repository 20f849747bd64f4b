/** Crowds of messages to one run: what each costs does not grow with how many there are, counted in documents read. */
import type { Definition } from "@swl/definition";
import type { ControlAnswer } from "@swl/invocation-control";
import type { LogRecord, Store, StreamState } from "@swl/store-provider";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Control, createControl } from "../src/index.js";
import { core, Lab, through, until } from "./lab.js";

const full = Boolean(process.env["SWL_FULL"]);
let lab: Lab;
beforeEach(() => {
  lab = new Lab();
});
afterEach(() => lab.end());

const waiting = (maxBufferedSignals: number): Definition =>
  ({
    swl: "0.1",
    id: "waiting",
    requires: ["buffered-signals", "core", "tracked-updates"],
    dialects: { numbers: "binary64", expressions: "minimal" },
    start: "wait",
    nodes: {
      wait: { kind: "await-signal", signal: "last", routes: { received: "again" } },
      again: { kind: "await-signal", signal: "go", routes: { received: "done" } },
      done: { kind: "complete", output: { $get: ["from", "output"] } },
    },
    actions: {},
    limits: { maxActivations: 100_000, maxInternalTransitions: 1_000, maxBufferedSignals },
  }) as unknown as Definition;

/** Counts the documents that a store hands out. */
function counting(store: Store): {
  readonly store: Store;
  readonly read: { documents: number; loads: number };
} {
  const read = { documents: 0, loads: 0 };
  const counted = through(store, async (name, call) => {
    const answer = await call();
    if (name === "read") read.documents += (answer as readonly LogRecord[]).length;
    if (name === "load" && answer !== undefined) {
      const { tail, slots } = answer as StreamState;
      read.documents += tail.length + slots.size;
      read.loads++;
    }
    return answer;
  });
  return { store: counted, read };
}

async function send(control: Control, run: string, count: number, wait: number): Promise<readonly string[]> {
  const asked = Array.from({ length: count }, (_, n) =>
    control.signal({ run, messageId: `m${n}`, name: "go", payload: n }, { wait }),
  );
  return (await Promise.all(asked)).map(wordOf);
}

const wordOf = (answer: ControlAnswer): string =>
  "code" in answer ? answer.code : "effect" in answer ? answer.effect : answer.kind;

const sizes = full ? [2_000, 10_000] : [250, 1_000];

describe("a crowd of signals to one run", () => {
  it("reads each record once for all who send while no host runs [DUR-refused-before-acceptance]", async () => {
    const control = createControl({ store: lab.store(), models: [core] });
    for (const count of sizes) {
      const { run } = await control.start({ definition: waiting(1_000) as never });
      const { store, read } = counting(lab.store());
      const many = createControl({ store, models: [core] });
      for (let begun = 0; begun < count; begun += 50) {
        const asked = Array.from({ length: Math.min(50, count - begun) }, (_, n) =>
          many.signal({ run, messageId: `m${begun + n}`, name: "go" }, { wait: 0 }),
        );
        await Promise.all(asked);
      }
      expect(read.loads).toBe(1);
      expect(read.documents).toBeLessThan(4 * count);
    }
  });

  it("reads each answer once for all who wait, and tells each its own [INV-answers]", async () => {
    for (const count of sizes) {
      const host = await lab.host(() => null);
      const { store, read } = counting(lab.store());
      const control = createControl({ store, models: [core] });
      const { id } = await host.start(waiting(64));
      const words = await send(control, id, count, 20_000);
      expect(words.filter((word) => word === "buffered")).toHaveLength(64);
      expect(words.filter((word) => word === "signal.buffer-full")).toHaveLength(count - 64);
      expect(read.loads).toBeLessThan(5);
      expect(read.documents).toBeLessThan(10 * count);
      await host.close({ drain: 10 });
    }
  }, 120_000);

  it("costs one who sends after another no more when many are kept [DUR-refused-before-acceptance]", async () => {
    const host = await lab.host(() => null);
    const { id } = await host.start(waiting(1_000));
    await send(host.control, id, 900, 20_000);
    const { store, read } = counting(lab.store());
    const control = createControl({ store, models: [core] });
    const one = (n: number) => control.signal({ run: id, messageId: `s${n}`, name: "go" }, { wait: 4_000 });
    await one(0);
    read.documents = 0;
    for (let n = 1; n <= 50; n++) expect(wordOf(await one(n))).toBe("buffered");
    expect(read.loads).toBe(1);
    expect(read.documents).toBeLessThan(50 * 8);
  });
});

describe("a run that was sent to a moment ago", () => {
  it("is judged as it stands now: moved on, set aside, released, ended [DUR-refused-before-acceptance]", async () => {
    const host = await lab.host(() => null);
    const control = createControl({ store: lab.store(), models: [core] });
    const { id: run } = await host.start(waiting(1));
    const send = async (messageId: string, name: string) =>
      wordOf(await control.signal({ run, messageId, name }, { wait: 4_000 }));
    const update = async (requestId: string, name: string) =>
      wordOf(await control.update({ run, requestId, name }, { wait: 4_000 }));
    expect(await update("u1", "go")).toBe("update.not-waiting");
    expect(await send("a", "go")).toBe("buffered");
    expect(await send("b", "go")).toBe("signal.buffer-full");
    expect(await send("c", "nobody")).toBe("signal.unmatched");
    const [held] = await lab.store().append([
      {
        stream: run,
        commit: "hold",
        expect: (await lab.store().head(run))!.position,
        stamp: Date.now(),
        records: [
          { kind: "hold", document: { hold: "quarantine", code: "host.quarantined", message: "set aside" } },
        ],
        hold: "quarantine",
      },
    ]);
    expect(held).toMatchObject({ kind: "accepted" });
    const blind = await control.update({ run, requestId: "u2", name: "nobody" }, { wait: 0 });
    expect(blind.kind).toBe("accepted");
    expect((await control.release({ run, requestId: "r" }, { wait: 0 })).kind).not.toBe("refused");
    expect(await until(async () => (await control.status(run)).unapplied === 0)).toBe(true);
    expect(await update("u3", "last")).toBe("moved");
    expect(await until(async () => (await control.status(run)).closed)).toBe(true);
    expect(await send("d", "go")).toBe("event.too-late");
  });

  it("is told to be gone when it was removed meanwhile [DUR-retention]", async () => {
    const host = await lab.host(() => null);
    const control = createControl({ store: lab.store(), models: [core] });
    const { id: run } = await host.start(waiting(1));
    await control.signal({ run, messageId: "a", name: "go" }, { wait: 4_000 });
    await host.control.signal({ run, messageId: "b", name: "last" }, { wait: 4_000 });
    await host.run(run).result({ timeout: 4_000 });
    await lab.store().prune({ closedBefore: Date.now() + 1_000, limit: 10 });
    const sending = control.signal({ run, messageId: "c", name: "go" }, { wait: 0 });
    await expect(sending).rejects.toMatchObject({ code: "run.not-found" });
  });
});
