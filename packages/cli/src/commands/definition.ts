/** The verbs that look at what definitions mean: `canonical`, `explain`, `diff`. They read sources and touch no store. */
import { canonicalDefinition, definitionDigest } from "@swl/definition/identity";
import {
  boundedVisits,
  type Change,
  compare,
  deadRoutes,
  explain as explainDefinition,
  longestPath,
  loops,
} from "@swl/definition/inspect";
import { type ExitCode, exit } from "../exit-codes.js";
import { outFile, writeWhole } from "../lib/output-file.js";
import { print, printJson, type Session } from "../lib/session.js";
import { requireSource } from "../lib/source.js";
import { oneLine } from "../lib/visible.js";

/**
 * The canonical form `swl-c14n/1`: exactly its bytes, without a newline, on a terminal too, so that what is seen, piped
 * and hashed is the same.
 */
export async function canonical(
  session: Session,
  path: string,
  options: { readonly out?: string },
): Promise<ExitCode> {
  const definition = await requireSource(session, path);
  const text = canonicalDefinition(definition);
  const digest = definitionDigest(definition);
  const out = outFile(options);
  if (out !== undefined) {
    await writeWhole(session, out, text);
    if (session.json) printJson(session, { digest, out });
    else print(session, `wrote ${oneLine(out)}  ${digest}`);
  } else if (session.json) {
    printJson(session, { canonical: text, digest, path });
  } else {
    session.io.out(text);
  }
  return exit.ok;
}

/** With `--json` also what is known of the graph. */
export async function explain(session: Session, path: string): Promise<ExitCode> {
  const definition = await requireSource(session, path);
  const sentences = explainDefinition(definition);
  if (session.json) {
    const digest = definitionDigest(definition);
    const graph = {
      deadRoutes: deadRoutes(definition),
      longestPath: longestPath(definition),
      loops: loops(definition),
      visits: boundedVisits(definition),
    };
    printJson(session, { digest, graph, path, sentences });
  } else {
    for (const sentence of sentences) print(session, oneLine(sentence));
  }
  return exit.ok;
}

/** Ends with `ok` when both have the same identity, and with `differs` when they have not. */
export async function diff(session: Session, before: string, after: string): Promise<ExitCode> {
  const from = await requireSource(session, before);
  const to = await requireSource(session, after);
  const comparison = compare(from, to);
  if (session.json) printJson(session, comparison);
  else {
    const { paint } = session;
    print(session, `before  ${comparison.before}  ${oneLine(before)}`);
    print(session, `after   ${comparison.after}  ${oneLine(after)}`);
    for (const change of comparison.changes) print(session, changeText(session, change));
    const { length } = comparison.changes;
    if (length === 0) print(session, `${paint.green("same")}: they differ in presentation at most`);
    else print(session, `${paint.yellow("different")}: ${length === 1 ? "1 change" : `${length} changes`}`);
  }
  return comparison.identity === "same" ? exit.ok : exit.differs;
}

function changeText({ paint }: Session, { kind, pointer, message, running }: Change): string {
  const [added, removed] = [kind.endsWith("-added"), kind.endsWith("-removed")];
  const sign = added ? paint.green("+") : removed ? paint.red("-") : paint.yellow("~");
  return `${sign} ${oneLine(`${pointer}: ${message}`)}\n    ${paint.dim(oneLine(running))}`;
}
