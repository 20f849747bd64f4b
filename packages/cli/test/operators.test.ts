/** The verbs of operators: publishing, creating, ending, redriving, many at once, dry runs, and verifying. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { bindings, documentOf, flow, folder, start, swl, until } from "./support/call.js";

const serve = ["run", flow, "--bindings", bindings];
const input = (name: string, direct = true) => ["--input", JSON.stringify({ name, direct })];

/** A store with one run in it, as it was left. */
async function left(...options: readonly string[]) {
  const cwd = folder();
  const { out } = await swl([...serve, ...options, "--json"], { cwd });
  return { cwd, run: String(JSON.parse(out).run) };
}

async function json(args: readonly string[], cwd: string) {
  const called = await swl([...args, "--json"], { cwd });
  return {
    code: called.code,
    said: called.out
      .split("\n")
      .filter(Boolean)
      .map((line) => JSON.parse(line)),
  };
}

describe("swl publish and swl start", () => {
  it("create a run by name that a worker then serves", async () => {
    const { cwd } = await left(...input("ann"));
    const published = await swl(["publish", flow, "--id", "p"], { cwd });
    expect(published.code).toBe(0);
    expect(published.out).toMatch(/^published: flow revision 1, sha256:/);
    expect((await swl(["publish", flow, "--dry-run"], { cwd })).out).toContain("as revision 2");
    const created = await json(["start", "--name", "flow", ...input("eve"), "--key", "k"], cwd);
    expect(created).toMatchObject({ code: 0, said: [{ kind: "accepted", position: 1 }] });
    const { run } = created.said[0];
    expect((await json(["why", run], cwd)).said).toMatchObject([{ status: "created" }]);
    expect((await swl(["why", run], { cwd })).out).toContain("a host that serves greet, pay");
    const worker = start(["worker", "--bindings", bindings, "--json"], { cwd });
    await until(async () => (await json(["status", run], cwd)).said[0].status === "completed");
    worker.interrupt();
    await worker.ended;
    expect((await json(["status", run], cwd)).said[0]).toMatchObject({
      published: { name: "flow", revision: 1 },
    });
  });

  it("gives no key to a start that has none and does not wait", async () => {
    const cwd = folder();
    const { run } = (await json(["start", flow, ...input("ann")], cwd)).said[0];
    expect((await json(["status", run], cwd)).said[0]).not.toHaveProperty("startKey");
    const waited = await json(["start", flow, ...input("ann"), "--wait", "1"], cwd);
    expect(waited).toMatchObject({ code: 7, said: [{ kind: "accepted" }] });
    expect((await json(["list"], cwd)).said).toHaveLength(2);
  });

  it.each([
    ["publish", ["publish", flow]],
    ["start", ["start", flow, ...input("ann")]],
  ])("make the store on first use: %s", async (_, args) => {
    const cwd = folder();
    expect((await swl([...args, "--dry-run"], { cwd })).err).toMatch(/^error cli\.store-missing: /);
    expect(existsSync(join(cwd, ".swl"))).toBe(false);
    expect((await swl(args, { cwd })).code).toBe(0);
    expect((await swl(["store", "check"], { cwd })).out).toBe("no faults\n");
    expect((await json(["list"], cwd)).said).toHaveLength(args[0] === "start" ? 1 : 0);
  });

  it.each([
    ["a name that nobody can have published", ["start", "--name", "flow"], "cli.store-missing"],
    ["input that the definition does not take", ["start", flow, "--input", "{}"], "input.invalid"],
    ["a source that is none", ["publish", "nowhere"], "source.not-found"],
    ["a run that there cannot be", ["redrive", "r"], "cli.store-missing"],
  ])("make none for %s", async (_, args, code) => {
    const cwd = folder();
    expect(documentOf(await swl([...args, "--json"], { cwd }))).toMatchObject({ error: { code } });
    expect(existsSync(join(cwd, ".swl"))).toBe(false);
  });

  it("refuse what is nothing to start", async () => {
    const { cwd } = await left(...input("ann"));
    expect((await swl(["start"], { cwd })).code).toBe(2);
    expect((await swl(["start", flow, "--name", "flow"], { cwd })).code).toBe(2);
    const unknown = await swl(["start", "--name", "nobody", "--json"], { cwd });
    expect(documentOf(unknown)).toMatchObject({ error: { code: "name.not-found" } });
    const wrong = await swl(["start", flow, "--input", "{}", "--json"], { cwd });
    expect(documentOf(wrong)).toMatchObject({ error: { code: "input.invalid" } });
    expect((await swl(["start", flow, "--dry-run", ...input("ann")], { cwd })).out).toMatch(
      /^start would be applied: running\n {2}invoke dry\/greet#1 attempt 1\n/,
    );
  });
});

