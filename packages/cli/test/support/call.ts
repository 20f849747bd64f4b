/** Runs `swl` in-process: what it printed, its exit code, and a hand on its interrupts. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { type ExitCode, type Io, main } from "../../src/index.js";

export interface CallOptions {
  readonly cwd?: string;
  readonly env?: { readonly [name: string]: string };
  readonly stdin?: string;
  readonly color?: boolean;
  /** Interrupted so often as soon as it listens. */
  readonly interrupted?: number;
}

export interface Called {
  readonly code: ExitCode;
  readonly out: string;
  readonly err: string;
}

export interface Running {
  readonly ended: Promise<Called>;
  /** What it has printed so far. */
  readonly out: () => string;
  readonly interrupt: () => void;
}

export const fixtures = join(import.meta.dirname, "..", "fixtures");
export const flow = join(fixtures, "flow");
export const bindings = join(fixtures, "bindings.mjs");

export function start(args: readonly string[], options: CallOptions = {}): Running {
  const text = { out: "", err: "" };
  const listeners = new Set<() => void>();
  const io: Io = {
    cwd: options.cwd ?? process.cwd(),
    env: options.env ?? {},
    color: options.color ?? false,
    out: (chunk) => {
      text.out += chunk;
    },
    err: (chunk) => {
      text.err += chunk;
    },
    stdin: async () => Buffer.from(options.stdin ?? ""),
    onInterrupt(listener) {
      listeners.add(listener);
      for (let times = options.interrupted ?? 0; times > 0; times -= 1) queueMicrotask(listener);
      return () => listeners.delete(listener);
    },
  };
  return {
    ended: main(args, io).then((code) => ({ code, ...text })),
    out: () => text.out,
    interrupt: () => {
      for (const listener of listeners) listener();
    },
  };
}

export function swl(args: readonly string[], options: CallOptions = {}): Promise<Called> {
  return start(args, options).ended;
}

/** The one JSON document of a call. */
export function documentOf({ out }: Called): { readonly [key: string]: never } {
  return JSON.parse(out);
}

/** A folder of this test's own, gone when it is over. */
export function folder(): string {
  const path = mkdtempSync(join(tmpdir(), "swl-cli-"));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  for (let waited = 0; waited < 10_000; waited += 20) {
    if (await condition()) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error("it did not come about within 10 s");
}
