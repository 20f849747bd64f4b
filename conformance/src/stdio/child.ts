/**
 * A child process that answers lines with lines: requests leave in order, answers come in the same order, and whatever
 * else the child does (ends, stays silent, prints something else) is a coded error of the request that waited first.
 * The child is then killed and the next request meets a fresh one. Nothing here waits for ever. Spec: CNF-stdio-subject.
 */
import { type ChildProcessByStdio, spawn } from "node:child_process";
import type { Readable, Writable } from "node:stream";
import { type Code, excerpt, type JsonObject, SwlError } from "@swl/base";
import { Lines } from "./lines.js";

export interface ChildOptions {
  readonly command: string;
  readonly args?: readonly string[];
  readonly cwd?: string;
  /** Added to the environment of this process. */
  readonly env?: { readonly [name: string]: string };
  /** Milliseconds that the request which waits first may wait; default 10,000. */
  readonly timeoutMs?: number;
  /** Bytes of one request or answer; default 16 MiB. */
  readonly maxLineBytes?: number;
}

/** An answer that names its request; what else it says is for the caller to judge. */
export type Answer = JsonObject & { readonly id: number };

interface Waiting {
  readonly id: number;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: SwlError) => void;
}

type Process = ChildProcessByStdio<Writable, Readable, Readable>;

/** Characters of the child's standard error that an error quotes. */
const maxQuoted = 500;

export class Child {
  readonly #options: ChildOptions;
  readonly #timeoutMs: number;
  readonly #maxLineBytes: number;
  readonly #waiting: Waiting[] = [];
  #process: Process | undefined;
  #timer: NodeJS.Timeout | undefined;
  #said = "";
  /** What the child did while nobody waited: the next request is told. */
  #unasked: SwlError | undefined;
  #id = 0;

  constructor(options: ChildOptions) {
    this.#options = options;
    this.#timeoutMs = options.timeoutMs ?? 10_000;
    this.#maxLineBytes = options.maxLineBytes ?? 16 * 1024 * 1024;
  }

  /** Throws `subject.…`, or `json.too-large` for a request beyond the limit of a line. */
  request(body: JsonObject): Promise<Answer> {
    const unasked = this.#unasked;
    this.#unasked = undefined;
    if (unasked !== undefined) return Promise.reject(unasked);
    const id = ++this.#id;
    const line = `${JSON.stringify({ id, ...body })}\n`;
    if (Buffer.byteLength(line) > this.#maxLineBytes) {
      const message = `the request has more than ${this.#maxLineBytes} bytes`;
      return Promise.reject(new SwlError("json.too-large", message));
    }
    return new Promise((resolve, reject) => {
      this.#waiting.push({ id, resolve, reject });
      this.#process ??= this.#start();
      this.#process.stdin.write(line);
      if (this.#waiting.length === 1) this.#arm();
    });
  }

  /** Ends the child: politely, and by force when it does not go within the timeout. */
  async close(): Promise<void> {
    const child = this.#process;
    if (child === undefined) return;
    this.#process = undefined;
    const gone = new Promise<void>((resolve) => child.once("close", () => resolve()));
    child.stdin.end();
    const force = setTimeout(() => kill(child), this.#timeoutMs);
    await gone;
    clearTimeout(force);
  }

  #start(): Process {
    const { command, args = [], cwd, env } = this.#options;
    const child = spawn(command, args, {
      ...(cwd !== undefined && { cwd }),
      env: { ...process.env, ...env },
      stdio: ["pipe", "pipe", "pipe"],
      windowsHide: true,
    });
    this.#said = "";
    const mine = (act: () => void) => {
      if (this.#process === child) act();
    };
    child.on("error", (error) =>
      mine(() => this.#fail("subject.start-failed", `${command} cannot be run: ${error.message}`)),
    );
    child.on("close", (code, signal) =>
      mine(() => this.#fail("subject.ended", `it ended (${signal ?? `exit code ${code}`})${this.#quoted()}`)),
    );
    // A pipe that breaks is told by the end of the child.
    child.stdin.on("error", () => undefined);
    child.stderr.on("data", (chunk: Buffer) => {
      this.#said = `${this.#said}${chunk.toString("utf8")}`.slice(-maxQuoted);
    });
    const lines = new Lines(this.#maxLineBytes, {
      line: (text) => mine(() => this.#answered(text)),
      broken: (why) => mine(() => this.#fail("subject.answer-invalid", why)),
    });
    child.stdout.on("data", (chunk: Buffer) => lines.add(chunk));
    return child;
  }

  #answered(text: string): void {
    const answer = objectOf(text);
    const first = this.#waiting[0];
    if (answer === undefined) {
      this.#fail("subject.answer-invalid", `it printed a line that is no answer: ${excerpt(text, 200)}`);
    } else if (first === undefined) {
      this.#fail("subject.answer-invalid", `it answered without being asked: ${excerpt(text, 200)}`);
    } else if (answer["id"] !== first.id) {
      const id = excerpt(JSON.stringify(answer["id"]) ?? "nothing", 80);
      this.#fail("subject.answer-invalid", `it answered request ${id} where ${first.id} waits`);
    } else {
      this.#waiting.shift();
      this.#arm();
      first.resolve(answer as Answer);
    }
  }

  #arm(): void {
    clearTimeout(this.#timer);
    if (this.#waiting.length === 0) return;
    const late = () =>
      this.#fail("subject.timeout", `it did not answer within ${this.#timeoutMs} ms${this.#quoted()}`);
    this.#timer = setTimeout(late, this.#timeoutMs);
  }

  #fail(code: Code, why: string): void {
    const child = this.#process;
    this.#process = undefined;
    clearTimeout(this.#timer);
    if (child !== undefined) kill(child);
    const [first, ...others] = this.#waiting.splice(0);
    const error = new SwlError(code, `the subject ${this.#options.command}: ${why}`);
    if (first === undefined) this.#unasked = error;
    first?.reject(error);
    for (const { reject } of others) {
      const message = `the subject ${this.#options.command} was ended while an earlier request waited`;
      reject(new SwlError("subject.ended", message, { cause: error }));
    }
  }

  #quoted(): string {
    const said = this.#said.replace(/\s+/g, " ").trim();
    return said === "" ? "" : `; it said: ${excerpt(said, maxQuoted)}`;
  }
}

function objectOf(text: string): { readonly [member: string]: unknown } | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? (value as { readonly [member: string]: unknown })
      : undefined;
  } catch {
    return undefined;
  }
}

/** At once, and without waiting for what it might still say. */
function kill(child: Process): void {
  child.kill("SIGKILL");
  for (const stream of [child.stdin, child.stdout, child.stderr]) stream.destroy();
}
