/** The reading verbs: `status`, `why`, `list`. They never change anything and work beside a running host. */
import type { RunStatus } from "@swl/durable-state";
import type { RunSummary } from "@swl/invocation-control";
import { type ExitCode, exit } from "../exit-codes.js";
import { checkId, checkStatus, withCursor } from "../lib/arguments.js";
import { explanationText } from "../lib/explanation.js";
import { paintStatus } from "../lib/paint.js";
import { surroundingsOf } from "../lib/remedies.js";
import { print, printJson, remark, type Session } from "../lib/session.js";
import { type StoreOption, withControl } from "../lib/store.js";
import { instant, table } from "../lib/table.js";
import { shellWord } from "../lib/visible.js";

export interface ShowOptions extends StoreOption {
  /** Marked values too. */
  readonly reveal?: boolean;
}

export async function status(session: Session, run: string, options: ShowOptions): Promise<ExitCode> {
  checkId("RUN", run);
  return withControl(session, options, async (control) => {
    const found = await control.status(run, readOf(options));
    if (session.json) printJson(session, found);
    else print(session, statusText(session, found));
    return exit.ok;
  });
}

export async function why(session: Session, run: string, options: ShowOptions): Promise<ExitCode> {
  checkId("RUN", run);
  return withControl(session, options, async (control) => {
    const explanation = await control.why(run, readOf(options));
    if (session.json) printJson(session, explanation);
    else {
      const known = await surroundingsOf(control, explanation);
      print(session, explanationText(session, explanation, known, options));
    }
    return exit.ok;
  });
}

export function readOf({ reveal }: ShowOptions): { readonly reveal: boolean } {
  return { reveal: reveal === true };
}

export interface ListCommandOptions extends StoreOption {
  readonly status?: string;
  readonly workflow?: string;
  readonly limit?: number;
  readonly after?: string;
}

/** Newest first. With `--json` one line a run, and `{next}` as a last line when there is a further page. */
export async function list(session: Session, options: ListCommandOptions): Promise<ExitCode> {
  const { status: wanted, workflow, limit = 100, after } = options;
  checkStatus(wanted);
  checkId("--workflow", workflow);
  checkId("--after", after);
  const query = {
    limit,
    ...(wanted !== undefined && { status: wanted }),
    ...(workflow !== undefined && { workflow }),
    ...(after !== undefined && { after }),
  };
  return withControl(session, options, async (control) => {
    const page = await withCursor(after, () => control.list(query));
    if (session.json) {
      for (const run of page.items) printJson(session, run);
      if (page.next !== undefined) printJson(session, { next: page.next });
      return exit.ok;
    }
    if (page.items.length === 0) remark(session, "no runs");
    else print(session, listText(session, page.items));
    if (page.next !== undefined) remark(session, `more: --after ${shellWord(page.next)}`);
    return exit.ok;
  });
}

function listText({ paint }: Session, runs: readonly RunSummary[]): string {
  const rows = runs.map(({ run, workflow, startKey = "", status: word, position, createdAt, hold }) => [
    run,
    workflow,
    startKey,
    paintStatus(paint, word) + (hold === undefined ? "" : ` (held: ${hold})`),
    String(position),
    instant(createdAt),
  ]);
  return table([["RUN", "WORKFLOW", "START KEY", "STATUS", "POSITION", "CREATED"], ...rows]);
}

function statusText({ paint }: Session, found: RunStatus): string {
  const { view } = found;
  const unapplied = found.unapplied > 0 ? `, ${found.unapplied} accepted and not yet applied` : "";
  const rows: (readonly [string, string])[] = [
    ["run", paint.bold(found.run)],
    ["workflow", `${found.workflow}  ${paint.dim(found.definition)}`],
    ["status", paintStatus(paint, found.status) + (found.hold === undefined ? "" : ` (held: ${found.hold})`)],
    ["position", `${found.position}${unapplied}`],
    ["created", instant(found.createdAt)],
  ];
  if (found.startKey !== undefined) rows.push(["start key", found.startKey]);
  for (const { node, visit, since } of view?.positions ?? []) {
    rows.push(["at", `${node}, visit ${visit}, since ${instant(since)}`]);
  }
  for (const blocker of view?.blockers ?? []) rows.push(["waits for", blocker.message]);
  for (const [node, { visits, outcome }] of Object.entries(view?.nodes ?? {})) {
    const last = outcome === null ? "" : `, ${outcome}`;
    rows.push(["node", `${node}: ${visits === 1 ? "1 visit" : `${visits} visits`}${last}`]);
  }
  if (view?.cancel) rows.push(["cancel", `requested ${instant(view.cancel.at)} (${view.cancel.requestId})`]);
  for (const near of view?.counters.near ?? []) rows.push(["limit near", near]);
  const result = view?.result;
  if (result && "output" in result) rows.push(["output", JSON.stringify(result.output)]);
  if (result && "error" in result) rows.push(["error", `${result.error.code}: ${result.error.message}`]);
  return table(rows);
}
