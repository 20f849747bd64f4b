/** `swl history`: a run's log, a line a record. It shows what happened and never the values that were passed. */
import type { HistoryEntry } from "@swl/durable-state";
import { type ExitCode, exit } from "../exit-codes.js";
import { checkId } from "../lib/arguments.js";
import { print, printJson, type Session } from "../lib/session.js";
import { withControl } from "../lib/store.js";
import { instant, table } from "../lib/table.js";
import { readOf, type ShowOptions } from "./inspect.js";

type Event = NonNullable<HistoryEntry["event"]>;

/** Oldest first. With `--json` one line a record. */
export async function history(session: Session, run: string, options: ShowOptions): Promise<ExitCode> {
  checkId("RUN", run);
  return withControl(session, options, async (control) => {
    const entries = await control.history(run, readOf(options));
    if (session.json) for (const entry of entries) printJson(session, entry);
    else
      print(
        session,
        table([["POSITION", "TIME", "WHAT", "DETAILS"], ...entries.map((entry) => row(run, entry))]),
      );
    return exit.ok;
  });
}

function row(
  run: string,
  { position, at, kind, event, edges = [], answers = [] }: HistoryEntry,
): readonly string[] {
  const details = [
    ...(event === undefined ? [] : eventDetails(run, event)),
    ...edges.map(({ node, route, target, visit }) => `${node}#${visit} -${route}-> ${target}`),
    ...answers.map(
      (one) =>
        `${one.position} ${one.effect === "none" ? "had no effect" : one.effect}${one.code === undefined ? "" : `: ${one.code}`}`,
    ),
  ];
  return [String(position), instant(at), event === undefined ? kind : event.type, details.join("; ")];
}

/** Who or what the event is about, then how it went. */
function eventDetails(run: string, event: Event): readonly string[] {
  const attempt = event.attempt === undefined ? "" : `, attempt ${event.attempt}`;
  const about =
    event.invocation === undefined ? event.name : `${withoutRun(run, event.invocation)}${attempt}`;
  const went = [event.decision, event.outcome, event.reason, event.code]
    .filter((word) => word !== undefined)
    .concat(event.message === undefined || event.message === event.code ? [] : [`(${event.message})`])
    .concat(event.retryable === true ? ["may be retried"] : []);
  return [
    ...(about === undefined ? [] : [about]),
    ...(went.length === 0 ? [] : [went.join(" ")]),
    ...(event.by === undefined ? [] : [`by ${event.by}`]),
    ...(event.requestId === undefined ? [] : [`request ${event.requestId}`]),
  ];
}

/** `charge#1` for `RUN/charge#1`: which run it is, everybody knows here. */
function withoutRun(run: string, invocation: string): string {
  return invocation.startsWith(`${run}/`) ? invocation.slice(run.length + 1) : invocation;
}
