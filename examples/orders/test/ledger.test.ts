import { appendFileSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { duplicateCharges, type Effect, Ledger, readLedger } from "../src/ledger.ts";

const charge: Effect = {
  kind: "charge",
  key: "r/charge_card/1",
  order: "o-1",
  attempt: 1,
  answer: { charge: "ch-1" },
};
const shipment: Effect = { ...charge, kind: "ship", key: "r/ship/1", answer: { tracking: "trk-1" } };

function file(): string {
  const folder = mkdtempSync(join(tmpdir(), "swl-ledger-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, "ledger.jsonl");
}

describe("the ledger", () => {
  it("has each effect on disk when the call returns, and again after a restart", () => {
    const path = file();
    const ledger = new Ledger(path);
    ledger.append(charge);
    expect(readLedger(path)).toEqual([charge]);
    ledger.close();
    const again = new Ledger(path);
    expect(again.once({ ...charge, attempt: 2 })).toEqual(charge);
    again.once(shipment);
    again.close();
    expect(readLedger(path)).toEqual([charge, shipment]);
  });

  it("counts a charge whose key was charged before, and nothing else", () => {
    const other = { ...charge, key: "r/charge_card/2" };
    expect(duplicateCharges([charge, other, shipment, shipment])).toEqual([]);
    expect(duplicateCharges([charge, other, charge])).toEqual([charge]);
  });

  it("cuts a line that a crash tore off", () => {
    const path = file();
    new Ledger(path).append(charge);
    appendFileSync(path, JSON.stringify(shipment).slice(0, 20));
    expect(readLedger(path)).toEqual([charge]);
    new Ledger(path).close();
    expect(readFileSync(path, "utf8")).toBe(`${JSON.stringify(charge)}\n`);
  });
});
