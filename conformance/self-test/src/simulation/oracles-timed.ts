/**
 * What must hold of timers: none fires before the instant that the run stored when it began to wait, by the clock that
 * stamped the event and by the one of the store that took it. That the stored instant is the right one says the log,
 * which is folded again. Spec: EXE-timer, EXE-await-deadline, DUR-timers.
 */
import type { LogRecord } from "@swl/store-provider";
import type { OracleParts, Seen } from "./oracles.ts";

interface Logged {
  readonly event?: { readonly type: string; readonly key?: string; readonly at: number };
  readonly commit?: { readonly head?: Head };
}

/** As far as it says what the run waits for. */
interface Head {
  readonly wait?: { readonly deadline: Armed | null } | null;
  readonly call?: { readonly deadline: Armed | null } | null;
}

interface Armed {
  readonly at: number;
}

export function checkTimers({ books, wrong }: OracleParts, { run, records }: Seen): void {
  let head: Head | undefined;
  for (const record of records) {
    const { event, commit } = record.document as Logged;
    const armed = head?.wait?.deadline?.at ?? head?.call?.deadline?.at;
    if (event?.type === "deadline" && armed !== undefined) {
      const at = firedAt(record, event.at);
      books.timers += 1;
      if (at < armed) wrong(`early: ${run.id} has ${event.key} ${armed - at} ms before its instant`);
    }
    head = commit?.head ?? head;
  }
}

/** The earlier one of what the host says and what the store says. */
const firedAt = (record: LogRecord, said: number): number => Math.min(record.at, said);
