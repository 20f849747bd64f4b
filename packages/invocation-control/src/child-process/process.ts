/**
 * One run of a program: a document to its standard input, its standard output up to a limit, the tail of its standard
 * error, and its end. Always settles: a program that ignores the request to stop is killed, and what holds its output
 * open after its end is not waited for. Spec: INV-child-process.
 */
import { type Child, forget, type ProcessPlan, signalGroup, startGroup } from "./group.js";

export interface ProcessCall extends ProcessPlan {
  readonly stdin: string;
  readonly maxOutputBytes: number;
  /** Milliseconds from the request to stop to the end by force. */
  readonly killAfterMs: number;
  /** Aborted: the program is asked to stop. */
  readonly signal: AbortSignal;
}

export type ProcessEnd =
  | { readonly kind: "not-started"; readonly errno: string; readonly retryable: boolean }
  | {
      readonly kind: "ended";
      readonly exit: number | null;
      readonly signal: string | null;
      readonly stdout: Buffer;
      /** It printed more than it may. */
      readonly overflow: boolean;
      readonly stderr: string;
    };

/** Milliseconds that output may take to arrive after the program has ended. */
const drainMs = 500;
/** Bytes of standard error that are kept. More than is shown, so that no secret is cut in two before it is looked for. */
const tailBytes = 16_384;

/** What another attempt may find otherwise. */
const passing: ReadonlySet<string> = new Set(["EAGAIN", "ENOMEM", "EMFILE", "ENFILE", "ETXTBSY"]);

export function runProcess(call: ProcessCall): Promise<ProcessEnd> {
  if (call.signal.aborted) return Promise.resolve(notStarted("ECANCELED", true));
  let child: Child;
  try {
    child = startGroup(call);
  } catch (error) {
    return Promise.resolve(notStarted(errnoOf(error)));
  }
  const began = child.pid !== undefined;
  return new Promise((resolve) => (began ? watch(child, call, resolve) : awaitRefusal(child, resolve)));
}

/** The system gave it no process: an error says why. For lack of descriptors it has no streams either. */
function awaitRefusal(child: Child, resolve: (end: ProcessEnd) => void): void {
  child.once("error", (error) => {
    forget(child);
    const { stdin, stdout, stderr }: Partial<Child> = child;
    for (const stream of [stdin, stdout, stderr]) stream?.destroy();
    resolve(notStarted(errnoOf(error)));
  });
}

function watch(child: Child, call: ProcessCall, resolve: (end: ProcessEnd) => void): void {
  const output = collect(child, call.maxOutputBytes);
  const tail = tailOf(child);
  let timer: NodeJS.Timeout | undefined;
  const stop = (): void => {
    signalGroup(child, "SIGTERM");
    timer = setTimeout(() => signalGroup(child, "SIGKILL"), call.killAfterMs);
  };
  const over = (end: ProcessEnd): void => {
    clearTimeout(timer);
    call.signal.removeEventListener("abort", stop);
    forget(child);
    for (const stream of [child.stdin, child.stdout, child.stderr]) stream.destroy();
    resolve(end);
  };
  call.signal.addEventListener("abort", stop, { once: true });
  // A signal that could not be sent: its end tells.
  child.on("error", () => undefined);
  child.once("exit", (exit, signal) => {
    clearTimeout(timer);
    call.signal.removeEventListener("abort", stop);
    // Its children may hold its output open: they end with it. Later its number may be somebody else's.
    signalGroup(child, "SIGKILL");
    const ended = (): void => {
      over({ kind: "ended", exit, signal, ...output.taken(), stderr: tail() });
    };
    const patience = setTimeout(ended, drainMs);
    child.once("close", () => {
      clearTimeout(patience);
      ended();
    });
  });
  // A program that reads nothing, or ends before it has read all, is no error of ours.
  child.stdin.on("error", () => undefined);
  child.stdin.end(call.stdin);
}

function collect(child: Child, maxBytes: number) {
  const chunks: Buffer[] = [];
  let bytes = 0;
  let overflow = false;
  child.stdout.on("error", () => undefined);
  child.stdout.on("data", (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes <= maxBytes) {
      chunks.push(chunk);
      return;
    }
    if (overflow) return;
    overflow = true;
    chunks.length = 0;
    child.stdout.destroy();
    signalGroup(child, "SIGKILL");
  });
  return { taken: () => ({ stdout: Buffer.concat(chunks), overflow }) };
}

function tailOf(child: Child): () => string {
  let tail = Buffer.alloc(0);
  child.stderr.on("error", () => undefined);
  child.stderr.on("data", (chunk: Buffer) => {
    tail = Buffer.concat([tail, chunk.subarray(-tailBytes)]).subarray(-tailBytes);
  });
  return () => tail.toString("utf8");
}

function notStarted(errno: string, retryable = passing.has(errno)): ProcessEnd {
  return { kind: "not-started", errno, retryable };
}

function errnoOf(error: unknown): string {
  const { code } = error as { readonly code?: unknown };
  return typeof code === "string" ? code : "an error without a code";
}
