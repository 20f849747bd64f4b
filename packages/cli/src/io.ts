/**
 * Everything that a command may touch of the outside: streams, folder, environment, interrupts. Commands get it as a
 * value, so that tests run them in-process and nothing but `processIo` knows `process`.
 */

export interface Io {
  /** Relative paths start here. */
  readonly cwd: string;
  readonly env: { readonly [name: string]: string | undefined };
  /** True when both outputs understand colors and nobody asked for none. */
  readonly color: boolean;
  out(text: string): void;
  err(text: string): void;
  /** All of standard input. */
  stdin(): Promise<Uint8Array>;
  /** Calls back for each interrupt (SIGINT, SIGTERM) until the returned function is called. */
  onInterrupt(listener: () => void): () => void;
}

/** The `Io` of this process. A reader that goes away (`swl list | head`) silences further output, nothing else. */
export function processIo(): Io & { flush(): Promise<void> } {
  const { stdout, stderr } = process;
  const terminal = stdout.isTTY === true && stderr.isTTY === true;
  return {
    cwd: process.cwd(),
    env: process.env,
    color: terminal && !process.env["NO_COLOR"] && process.env["TERM"] !== "dumb",
    out: quiet(stdout),
    err: quiet(stderr),
    async stdin() {
      const chunks: Uint8Array[] = [];
      for await (const chunk of process.stdin) chunks.push(chunk as Uint8Array);
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
    },
  };
}

function quiet(stream: NodeJS.WriteStream): (text: string) => void {
  let broken = false;
  stream.on("error", () => {
    broken = true;
  });
  return (text) => {
    if (!broken) stream.write(text);
  };
}

function drained(stream: NodeJS.WriteStream): Promise<void> {
  return new Promise((resolve) => {
    if (!stream.writable || stream.destroyed) resolve();
    else stream.write("", () => resolve());
  });
}
