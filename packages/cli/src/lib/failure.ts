/**
 * How a failure looks: one coded sentence with its place and a hint, never a stack. What no part of the house threw on
 * purpose is `cli.internal`; SWL_DEBUG=1 shows more of it. Modules of strangers may throw anything: reporting it does
 * not throw in turn.
 */
import { type Diagnostic, formatDiagnostic, isCode, isSwlError, type Json, SwlError } from "@swl/base";
import { type ExitCode, exitOf } from "../exit-codes.js";
import { complain, printJson, type Session } from "./session.js";
import { oneLine } from "./visible.js";

/** Reports what was thrown and says which exit code it means. With `--json` the report is the one document. */
export function reportFailure(session: Session, thrown: unknown): ExitCode {
  let error = asSwlError(thrown);
  try {
    show(session, error);
  } catch (cause) {
    error = internal(cause);
    show(session, error);
  }
  if (session.io.env["SWL_DEBUG"] === "1") complain(session, stackOf(thrown));
  return exitOf(error.code);
}

function show(session: Session, error: SwlError): void {
  if (session.json) printJson(session, { error: errorDocument(error) });
  else complain(session, errorText(session, error));
}

/** An error as data, with findings cut to the members that a finding has. */
export function errorDocument(error: SwlError): Json {
  const { findings, ...rest } = error.toJSON();
  return error.findings === undefined ? rest : { ...rest, findings: error.findings.map(findingDocument) };
}

/** Exactly `{code, severity, message, pointer, place?, node?, hint?}`. */
export function findingDocument(finding: Diagnostic): Json {
  const { code, severity, message, pointer, place, node, hint } = finding;
  return {
    code,
    severity,
    message,
    pointer,
    ...(place !== undefined && { place: { file: place.file, line: place.line, column: place.column } }),
    ...(node !== undefined && { node }),
    ...(hint !== undefined && { hint }),
  };
}

export function findingText({ paint }: Session, finding: Diagnostic): string {
  const color = finding.severity === "error" ? paint.red : paint.yellow;
  const text = formatDiagnostic(onOneLine(finding));
  const label = `${finding.severity} ${finding.code}: `;
  const at = text.indexOf(label);
  return `${text.slice(0, at)}${color(label.slice(0, -2))}: ${text.slice(at + label.length)}`;
}

function onOneLine(finding: Diagnostic): Diagnostic {
  const { message, pointer, place, hint } = finding;
  return {
    ...finding,
    message: oneLine(message),
    pointer: oneLine(pointer),
    ...(place !== undefined && { place: { ...place, file: oneLine(place.file) } }),
    ...(hint !== undefined && { hint: oneLine(hint) }),
  };
}

function errorText(session: Session, error: SwlError): string {
  const findings = error.findings ?? [];
  // Findings say everything that the summary of an error made of them repeats.
  if (findings.length > 0) return findings.map((finding) => findingText(session, finding)).join("\n");
  const { code, message, pointer = "", place, hint } = error;
  return findingText(session, {
    code,
    severity: "error",
    message,
    pointer,
    ...(place && { place }),
    ...(hint !== undefined && { hint }),
  });
}

/** The error as it is when it is one of the house, of whatever copy; everything else is `cli.internal`. */
function asSwlError(thrown: unknown): SwlError {
  try {
    return isSwlError(thrown) && isCode(thrown.code) ? thrown : internal(thrown);
  } catch {
    return internal(thrown);
  }
}

function internal(thrown: unknown): SwlError {
  return new SwlError("cli.internal", `something unexpected happened in swl itself (${kindOf(thrown)})`, {
    hint: "run the same command with SWL_DEBUG=1 to see more, and report what it says",
    cause: thrown,
  });
}

/** What kind of value was thrown; its text might hold a secret. */
export function kindOf(thrown: unknown): string {
  try {
    return thrown instanceof Error ? String(thrown.name) : typeof thrown;
  } catch {
    return typeof thrown;
  }
}

/** The first line of what a module of the user says went wrong. */
export function saidBy(thrown: unknown): string {
  try {
    const text = thrown instanceof Error ? String(thrown.message) : String(thrown);
    return text.split("\n", 1)[0] as string;
  } catch {
    return `a value that is no error (${typeof thrown})`;
  }
}

function stackOf(thrown: unknown): string {
  try {
    if (!(thrown instanceof Error)) return `thrown: ${String(thrown)}`;
    const cause = thrown.cause === undefined ? "" : `\ncaused by ${stackOf(thrown.cause)}`;
    return `${thrown.stack ?? thrown.message}${cause}`;
  } catch {
    return `thrown: a value that cannot be shown (${typeof thrown})`;
  }
}
