/**
 * The commands of operators that need no host: publishing and creating, ending, releasing and redriving runs, one by one
 * or many at once, and verifying what is stored.
 */
import { type Command, Option } from "commander";
import { whole } from "./lib/options.js";
import type { Session } from "./lib/session.js";
import { type Done, dryRunOption, idOption, storeOption, subcommand, waitOptions } from "./lib/subcommand.js";

export function addOperatingCommands(program: Command, session: Session, done: Done): void {
  addCreating(program, session, done);
  addMessages(program, session, done);
  addEnding(program, session, done);
  addBulk(program, session, done);
  addVerify(program, session, done);
}

const byOption = () => new Option("--by <who>", "who decided, for the log");

function addCreating(program: Command, session: Session, done: Done): void {
  subcommand(program, "publish <path>", "give a definition a name that runs can be started by", [
    "swl publish examples/orders",
    "swl publish orders.json --name orders-eu",
  ])
    .option("--name <name>", "the name (default: the workflow's own)")
    .addOption(byOption())
    .addOption(idOption())
    .addOption(dryRunOption())
    .addOption(storeOption())
    .action(async (path: string, options) => {
      const { publish } = await import("./commands/create.js");
      done(await publish(session, path, options));
    });
  const start = subcommand(program, "start [path]", "create a run, and leave serving it to the workers", [
    "swl start examples/orders --input order.json",
    `swl start --name orders --input '{"amount": 12}' --key order-7`,
  ]);
  start
    .option("--name <name>", "start the newest revision published under a name, instead of PATH")
    .option("--input <json>", "the run's input: JSON, a file, or - for standard input (default: null)")
    .option("--key <key>", "start key: the same key with the same content is the same run")
    .addOption(
      new Option("--wait <ms>", "wait so long for a host to start it (default: 0)").argParser(whole(0)),
    )
    .addOption(dryRunOption())
    .addOption(storeOption())
    .action(async (path: string | undefined, options) => {
      const command = await import("./commands/create.js");
      done(await command.start(session, path, options));
    });
  const redrive = subcommand(program, "redrive <run>", "go on from before what failed, in a new run", [
    "swl redrive RUN --dry-run",
    "swl redrive RUN --by ann",
  ]);
  waitOptions(redrive)
    .addOption(byOption())
    .addOption(idOption())
    .addOption(dryRunOption())
    .addOption(storeOption())
    .action(async (run: string, options) => {
      const command = await import("./commands/create.js");
      done(await command.redrive(session, run, options));
    });
}

function addMessages(program: Command, session: Session, done: Done): void {
  const update = subcommand(program, "update <run> <name>", "give a waiting run its update, or be refused", [
    "swl update RUN approval --outcome approved",
  ]);
  waitOptions(update)
    .option("--outcome <outcome>", "which of the waiter's routes")
    .option("--payload <json>", "JSON, @file, or - for standard input")
    .addOption(idOption())
    .addOption(dryRunOption())
    .addOption(storeOption())
    .action(async (run: string, name: string, options) => {
      const command = await import("./commands/change.js");
      done(await command.update(session, run, name, options));
    });
  const complete = subcommand(program, "complete <run>", "say how an accepted operation ended", [
    `swl complete RUN --handle op-7 --outcome charged --output '{"receipt": "r-1"}'`,
    "swl complete RUN --invocation RUN/charge#1 --code card.declined",
  ]);
  waitOptions(complete)
    .option("--handle <handle>", "the operation, by the handle that its provider gave")
    .option("--invocation <id>", "the operation, by its invocation")
    .option("--outcome <outcome>", "it completed: a declared outcome")
    .option("--output <json>", "with --outcome: JSON, @file, or - for standard input")
    .option("--code <code>", "it failed: the error's code")
    .option("--message <text>", "with --code: the error's message")
    .option("--retryable", "with --code: a further attempt may succeed")
    .addOption(idOption())
    .addOption(dryRunOption())
    .addOption(storeOption())
    .action(async (run: string, options) => {
      const command = await import("./commands/complete.js");
      done(await command.complete(session, run, options));
    });
}

function addEnding(program: Command, session: Session, done: Done): void {
  subcommand(program, "terminate <run>", "end a run at once, whatever it does", [
    `swl terminate RUN --reason "its provider is gone" --by ann`,
  ])
    .option("--reason <text>", "why, for the log")
    .addOption(byOption())
    .addOption(idOption())
    .addOption(dryRunOption())
    .addOption(storeOption())
    .action(async (run: string, options) => {
      const command = await import("./commands/change.js");
      done(await command.terminate(session, run, options));
    });
  const release = subcommand(program, "release <run>", "let a quarantined run go on", [
    "swl release RUN --by ann",
  ]);
  waitOptions(release)
    .addOption(byOption())
    .addOption(idOption())
    .addOption(dryRunOption())
    .addOption(storeOption())
    .action(async (run: string, options) => {
      const command = await import("./commands/change.js");
      done(await command.release(session, run, options));
    });
}

function addBulk(program: Command, session: Session, done: Done): void {
  subcommand(
    program,
    "bulk <operation>",
    "resolve, cancel or redrive many runs; looks only, without --apply",
    [
      "swl bulk cancel --workflow orders --older-than 86400000",
      "swl bulk resolve --action charge --reason unknown-result --decision retry --apply",
      "swl bulk redrive --reason card.declined --apply",
    ],
  )
    .option("--workflow <id>", "only runs of this workflow")
    .option("--action <name>", "only runs that stand at this action")
    .option("--reason <word>", "only runs that stand for this reason, or failed with this code")
    .addOption(new Option("--older-than <ms>", "only runs that have stood so long").argParser(whole(0)))
    .addOption(new Option("--decision <decision>", "with resolve").choices(["retry", "complete", "fail"]))
    .option("--outcome <outcome>", "with --decision complete: a declared outcome")
    .option("--output <json>", "with --decision complete: JSON, @file, or - for standard input")
    .option("--code <code>", "with --decision fail: the error's code")
    .option("--message <text>", "with --decision fail: the error's message")
    .addOption(byOption())
    .option("--apply", "do it; each run gets a receipt under the request ID")
    .addOption(new Option("--limit <n>", "look at so many runs (default: 100)").argParser(whole(1, 1_000)))
    .option("--after <cursor>", "go on where the call before stopped")
    .addOption(idOption())
    .addOption(storeOption())
    .action(async (operation: string, options) => {
      const { bulk } = await import("./commands/bulk.js");
      done(await bulk(session, operation, options));
    });
}

function addVerify(program: Command, session: Session, done: Done): void {
  subcommand(
    program,
    "verify <run>",
    "fold a run's log anew and compare it with the states that were stored",
    ["swl verify RUN", "swl verify RUN --position 12 --json"],
  )
    .addOption(new Option("--position <n>", "only up to here, and show the state there").argParser(whole(1)))
    .addOption(storeOption())
    .action(async (run: string, options) => {
      const command = await import("./commands/verify.js");
      done(await command.verify(session, run, options));
    });
}
