/**
 * How a failure looks: one coded sentence with its place and a hint, never a stack. What no part of the house threw on
 * purpose is `cli.internal`; SWL_DEBUG=1 shows more of it.
 */
import { type Diagnostic, formatDiagnostic, isSwlError, type Json, SwlError } from "@swl/base";
import { type ExitCode, exitOf } from "../exit-codes.js";
import { printJson, type Session } from "./session.js";

/** Reports what was thrown and says which exit code it means. With `--json` the report is the one document. */
export function reportFailure(session: Session, thrown: unknown): ExitCode {
  const error = isSwlError(thrown) ? thrown : internal(thrown);
  if (session.json) printJson(session, { error: errorDocument(error) });
  else session.io.err(`${errorText(session, error)}\n`);
  if (session.io.env["SWL_DEBUG"] === "1") session.io.err(`${stackOf(thrown)}\n`);
  return exitOf(error.code);
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
  const text = formatDiagnostic(finding);
  const label = `${finding.severity} ${finding.code}: `;
  const at = text.indexOf(label);
  return `${text.slice(0, at)}${color(label.slice(0, -2))}: ${text.slice(at + label.length)}`;
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

function internal(thrown: unknown): SwlError {
  const name = thrown instanceof Error ? thrown.name : typeof thrown;
  return new SwlError("cli.internal", `something unexpected happened in swl itself (${name})`, {
    hint: "run the same command with SWL_DEBUG=1 to see more, and report what it says",
    cause: thrown,
  });
}

function stackOf(thrown: unknown): string {
  if (!(thrown instanceof Error)) return `thrown: ${String(thrown)}`;
  const cause = thrown.cause === undefined ? "" : `\ncaused by ${stackOf(thrown.cause)}`;
  return `${thrown.stack ?? thrown.message}${cause}`;
}
