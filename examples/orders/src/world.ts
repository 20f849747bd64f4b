/**
 * The world outside, as these orders meet it: who has credit, what is in stock, whose card works, when the warehouse
 * is busy. Everything follows from names and numbers, so that any two executions of the same orders can be compared.
 */

const withoutCredit: ReadonlySet<string> = new Set(["mallory", "trudy"]);
const withoutCard: ReadonlySet<string> = new Set(["victor"]);

/** What one order can get of an item at most; others are there in plenty. `console` is always sold out. */
const perOrder: ReadonlyMap<string, number> = new Map([
  ["monitor", 3],
  ["headset", 2],
  ["console", 0],
]);

export function hasCredit(customer: string): boolean {
  return !withoutCredit.has(customer);
}

export function hasCard(customer: string): boolean {
  return !withoutCard.has(customer);
}

export function available(item: string): number {
  return perOrder.get(item) ?? 1_000;
}

/** About every fifth call of the first three attempts; later ones get through. */
export function warehouseIsBusy(order: string, attempt: number): boolean {
  return attempt <= 3 && hash(`${order}/${attempt}`) % 5 === 0;
}

/** A short number for receipts, the same for the same text. */
export function numberFor(prefix: string, text: string): string {
  return `${prefix}-${hash(text).toString(16).padStart(8, "0")}`;
}

/** FNV-1a, 32 bits. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) {
    value = Math.imul(value ^ text.charCodeAt(index), 0x01000193) >>> 0;
  }
  return value;
}
