/**
 * The ledger: what really happened outside, one JSON line an effect, on disk before the call returns. It is the truth
 * that the demo and the kill test compare the runs with.
 */
import { closeSync, existsSync, fsyncSync, openSync, readFileSync, truncateSync, writeSync } from "node:fs";

export type Effect = {
  readonly kind: "reserve" | "adjust" | "charge" | "ship";
  /** The idempotency key of the invocation that caused it. */
  readonly key: string;
  readonly order: string;
  readonly attempt: number;
  /** What the outside answered: the output of the action. */
  readonly answer: { readonly [name: string]: string | number };
};

export class Ledger {
  readonly #file: number;
  readonly #known = new Map<string, Effect>();

  /** Opens or creates the file. A last line that a crash tore off is cut: its effect did not happen. */
  constructor(file: string) {
    const text = existsSync(file) ? readFileSync(file, "utf8") : "";
    const whole = text.slice(0, text.lastIndexOf("\n") + 1);
    if (whole.length < text.length) truncateSync(file, Buffer.byteLength(whole));
    for (const effect of parse(whole)) this.#known.set(nameOf(effect), effect);
    this.#file = openSync(file, "a");
  }

  /** Appends, whatever is there already: a gateway that does not deduplicate. */
  append(effect: Effect): Effect {
    writeSync(this.#file, `${JSON.stringify(effect)}\n`);
    fsyncSync(this.#file);
    this.#known.set(nameOf(effect), effect);
    return effect;
  }

  /** Appends unless an effect of this kind and key is there; gives back the one that is. */
  once(effect: Effect): Effect {
    return this.#known.get(nameOf(effect)) ?? this.append(effect);
  }

  close(): void {
    closeSync(this.#file);
  }
}

/** All effects so far, oldest first; none when there is no file yet. */
export function readLedger(file: string): readonly Effect[] {
  if (!existsSync(file)) return [];
  const text = readFileSync(file, "utf8");
  return parse(text.slice(0, text.lastIndexOf("\n") + 1));
}

/** The charge with this key, if the money was taken. */
export function chargeWithKey(file: string, key: string): Effect | undefined {
  return readLedger(file).find((effect) => effect.kind === "charge" && effect.key === key);
}

/** Charges whose key another charge had before: what must never happen. */
export function duplicateCharges(effects: readonly Effect[]): readonly Effect[] {
  const seen = new Set<string>();
  return effects.filter((effect) => {
    if (effect.kind !== "charge") return false;
    if (seen.has(effect.key)) return true;
    seen.add(effect.key);
    return false;
  });
}

function parse(lines: string): readonly Effect[] {
  return lines
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as Effect);
}

function nameOf({ kind, key }: Effect): string {
  return `${kind} ${key}`;
}
