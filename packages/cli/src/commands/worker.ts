/**
 * `swl worker`: serves every run of a store until it is told to stop. The first interrupt drains (nothing further
 * begins, what is under way may end), the second one leaves at once.
 */
import { type ExitCode, exit } from "../exit-codes.js";
import { type HostCommandOptions, type HostParts, openHost } from "../lib/host-options.js";
import { leaving, logLine, say, stopped, withOpened } from "../lib/serving.js";
import type { Session } from "../lib/session.js";
import { storePlace } from "../lib/store.js";
import { oneLine } from "../lib/visible.js";

export interface WorkerOptions extends HostCommandOptions {
  readonly drain?: number;
}

/** With `--json` one line an event: `ready`, `log`, `draining`, `stopped`. */
export function worker(session: Session, options: WorkerOptions): Promise<ExitCode> {
  return withOpened(session, options, (opened) => work(session, options, opened));
}

async function work(session: Session, options: WorkerOptions, opened: HostParts): Promise<ExitCode> {
  const { interrupts } = opened;
  const host = await openHost(opened, options, (entry) => logLine(session, entry));
  if (host === undefined) return stopped(session, interrupts);
  const place = storePlace(session, options);
  const left = leaving(interrupts, place, () => {
    say(session, { event: "draining" }, "draining; interrupt again to leave at once");
    return host.close(options.drain === undefined ? {} : { drain: options.drain });
  });
  const { shown } = place;
  if (!interrupts.asked.aborted) {
    const ready = { event: "ready", holder: host.holder, store: shown };
    say(session, ready, `serving ${oneLine(shown)} as ${host.holder}`);
  }
  try {
    const code = await left;
    if (code === exit.ok) say(session, { event: "stopped" }, "stopped");
    return code;
  } catch (error) {
    await host.close({ drain: 0 });
    throw error;
  }
}
