/**
 * The verbs that change a run: `signal`, `resolve`, `cancel`. Each carries a request ID; the same ID again gives the
 * first receipt, so a script may repeat a command whose answer it did not see.
 */
import { randomUUID } from "node:crypto";
import { SwlError } from "@swl/base";
import type { ResolveRequest } from "@swl/invocation-control";
import type { ExitCode } from "../exit-codes.js";
import { reportAnswer, type VerbOptions, waitOf } from "../lib/answer.js";
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
  const { outcome } = options;
  const payload =
    options.payload === undefined
      ? undefined
      : (await readJsonArgument(session, "--payload", options.payload)).value;
  const wait = waitOf(options);
  return withControl(session, options, async (control) => {
    const request = {
      run,
      messageId: options.id ?? randomUUID(),
      name,
      ...(outcome !== undefined && { outcome }),
      ...(payload !== undefined && { payload }),
    };
    return reportAnswer(session, await control.signal(request, wait), wait.wait);
  });
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
  checkResolve(options);
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
  const wait = waitOf(options);
  return withControl(session, options, async (control) =>
    reportAnswer(session, await control.resolve(request, wait), wait.wait),
  );
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

export function cancel(session: Session, run: string, options: CancelCommandOptions): Promise<ExitCode> {
  const { reason } = options;
  const request = { run, requestId: options.id ?? randomUUID(), ...(reason !== undefined && { reason }) };
  const wait = waitOf(options);
  return withControl(session, options, async (control) =>
    reportAnswer(session, await control.cancel(request, wait), wait.wait),
  );
}
