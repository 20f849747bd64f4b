import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { Secrets } from "../src/bindings/secrets.js";
import { Settings } from "../src/bindings/settings.js";
import { answerOfProcess } from "../src/child-process/answer.js";
import { readChild } from "../src/child-process/binding.js";
import { type ChildBinding, childProcess } from "../src/child-process.js";
import type { LogEntry } from "../src/in-process.js";
import type { ProviderAnswer } from "../src/index.js";
import { effects, invocationOf, repeatable, unrepeatable } from "./call.js";

const program = join(import.meta.dirname, "fixtures", "child.mjs");

interface Options extends Partial<ChildBinding> {
  readonly effect?: string;
  readonly signal?: AbortSignal;
  readonly environment?: { readonly [name: string]: string };
  readonly log?: (entry: LogEntry) => void;
  readonly input?: string;
}

function run(args: readonly string[], options: Options = {}): Promise<ProviderAnswer> {
  const { effect = "unsafe", signal, environment = {}, log, input, ...binding } = options;
  const provider = childProcess(
    { act: { command: [process.execPath, program, ...args], ...binding } },
    { environment, ...(log !== undefined && { log }) },
  );
  return provider.invoke(
    invocationOf("act", { text: input ?? "" }),
    { effect },
    { signal: signal ?? new AbortController().signal },
  );
}

