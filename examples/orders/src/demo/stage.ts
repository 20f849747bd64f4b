/** Where the demo keeps its files, and how it talks: one line a step, with the seconds since the start. */
import { join, relative, sep } from "node:path";
import { exampleFolder } from "../orders.ts";

/** The root of the clone: commands are shown, and run, as typed there. */
export const root: string = join(exampleFolder, "..", "..");

export const out: string = join(exampleFolder, "out");
export const files = {
  store: join(out, "orders.db"),
  ledger: join(out, "ledger.jsonl"),
  definition: join(out, "definition.json"),
  rollingStore: join(out, "rolling.db"),
  rollingLedger: join(out, "rolling.jsonl"),
  picture: join(out, "run.svg"),
  oneMore: join(out, "one-more-order.json"),
  large: join(out, "large-order.json"),
} as const;

/** A file as a user in the root names it, `/` separated. */
export function fromRoot(file: string): string {
  return relative(root, file).split(sep).join("/");
}

const started = performance.now();
const color = process.stdout.isTTY === true && !process.env["NO_COLOR"];
const sgr = (on: number, off: number) => (text: string) =>
  color ? `\u001b[${on}m${text}\u001b[${off}m` : text;
export const bold = sgr(1, 22);
export const dim = sgr(2, 22);
export const red = sgr(31, 39);
export const green = sgr(32, 39);

export function say(text: string): void {
  const seconds = ((performance.now() - started) / 1000).toFixed(1).padStart(5);
  process.stdout.write(`${dim(`${seconds} s`)}  ${text}\n`);
}

/** Lines that belong to the step above. */
export function show(text: string): void {
  const lines = text.trimEnd().split("\n");
  process.stdout.write(`${lines.map((line) => (line === "" ? "" : `         ${line}`)).join("\n")}\n`);
}

export function print(text: string): void {
  process.stdout.write(`${text}\n`);
}
