/**
 * `main` is the whole of `swl`: it reads the arguments, runs one command and answers with an exit code. It never
 * throws and never leaves the process, so that it can be called in-process with any `Io`.
 */
import { SwlError } from "@swl/base";
import { CommanderError } from "commander";
import { type ExitCode, exit } from "./exit-codes.js";
import type { Io } from "./io.js";
import { reportFailure } from "./lib/failure.js";
import { sessionOf } from "./lib/session.js";
import { buildProgram } from "./program.js";

/** `argv` without the names of Node and script. */
export async function main(argv: readonly string[], io: Io): Promise<ExitCode> {
  const session = sessionOf(io, argv.includes("--json"));
  let code: ExitCode = exit.ok;
  const program = buildProgram(session, (ended) => {
    code = ended;
  });
  try {
    if (argv.length === 0) {
      io.err(program.helpInformation());
      return exit.usage;
    }
    await program.parseAsync(argv, { from: "user" });
    return code;
  } catch (thrown) {
    if (!(thrown instanceof CommanderError)) return reportFailure(session, thrown);
    // Help and version were printed by commander and end with 0.
    if (thrown.exitCode === 0) return exit.ok;
    return reportFailure(session, usageError(thrown));
  }
}

function usageError(thrown: CommanderError): SwlError {
  const [first = "", ...more] = thrown.message.replace(/^error: /, "").split("\n");
  const hint = more.join(" ").replace(/^\(|\)$/g, "");
  return new SwlError("cli.usage", first, { hint: hint === "" ? "see swl --help" : hint });
}
