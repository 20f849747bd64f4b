/** Subjects behind standard input and output: one that works, and one for each way in which they break. */
import { fileURLToPath } from "node:url";
import { isSwlError } from "@swl/base";
import { runCases, runRefusals, type Subject } from "@swl/conformance";
import { bundledCases, readCases } from "@swl/conformance/cases";
import { type StdioOptions, type StdioSubject, stdioSubject } from "@swl/conformance/stdio";
import { afterAll, describe, expect, it } from "vitest";
import { traceAccept } from "./sample-cases.js";

const engine = fileURLToPath(new URL("../src/stdio-engine.mjs", import.meta.url));
const opened: StdioSubject[] = [];

afterAll(async () => {
  for (const subject of opened) await subject.close();
});

async function open(broken?: string, options: Partial<StdioOptions> = {}): Promise<StdioSubject> {
  const args = [engine, ...(broken === undefined ? [] : [`--broken=${broken}`])];
  const subject = await stdioSubject({ command: process.execPath, args, timeoutMs: 60_000, ...options });
  opened.push(subject);
  return subject;
}

async function failureOf(work: Promise<unknown>): Promise<string> {
  try {
    await work;
    return "none";
  } catch (error) {
    return isSwlError(error) ? error.code : String(error);
  }
}

async function only(subject: Subject) {
  return (await runCases([traceAccept], subject))[0]!;
}

const read = readCases(bundledCases);
const ofModel = (read.ok ? read.value : []).filter(
  ({ phase }) => phase === "prepare" || phase === "transition",
);

describe("a subject that speaks over stdio", () => {
  it("passes every case of what it claims, and no other is asked [CNF-stdio-subject]", async () => {
    const subject = await open();
    const results = [...(await runCases(ofModel, subject)), ...(await runRefusals(subject))];
    expect(results.filter(({ result }) => result !== "passed" && result !== "not-claimed")).toEqual([]);
    expect(results.filter(({ result }) => result === "passed").length).toBeGreaterThan(150);
  });

  it("is not asked about keywords that it does not claim [CNF-stdio-subject]", async () => {
    const results = await runCases(ofModel, await open("few-keywords"));
    const reasons = results.flatMap((result) =>
      result.result === "not-claimed" ? (result.reasons ?? []) : [],
    );
    expect(reasons).toContain("needs schema keyword required");
  });

  it("is answered in order when several requests are on their way [CNF-stdio-subject]", async () => {
    const subject = await open();
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, index) => subject.prepare(index % 2 === 0 ? { swl: "0.1" } : null)),
    );
    expect(answers.every(({ ok }) => !ok)).toBe(true);
  });

  it("is refused a request that is longer than a line may be [CNF-stdio-subject]", async () => {
    const subject = await open(undefined, { maxLineBytes: 10_000 });
    expect(await failureOf(subject.prepare({ swl: "x".repeat(10_000) }))).toBe("json.too-large");
    expect((await subject.prepare(null)).ok).toBe(false);
  });
});

describe("a broken subject over stdio", () => {
  const breaks = {
    ends: "subject.ended",
    garbage: "subject.answer-invalid",
    latin: "subject.answer-invalid",
    endless: "subject.answer-invalid",
    silent: "subject.timeout",
    "wrong-id": "subject.answer-invalid",
    "no-outcome": "subject.answer-invalid",
    "gives-up": "subject.failed",
    short: "subject.answer-invalid",
  } as const;

  it.each(Object.entries(breaks))("that is %s is told as %s [CNF-stdio-subject]", async (broken, code) => {
    const timeoutMs = broken === "silent" ? 15_000 : 60_000;
    const subject = await open(broken, { timeoutMs, maxLineBytes: 1_000_000 });
    const { result, reasons, against } = await only(subject);
    expect([result, against, reasons?.[0]?.split(": ")[1]]).toEqual(["errored", true, code]);
  });

  it("is caught when it does not take an event for applied [CNF-stdio-subject]", async () => {
    const { result, reasons } = await only(await open("forgets"));
    expect([result, reasons?.join("\n")]).toEqual([
      "failed",
      expect.stringMatching(/the same event again (authorizes commands|is impossible)/),
    ]);
  });

  it("is caught when it speaks without being asked, and started anew [CNF-stdio-subject]", async () => {
    const talkative = stdioSubject({
      command: process.execPath,
      args: [engine, "--broken=talkative"],
      timeoutMs: 60_000,
    });
    const subject = await talkative;
    opened.push(subject);
    const codes: string[] = [];
    for (let request = 0; request < 4; request++) {
      codes.push(await failureOf(subject.prepare(null)));
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    expect(codes).toContain("subject.answer-invalid");
  });

  it("that cannot be run, or claims what nobody knows, is no subject [CNF-stdio-subject]", async () => {
    expect(await failureOf(stdioSubject({ command: "/nowhere/engine" }))).toBe("subject.start-failed");
    expect(await failureOf(open("strange-claim"))).toBe("subject.answer-invalid");
  });

  it("is told what the child printed to its standard error before it ended [CNF-stdio-subject]", async () => {
    const subject = stdioSubject({
      command: process.execPath,
      args: ["-e", "console.error('no module named engine'); process.exit(3)"],
    });
    await expect(subject).rejects.toMatchObject({
      code: "subject.ended",
      message: expect.stringMatching(/exit code 3.*no module named engine/),
    });
  });
});
