/** Standard input, which a command can read once, whichever of its words says `-`. */
import { SwlError } from "@swl/base";
import type { Io } from "../io.js";

/** How findings name it. */
export const standardInput = "standard input";

const taken = new WeakSet<Io>();

/** All of it. Throws `cli.usage` when another word of the same command has it already. */
export function readStandardInput(io: Io): Promise<Uint8Array> {
  if (taken.has(io)) {
    throw new SwlError("cli.usage", "- stands twice, and standard input can be read once", {
      hint: "write one of them to a file",
    });
  }
  taken.add(io);
  return io.stdin();
}
