/** What the commands of `swl` have in common, as commander sees them. */
import { type Command, Option } from "commander";
import type { ExitCode } from "../exit-codes.js";
import { whole } from "./options.js";

export type Done = (code: ExitCode) => void;

/** A subcommand with what all have in common. */
export function subcommand(
  program: Command,
  usage: string,
  description: string,
  examples: readonly string[],
): Command {
  return program
    .command(usage)
    .description(description)
    .option("--json", "print one JSON document (a line each, when there are many)")
    .addHelpText("after", `\nExamples:\n${examples.map((example) => `  $ ${example}`).join("\n")}`);
}

export const storeOption = () =>
  new Option(
    "--store <store>",
    "the store: a file, or postgres://USER@HOST/DATABASE (default: SWL_STORE, else .swl/store.db)",
  );

export const waitOptions = (command: Command): Command =>
  command
    .addOption(
      new Option("--wait <ms>", "wait so long for the request to be applied (default: 10000)").argParser(
        whole(0),
      ),
    )
    .option("--no-wait", "leave as soon as the request is durably accepted");

export const dryRunOption = () =>
  new Option("--dry-run", "say what would happen, and write nothing; ends with 4 where nothing would");

export const revealOption = () => new Option("--reveal", "show what the definition marks as sensitive, too");

export const idOption = () =>
  new Option("--id <id>", "request ID: the same ID again gives the first receipt (default: random)");
