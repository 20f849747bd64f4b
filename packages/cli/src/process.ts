/**
 * `swl` as a process: `main` with the process's own streams, and what `main` cannot see. An error that a module of the
 * user throws outside of every action, and a module that never finishes loading, end with a coded sentence too.
 */
import { SwlError } from "@swl/base";
import { type ExitCode, exit } from "./exit-codes.js";
import { processIo } from "./io.js";
import { kindOf, reportFailure } from "./lib/failure.js";
import { complain, sessionOf } from "./lib/session.js";
import { oneLine } from "./lib/visible.js";
import { main } from "./main.js";

/** Runs one command and leaves the process. */
export async function runProcess(argv: readonly string[]): Promise<void> {
  const io = processIo();
  const session = sessionOf(io, argv.includes("--json"));
  // node:sqlite announces itself as experimental on some supported versions; that is not the user's concern.
  process.removeAllListeners("warning");
  process.on("warning", ({ name, message }) => {
    if (name !== "ExperimentalWarning") complain(session, `warning: ${oneLine(message)}`);
  });
  let ending = false;
  const end = async (code: ExitCode): Promise<void> => {
    ending = true;
    let last = code;
    try {
      await io.flush();
    } catch (lost) {
      // There is nobody left to read a document: the sentence goes where it can still be read.
      if (last === exit.ok) last = reportFailure({ ...session, json: false }, lost);
    }
    process.exit(last);
  };
  const endWith = (thrown: unknown): void => {
    if (ending) return;
    ending = true;
    void end(reportFailure(session, thrown));
  };
  process.on("uncaughtException", (thrown) => endWith(stray(thrown)));
  process.on("unhandledRejection", (thrown) => endWith(stray(thrown)));
  // Nothing is left that could happen, and the command has not ended: only a module of the user waits like that.
  process.on("beforeExit", () => endWith(unsettled()));
  await end(await main(argv, io));
}

function stray(cause: unknown): SwlError {
  return new SwlError(
    "cli.internal",
    `something threw outside of every action and command (${kindOf(cause)})`,
    {
      hint: "it may be the bindings module: run the same command with SWL_DEBUG=1 to see where it came from",
      cause,
    },
  );
}

function unsettled(): SwlError {
  return new SwlError(
    "binding.invalid",
    "the bindings module never finished: what it waits for cannot happen",
    {
      hint: "look for a top-level await, or a default export, whose promise nobody settles",
    },
  );
}
