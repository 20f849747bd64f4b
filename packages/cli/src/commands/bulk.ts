/** `swl bulk`: one operation on many runs, looked at first. */
import { randomUUID } from "node:crypto";
import { SwlError } from "@swl/base";
import type { BulkItem, BulkRequest, Decision } from "@swl/invocation-control";
import { type ExitCode, exit } from "../exit-codes.js";
import { checkErrorCode, checkId, withCursor } from "../lib/arguments.js";
import { effectWords } from "../lib/dry-run.js";
import { readJsonArgument } from "../lib/json-argument.js";
import { print, printJson, remark, type Session } from "../lib/session.js";
import { type StoreOption, withControl } from "../lib/store.js";
import { table } from "../lib/table.js";
import { oneLine, shellWord } from "../lib/visible.js";

export interface BulkOptions extends StoreOption {
  readonly workflow?: string;
  readonly action?: string;
  readonly reason?: string;
  readonly olderThan?: number;
  readonly decision?: "retry" | "complete" | "fail";
  readonly outcome?: string;
  readonly output?: string;
  readonly code?: string;
  readonly message?: string;
  readonly by?: string;
  readonly apply?: boolean;
  readonly limit?: number;
  readonly after?: string;
  readonly id?: string;
}

/** With `--json` a line a run, and `{next}` as a last line where there is more to look at. */
export async function bulk(session: Session, operation: string, options: BulkOptions): Promise<ExitCode> {
  checkId("--id", options.id);
  checkErrorCode(options.code);
  const request = await requestOf(session, operation, options);
  return withControl(session, options, async (control) => {
    const { items, looked, next } = await withCursor(options.after, () => control.bulk(request));
    if (session.json) {
      for (const item of items) printJson(session, item);
      if (next !== undefined) printJson(session, { next });
    } else {
      if (items.length > 0) print(session, table([["RUN", "WORKFLOW", "ANSWER"], ...items.map(rowOf)]));
      const would = options.apply === true ? "" : "; nothing was written, --apply does it";
      remark(session, `${items.length} of the ${looked} runs that were looked at${would}`);
      if (options.apply === true) remark(session, `request ${request.requestId}`);
      if (next !== undefined) remark(session, `more: --after ${shellWord(next)}`);
    }
    return items.some(isRefused) ? exit.refused : exit.ok;
  });
}

async function requestOf(session: Session, operation: string, options: BulkOptions): Promise<BulkRequest> {
  const { workflow, action, reason, olderThan, after, limit, by } = options;
  const of = {
    requestId: options.id ?? randomUUID(),
    filter: {
      ...(workflow !== undefined && { workflow }),
      ...(action !== undefined && { action }),
      ...(reason !== undefined && { reason }),
      ...(olderThan !== undefined && { olderThan }),
    },
    apply: options.apply === true,
    ...(limit !== undefined && { limit }),
    ...(after !== undefined && { after }),
  };
  if (operation === "cancel") return { ...of, operation };
  if (operation === "redrive") return { ...of, operation, ...(by !== undefined && { by }) };
  if (operation === "resolve") return { ...of, operation, decision: await decisionOf(session, options) };
  throw usage(
    `bulk does not know ${JSON.stringify(operation.slice(0, 40))}: it is resolve, cancel or redrive`,
  );
}

async function decisionOf(session: Session, options: BulkOptions): Promise<Decision> {
  const { decision, outcome, code, message, by } = options;
  if (decision === undefined) throw usage("bulk resolve needs --decision");
  if (decision === "complete" && outcome === undefined) throw usage("--decision complete needs --outcome");
  if (decision === "fail" && code === undefined) throw usage("--decision fail needs --code");
  const output =
    options.output === undefined
      ? undefined
      : (await readJsonArgument(session, "--output", options.output)).value;
  return {
    decision,
    ...(outcome !== undefined && { outcome }),
    ...(output !== undefined && { output }),
    ...(code !== undefined && { error: { code, message: message ?? code } }),
    ...(by !== undefined && { by }),
  };
}

function usage(message: string): SwlError {
  return new SwlError("cli.usage", message, { hint: "see swl bulk --help" });
}

function rowOf({ run, workflow, answer }: BulkItem): readonly string[] {
  const word = answer.kind === "dry-run" ? effectWords[answer.effect] : answer.kind;
  const code = "code" in answer && answer.code !== undefined ? ` ${answer.code}` : "";
  const after = answer.kind === "dry-run" && answer.after !== undefined ? `, then ${answer.after}` : "";
  const made = answer.run !== run && answer.run !== "" ? ` as ${answer.run}` : "";
  return [run, workflow, oneLine(`${word}${code}${after}${made}`)];
}

function isRefused({ answer }: BulkItem): boolean {
  return answer.kind === "refused";
}
