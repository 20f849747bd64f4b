/** The verbs that make something new and serve nothing: `publish`, `start`, `redrive`. */
import { randomUUID } from "node:crypto";
import { SwlError } from "@swl/base";
import type { PublishAnswer } from "@swl/invocation-control";
import { type ExitCode, exit } from "../exit-codes.js";
import { carry, type VerbOptions } from "../lib/answer.js";
import { checkId } from "../lib/arguments.js";
import { reportDryRun } from "../lib/dry-run.js";
import { noInput, readJsonArgument } from "../lib/json-argument.js";
import { checkDefinition, checkNewRun } from "../lib/preflight.js";
import { print, printJson, type Session } from "../lib/session.js";
import { asJson, requireSource } from "../lib/source.js";
import { withControl } from "../lib/store.js";
import { oneLine } from "../lib/visible.js";

export interface PublishOptions extends VerbOptions {
  readonly name?: string;
  readonly id?: string;
  readonly by?: string;
}

export async function publish(session: Session, path: string, options: PublishOptions): Promise<ExitCode> {
  const { name, by } = options;
  checkId("--id", options.id);
  const definition = asJson(await requireSource(session, path));
  const request = {
    definition,
    requestId: options.id ?? randomUUID(),
    ...(name !== undefined && { name }),
    ...(by !== undefined && { by }),
  };
  const create = options.dryRun !== true;
  if (create) checkDefinition(definition);
  return withControl(
    session,
    options,
    async (control) => {
      if (!create) return reportDryRun(session, await control.dryRun("publish", request));
      return reportPublished(session, await control.publish(request));
    },
    { create },
  );
}

function reportPublished(session: Session, answer: PublishAnswer): ExitCode {
  if (session.json) printJson(session, answer);
  else print(session, published(session, answer));
  if (answer.kind === "applied") return exit.ok;
  return answer.kind === "refused" ? exit.refused : exit.stands;
}

function published({ paint }: Session, answer: PublishAnswer): string {
  if (answer.kind !== "applied")
    return `${paint.red(`${answer.kind} ${answer.code}`)}: ${oneLine(answer.message)}`;
  const { name, revision, definition, repeated } = answer;
  const again = repeated ? " (this request had been accepted before)" : "";
  return `${paint.green("published")}: ${name} revision ${revision}, ${definition}${again}`;
}

export interface StartCommandOptions extends VerbOptions {
  readonly name?: string;
  readonly input?: string;
  readonly key?: string;
}

export async function start(
  session: Session,
  path: string | undefined,
  options: StartCommandOptions,
): Promise<ExitCode> {
  const { name, key } = options;
  checkId("--key", key);
  if ((path === undefined) === (name === undefined)) {
    throw new SwlError("cli.usage", "start takes either PATH or --name", { hint: "see swl start --help" });
  }
  const definition = path === undefined ? undefined : asJson(await requireSource(session, path));
  const input =
    options.input === undefined ? noInput : await readJsonArgument(session, "--input", options.input);
  const what = definition === undefined ? { name: name ?? "" } : { definition };
  const request = { ...what, input: input.value, ...(key !== undefined && { startKey: key }) };
  // Nothing was published in a store that is not there: only a start that brings its definition makes one.
  const create = definition !== undefined && options.dryRun !== true;
  if (create) checkNewRun(definition, input);
  return withControl(
    session,
    options,
    async (control, store) => {
      if (options.dryRun === true) return reportDryRun(session, await control.dryRun("start", request));
      const wait = options.wait === false ? 0 : (options.wait ?? 0);
      // Who waits asks twice for one run: that takes a key, where none is given.
      const asked = key === undefined && wait > 0 ? { ...request, startKey: randomUUID() } : request;
      return carry(session, { ...options, wait }, store, (within) => control.start(asked, within));
    },
    { create },
  );
}

export interface RedriveOptions extends VerbOptions {
  readonly id?: string;
  readonly by?: string;
}

export async function redrive(session: Session, run: string, options: RedriveOptions): Promise<ExitCode> {
  checkId("RUN", run);
  const { by } = options;
  const request = { run, requestId: options.id ?? randomUUID(), ...(by !== undefined && { by }) };
  return withControl(session, options, async (control, store) => {
    if (options.dryRun === true) return reportDryRun(session, await control.dryRun("redrive", request));
    return carry(session, options, store, (within) => control.redrive(request, within));
  });
}
