/**
 * Everything that a command may touch of the outside: streams, folder, environment, interrupts. Commands get it as a
 * value, so that tests run them in-process and nothing but `processIo` knows `process`.
 */
import { defaultMaxBytes, SwlError } from "@swl/base";
import { codeOf, reasonOf } from "./lib/reason.js";

export interface Io {
  /** Relative paths start here. */
  readonly cwd: string;
  readonly env: { readonly [name: string]: string | undefined };
  /** True when both outputs understand colors and nobody asked for none. */
  readonly color: boolean;
  out(text: string): void;
  err(text: string): void;
  /** All of standard input, or one byte more than any reader takes: it may have no end. */
  stdin(): Promise<Uint8Array>;
  /** Calls back for each interrupt (SIGINT, SIGTERM) until the returned function is called. */
  onInterrupt(listener: () => void): () => void;
}

/**
 * The `Io` of this process. A reader that goes away (`swl list | head`) silences further output, nothing else. `flush`
 * waits until everything is written and throws `cli.output-lost` when standard output was lost in another way.
 */
export function processIo(): Io & { flush(): Promise<void> } {
  const { stdout, stderr } = process;
  const terminal = stdout.isTTY === true && stderr.isTTY === true;
  const [out, err] = [watched(stdout), watched(stderr)];
  return {
    cwd: process.cwd(),
    env: process.env,
    color: terminal && !process.env["NO_COLOR"] && process.env["TERM"] !== "dumb",
    out: out.write,
    err: err.write,
    async stdin() {
      const chunks: Uint8Array[] = [];
      let length = 0;
      for await (const chunk of process.stdin) {
        chunks.push(chunk as Uint8Array);
        length += (chunk as Uint8Array).length;
        if (length > defaultMaxBytes) break;
      }
      return Buffer.concat(chunks);
    },
    onInterrupt(listener) {
      const signals = ["SIGINT", "SIGTERM"] as const;
      for (const signal of signals) process.on(signal, listener);
      return () => {
        for (const signal of signals) process.off(signal, listener);
      };
    },
    async flush() {
      await Promise.all([stdout, stderr].map(drained));
      const cause = out.lost();
      if (cause === undefined) return;
      throw new SwlError("cli.output-lost", `standard output could not be written: ${reasonOf(cause)}`, {
        cause,
      });
    },
  };
}

interface Watched {
  readonly write: (text: string) => void;
  /** What went wrong, other than a reader that went away. */
  readonly lost: () => unknown;
}

function watched(stream: NodeJS.WriteStream): Watched {
  let failure: unknown;
  stream.on("error", (error) => {
    failure ??= error;
  });
  return {
    write: (text) => {
      if (failure === undefined) stream.write(text);
    },
    lost: () => (codeOf(failure) === "EPIPE" ? undefined : failure),
  };
}

/** Also when the stream fails meanwhile. */
function drained(stream: NodeJS.WriteStream): Promise<void> {
  return new Promise((resolve) => {
    if (!stream.writable || stream.destroyed) resolve();
    else stream.write("", () => setImmediate(resolve));
  });
}
