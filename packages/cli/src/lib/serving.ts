/**
 * What the commands that serve have in common: they listen for interrupts before they open anything, say what happens,
 * and leave when they are told to, or when the store's file is gone.
 */
import { isJsonObject, type JsonObject } from "@swl/base";
import type { HostLogEntry } from "@swl/durable-state";
import type { LogEntry } from "@swl/invocation-control";
import { storeError } from "@swl/store-provider";
import { type ExitCode, exit } from "../exit-codes.js";
import { loadBindings } from "./bindings.js";
import { checkHostOptions, type HostCommandOptions, type HostParts } from "./host-options.js";
import { type Interrupts, listenForInterrupts, unlessAborted, whenAborted } from "./interrupts.js";
import { complain, print, printJson, type Session } from "./session.js";
import { openStore, type StorePlace } from "./store.js";
import { watchStore } from "./store-watch.js";
import { oneLine } from "./visible.js";

/**
 * Loads the bindings, opens the store, closes it after `serve`. Interrupted before that is done, it leaves with `stopped`:
 * nothing was begun.
 */
export async function withOpened(
  session: Session,
  options: HostCommandOptions,
  serve: (opened: HostParts) => Promise<ExitCode>,
): Promise<ExitCode> {
  const interrupts = listenForInterrupts(session.io);
  const { asked } = interrupts;
  try {
    const log = (entry: LogEntry): void => logAttempt(session, entry);
    const bindings = await unlessAborted(asked, loadBindings(session, options.bindings, log));
    if (bindings === undefined) return stopped(session, interrupts);
    checkHostOptions(options, bindings);
    const opening = openStore(session, options, { create: true });
    const store = await unlessAborted(asked, opening, (late) => late.close());
    if (store === undefined) return stopped(session, interrupts);
    try {
      return await serve({ bindings, store, interrupts });
    } finally {
      await store.close();
    }
  } finally {
    interrupts.end();
  }
}

/** Of what was interrupted before there was a host. */
export function stopped(session: Session, { insisted }: Interrupts): ExitCode {
  if (insisted.aborted) return exit.interrupted;
  say(session, { event: "stopped" }, "stopped");
  return exit.ok;
}

/** Drained: `ok`; interrupted twice: `interrupted`. Throws what draining throws, or that the store's file is gone. */
export function leaving(
  { asked, insisted }: Interrupts,
  place: StorePlace,
  drain: () => Promise<void>,
): Promise<ExitCode> {
  const undo: (() => void)[] = [];
  const left = new Promise<ExitCode>((resolve, reject) => {
    const gone = (): void => {
      const message = `the file of the store ${place.shown} was deleted or replaced while it was served`;
      reject(storeError("unavailable", message));
    };
    if (place.kind === "file") undo.push(watchStore(place.file, gone));
    undo.push(whenAborted(insisted, () => resolve(exit.interrupted)));
    undo.push(whenAborted(asked, () => drain().then(() => resolve(exit.ok), reject)));
  });
  return left.finally(() => {
    for (const one of undo) one();
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
