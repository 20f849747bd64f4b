/**
 * `swl worker`: serves every run of a store until it is told to stop. The first interrupt drains (nothing further
 * begins, what is under way may end), the second one leaves at once.
 */
import { isJsonObject, type JsonObject } from "@swl/base";
import type { HostLogEntry } from "@swl/durable-state";
import type { LogEntry } from "@swl/invocation-control";
import { storeError } from "@swl/store-provider";
import { type ExitCode, exit } from "../exit-codes.js";
import { loadBindings } from "../lib/bindings.js";
import { checkHostOptions, type HostCommandOptions, openHost } from "../lib/host-options.js";
import { complain, print, printJson, type Session } from "../lib/session.js";
import { openStore, type StorePlace, storePlace } from "../lib/store.js";
import { watchStore } from "../lib/store-watch.js";
import { oneLine } from "../lib/visible.js";

export interface WorkerOptions extends HostCommandOptions {
  readonly drain?: number;
}

/** With `--json` one line an event: `ready`, `log`, `draining`, `stopped`. */
export async function worker(session: Session, options: WorkerOptions): Promise<ExitCode> {
  const bindings = await loadBindings(session, options.bindings, (entry) => logAttempt(session, entry));
  checkHostOptions(options, bindings);
  const store = await openStore(session, options, { create: true });
  try {
    const host = await openHost(store, bindings, options, (entry) => logLine(session, entry));
    const place = storePlace(session, options);
    const { shown } = place;
    // Listening begins before anybody can know that there is something to interrupt.
    const left = leaving(session, place, () => {
      say(session, { event: "draining" }, "draining; interrupt again to leave at once");
      return host.close(options.drain === undefined ? {} : { drain: options.drain });
    });
    const ready = { event: "ready", holder: host.holder, store: shown };
    say(session, ready, `serving ${oneLine(shown)} as ${host.holder}`);
    try {
      const code = await left;
      if (code === exit.ok) say(session, { event: "stopped" }, "stopped");
      return code;
    } catch (error) {
      await host.close({ drain: 0 });
      throw error;
    }
  } finally {
    await store.close();
  }
}

/** Drained: `ok`; interrupted twice: `interrupted`. Throws what draining throws, or that the store's file is gone. */
export function leaving({ io }: Session, place: StorePlace, drain: () => Promise<void>): Promise<ExitCode> {
  return new Promise((resolve, reject) => {
    let draining = false;
    const stop = io.onInterrupt(() => {
      if (draining) {
        end(() => resolve(exit.interrupted));
        return;
      }
      draining = true;
      drain().then(
        () => end(() => resolve(exit.ok)),
        (error: unknown) => end(() => reject(error)),
      );
    });
    const gone = (): void => {
      const message = `the file of the store ${place.shown} was deleted or replaced while it was served`;
      end(() => reject(storeError("unavailable", message)));
    };
    const ignore = place.kind === "file" ? watchStore(place.file, gone) : () => undefined;
    const end = (settle: () => void): void => {
      stop();
      ignore();
      settle();
    };
  });
}

export function say(session: Session, event: JsonObject, text: string): void {
  if (session.json) printJson(session, event);
  else print(session, text);
}

/** What providers of a bindings document log of an attempt: for a program, the end of its standard error. */
export function logAttempt(session: Session, { run, message, data, ...of }: LogEntry): void {
  const { stderr } = isJsonObject(data) ? data : {};
  const said = typeof stderr === "string" && !session.json ? `${message}: ${stderr}` : message;
  logLine(session, { level: "info", run, message: said, data: { ...of, data } });
}

/** What a host logs goes to standard error as text, and in line with the rest as JSON. */
export function logLine(session: Session, entry: HostLogEntry): void {
  if (session.json) {
    printJson(session, { event: "log", ...entry });
    return;
  }
  const { paint } = session;
  const { level, code, message } = entry;
  const label = code === undefined ? level : `${level} ${code}`;
  const color = { info: paint.dim, warn: paint.yellow, error: paint.red }[level];
  const run = entry.run === undefined ? "" : `${entry.run} `;
  complain(session, `${run}${color(label)}: ${oneLine(message)}`);
}
