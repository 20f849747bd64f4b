/** What the demo ends with: the runs, the ledger, a picture, and what to try next. */
import { writeFileSync } from "node:fs";
import type { Audit, AuditedRun } from "../audit.ts";
import { bold, files, fromRoot, green, print, red } from "./stage.ts";
import { swl, typed } from "./swl.ts";

export function printRuns(
  audit: Audit,
  given: ReadonlyMap<string, string>,
  decisions: ReadonlyMap<string, string>,
): void {
  const rows = audit.runs.map((run) => [
    run.order.order,
    run.status.run,
    run.status.status,
    outcomeOf(run),
    run.charges.length === 0
      ? ""
      : run.charges.map(({ answer }) => money(Number(answer["amount"]))).join(" + "),
    given.get(run.order.order) ?? "",
    run.lost === 0 ? "" : String(run.lost),
    decisions.get(run.status.run) ?? "",
  ]);
  print(`\n${bold("Runs")}`);
  const head = ["ORDER", "RUN", "STATUS", "OUTCOME", "CHARGED", "APPROVAL", "KILLS SEEN", "RESOLVED BY"];
  print(table([head, ...rows]));
}

/** What crashes did to the runs, in two sentences. */
export function printCrashes({ runs }: Audit, decisions: ReadonlyMap<string, string>): void {
  const hit = runs.filter(({ lost }) => lost > 0);
  const alone = hit.filter(({ status }) => !decisions.has(status.run)).length;
  print(
    `${hit.length} runs had an attempt under way when the process was killed. ${decisions.size} of them stood in a charge`,
  );
  print(`until the operator decided; ${alone} were in repeatable work and went on by themselves.`);
}

export function printLedger({ runs, effects, duplicates }: Audit): void {
  const count = (kind: string) => effects.filter((effect) => effect.kind === kind).length;
  const taken = effects.filter(({ kind }) => kind === "charge");
  const sum = taken.reduce((total, { answer }) => total + Number(answer["amount"]), 0);
  print(`\n${bold("Effect ledger")}  ${fromRoot(files.ledger)}`);
  print(`orders: ${runs.length}, reservations: ${count("reserve")}, shipments: ${count("ship")}`);
  const twice = `duplicates: ${duplicates.length}`;
  print(`charges: ${taken.length} (${money(sum)}), ${duplicates.length === 0 ? green(twice) : red(twice)}`);
}

/** Draws the run with the longest way through the workflow. Returns a problem, if there was one. */
export async function printPicture(run: string): Promise<string | undefined> {
  const args = ["render", "--run", run, "--store", fromRoot(files.store), "--out", fromRoot(files.picture)];
  const { code, err } = await swl(args);
  if (code !== 0) return `${typed(args)} ended with ${code}: ${err.trim()}`;
  print(`\n${bold("Picture")}  the path of ${run}: ${fromRoot(files.picture)}`);
  return undefined;
}

export function printNext(run: string): void {
  const small = { order: "o-100", customer: "ada", item: "keyboard", quantity: 2, amount: 9_800 };
  writeFileSync(files.oneMore, `${JSON.stringify(small)}\n`);
  writeFileSync(
    files.large,
    `${JSON.stringify({ ...small, order: "o-101", quantity: 20, amount: 98_000 })}\n`,
  );
  const store = ["--store", fromRoot(files.store)];
  const example = fromRoot(files.store).replace(/\/out\/[^/]*$/, "");
  const bindings = `${example}/src/bindings.ts`;
  print(`\n${bold("Try next")}`);
  print(`  ${typed(["status", run, ...store])}`);
  print(`  ${typed(["list", "--status", "failed", ...store])}`);
  print(`  ${typed(["run", example, "--bindings", bindings, "--input", fromRoot(files.oneMore), ...store])}`);
}

function outcomeOf({ result }: AuditedRun): string {
  if (result === undefined) return "";
  if (result.status === "completed") return "shipped";
  return result.error?.code ?? "";
}

function money(cents: number): string {
  return `$${(cents / 100).toFixed(2)}`;
}

function table(rows: readonly (readonly string[])[]): string {
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column]!))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}
