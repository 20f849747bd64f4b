/**
 * Checks of a provider that runs programs. The kit brings the programs; how they are bound is the subject's.
 *
 * 1. a program gets the environment that it was given and no other, its arguments as they are, and is ended with all
 *    that it started: when it prints too much, when it is told to stop and does not (INV-child-process)
 * 2. its exit says how the call ended, by effect class where it says nothing (INV-child-answer)
 * 3. what it prints is an answer document or a result that cannot be read (INV-answer-document)
 */
import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Provider } from "@swl/invocation-control";
import { ask, asThrown, asUnreadable, expectWords, oneOfEach, type SubjectCheck, same } from "./subject.js";

export interface ProgramHarness {
  readonly name: string;
  /** A provider whose action `act` runs this command; `environment` is that of the host, of which it passes on nothing. */
  provide(program: KitProgram): Provider;
}

export interface KitProgram {
  readonly command: readonly string[];
  readonly environment: { readonly [name: string]: string };
  /** Bytes of standard output. */
  readonly maxOutputBytes: number;
  /** Milliseconds from the request to stop to the end by force. */
  readonly killAfterMs: number;
}

function program(script: string, ...args: readonly string[]): KitProgram {
  return {
    command: [process.execPath, "-e", script, "--", ...args],
    environment: { SWL_KIT_HIDDEN: "kit-hidden" },
    maxOutputBytes: 100_000,
    killAfterMs: 50,
  };
}

const say = (text: string): KitProgram => program("process.stdout.write(process.argv[1])", text);
const exit = (code: number): KitProgram => program(`process.exitCode = ${code}`);

/** Ignores the request to stop, and does not end by itself. Where it is given a file, the file is there from then on. */
const stubborn =
  'process.on("SIGTERM", () => {}); process.stdout.write("x"); setInterval(() => {}, 1000); ' +
  'if (process.argv[1]) require("node:fs").writeFileSync(process.argv[1], "");';

export const programChecks: readonly SubjectCheck<ProgramHarness>[] = [
  {
    rule: "INV-child-process",
    title: "a program gets what it was given, and ends with all that it started",
    async run(harness) {
      return [...(await environment(harness)), ...(await shell(harness)), ...(await endings(harness))];
    },
  },
  {
    rule: "INV-child-answer",
    title: "its exit says how the call ended",
    async run(harness) {
      const provide = (code: number) => () => harness.provide(exit(code));
      return [
        ...(await expectWords(provide(1), "exit code 1", asThrown, oneOfEach)),
        ...(await expectWords(provide(75), "exit code 75", same("failed retryable"), oneOfEach)),
        ...(await expectWords(provide(65), "exit code 65", same("failed final"), oneOfEach)),
      ];
    },
  },
  {
    rule: "INV-answer-document",
    title: "what it prints is an answer document, or a result that cannot be read",
    async run(harness) {
      const answer = await ask(harness.provide(say('{"outcome": "ok", "output": [1]}')), "unsafe");
      const found =
        JSON.stringify(answer) === '{"kind":"completed","outcome":"ok","output":[1]}'
          ? []
          : ["a document with outcome and output is no completion"];
      const broken = ["", "no JSON", '{"outcome": "ok", "outcome": "no"}', '{"outcome": 1}', "[]"];
      for (const text of broken) {
        const provide = () => harness.provide(say(text));
        found.push(
          ...(await expectWords(provide, `the text ${JSON.stringify(text)}`, asUnreadable, oneOfEach)),
        );
      }
      return found;
    },
  },
];

async function environment(harness: ProgramHarness): Promise<readonly string[]> {
  const script = 'process.stdout.write(JSON.stringify({ outcome: "ok", output: process.env }))';
  const answer = JSON.stringify(await ask(harness.provide(program(script)), "unsafe"));
  return answer.includes("kit-hidden") ? ["a variable that nobody passed on reached the program"] : [];
}

async function shell(harness: ProgramHarness): Promise<readonly string[]> {
  const hostile = "$(echo kit) `echo kit` ; echo kit";
  const script = 'process.stdout.write(JSON.stringify({ outcome: "ok", output: process.argv[1] }))';
  const answer = await ask(harness.provide(program(script, hostile)), "unsafe");
  const output = typeof answer !== "string" && answer.kind === "completed" ? answer.output : undefined;
  return output === hostile ? [] : ["an argument did not reach the program as it is"];
}

/** Nothing is waited for longer than this: a subject that waits is broken. */
const patienceMs = 20_000;

async function endings(harness: ProgramHarness): Promise<readonly string[]> {
  const found: string[] = [];
  const flood = program('for (;;) require("node:fs").writeSync(1, "x".repeat(65536))');
  const over = await inTime(ask(harness.provide(flood), "unsafe"));
  if (over !== "unknown") found.push(`a program that prints without end: expected unknown, found ${over}`);
  const stopped = await inTime(askedToStop(harness));
  if (stopped !== "unknown") found.push(`a program that does not stop: expected unknown, found ${stopped}`);
  const fork =
    `const child = require("node:child_process").spawn(process.execPath, ["-e", ${JSON.stringify(stubborn)}], ` +
    '{ stdio: "inherit" }); process.stderr.write(""); ' +
    'process.stdout.write(JSON.stringify({ outcome: "ok", output: child.pid })); process.exit(0);';
  const forked = await withLimit(ask(harness.provide(program(fork)), "unsafe"));
  const pid = typeof forked === "object" && forked?.kind === "completed" ? Number(forked.output) : undefined;
  if (pid === undefined) found.push("a program whose child goes on is not answered");
  else if (!(await gone(pid))) found.push("what a program started goes on after its end");
  return found;
}

/** Asks a program to stop that has begun not to. */
async function askedToStop(harness: ProgramHarness): ReturnType<typeof ask> {
  const folder = await mkdtemp(join(tmpdir(), "swl-kit-"));
  try {
    const begun = join(folder, "begun");
    const controller = new AbortController();
    const answer = ask(harness.provide(program(stubborn, begun)), "unsafe", { signal: controller.signal });
    for (let waited = 0; waited < patienceMs && !existsSync(begun); waited += 20) await turn();
    controller.abort(new DOMException("over", "TimeoutError"));
    return await answer;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const turn = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 20));

async function inTime(answer: ReturnType<typeof ask>): Promise<string> {
  const said = await withLimit(answer);
  return said === undefined ? "no answer" : typeof said === "string" ? said : said.kind;
}

function withLimit<T>(promise: Promise<T>): Promise<T | undefined> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(undefined), patienceMs);
    void promise.then((value) => {
      clearTimeout(timer);
      resolve(value);
    });
  });
}

async function gone(pid: number): Promise<boolean> {
  for (let waited = 0; waited < patienceMs / 3; waited += 20) {
    try {
      process.kill(pid, 0);
    } catch {
      return true;
    }
    await turn();
  }
  process.kill(pid, "SIGKILL");
  return false;
}
