/**
 * `swl trace`: a file of events through the pure engine, one step a line. Nothing is run, nothing is stored: it shows
 * what a definition does when these things happen, in this order.
 */
import { raise } from "@swl/base";
import { core } from "@swl/execution";
import type { AcceptedEvent, Command, Transition } from "@swl/execution/model";
import { type ExitCode, exit, exitOf } from "../exit-codes.js";
import { readEvents } from "../lib/events-file.js";
import { findingDocument, findingText } from "../lib/failure.js";
import { paintStatus } from "../lib/paint.js";
import { print, printJson, type Session } from "../lib/session.js";
import { asJson, requireSource } from "../lib/source.js";
import { oneLine } from "../lib/visible.js";

type Step = Exclude<Transition<Parameters<typeof core.view>[1]>, { readonly error: unknown }>;
type Prepared = Parameters<typeof core.view>[0];

/** Ends with `ok`, also when events had no effect, and with `refused` at an event that cannot happen there. */
export async function trace(
  session: Session,
  path: string,
  options: { readonly events: string },
): Promise<ExitCode> {
  const definition = asJson(await requireSource(session, path));
  const events = await readEvents(session, options.events);
  const prepared = core.prepare(definition);
  if (!prepared.ok) raise(prepared.findings[0]!.code, `${path} cannot be executed`, prepared.findings);
  let state: Step["state"] | undefined;
  for (const event of events) {
    const step = core.transition(prepared.value, state, event);
    if ("error" in step) {
      if (session.json) printJson(session, { event, error: findingDocument(step.error) });
      else print(session, `${headOf(event)}  ${findingText(session, step.error)}`);
      return exitOf(step.error.code);
    }
    state = step.state;
    if (session.json) printJson(session, documentOf(prepared.value, event, step));
    else print(session, lineOf(session, prepared.value, event, step));
  }
  return exit.ok;
}

function documentOf(prepared: Prepared, event: AcceptedEvent, step: Step) {
  const { effect, commands, diagnostics, edges, state } = step;
  return {
    event,
    effect,
    commands,
    diagnostics: diagnostics.map(findingDocument),
    edges,
    disposition: core.disposition(state),
    view: core.view(prepared, state),
  };
}

/** Position and type, effect, status, then what was taken, told and authorized. */
function lineOf({ paint }: Session, prepared: Prepared, event: AcceptedEvent, step: Step): string {
  const { effect, diagnostics, edges, commands } = step;
  const none = effect.kind === "none";
  const said = none ? paint.yellow(`no effect ${effect.code}`) : paint.green(effect.kind);
  const told = diagnostics.map(({ code }) => code).filter((code) => !none || code !== effect.code);
  const parts = [
    ...edges.map(({ node, route, target }) => `${node} -${route}-> ${target}`),
    ...told,
    ...commands.map(wordsOf),
  ];
  const { status } = core.view(prepared, step.state);
  return `${headOf(event)}  ${said}  ${paintStatus(paint, status)}  ${oneLine(parts.join(", "))}`.trimEnd();
}

function headOf({ position, type }: AcceptedEvent): string {
  return `${String(position).padStart(4)}  ${type.padEnd(10)}`;
}

function wordsOf(command: Command): string {
  switch (command.kind) {
    case "invoke": {
      const later = command.delay > 0 ? ` in ${command.delay} ms` : "";
      return `invoke ${command.invocation} attempt ${command.attempt}${later}`;
    }
    case "set-deadline":
      return `set-deadline ${command.key} at ${new Date(command.at).toISOString()}`;
    case "clear-deadline":
      return `clear-deadline ${command.key}`;
    case "end":
      return `end ${command.status}${command.error === undefined ? "" : ` (${command.error.code})`}`;
    default:
      return `${command.kind} ${command.invocation} attempt ${command.attempt}`;
  }
}
