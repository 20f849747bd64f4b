/** Standard input, which a command can read once, whichever of its words says `-`. */
import { SwlError } from "@swl/base";
import type { Io } from "../io.js";
import { reasonOf } from "./reason.js";

/** How findings name it. */
export const standardInput = "standard input";

const taken = new WeakSet<Io>();

/** All of it. Throws `cli.usage` when another word of the same command has it already, `source.unreadable` when it is lost. */
export async function readStandardInput(io: Io): Promise<Uint8Array> {
  if (taken.has(io)) {
    throw new SwlError("cli.usage", "- stands twice, and standard input can be read once", {
      hint: "write one of them to a file",
    });
  }
  taken.add(io);
  try {
    return await io.stdin();
  } catch (cause) {
    const message = `standard input cannot be read: ${reasonOf(cause)}`;
    throw new SwlError("source.unreadable", message, { cause });
  }
}
