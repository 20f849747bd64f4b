/**
 * The kill test: whichever step of the host a process dies at, no accepted order is lost, no charge is made twice, and
 * every run ends. An undisturbed life counts the steps; 25 lives die at points spread evenly over them, every fifth
 * one a second time while it recovers.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { compileFolder } from "@swl/source-notation/folder";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { exampleFolder, readOrders } from "../src/orders.ts";
import { type Life, live } from "./scene.ts";

const points = 25;
/** Credit refused, card refused, approvals, a shortage that is adjusted and one that is not, and plain ones. */
const chosen = new Set([
  "o-001",
  "o-002",
  "o-003",
  "o-004",
  "o-005",
  "o-006",
  "o-007",
  "o-008",
  "o-009",
  "o-011",
  "o-019",
  "o-028",
]);
const orders = readOrders().filter(({ order }) => chosen.has(order));
const folder = mkdtempSync(join(tmpdir(), "swl-orders-definition-"));
const definition = join(folder, "definition.json");
let undisturbed: Life;
let killed = 0;

beforeAll(async () => {
  const compiled = await compileFolder(exampleFolder);
  if (!compiled.ok) throw new Error("the example does not compile");
  writeFileSync(definition, JSON.stringify(compiled.value.definition));
  undisturbed = await live(orders, definition, []);
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

const results = ({ audit }: Life) =>
  Object.fromEntries(audit.runs.map(({ order, result }) => [order.order, result?.status]));

describe("orders without a crash", () => {
  it("all end, with money and parcels where the runs say so", () => {
    expect(undisturbed.audit.problems).toEqual([]);
    expect(undisturbed.audit.runs).toHaveLength(orders.length);
    expect(undisturbed.steps).toBeGreaterThan(points);
  });
});

describe("orders whose process is killed", () => {
  it.concurrent.for(Array.from({ length: points }, (_, index) => index + 1))(
    "all end the same way when it dies at point %i of 25 [DUR-takeover]",
    async (point, { expect }) => {
      const at = Math.max(1, Math.floor(((point - 0.5) * undisturbed.steps) / points));
      const life = await live(orders, definition, point % 5 === 0 ? [at, Math.ceil(at / 3)] : [at]);
      killed += life.killed > 0 ? 1 : 0;
      expect(life.audit.problems).toEqual([]);
      expect(life.audit.duplicates).toEqual([]);
      expect(life.lost).toEqual([]);
      expect(results(life)).toEqual(results(undisturbed));
    },
  );
});

describe("an operator who does not look into the ledger", () => {
  it("charges twice, and the audit says so", async () => {
    const plain = orders.filter(({ order }) => order === "o-001");
    const life = await live(plain, definition, ["charged"], { looksIntoLedger: false });
    expect(life.killed).toBe(1);
    expect(life.audit.duplicates).toHaveLength(1);
    expect(life.audit.problems).toEqual([
      "o-001 completed, with 2 charges",
      `key ${life.audit.duplicates[0]?.key} was charged twice`,
    ]);
  });
});

describe("the kill points", () => {
  it("were reached", () => {
    // Batches gather differently each time, so that a late step may lie behind the end of a life.
    expect(killed).toBeGreaterThanOrEqual(points - 5);
  });
});
