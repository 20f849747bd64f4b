/** The orders to fulfil, as the workflow's input schema has them. Amounts are in cents. */
import { readFileSync } from "node:fs";
import { join } from "node:path";

export type Order = {
  readonly order: string;
  readonly customer: string;
  readonly item: string;
  readonly quantity: number;
  readonly amount: number;
};

/** The folder of this example: the workflow's source folder too. */
export const exampleFolder: string = join(import.meta.dirname, "..");

/** The orders of orders.jsonl, one a line. */
export function readOrders(file: string = join(exampleFolder, "orders.jsonl")): readonly Order[] {
  const lines = readFileSync(file, "utf8").split("\n");
  return lines.filter((line) => line.trim() !== "").map((line) => JSON.parse(line) as Order);
}
