/**
 * Why a run does not move, for people: each blocker with its evidence and the commands that would move it, as they
 * can be typed.
 */
import type { Explanation } from "@swl/durable-state";
import { paintStatus } from "./paint.js";
import type { Session } from "./session.js";
import { type StoreOption, shellWord, storeArgument } from "./store.js";
import { instant } from "./table.js";

type AnyBlocker = Explanation["blockers"][number];
type ModelBlocker = Exclude<AnyBlocker, { readonly kind: "host" }>;

/** True when nothing will happen until somebody outside does something, however long a host serves. */
export function stands({ blockers }: Explanation): boolean {
  return blockers.length > 0 && blockers.every(needsSomebody);
}

function needsSomebody(blocker: AnyBlocker): boolean {
  if (blocker.kind === "host") return blocker.code !== "host.waiting";
  return blocker.kind === "signal" || blocker.kind === "intervention";
}

export function explanationText(session: Session, explanation: Explanation, store: StoreOption): string {
  const { paint } = session;
  const lines = [`${paint.bold(explanation.run)}  ${paintStatus(paint, explanation.status)}`];
  // Most summaries are the first blocker's sentence, which follows.
  if (explanation.blockers[0]?.message !== explanation.summary) lines.push(explanation.summary);
  for (const blocker of explanation.blockers) {
    lines.push("", ...blockerLines(session, blocker));
    const commands = blockerCommands(explanation.run, blocker, store);
    if (commands.length > 0) lines.push("  to move it:", ...commands.map((command) => `    ${command}`));
  }
  return lines.join("\n");
}

function blockerLines({ paint }: Session, blocker: AnyBlocker): string[] {
  if (blocker.kind === "host") {
    const options = blocker.options.length > 0 ? [`  options: ${blocker.options.join(", ")}`] : [];
    return [`${paint.yellow("host")} ${blocker.code}: ${blocker.message}`, ...options];
  }
  const at = blocker.node === undefined ? "" : ` at ${blocker.node}`;
  const lines = [`${paint.yellow(blocker.kind)}${at}, since ${instant(blocker.since)}: ${blocker.message}`];
  if (blocker.reason !== undefined) lines.push(`  reason: ${blocker.reason}`);
  if (blocker.invocation !== undefined) {
    const attempt = blocker.attempt === undefined ? "" : `, attempt ${blocker.attempt}`;
    const action = blocker.action === undefined ? "" : ` of ${blocker.action}`;
    lines.push(`  invocation: ${blocker.invocation}${action}${attempt}`);
  }
  if (blocker.signal !== undefined) {
    lines.push(`  signal: ${blocker.signal.name} (${blocker.signal.outcomes.join(" | ")})`);
  }
  for (const { position, type, summary } of blocker.evidence ?? []) {
    lines.push(`  evidence ${position}: ${type}, ${summary}`);
  }
  return lines;
}

/** Command lines that move the run past a blocker. What has to be filled in is written in capitals. */
export function blockerCommands(run: string, blocker: AnyBlocker, store: StoreOption): readonly string[] {
  if (blocker.kind === "host") return [];
  const end = storeArgument(store);
  return blocker.options
    .flatMap((option) => optionCommands(blocker, option))
    .map((rest) => {
      const [verb, ...words] = rest;
      return ["swl", verb, run, ...words].join(" ") + end;
    });
}

/** An operator verb of the model as a verb of `swl` and what follows the run's ID. */
function optionCommands(blocker: ModelBlocker, option: string): readonly (readonly string[])[] {
  switch (option) {
    case "signal": {
      const { name, outcomes } = blocker.signal ?? { name: "", outcomes: [] };
      return outcomes.map((outcome) => ["signal", shellWord(name), "--outcome", outcome]);
    }
    case "resolve retry":
      return [["resolve", "--decision retry"]];
    case "resolve complete":
      return [
        ["resolve", "--decision complete --outcome OUTCOME --output JSON"],
        ...adoption(blocker, "complete", "result"),
      ];
    case "resolve fail":
      return [
        ["resolve", "--decision fail --code CODE --message TEXT"],
        ...adoption(blocker, "fail", "failure"),
      ];
    case "cancel":
      return [["cancel"]];
    default:
      return [];
  }
}

function adoption(blocker: ModelBlocker, decision: string, type: string): readonly (readonly string[])[] {
  const fitting = (blocker.evidence ?? []).filter((evidence) => evidence.type === type);
  return fitting.map(({ position }) => ["resolve", `--decision ${decision} --from-evidence ${position}`]);
}
