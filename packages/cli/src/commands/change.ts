/**
 * The verbs that change a run: `signal`, `update`, `resolve`, `cancel`, `terminate`, `release`. Each carries a request ID; the same ID again gives the
 * first receipt, so a script may repeat a command whose answer it did not see.
 */
import { randomUUID } from "node:crypto";
import { SwlError } from "@swl/base";
import type { ControlAnswer, ResolveRequest } from "@swl/invocation-control";
import type { ExitCode } from "../exit-codes.js";
import { carry, reportAnswer, type VerbOptions } from "../lib/answer.js";
import { checkErrorCode, checkId, checkSignalName } from "../lib/arguments.js";
import { reportDryRun } from "../lib/dry-run.js";
import { readJsonArgument } from "../lib/json-argument.js";
import type { Session } from "../lib/session.js";
import { withControl } from "../lib/store.js";

export interface SignalCommandOptions extends VerbOptions {
  readonly outcome?: string;
  readonly payload?: string;
  readonly id?: string;
}

export async function signal(
  session: Session,
  run: string,
  name: string,
  options: SignalCommandOptions,
): Promise<ExitCode> {
  const message = await messageOf(session, run, name, options);
  const request = { ...message, messageId: options.id ?? randomUUID() };
  return withControl(session, options, async (control, store) => {
    if (options.dryRun === true) return reportDryRun(session, await control.dryRun("signal", request));
    return carry(session, options, store, (wait) => control.signal(request, wait));
  });
}

export async function update(
  session: Session,
  run: string,
  name: string,
  options: SignalCommandOptions,
): Promise<ExitCode> {
  const message = await messageOf(session, run, name, options);
  const request = { ...message, requestId: options.id ?? randomUUID() };
  return withControl(session, options, async (control, store) => {
    if (options.dryRun === true) return reportDryRun(session, await control.dryRun("update", request));
    return carry(session, options, store, (wait) => control.update(request, wait));
  });
}

async function messageOf(session: Session, run: string, name: string, options: SignalCommandOptions) {
  const { outcome, payload } = options;
  checkId("RUN", run);
  checkSignalName(name);
  return {
    run,
    name,
    ...(outcome !== undefined && { outcome }),
    ...(payload !== undefined && {
      payload: (await readJsonArgument(session, "--payload", payload)).value,
    }),
  };
}

export interface ResolveCommandOptions extends VerbOptions {
  readonly decision: "retry" | "complete" | "fail";
  readonly outcome?: string;
  readonly output?: string;
  readonly code?: string;
  readonly message?: string;
  readonly invocation?: string;
  readonly fromEvidence?: number;
  readonly id?: string;
  readonly by?: string;
}

export async function resolve(
  session: Session,
  run: string,
  options: ResolveCommandOptions,
): Promise<ExitCode> {
  checkId("RUN", run);
  checkResolve(options);
  checkErrorCode(options.code);
  const { decision, outcome, invocation, fromEvidence, by, code } = options;
  const output =
    options.output === undefined
      ? undefined
      : (await readJsonArgument(session, "--output", options.output)).value;
  const request: ResolveRequest = {
    run,
    requestId: options.id ?? randomUUID(),
    decision,
    ...(outcome !== undefined && { outcome }),
    ...(output !== undefined && { output }),
    ...(code !== undefined && { error: { code, message: options.message ?? code } }),
    ...(invocation !== undefined && { invocation }),
    ...(fromEvidence !== undefined && { fromEvidence }),
    ...(by !== undefined && { by }),
  };
  return withControl(session, options, async (control, store) => {
    if (options.dryRun === true) return reportDryRun(session, await control.dryRun("resolve", request));
    return carry(session, options, store, async (wait) => worded(await control.resolve(request, wait)));
  });
}

/** Without `--invocation` the engine is asked about one that no run has; nobody needs to be told its name. */
function worded(answer: ControlAnswer): ControlAnswer {
  if (!("message" in answer)) return answer;
  return { ...answer, message: answer.message.replace(/^resolve of none /, "resolve ") };
}

/** Options that contradict the decision would be dropped silently otherwise. */
function checkResolve(options: ResolveCommandOptions): void {
  const { decision, fromEvidence } = options;
  const evidence = fromEvidence !== undefined;
  const refuse = (message: string): never => {
    throw new SwlError("cli.usage", message, { hint: "see swl resolve --help" });
  };
  const given = (names: readonly (keyof ResolveCommandOptions)[]) =>
    names.filter((name) => options[name] !== undefined);
  const foreign = {
    retry: given(["outcome", "output", "code", "message", "fromEvidence"]),
    complete: given(["code", "message", ...(evidence ? (["outcome", "output"] as const) : [])]),
    fail: given(["outcome", "output", ...(evidence ? (["code", "message"] as const) : [])]),
  }[decision];
  if (foreign.length > 0) {
    const names = foreign.map((name) => `--${name === "fromEvidence" ? "from-evidence" : name}`).join(", ");
    refuse(`${names} cannot go with --decision ${decision}${evidence ? " --from-evidence" : ""}`);
  }
  if (decision === "complete" && !evidence && options.outcome === undefined) {
    refuse("--decision complete needs --outcome, or --from-evidence");
  }
  if (decision === "fail" && !evidence && options.code === undefined) {
    refuse("--decision fail needs --code, or --from-evidence");
  }
}

export interface CancelCommandOptions extends VerbOptions {
  readonly reason?: string;
  readonly id?: string;
}

export async function cancel(
  session: Session,
  run: string,
  options: CancelCommandOptions,
): Promise<ExitCode> {
  const { reason } = options;
  checkId("RUN", run);
  const request = { run, requestId: options.id ?? randomUUID(), ...(reason !== undefined && { reason }) };
  return withControl(session, options, async (control, store) => {
    if (options.dryRun === true) return reportDryRun(session, await control.dryRun("cancel", request));
    return carry(session, options, store, (wait) => control.cancel(request, wait));
  });
}

export interface OperatorOptions extends VerbOptions {
  readonly reason?: string;
  readonly by?: string;
  readonly id?: string;
}

export async function terminate(session: Session, run: string, options: OperatorOptions): Promise<ExitCode> {
  const request = operatorRequest(run, options);
  return withControl(session, options, async (control) => {
    if (options.dryRun === true) return reportDryRun(session, await control.dryRun("terminate", request));
    return reportAnswer(session, await control.terminate(request), 0, options);
  });
}

export async function release(session: Session, run: string, options: OperatorOptions): Promise<ExitCode> {
  const request = operatorRequest(run, options);
  return withControl(session, options, async (control, store) => {
    if (options.dryRun === true) return reportDryRun(session, await control.dryRun("release", request));
    return carry(session, options, store, (wait) => control.release(request, wait));
  });
}

function operatorRequest(run: string, { id, reason, by }: OperatorOptions) {
  checkId("RUN", run);
  return {
    run,
    requestId: id ?? randomUUID(),
    ...(reason !== undefined && { reason }),
    ...(by !== undefined && { by }),
  };
}
