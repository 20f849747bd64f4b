/**
 * `main` is the whole of `swl`: it reads the arguments, runs one command and answers with an exit code. It never
 * throws and never leaves the process, so that it can be called in-process with any `Io`.
 */
import { nearest, SwlError } from "@swl/base";
import { type Command, CommanderError } from "commander";
import { type ExitCode, exit } from "./exit-codes.js";
import type { Io } from "./io.js";
import { reportFailure } from "./lib/failure.js";
import { type Session, sessionOf } from "./lib/session.js";
import { buildProgram } from "./program.js";

/** `argv` without the names of Node and script. */
export async function main(argv: readonly string[], io: Io): Promise<ExitCode> {
  try {
    const session = sessionOf(io, argv.includes("--json"));
    try {
      return await command(session, argv);
    } catch (thrown) {
      return reportFailure(session, thrown);
    }
  } catch {
    // Not even the report of a failure could be printed.
    return exit.internal;
  }
}

async function command(session: Session, argv: readonly string[]): Promise<ExitCode> {
  let code: ExitCode = exit.ok;
  const program = buildProgram(session, (ended) => {
    code = ended;
  });
  if (argv.length === 0) {
    session.io.err(program.helpInformation());
    return exit.usage;
  }
  try {
    refuseTwice(program);
    await program.parseAsync(topicOf(program, argv), { from: "user" });
    return code;
  } catch (thrown) {
    if (!(thrown instanceof CommanderError)) throw thrown;
    // Help and version were printed by commander and end with 0.
    if (thrown.exitCode === 0) return exit.ok;
    const group = groupAlone(program, argv);
    if (group !== undefined) throw group;
    if (thrown.code === "commander.help") throw unknownTopic(program, argv[argv.indexOf("help") + 1] ?? "");
    const otherwise = early(program, argv) ?? misspelt(program, argv) ?? `see ${helpOf(program, argv)}`;
    throw usageError(thrown, otherwise);
  }
}

/** An option with one value that is given twice would lose the first without a word. Throws `cli.usage` while it is read. */
function refuseTwice(command: Command): void {
  for (const option of command.options) {
    if (!(option.required || option.optional) || /; repeatable$/.test(option.description)) continue;
    let given = false;
    command.on(`option:${option.name()}`, () => {
      if (given)
        throw new SwlError("cli.usage", `${option.long} is given twice`, {
          hint: `see ${pathOf(command)} --help`,
        });
      given = true;
    });
  }
  for (const one of command.commands) refuseTwice(one);
}

function pathOf(command: Command): string {
  return command.parent === null ? command.name() : `${pathOf(command.parent)} ${command.name()}`;
}

function usageError(thrown: CommanderError, otherwise: string): SwlError {
  const [first = "", ...more] = thrown.message.replace(/^error: /, "").split("\n");
  const hint = more.join(" ").replace(/^\(|\)$/g, "");
  return new SwlError("cli.usage", first, { hint: hint === "" ? otherwise : hint });
}

/** Undefined where no option stands before the command. */
function early(program: Command, argv: readonly string[]): string | undefined {
  const [first = ""] = argv;
  const name = argv.find((word) => program.commands.some((one) => one.name() === word));
  if (!first.startsWith("-") || name === undefined) return undefined;
  const { commands = [] } = program.commands.find((one) => one.name() === name) ?? {};
  const next = argv[argv.indexOf(name) + 1];
  const verb = commands.some((one) => one.name() === next) ? ` ${next}` : "";
  return `options stand behind the command, as in swl ${name}${verb} ${first.split("=", 1)[0]}`;
}

/** An option that is required is missed first, and the misspelt word for it not told; so it is looked for here. */
function misspelt(program: Command, argv: readonly string[]): string | undefined {
  const names = commandOf(program, argv).options.map(({ long }) => long ?? "");
  const words = argv.filter((word) => word.startsWith("--")).map((word) => word.split("=", 1)[0] ?? "");
  const wrong = words.find((word) => !names.includes(word));
  const near = wrong === undefined ? undefined : nearest(wrong, names);
  return near === undefined ? undefined : `did you mean ${near} for ${wrong}?`;
}

/** `swl help GROUP VERB` as `swl GROUP VERB --help`; commander knows of one word alone. */
function topicOf(program: Command, argv: readonly string[]): readonly string[] {
  const [help, name, word] = argv;
  const group = program.commands.find((one) => one.name() === name && one.commands.length > 0);
  if (help !== "help" || group === undefined || word === undefined || word.startsWith("-")) return argv;
  if (!group.commands.some((one) => one.name() === word)) throw unknownTopic(group, word);
  return [group.name(), word, "--help"];
}

/** The command that was meant, as far as its words are known. */
function commandOf(program: Command, argv: readonly string[]): Command {
  let at = program;
  for (const word of argv) {
    const next = at.commands.find((one) => one.name() === word);
    if (next === undefined) break;
    at = next;
  }
  return at;
}

function helpOf(program: Command, argv: readonly string[]): string {
  return `${pathOf(commandOf(program, argv))} --help`;
}

/** A group of verbs, such as `swl store`, with none of them. */
function groupAlone(program: Command, argv: readonly string[]): SwlError | undefined {
  const words = argv.filter((word) => !word.startsWith("-"));
  const group = program.commands.find((one) => one.name() === words[0] && one.commands.length > 0);
  if (group === undefined || words.length > 1) return undefined;
  const verbs = group.commands.map((one) => one.name()).join(", ");
  return new SwlError("cli.usage", `${group.name()} takes one of ${verbs}`, {
    hint: `see ${helpOf(program, argv)}`,
  });
}

/** `swl help TOPIC`, where there is no such command. */
function unknownTopic(group: Command, topic: string): SwlError {
  const names = group.commands.map((one) => one.name());
  const near = nearest(topic, names);
  return new SwlError("cli.usage", `unknown command '${topic}'`, {
    hint: near === undefined ? `see ${pathOf(group)} --help` : `Did you mean ${near}?`,
  });
}
