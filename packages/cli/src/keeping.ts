/** `swl store …` as commander sees it: the group of verbs that keep a store. */
import { type Command, Option } from "commander";
import type { ExitCode } from "./exit-codes.js";
import { whole } from "./lib/options.js";
import type { Session } from "./lib/session.js";

/** How `program.ts` makes a subcommand. */
export type Subcommand = (
  parent: Command,
  usage: string,
  description: string,
  examples: readonly string[],
) => Command;

export function addStoreCommands(
  program: Command,
  session: Session,
  done: (code: ExitCode) => void,
  subcommand: Subcommand,
): void {
  const store = program.command("store").description("keep a store: migrate, check, prune, stats");
  const option = () =>
    new Option("--store <place>", "file or postgres:// address (default: SWL_STORE, else .swl/store.db)");
  subcommand(store, "migrate", "bring a store to the format of this version", [
    "swl store migrate --store orders.db",
  ])
    .addOption(option())
    .action(async (options) => {
      const { migrate } = await import("./commands/store.js");
      done(await migrate(session, options));
    });
  subcommand(store, "check", "read everything and say what is wrong with it; ends with 5 if anything is", [
    "swl store check --store orders.db",
    "swl store check --json",
  ])
    .addOption(new Option("--limit <n>", "at most so many faults (default: 100)").argParser(whole(1, 1_000)))
    .addOption(option())
    .action(async (options) => {
      const { check } = await import("./commands/store.js");
      done(await check(session, options));
    });
  subcommand(store, "prune", "remove runs that have ended long ago, beside running hosts", [
    "swl store prune --older-than 30d --dry-run",
    "swl store prune --older-than P30D --store orders.db",
  ])
    .requiredOption("--older-than <duration>", "since their end: 30d, 12h, P30D")
    .option("--dry-run", "count them and remove nothing")
    .addOption(option())
    .action(async (options) => {
      const { prune } = await import("./commands/store.js");
      done(await prune(session, options));
    });
  subcommand(store, "stats", "count what is in a store", ["swl store stats", "swl store stats --json"])
    .addOption(option())
    .action(async (options) => {
      const { stats } = await import("./commands/store.js");
      done(await stats(session, options));
    });
}
