import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { flow, folder, swl } from "./support/call.js";

const start = { type: "start", run: "r1", input: { name: "ann" } };
const result = { type: "result", invocation: "r1/greet#1", attempt: 1, outcome: "ok", output: "hello" };

function fileOf(text: string): { readonly cwd: string; readonly file: string } {
  const cwd = folder();
  const file = join(cwd, "events.json");
  writeFileSync(file, text);
  return { cwd, file };
}

function lines(out: string) {
  return out
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
}

describe("swl trace", () => {
  it("prints a line a step: position, type, effect, status, edges and commands", async () => {
    const { file } = fileOf(JSON.stringify([start]));
    const { code, out } = await swl(["trace", flow, "--events", file]);
    expect([code, out]).toEqual([0, "   1  start       applied  running  invoke r1/greet#1 attempt 1\n"]);
  });

  it("prints the whole of every step as JSON, and counts the stamps that are not there", async () => {
    const { file } = fileOf(`${JSON.stringify(start)}\n\n${JSON.stringify({ ...result, position: 7 })}\n`);
    const { code, out } = await swl(["trace", flow, "--events", file, "--json"]);
    const steps = lines(out);
    expect(code).toBe(0);
    expect(steps.map(({ event }) => [event.id, event.position, event.at])).toEqual([
      ["e1", 1, 1_700_000_000_000],
      ["e2", 7, 1_700_000_001_000],
    ]);
    expect(Object.keys(steps[1]).sort()).toEqual([
      "commands",
      "diagnostics",
      "disposition",
      "edges",
      "effect",
      "event",
      "view",
    ]);
    expect(steps[1].view.status).toBe("waiting");
  });

  it("reads an array and lines alike, from a file and from standard input", async () => {
    const { file } = fileOf(JSON.stringify([start, result], null, 2));
    const array = await swl(["trace", flow, "--events", file, "--json"]);
    const stdin = `${JSON.stringify(start)}\r\n${JSON.stringify(result)}`;
    expect(await swl(["trace", flow, "--events", "-", "--json"], { stdin })).toEqual(array);
  });

  it("takes a definition as JSON as it takes a folder", async () => {
    const { cwd, file } = fileOf(JSON.stringify([start, result]));
    await swl(["compile", flow, "--out", "flow.json"], { cwd });
    const compiled = await swl(["trace", "flow.json", "--events", file], { cwd });
    expect(compiled).toEqual(await swl(["trace", flow, "--events", file]));
  });

  it("says what had no effect, and ends well all the same", async () => {
    const signal = { type: "signal", messageId: "m", name: "nobody", payload: null };
    const { code, out } = await swl(["trace", flow, "--events", "-"], {
      stdin: JSON.stringify([start, signal]),
    });
    expect([code, out.split("\n")[1]]).toEqual([0, "   2  signal      no effect signal.unmatched  running"]);
  });

  it("ends with refused at an event that cannot happen there", async () => {
    const { code, out } = await swl(["trace", flow, "--events", "-", "--json"], {
      stdin: JSON.stringify([result, start]),
    });
    expect(code).toBe(4);
    expect(lines(out)).toMatchObject([{ event: { id: "e1" }, error: { code: "model.event-impossible" } }]);
  });

  it("refuses what is no event, every one with its place, before anything is done", async () => {
    const { file } = fileOf(
      [
        JSON.stringify(start),
        '{"type": "resutl"}',
        '{"type": "cancel"}',
        '{"type": "cancel", "requestId": "c", "why": 1}',
        '{"type": "signal", "messageId": "m", "name": 7, "payload": null}',
        "7",
      ].join("\n"),
    );
    const { code, out } = await swl(["trace", flow, "--events", file, "--json"]);
    expect(code).toBe(1);
    const { error } = JSON.parse(out);
    expect(
      error.findings.map((one: { readonly [member: string]: unknown }) => [one["code"], one["place"]]),
    ).toEqual([2, 3, 4, 5, 6].map((line) => ["event.invalid", expect.objectContaining({ file, line })]));
    expect(error.findings[0].message).toContain("did you mean result?");
    expect(error.findings[2].pointer).toBe("/why");
  });

  it("refuses what is no JSON, and a file without events", async () => {
    const { code, out } = await swl(["trace", flow, "--events", fileOf('{"type"').file, "--json"]);
    expect([code, JSON.parse(out).error.code]).toEqual([1, "json.syntax"]);
    const empty = await swl(["trace", flow, "--events", fileOf("\n[]").file, "--json"]);
    expect([empty.code, JSON.parse(empty.out).error.code]).toEqual([1, "event.invalid"]);
    const twice = await swl([
      "trace",
      flow,
      "--events",
      fileOf('{"type":"start","type":"start"}').file,
      "--json",
    ]);
    expect(JSON.parse(twice.out).error).toMatchObject({ code: "json.duplicate-key", place: { line: 1 } });
  });

  it("refuses files that are not there, and a definition that is none", async () => {
    const { code, err } = await swl(["trace", flow, "--events", join(folder(), "nothing")]);
    expect([code, err]).toEqual([3, expect.stringContaining("source.not-found")]);
    const bad = await swl(["trace", join(folder(), "nothing.json"), "--events", "-"], { stdin: "[]" });
    expect(bad.code).toBe(3);
    expect((await swl(["trace", flow])).code).toBe(2);
  });
});
