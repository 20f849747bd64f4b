/**
 * The parent's side of a process that measures one system: a group of its own, so that whatever the system started ends
 * with it.
 */
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Answer, Asked, Given } from "./alone.ts";

/** Milliseconds for one step: several times what the slowest needs. */
const PATIENCE = 120_000;

export interface Alone {
  /** Throws with the reason when the process dies, fails, or does not answer in two minutes. */
  ask(asked: Asked): Promise<Exclude<Answer, { readonly kind: "failed" }>>;
  /** Ends it and everything that it started. */
  end(): Promise<void>;
}

export function startAlone(given: Given): Alone {
  const child = fork(join(import.meta.dirname, "alone.ts"), [JSON.stringify(given)], {
    detached: true,
    stdio: ["ignore", "ignore", "pipe", "ipc"],
  });
  const exit = once(child, "exit").catch((error: unknown) => [String(error)]);
  let said = "";
  child.stderr?.on("data", (chunk: Buffer) => {
    said = (said + chunk.toString()).slice(-2_000);
  });
  return {
    async ask(asked) {
      const patience = new AbortController();
      try {
        const answer = await Promise.race([
          once(child, "message", patience).then(([message]) => message as Answer),
          exit.then(([code, signal]) =>
            Promise.reject(new Error(`ended with ${signal ?? code}${lastLine(said)}`)),
          ),
          sleep(PATIENCE, undefined, patience).then(() =>
            Promise.reject(new Error(`no answer to "${asked}" in ${PATIENCE / 1_000} s`)),
          ),
          tell(child, asked),
        ]);
        if (answer.kind === "failed") throw new Error(`${asked}: ${answer.reason}`);
        return answer;
      } finally {
        patience.abort();
      }
    },
    async end() {
      killGroup(child);
      await exit;
    },
  };
}

/** Never fulfilled: what comes of it is heard otherwise. */
function tell(child: ChildProcess, asked: Asked): Promise<never> {
  return new Promise((_, reject) => child.send(asked, (error) => error && reject(error)));
}

function killGroup({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) process.kill(-pid, "SIGKILL");
  } catch {
    // Nobody is left of it.
  }
}

function lastLine(text: string): string {
  const line = text.trim().split("\n").at(-1) ?? "";
  return line === "" ? "" : `: ${line}`;
}
