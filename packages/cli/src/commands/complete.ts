/** `swl complete`: how an operation ended that its provider had accepted. */
import { randomUUID } from "node:crypto";
import { SwlError } from "@swl/base";
import type { CompleteRequest } from "@swl/invocation-control";
import type { ExitCode } from "../exit-codes.js";
import { carry, type VerbOptions } from "../lib/answer.js";
import { checkErrorCode, checkId } from "../lib/arguments.js";
import { reportDryRun } from "../lib/dry-run.js";
import { readJsonArgument } from "../lib/json-argument.js";
import type { Session } from "../lib/session.js";
import { withControl } from "../lib/store.js";

export interface CompleteOptions extends VerbOptions {
  readonly handle?: string;
  readonly invocation?: string;
  readonly outcome?: string;
  readonly output?: string;
  readonly code?: string;
  readonly message?: string;
  readonly retryable?: boolean;
  readonly id?: string;
}

export async function complete(session: Session, run: string, options: CompleteOptions): Promise<ExitCode> {
  checkId("RUN", run);
  const { handle, invocation, outcome, code } = options;
  checkErrorCode(code);
  if (handle === undefined && invocation === undefined) refuse("complete needs --handle or --invocation");
  if ((outcome === undefined) === (code === undefined)) refuse("complete takes either --outcome or --code");
  const of = {
    run,
    messageId: options.id ?? randomUUID(),
    ...(handle !== undefined && { handle }),
    ...(invocation !== undefined && { invocation }),
  };
  const request: CompleteRequest =
    code === undefined
      ? { ...of, outcome: outcome ?? "", ...(await outputOf(session, options)) }
      : { ...of, error: { code, message: options.message ?? code }, retryable: options.retryable === true };
  return withControl(session, options, async (control, store) => {
    if (options.dryRun === true) return reportDryRun(session, await control.dryRun("complete", request));
    return carry(session, options, store, (wait) => control.complete(request, wait));
  });
}

async function outputOf(session: Session, { output }: CompleteOptions) {
  return output === undefined ? {} : { output: (await readJsonArgument(session, "--output", output)).value };
}

function refuse(message: string): never {
  throw new SwlError("cli.usage", message, { hint: "see swl complete --help" });
}
