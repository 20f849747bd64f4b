/** Through a real pooler that gives a session for one transaction only; in the full run, where the machine has one. */
import { storeSuite } from "@swl/conformance/store";
import type { Item } from "@swl/store-provider";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { postgresHarness } from "./harness.js";
import { findPgbouncer, type Pooler, sessions, startPooler } from "./pooler.js";
import { noServer, openForTest, scratchSchema, sql, url } from "./scratch.js";

const full = process.env["SWL_FULL"] === "1";
const program = full && !noServer ? findPgbouncer() : undefined;
const why = full ? "there is no pgbouncer in the path" : "only in the full run";

let pooler: Pooler | undefined;
const pooled = () => (pooler as Pooler).url;

const item = (stream: string, expect: number, more: Partial<Item> = {}): Item => ({
  stream,
  commit: `c${expect}`,
  expect,
  records: [{ kind: "event", document: { expect } }],
  slots: [{ key: "s", document: expect }],
  applies: true,
  stamp: 0,
  ...more,
});

describe("a pooler", () => {
  it.skipIf(program === undefined)(`is there${program === undefined ? ` (skipped: ${why})` : ""}`, () => {
    expect(program).toMatch(/pgbouncer$/);
  });
});

describe.skipIf(program === undefined)("through PgBouncer by transaction", () => {
  beforeAll(async () => {
    pooler = await startPooler(program as string, url());
  });
  afterAll(() => pooler?.stop());

  describe("the store suite", () => {
    const more = {
      pooler: true,
      get listen() {
        return { url: url() };
      },
    };
    storeSuite({ describe, it, expect }, postgresHarness("postgres, pooled", pooled, more));
  });

  it("more handles than sessions write at once, and nothing is lost or twice [STO-peers]", async () => {
    const schema = scratchSchema();
    const handles = await Promise.all(
      Array.from({ length: 3 * sessions }, () =>
        openForTest({ schema, url: pooled(), pooler: true, connections: 3 }),
      ),
    );
    await Promise.all(
      handles.map(async (store, n) => {
        const streams = [`a${n}`, `b${n}`, `c${n}`];
        for (let at = 0; at < 20; at += 1) {
          await Promise.all(
            streams.map(async (stream) => {
              const more = at % 5 === 0 ? { facets: { at: String(at) } } : {};
              expect(await store.append([item(stream, at, more)])).toMatchObject([{ first: at + 1 }]);
            }),
          );
        }
      }),
    );
    const [one] = handles;
    expect(await one?.check()).toEqual([]);
    expect(await one?.stats()).toMatchObject({ streams: { open: 9 * sessions }, records: 180 * sessions });
  });

  it("no statement is left prepared, and no setting changed, in a session that others get", async () => {
    const schema = scratchSchema();
    const store = await openForTest({ schema, url: pooled(), pooler: true });
    await store.append([item("a", 0)]);
    await store.append([item("a", 1)]);
    await store.append([item("b", 0), item("c", 0)]);
    await store.check();
    for (let tries = 0; tries < 3 * sessions; tries += 1) {
      expect(await sql("SELECT name FROM pg_prepared_statements", [], pooled())).toEqual([]);
      expect(await sql("SHOW enable_seqscan", [], pooled())).toEqual([{ enable_seqscan: "on" }]);
      expect(await sql("SHOW statement_timeout", [], pooled())).toEqual([{ statement_timeout: "0" }]);
    }
  });

  it("wake-ups are sent, and heard where a session can be had [STO-wake-ups]", async () => {
    const schema = scratchSchema();
    const writer = await openForTest({ schema, url: pooled(), pooler: true });
    expect(writer.info.capabilities).toMatchObject({ pooler: true, wakeUps: "process" });
    const reader = await openForTest({ schema });
    const heard: string[] = [];
    reader.watch((wakes) => heard.push(...wakes.map(({ name }) => name)));
    const { applies: _applies, slots: _slots, ...records } = item("run", 0);
    await writer.append([records]);
    await vi.waitFor(() => expect(heard).toContain("run"), { timeout: 20_000 });
  });
});