/** A file in a folder of this test's own. */
function file(): string {
  const folder = mkdtempSync(join(tmpdir(), "swl-child-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, "pid");
}

async function pidIn(path: string): Promise<number> {
  await until(() => existsSync(path) && readFileSync(path, "utf8") !== "");
  return Number(readFileSync(path, "utf8"));
}

async function until(condition: () => boolean): Promise<void> {
  for (let waited = 0; waited < 10_000; waited += 10) {
    if (condition()) return;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  throw new Error("it did not come about within 10 s");
}

function runs(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

const timeout = () => new DOMException("attemptMs is over", "TimeoutError");

describe("a program", () => {
  it("gets one document, and of the environment only what its binding names [INV-child-process]", async () => {
    const answer = await run(["echo"], {
      environment: { PATH: "/bin", HOME: "/home/x", OTHER: "y", API_TOKEN: "not-to-be-seen" },
      pass: ["HOME", "NOT_SET"],
      env: { MODE: "fast", SWL_RUN: "forged" },
    });
    expect(answer).toMatchObject({
      kind: "completed",
      outcome: "ok",
      output: {
        document: {
          run: "r1",
          invocation: "r1/act#1",
          activation: "act#1",
          action: "act",
          attempt: 1,
          idempotencyKey: "r1/act/1",
          input: { text: "" },
          parameters: { currency: "EUR" },
        },
      },
    });
    const { environment } = (answer as never as { output: { environment: object } }).output;
    expect(environment).toEqual({
      HOME: "/home/x",
      MODE: "fast",
      SWL_RUN: "r1",
      SWL_INVOCATION: "r1/act#1",
      SWL_ACTION: "act",
      SWL_ATTEMPT: "1",
      SWL_IDEMPOTENCY_KEY: "r1/act/1",
    });
  });

  it("gets the trace that the run was started in [INV-child-process]", async () => {
    const traceparent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
    const provider = childProcess({ act: { command: [process.execPath, program, "echo"] } });
    const call = { ...invocationOf("act", { text: "" }), traceparent };
    const answer = await provider.invoke(
      call,
      { effect: "unsafe" },
      { signal: new AbortController().signal },
    );
    expect(answer).toMatchObject({ output: { environment: { TRACEPARENT: traceparent } } });
  });

  it("gets its arguments as they are, without a shell [INV-child-process]", async () => {
    const hostile = '{"outcome": "ok", "output": "$(id) `id` ; | > * $HOME"}';
    expect(await run(["say", hostile])).toEqual({
      kind: "completed",
      outcome: "ok",
      output: "$(id) `id` ; | > * $HOME",
    });
  });

  it("that reads nothing and closes its input early is answered all the same [INV-child-process]", async () => {
    const answer = await run(["deaf"], { input: "x".repeat(4_000_000) });
    expect(answer).toEqual({ kind: "completed", outcome: "ok", output: "did not listen" });
  });

  it("that prints without end is ended at the limit [INV-child-process]", async () => {
    for (const effect of effects) {
      const answer = await run(["flood"], { effect, maxOutputBytes: 100_000 });
      const message = "the program of action act printed more than 100000 bytes";
      expect(answer).toMatchObject(
        effect === "unsafe" || effect === "reconcilable"
          ? { kind: "unknown", reason: "ack-lost", message }
          : { kind: "failed", retryable: false, error: { code: "provider.result-invalid", message } },
      );
    }
  });

  it("that ignores the request to stop is killed after the grace [INV-child-process]", async () => {
    for (const effect of ["unsafe", "pure"]) {
      const path = file();
      const controller = new AbortController();
      const answer = run(["stubborn", path], { effect, signal: controller.signal, killAfterMs: 50 });
      const pid = await pidIn(path);
      controller.abort(timeout());
      expect(await answer).toMatchObject(
        effect === "unsafe"
          ? { kind: "unknown", reason: "attempt-timeout" }
          : { kind: "failed", retryable: true, error: { code: "provider.failed" } },
      );
      expect(runs(pid)).toBe(false);
    }
  });

  it("that answers when it is told to stop has answered [INV-child-process]", async () => {
    const path = file();
    const controller = new AbortController();
    const answer = run(["polite", path], { signal: controller.signal, killAfterMs: 10_000 });
    await pidIn(path);
    controller.abort(timeout());
    expect(await answer).toEqual({ kind: "completed", outcome: "ok", output: "just in time" });
  });

  it("is told to stop at the binding's own time limit [INV-child-process]", async () => {
    const answer = await run(["stubborn", file()], { timeoutMs: 200, killAfterMs: 10 });
    expect(answer).toMatchObject({ kind: "unknown", reason: "attempt-timeout" });
  });

  it("takes along what it started, when it ends [INV-child-process]", async () => {
    const path = file();
    const answer = await run(["fork", path]);
    expect(answer).toMatchObject({ kind: "completed", outcome: "ok" });
    const pid = (answer as { readonly output: number }).output;
    await until(() => !runs(pid));
  });

  it("is not waited for by what left its group and holds its output open [INV-child-process]", async () => {
    const path = file();
    const answer = await run(["daemon", path]);
    const pid = (answer as { readonly output: number }).output;
    expect(answer).toMatchObject({ kind: "completed", outcome: "ok" });
    await pidIn(path);
    expect(runs(pid)).toBe(true);
    process.kill(pid, "SIGKILL");
  });

  it("that cannot be started has done nothing [INV-child-process]", async () => {
    for (const command of [["/nowhere/at/all"], [import.meta.dirname], [process.execPath]]) {
      const cwd = command[0] === process.execPath ? { cwd: "/nowhere/at/all" } : {};
      expect(await run([], { command, ...cwd })).toMatchObject({
        kind: "failed",
        retryable: false,
        error: { code: "provider.start-failed" },
      });
    }
    const stopped = await run(["echo"], { signal: AbortSignal.abort() });
    expect(stopped).toMatchObject({
      kind: "failed",
      retryable: true,
      error: { code: "provider.start-failed" },
    });
  });

  it("writes to standard error for the log alone, and only its end [INV-child-process]", async () => {
    const lines: LogEntry[] = [];
    const answer = await run(["complain", "the reason"], { log: (entry) => lines.push(entry) });
    expect(answer).toEqual({ kind: "completed", outcome: "ok", output: null });
    expect(lines).toMatchObject([{ run: "r1", action: "act", attempt: 1 }]);
    const { stderr } = lines[0]!.data as { readonly stderr: string };
    expect([stderr.length, stderr.endsWith("y at the end: the reason")]).toEqual([4_096, true]);
  });
});

describe("the end of a program", () => {
  const { signal } = new AbortController();
  const secrets = new Secrets({});
  const plain = readChild(new Settings({ command: ["x"] }, "", [], secrets))!;
  const ended = (stdout: string) =>
    ({
      kind: "ended",
      exit: 0,
      signal: null,
      stdout: Buffer.from(stdout),
      overflow: false,
      stderr: "",
    }) as const;

  it("with exit code 0 is the document that it printed [INV-child-answer]", async () => {
    const said = {
      '{"outcome": "rejected", "output": [1]}': { kind: "completed", outcome: "rejected", output: [1] },
      '{"accepted": "op-7"}': { kind: "accepted", handle: "op-7" },
      '{"error": {"code": "card.declined", "message": "no funds", "details": {"left": 3}}}': {
        kind: "failed",
        retryable: false,
        error: { code: "card.declined", message: "no funds", details: { left: 3 } },
      },
      '{"error": {"code": "busy"}, "retryable": true}': {
        kind: "failed",
        retryable: true,
        error: { code: "busy", message: "the action reported busy", details: null },
      },
    };
    for (const [document, answer] of Object.entries(said)) {
      expect(await run(["say", document])).toEqual(answer);
    }
  });

  it("with exit code 0 and no such document is a result that cannot be read [INV-answer-document]", async () => {
    const documents = [
      "",
      "not JSON",
      '{"outcome": "ok"} {"outcome": "ok"}',
      '{"outcome": "ok", "outcome": "no"}',
      "[]",
      "{}",
      '{"outcome": 1}',
      '{"outcome": "ok", "accepted": "op"}',
      '{"outcome": "ok", "extra": 1}',
      '{"accepted": ""}',
      '{"error": "text"}',
      '{"error": {"code": "a"}, "retryable": 1}',
      '{"outcome": "ok", "retryable": true}',
    ];
    const read = (document: string, effect: string) =>
      answerOfProcess(ended(document), plain, { action: "act", effect, signal, secrets });
    for (const document of documents) {
      expect(read(document, "unsafe")).toMatchObject({ kind: "unknown", reason: "ack-lost" });
      expect(read(document, "pure")).toMatchObject({
        kind: "failed",
        retryable: false,
        error: { code: "provider.result-invalid" },
      });
    }
    expect(await run(["say", "not JSON"])).toMatchObject({ kind: "unknown", reason: "ack-lost" });
  }, 60_000);

  it("with exit code 75 or 65 is the word that nothing happened, in every effect class [INV-child-answer]", async () => {
    for (const effect of effects) {
      for (const [code, retryable] of [
        ["75", true],
        ["65", false],
      ] as const) {
        const plain = { code: "provider.failed", details: { exitCode: Number(code) } };
        expect(await run(["exit", code], { effect })).toMatchObject({
          kind: "failed",
          retryable,
          error: plain,
        });
        const document = '{"error": {"code": "card.declined"}, "retryable": true}';
        const error = { code: "card.declined" };
        expect(await run(["exit", code, document], { effect })).toMatchObject({
          kind: "failed",
          retryable,
          error,
        });
      }
    }
  }, 60_000);

  it("with any other code, or by a signal, is read by effect class, whatever it printed [INV-child-answer]", async () => {
    const ends = [["exit", "1", '{"outcome": "ok"}'], ["exit", "127"], ["kill-self"]];
    for (const args of ends) {
      for (const effect of unrepeatable) {
        expect(await run(args, { effect })).toMatchObject({ kind: "unknown", reason: "crash" });
      }
      for (const effect of repeatable) {
        expect(await run(args, { effect })).toMatchObject({
          kind: "failed",
          retryable: true,
          error: { code: "provider.failed" },
        });
      }
    }
  }, 60_000);

  it("means what the binding says of its exit code [INV-child-answer]", async () => {
    const exitCodes = {
      3: { outcome: "rejected" },
      4: { failed: "final", code: "card.declined" },
      5: { failed: "retryable" },
      75: { unknown: true },
    } as const;
    expect(await run(["exit", "3", "[1]"], { exitCodes })).toEqual({
      kind: "completed",
      outcome: "rejected",
      output: [1],
    });
    expect(await run(["exit", "4"], { exitCodes })).toMatchObject({
      kind: "failed",
      retryable: false,
      error: { code: "card.declined" },
    });
    expect(await run(["exit", "5"], { exitCodes })).toMatchObject({ kind: "failed", retryable: true });
    expect(await run(["exit", "75"], { exitCodes, effect: "pure" })).toMatchObject({ kind: "unknown" });
  });

  it("may be plain output for a program that knows nothing of answers [INV-child-answer]", async () => {
    const answer = "output";
    expect(await run(["say", "[1, 2]"], { answer })).toEqual({
      kind: "completed",
      outcome: "ok",
      output: [1, 2],
    });
    expect(await run(["say", ""], { answer })).toEqual({ kind: "completed", outcome: "ok", output: null });
    expect(await run(["say", "no JSON"], { answer })).toMatchObject({ kind: "unknown", reason: "ack-lost" });
  });
});

describe("an operation of a program", () => {
  const { input: _, parameters: __, ...operation } = { ...invocationOf("act"), handle: "op-7" };
  const signal = new AbortController().signal;
  const ask = (args: readonly string[]) =>
    childProcess({
      act: {
        command: ["unused"],
        inspect: { command: [process.execPath, program, ...args] },
        cancel: { command: [process.execPath, program, ...args] },
      },
    });

  it("is asked about, and asked again when the answer cannot be read [INV-inspect]", async () => {
    const said = {
      '{"status": "running"}': { kind: "running" },
      '{"status": "completed", "outcome": "paid", "output": 1}': {
        kind: "completed",
        outcome: "paid",
        output: 1,
      },
      '{"status": "failed", "error": {"code": "gone"}}': { kind: "failed", error: { code: "gone" } },
      '{"status": "not-found"}': { kind: "not-found" },
      '{"status": "perhaps"}': { kind: "unavailable" },
      "no JSON": { kind: "unavailable" },
    };
    for (const [document, answer] of Object.entries(said)) {
      expect(await ask(["say", document]).inspect?.(operation, { signal })).toMatchObject(answer);
    }
    expect(await ask(["exit", "1"]).inspect?.(operation, { signal })).toMatchObject({ kind: "unavailable" });
  });

  it("is told to stop, and told again when it could not be told [INV-cancel-request]", async () => {
    expect(await ask(["exit", "0"]).cancel?.(operation, { signal })).toEqual({ kind: "acknowledged" });
    expect(await ask(["exit", "1"]).cancel?.(operation, { signal })).toMatchObject({ kind: "unavailable" });
  });

  it("is what a provider says that it can or cannot do [INV-bindings-resolved]", async () => {
    const plain = childProcess({ act: { command: ["x"], answer: "output" } });
    expect([ask([]).can?.("act"), plain.can?.("act")]).toEqual([["accept", "inspect", "cancel"], []]);
    expect(await plain.inspect?.(operation, { signal })).toMatchObject({ kind: "unknown" });
    expect(await plain.cancel?.(operation, { signal })).toEqual({ kind: "unsupported" });
  });
});
