/**
 * Why a run does not move, for people: each blocker with its evidence and the commands that would move it. What was
 * accepted and waits for a host comes first: it may be what the run waits for.
 */
import type { Explanation } from "@swl/durable-state";
import { paintStatus } from "./paint.js";
import { type AnyBlocker, blockerCommands, type Surroundings } from "./remedies.js";
import type { Session } from "./session.js";
import type { StoreOption } from "./store.js";
import { instant } from "./table.js";
import { oneLine } from "./visible.js";

/** True when nothing will happen until somebody outside does something, however long a host serves. */
export function stands({ blockers }: Explanation): boolean {
  return blockers.length > 0 && blockers.every(needsSomebody);
}

function needsSomebody(blocker: AnyBlocker): boolean {
  if (blocker.kind === "host") return blocker.code !== "host.waiting";
  return blocker.kind === "signal" || blocker.kind === "intervention";
}

export function explanationText(
  session: Session,
  explanation: Explanation,
  known: Surroundings,
  store: StoreOption,
): string {
  const { paint } = session;
  const blockers = [...explanation.blockers];
  if (known.unapplied > 0) blockers.sort((a, b) => Number(a.kind !== "host") - Number(b.kind !== "host"));
  const lines = [`${paint.bold(oneLine(explanation.run))}  ${paintStatus(paint, explanation.status)}`];
  // Most summaries are a blocker's sentence, which follows.
  if (!blockers.some(({ message }) => message === explanation.summary))
    lines.push(oneLine(explanation.summary));
  const said = new Set<string>();
  for (const blocker of blockers) {
    lines.push("", ...blockerLines(session, blocker));
    const commands = blockerCommands(explanation.run, blocker, known, store).filter((one) => !said.has(one));
    for (const command of commands) said.add(command);
    if (commands.length > 0) lines.push("  to move it:", ...commands.map((command) => `    ${command}`));
  }
  return lines.join("\n");
}

function blockerLines({ paint }: Session, blocker: AnyBlocker): string[] {
  if (blocker.kind === "host") {
    return [`${paint.yellow("host")} ${blocker.code}: ${oneLine(blocker.message)}`];
  }
  const at = blocker.node === undefined ? "" : ` at ${blocker.node}`;
  const lines = [
    `${paint.yellow(blocker.kind)}${at}, since ${instant(blocker.since)}: ${oneLine(blocker.message)}`,
  ];
  if (blocker.reason !== undefined) lines.push(`  reason: ${oneLine(blocker.reason)}`);
  if (blocker.invocation !== undefined) {
    const attempt = blocker.attempt === undefined ? "" : `, attempt ${blocker.attempt}`;
    const action = blocker.action === undefined ? "" : ` of ${blocker.action}`;
    lines.push(`  invocation: ${oneLine(blocker.invocation)}${action}${attempt}`);
  }
  if (blocker.signal !== undefined) {
    lines.push(`  signal: ${oneLine(`${blocker.signal.name} (${blocker.signal.outcomes.join(" | ")})`)}`);
  }
  for (const { position, type, summary } of blocker.evidence ?? []) {
    lines.push(`  evidence ${position}: ${oneLine(`${type}, ${summary}`)}`);
  }
  return lines;
}
