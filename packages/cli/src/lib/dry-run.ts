/** What a request would do, for people and as JSON. */
import { isJsonObject, type Json } from "@swl/base";
import type { DryRun } from "@swl/invocation-control";
import { type ExitCode, exit } from "../exit-codes.js";
import { print, printJson, type Session } from "./session.js";
import { oneLine } from "./visible.js";

/** The effect of a request that was not made, in words. */
export const effectWords: { readonly [effect in DryRun["effect"]]: string } = {
  moved: "would be applied",
  buffered: "would be kept",
  none: "would have no effect",
  refused: "would be refused",
  unknown: "cannot be foretold",
};

/** Ends as refused where the request would be refused, or have no effect. */
export function reportDryRun(session: Session, dry: DryRun): ExitCode {
  if (session.json) printJson(session, dry);
  else for (const line of linesOf(dry)) print(session, line);
  return dry.effect === "refused" || dry.effect === "none" ? exit.refused : exit.ok;
}

function linesOf({
  operation,
  effect,
  code,
  message = "",
  before,
  after,
  edges,
  commands,
  revision,
}: DryRun): string[] {
  const said = code === undefined ? "" : ` ${code}: ${oneLine(message)}`;
  const way = after === undefined ? "" : `: ${before === undefined ? "" : `${before} -> `}${after}`;
  const made = revision === undefined ? "" : ` as revision ${revision}`;
  return [
    `${operation} ${effectWords[effect]}${made}${said}${effect === "refused" || effect === "none" ? "" : way}`,
    ...edges.map(({ node, visit, route, target }) => `  ${node}#${visit} -${route}-> ${target}`),
    ...commands.map((command) => `  ${commandText(command)}`),
    "nothing was written",
  ];
}

function commandText(command: Json): string {
  if (!isJsonObject(command)) return JSON.stringify(command);
  const { kind, invocation, attempt, key, at } = command;
  const of =
    invocation === undefined
      ? (key ?? "")
      : `${String(invocation)}${attempt === undefined ? "" : ` attempt ${String(attempt)}`}`;
  const when = typeof at === "number" ? ` at ${new Date(at).toISOString()}` : "";
  return oneLine(`${String(kind)} ${String(of)}${when}`.trim());
}
