/** One line for the host's log about an attempt: kept nowhere else. */
import type { Json } from "@swl/base";
import type { Invocation } from "./provider.js";

export interface LogEntry {
  readonly run: string;
  readonly invocation: string;
  readonly action: string;
  readonly attempt: number;
  /** At most 1,000 UTF-16 code units. */
  readonly message: string;
  /** `null` when nothing was given, or nothing that is JSON. */
  readonly data: Json;
}

/** What a log throws is its own affair. */
export function tell(
  log: ((entry: LogEntry) => void) | undefined,
  of: Pick<Invocation, "run" | "invocation" | "action" | "attempt">,
  message: string,
  data: Json = null,
): void {
  const { run, invocation, action, attempt } = of;
  try {
    log?.({ run, invocation, action, attempt, message, data });
  } catch {
    // Nothing to tell it to.
  }
}