describe("--dry-run", () => {
  it("says what a request would do, and changes nothing", async () => {
    const { cwd, run } = await left(...input("ann", false));
    const before = (await swl(["history", run], { cwd })).out;
    const no = await swl(["signal", run, "gate", "--outcome", "no", "--dry-run"], { cwd });
    expect(no.code).toBe(0);
    expect(no.out).toBe(
      "signal would be applied: waiting -> failed\n  gate#1 -no-> refused\n  end\nnothing was written\n",
    );
    const wrong = await swl(["signal", run, "gate", "--outcome", "perhaps", "--dry-run"], { cwd });
    expect(wrong.code).toBe(4);
    expect(wrong.out).toContain("would be refused signal.outcome-unrouted");
    for (const verb of ["cancel", "terminate"]) {
      const { said } = await json([verb, run, "--dry-run"], cwd);
      expect(said).toMatchObject([{ effect: "moved", after: "canceled" }]);
    }
    expect((await json(["redrive", run, "--dry-run"], cwd)).said).toMatchObject([{ code: "run.not-failed" }]);
    expect((await json(["release", run, "--dry-run"], cwd)).said).toMatchObject([{ code: "run.not-held" }]);
    expect((await json(["update", run, "gate", "--dry-run"], cwd)).code).toBe(4);
    expect((await swl(["history", run], { cwd })).out).toBe(before);
  });
});

describe("swl terminate", () => {
  it("ends a run with nobody serving", async () => {
    const { cwd, run } = await left(...input("ann", false));
    const ended = await swl(["terminate", run, "--reason", "stuck", "--by", "ann", "--id", "t"], { cwd });
    expect(ended.code).toBe(0);
    expect(ended.out).toMatch(/^finished: .*the run has ended as canceled/);
    expect((await json(["status", run], cwd)).said).toMatchObject([
      { status: "canceled", terminated: { reason: "stuck", by: "ann" } },
    ]);
    expect((await swl(["terminate", run], { cwd })).code).toBe(4);
    expect(
      (await swl(["terminate", run, "--reason", "stuck", "--by", "ann", "--id", "t"], { cwd })).out,
    ).toContain("had been accepted before");
  });
});

describe("swl complete", () => {
  it("wants an operation and an end, and knows none that nobody accepted", async () => {
    const { cwd, run } = await left(...input("ann", false));
    expect((await swl(["complete", run, "--outcome", "ok"], { cwd })).code).toBe(2);
    expect((await swl(["complete", run, "--handle", "h"], { cwd })).code).toBe(2);
    expect((await json(["complete", run, "--handle", "h", "--outcome", "ok"], cwd)).said).toMatchObject([
      { kind: "refused", code: "operation.unknown" },
    ]);
  });
});

describe("swl redrive and swl bulk", () => {
  it("go on from before what failed, one by one and by filter", async () => {
    const { cwd, run } = await left(...input("ann", false), "--key", "k");
    await swl(["signal", run, "gate", "--outcome", "no", "--no-wait"], { cwd });
    await swl([...serve, ...input("ann", false), "--key", "k"], { cwd });
    const dry = await swl(["redrive", run, "--dry-run"], { cwd });
    expect(dry.out).toContain("redrive would be applied: failed -> waiting");
    const looked = await swl(["bulk", "redrive", "--workflow", "flow", "--reason", "workflow.failed"], {
      cwd,
    });
    expect(looked.out).toContain("would be applied, then waiting");
    expect(looked.err).toContain("1 of the 1 runs that were looked at; nothing was written");
    const made = await json(["bulk", "redrive", "--workflow", "flow", "--id", "b", "--apply"], cwd);
    expect(made).toMatchObject({ code: 0, said: [{ run, answer: { kind: "applied" } }] });
    const again = made.said[0].answer.run;
    expect((await json(["redrive", run, "--id", "b"], cwd)).said).toMatchObject([{ run: again }]);
    expect((await json(["status", again], cwd)).said).toMatchObject([
      { redriveOf: { run }, status: "waiting" },
    ]);
    expect((await json(["verify", again], cwd)).said).toMatchObject([{ differing: [] }]);
    const canceled = await json(["bulk", "cancel", "--action", "nothing", "--apply"], cwd);
    expect(canceled).toEqual({ code: 0, said: [] });
    expect((await swl(["bulk", "forget"], { cwd })).code).toBe(2);
    expect((await swl(["bulk", "resolve"], { cwd })).code).toBe(2);
  });
});

describe("swl verify", () => {
  it("compares a run's states with its log, and shows the state at a position", async () => {
    const { cwd, run } = await left(...input("ann"));
    const whole = await swl(["verify", run], { cwd });
    expect(whole).toMatchObject({ code: 0 });
    expect(whole.out).toMatch(/states compared, the same\n {2}completed\n$/);
    expect((await swl(["verify", run, "--position", "2"], { cwd })).out).toContain("at greet, visit 1");
  });
});

describe("a marked value", () => {
  it("is shown by no command [INV-masking]", async () => {
    const cwd = folder();
    const canary = "canary-4711-0815";
    const settings = JSON.parse(readFileSync(join(flow, "settings.json"), "utf8"));
    settings.sensitive = { input: ["/name"] };
    writeFileSync(join(cwd, "workflow.dot"), readFileSync(join(flow, "workflow.dot")));
    writeFileSync(join(cwd, "settings.json"), JSON.stringify(settings));
    const ran = await swl(["run", cwd, "--bindings", bindings, ...input(canary), "--json"], { cwd });
    expect(ran.code).toBe(0);
    const { run } = JSON.parse(ran.out);
    let said = ran.out + ran.err;
    for (const verb of ["status", "why", "history", "verify"])
      for (const form of [[], ["--json"]]) {
        const called = await swl([verb, run, ...form], { cwd });
        said += called.out + called.err;
      }
    expect(said).not.toContain(canary);
    expect((await swl(["status", run, "--reveal"], { cwd })).out).toContain(canary);
    expect(said).toContain("[masked]");
  });
});
