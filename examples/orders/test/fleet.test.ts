/**
 * The fleet test: four processes share one store while each second one of them is killed and one is frozen beyond its
 * lease, and the database server crashes once; or they are replaced one by one. Every order ends as it would have
 * undisturbed, or as failed where hosts died under every attempt that one of its actions may have; nothing is charged
 * twice. 300 orders on each store; 2,000 in the full run.
 */
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Json } from "@swl/base";
import { createHost } from "@swl/durable-state";
import { core } from "@swl/execution";
import { compileFolder } from "@swl/source-notation/folder";
import { openPostgresStore } from "@swl/store-postgres";
import { openSqliteStore } from "@swl/store-sqlite";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { findBinaries, startServer, type TestServer } from "../../../packages/store-postgres/test/server.js";
import { type AuditedRun, allRuns } from "../src/audit.ts";
import { bindOrders } from "../src/bindings.ts";
import { type Fleet, Gateway } from "../src/fleet/fleet.ts";
import { harm, type LifeOptions, Operator, type Place, serve } from "../src/fleet/life.ts";
import { Ledger } from "../src/ledger.ts";
import { exampleFolder, type Order, readOrders } from "../src/orders.ts";

const full = process.env["SWL_FULL"] === "1";
const templates = readOrders();
const folder = mkdtempSync(join(tmpdir(), "swl-orders-fleet-"));
const definition = join(folder, "definition.json");
/** How the run of a template ends, undisturbed. */
const expected = new Map<string, string>();
const postgres = existsSync("/bin/sh") && findBinaries() !== undefined;

function ordersOf(count: number): readonly Order[] {
  return Array.from({ length: count }, (_, index) => {
    const template = templates[index % templates.length]!;
    return { ...template, order: `${template.order}-${index}` };
  });
}

/** Of an action that is repeated by itself: settings.json. */
const fewestAttempts = 5;

const templateOf = (order: string): string => order.slice(0, order.lastIndexOf("-"));

beforeAll(async () => {
  const compiled = await compileFolder(exampleFolder);
  if (!compiled.ok) throw new TypeError("the example does not compile");
  writeFileSync(definition, JSON.stringify(compiled.value.definition));
  await undisturbed(compiled.value.definition as unknown as Json);
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function undisturbed(document: Json): Promise<void> {
  const store = await openSqliteStore({ file: join(folder, "undisturbed.db") });
  const ledger = new Ledger(join(folder, "undisturbed.jsonl"));
  const host = await createHost({ store, models: [core], bindings: bindOrders({ ledger, pace: 0 }) });
  const operator = new Operator(host.control, new Gateway(join(folder, "unused.jsonl")));
  for (const order of templates) await host.start(document, { input: order, startKey: order.order });
  while (!(await operator.look(templates.length))) await sleep(50);
  for (const run of await allRuns(host.control)) expected.set(run.startKey ?? "", run.status);
  await host.close();
  await store.close();
}

/** As undisturbed; or failed, where hosts died under every attempt that one of its actions may have. */
function endsAsExpected({ order, result, lostAtOnce }: AuditedRun): boolean {
  const undisturbedly = result?.status === expected.get(templateOf(order.order));
  return undisturbedly || (result?.status === "failed" && lostAtOnce >= fewestAttempts);
}

type Story = Pick<LifeOptions, "lease" | "disturb" | "enough" | "beside">;

async function serveAndCheck(name: string, place: Place, count: number, story: Story) {
  const orders = ordersOf(count);
  const ledger = join(folder, `${name}.jsonl`);
  const life = await serve(place, { orders, definition, ledger, ...story });
  const { fleet, found } = life;
  expect(found.problems).toEqual([]);
  expect(found.duplicates).toEqual([]);
  expect(found.runs.filter((run) => !endsAsExpected(run)).map(({ order }) => order.order)).toEqual([]);
  // What was acknowledged is the very run that is there.
  for (const { order, status } of found.runs) {
    expect(fleet.started.get(order.order) ?? status.run).toBe(status.run);
  }
  return life;
}

/** Lease of those who are killed: so long their runs stand. */
const short = 2_000;

async function harmed(name: string, place: Place, count: number, beside?: Story["beside"]): Promise<void> {
  const enough = ({ kills, freezes }: Fleet): boolean => kills > 2 && freezes > 0;
  const story = { lease: short, disturb: harm(short), enough, ...(beside && { beside }) };
  const { fleet, disturbed } = await serveAndCheck(name, place, count, story);
  expect(fleet.freezes).toBeGreaterThan(0);
  // One a second where enough of them serve, whatever else the machine does.
  expect(fleet.kills).toBeGreaterThan(Math.max(2, disturbed / 3));
}

/** Processes get what the machine has left: milliseconds until one is taken to be stuck. */
const patience = full ? 1_800_000 : 400_000;

describe("four processes on one SQLite file, killed and frozen each second", () => {
  it("end every order, as undisturbed unless all attempts of an action were lost [DUR-takeover]", {
    timeout: patience,
  }, async () => {
    const file = join(folder, "fleet.db");
    const place = { store: file, open: () => openSqliteStore({ file }) };
    await harmed("sqlite", place, full ? 2_000 : 300);
  });
});

describe("four processes that are replaced one by one", () => {
  it("park nothing and leave no attempt unknown [DUR-drain]", { timeout: patience }, async () => {
    const file = join(folder, "rolling.db");
    const place = { store: file, open: () => openSqliteStore({ file }) };
    const deploy = async (members: Fleet): Promise<void> => {
      while (members.started.size < 20) await sleep(50);
      await members.replaceAll();
    };
    const story = { lease: 30_000, beside: deploy };
    const { fleet, found, decided } = await serveAndCheck("rolling", place, full ? 500 : 100, story);
    expect(fleet.replaced).toBe(4);
    expect(decided).toBe(0);
    expect(found.runs.filter(({ lost }) => lost > 0)).toEqual([]);
  });
});

describe.skipIf(!postgres)("four processes on one PostgreSQL, which crashes too", () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startServer();
  });
  afterAll(() => server.remove());

  it("end every order, as undisturbed unless all attempts of an action were lost [DUR-takeover]", {
    timeout: patience,
  }, async () => {
    const { url } = server;
    const disaster = async (fleet: Fleet): Promise<void> => {
      while (fleet.kills < 3) await sleep(50);
      await server.crash();
      await sleep(500);
      await server.start();
    };
    const place = { store: url, open: () => openPostgresStore({ url, callTimeout: 5_000 }) };
    await harmed("postgres", place, full ? 2_000 : 300, disaster);
  });
});
