/**
 * `swl run`: starts one run and serves the store until that run ends or stands. A run that stands is explained and
 * stays in the store: `swl signal` or `swl resolve` move it, `swl run` with the same `--key` or `swl worker` go on.
 */
import { type Code, isSwlError, type Json } from "@swl/base";
import type { Explanation, Host, HostLogEntry, RunHandle, RunResult } from "@swl/durable-state";
import { type ExitCode, exit } from "../exit-codes.js";
import { checkId } from "../lib/arguments.js";
import { loadBindings } from "../lib/bindings.js";
import { explanationText, stands } from "../lib/explanation.js";
import { checkHostOptions, type HostCommandOptions, type HostParts, openHost } from "../lib/host-options.js";
import { type Interrupts, listenForInterrupts, unlessAborted } from "../lib/interrupts.js";
import { noInput, readJsonArgument } from "../lib/json-argument.js";
import { paintStatus } from "../lib/paint.js";
import { checkStart } from "../lib/preflight.js";
import { type Surroundings, surroundingsOf } from "../lib/remedies.js";
import { logAttempt, logLine } from "../lib/serving.js";
import { print, printJson, remark, type Session } from "../lib/session.js";
import { asJson, requireSource } from "../lib/source.js";
import { openStore } from "../lib/store.js";
import { oneLine } from "../lib/visible.js";

export interface RunOptions extends HostCommandOptions {
  readonly input?: string;
  readonly key?: string;
  /** Milliseconds to go on serving while the run stands; 0 (the default) and `false` leave at once. */
  readonly wait?: number | false;
}

/** How serving one run came to its end. */
type End =
  | { readonly kind: "ended"; readonly result: RunResult }
  | { readonly kind: "stands"; readonly explanation: Explanation; readonly known: Surroundings }
  | { readonly kind: "interrupted" };

/** Milliseconds between two looks whether the run stands. */
const look = 100;

/** Milliseconds that a run may wait for a time without a word about it. */
const atOnce = 1_000;

export async function run(session: Session, path: string, options: RunOptions): Promise<ExitCode> {
  // Everything that can be wrong is found before a store is created or a run begins.
  checkId("--key", options.key);
  const definition = asJson(await requireSource(session, path));
  const input =
    options.input === undefined ? noInput : await readJsonArgument(session, "--input", options.input);
  const bindings = await loadBindings(session, options.bindings, (entry) => {
    if (!session.json) logAttempt(session, entry);
  });
  checkHostOptions(options, bindings);
  checkStart(definition, bindings, options.grant ?? [], input);
  const interrupts = listenForInterrupts(session.io);
  try {
    const opening = openStore(session, options, { create: true });
    const store = await unlessAborted(interrupts.asked, opening, (late) => late.close());
    if (store === undefined) return unstarted(session);
    try {
      return await serveOne(session, { definition, input: input.value }, options, {
        ...{ store, bindings, interrupts },
      });
    } finally {
      await store.close();
    }
  } finally {
    interrupts.end();
  }
}

interface NewRun {
  readonly definition: Json;
  readonly input: Json;
}

async function serveOne(
  session: Session,
  { definition, input }: NewRun,
  options: RunOptions,
  parts: HostParts,
): Promise<ExitCode> {
  // How the run ends is told at the end, what its attempts meet at once; with `--json` there is one document.
  const log = (entry: HostLogEntry) => {
    const told = entry.level !== "info" || entry.data?.["attempt"] !== undefined;
    if (told && !session.json) logLine(session, entry);
  };
  const host = await openHost(parts, options, log);
  if (host === undefined) return unstarted(session);
  try {
    const { key } = options;
    const { interrupts } = parts;
    if (interrupts.asked.aborted) return unstarted(session);
    const handle = await host.start(definition, { input, ...(key !== undefined && { startKey: key }) });
    remark(session, session.paint.dim(`run ${handle.id}`));
    return report(session, handle.id, await follow(session, host, handle, options, interrupts), options);
  } finally {
    await host.close();
  }
}

function unstarted(session: Session): ExitCode {
  if (session.json) printJson(session, { status: "interrupted" });
  else print(session, "interrupted before there was a run");
  return exit.interrupted;
}

/** Serves until the run ended, or has stood for longer than the user wants to wait, or somebody interrupts. */
async function follow(
  session: Session,
  host: Host,
  handle: RunHandle,
  options: RunOptions,
  interrupts: Interrupts,
): Promise<End> {
  const patience = options.wait === false ? 0 : (options.wait ?? 0);
  let standing: { readonly since: number; readonly explanation: Explanation } | undefined;
  let told = "";
  try {
    for (;;) {
      const result = await resultWithin(host, handle, look);
      if (result !== undefined) return { kind: "ended", result };
      if (interrupts.asked.aborted) return { kind: "interrupted" };
      const explanation = await host.control.why(handle.id);
      if (!stands(explanation)) {
        standing = undefined;
        const wait = waitOf(explanation);
        if (wait !== undefined && wait !== told) {
          told = wait;
          remark(session, session.paint.dim(`${handle.id} ${oneLine(wait)} (Ctrl-C leaves it in the store)`));
        }
      } else if (standing === undefined) {
        standing = { since: performance.now(), explanation };
        if (patience > 0) {
          const known = await surroundingsOf(host.control, explanation);
          remark(session, `${explanationText(session, explanation, known, options)}\n`);
        }
      }
      if (standing !== undefined && performance.now() - standing.since >= patience) {
        return { kind: "stands", explanation, known: await surroundingsOf(host.control, explanation) };
      }
    }
  } finally {
    // A second one while the host closes kills.
    interrupts.end();
  }
}

/** What a run waits for that goes on by itself, but not at once: silence would look like being stuck. */
function waitOf({ blockers }: Explanation): string | undefined {
  const later = blockers.some(
    (blocker) => blocker.kind === "timer" && (blocker.timer?.at ?? 0) > Date.now() + atOnce,
  );
  return later ? blockers.map(({ message }) => message).join(" ") : undefined;
}

/** Masked, as everything that is printed. */
async function resultWithin(host: Host, { id }: RunHandle, timeout: number): Promise<RunResult | undefined> {
  try {
    return await host.control.result(id, { timeout });
  } catch (error) {
    const waiting: Code = "answer.timeout";
    if (isSwlError(error) && error.code === waiting) return undefined;
    throw error;
  }
}

function report(session: Session, run: string, end: End, options: RunOptions): ExitCode {
  if (end.kind === "interrupted") {
    if (session.json) printJson(session, { run, status: "interrupted" });
    else
      print(
        session,
        `${run}: what was under way may still end it; else it goes on when a worker serves the store`,
      );
    return exit.interrupted;
  }
  if (end.kind === "stands") {
    const { explanation, known } = end;
    if (session.json) printJson(session, { run, status: explanation.status, explanation });
    else print(session, explanationText(session, explanation, known, options));
    return exit.stands;
  }
  const { result } = end;
  if (session.json) printJson(session, { run, ...result });
  else print(session, resultText(session, run, result));
  return result.status === "completed" ? exit.ok : exit.ended;
}

function resultText({ paint }: Session, run: string, result: RunResult): string {
  const head = `${paint.bold(run)}  ${paintStatus(paint, result.status)}`;
  if (result.status === "completed") return `${head}\n${JSON.stringify(result.output, null, 2)}`;
  const { error } = result;
  return error === undefined ? head : `${head}\n${error.code}: ${oneLine(error.message)}`;
}
