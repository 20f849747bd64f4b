/** The verbs for authors: `validate`, `compile`, `digest`. They read sources and touch no store. */
import { canonicalize } from "@swl/base";
import { type Definition, definitionDigest } from "@swl/definition";
import { type ExitCode, exit, exitOf } from "../exit-codes.js";
import { findingDocument, findingText } from "../lib/failure.js";
import { outFile, writeWhole } from "../lib/output-file.js";
import { print, printJson, remark, type Session } from "../lib/session.js";
import { asJson, firstError, readSource, refuseSource, requireSource } from "../lib/source.js";
import { oneLine } from "../lib/visible.js";

/** One line of JSON a path. The worst path decides the exit code. */
export async function validate(
  session: Session,
  paths: readonly string[],
  options: { readonly strict?: boolean },
): Promise<ExitCode> {
  let worst: ExitCode = exit.ok;
  for (const path of paths) {
    const outcome = await readSource(session, path, options);
    const definition = outcome.ok ? definitionDigest(outcome.value) : undefined;
    if (session.json) {
      const findings = outcome.findings.map(findingDocument);
      printJson(session, { path, valid: outcome.ok, findings, ...(definition && { definition }) });
    } else {
      for (const finding of outcome.findings) print(session, findingText(session, finding));
      if (outcome.ok)
        print(session, `${oneLine(path)}: ${session.paint.green("valid")} ${outcome.value.id} ${definition}`);
    }
    if (!outcome.ok) worst = Math.max(worst, exitOf(firstError(outcome.findings).code)) as ExitCode;
  }
  return worst;
}

/** The normalized definition: to standard output, or to a file that appears whole or not at all. */
export async function compile(
  session: Session,
  path: string,
  options: { readonly out?: string },
): Promise<ExitCode> {
  const outcome = await readSource(session, path);
  if (!outcome.ok) refuseSource(path, outcome.findings);
  for (const warning of outcome.findings) remark(session, findingText(session, warning));
  const digest = definitionDigest(outcome.value);
  const out = outFile(options);
  if (out !== undefined) {
    await writeWhole(session, out, `${pretty(outcome.value)}\n`);
    if (session.json) printJson(session, { digest, out });
    else print(session, `wrote ${oneLine(out)}  ${digest}`);
  } else if (session.json) {
    const findings = outcome.findings.map(findingDocument);
    printJson(session, { definition: asJson(outcome.value), digest, findings });
  } else {
    print(session, pretty(outcome.value));
  }
  return exit.ok;
}

export async function digest(session: Session, path: string): Promise<ExitCode> {
  const value = definitionDigest(await requireSource(session, path));
  if (session.json) printJson(session, { digest: value, path });
  else print(session, value);
  return exit.ok;
}

/** Canonical order of keys, spread over lines. */
function pretty(definition: Definition): string {
  return JSON.stringify(JSON.parse(canonicalize(asJson(definition))), null, 2);
}
