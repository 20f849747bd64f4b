/** One run through its life, by the verbs that an operator has. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { bindings, documentOf, flow, folder, start, swl, until } from "./support/call.js";

const named = (name: string, direct = true) => ["--input", JSON.stringify({ name, direct })];
const serve = ["run", flow, "--bindings", bindings];

/** A store with one run in it, as it was left. */
async function left(...input: readonly string[]) {
  const cwd = folder();
  const called = await swl([...serve, ...input, "--json"], { cwd });
  return { cwd, code: called.code, run: String(JSON.parse(called.out).run) };
}

function worker(cwd: string, ...options: readonly string[]) {
  return start(["worker", "--bindings", bindings, "--json", ...options], { cwd });
}

/** The runs with a status, once there is a store to ask. */
async function runsThat(status: string, cwd: string): Promise<readonly string[]> {
  const { code, out } = await swl(["list", "--status", status, "--json"], { cwd });
  if (code !== 0) return [];
  return out
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line).run);
}

describe("swl run", () => {
  it("serves a run to its end and prints the result", async () => {
    const cwd = folder();
    const { code, out } = await swl([...serve, ...named("ann")], { cwd });
    expect(code).toBe(0);
    expect(out).toMatch(/^run-\S+ {2}completed\n/);
    expect(JSON.parse(out.slice(out.indexOf("\n")))).toEqual({ paid: "ann" });
    expect(existsSync(join(cwd, ".swl", "store.db"))).toBe(true);
  });

  it("reads the input from standard input", async () => {
    const stdin = '{"name": "eve", "direct": true}';
    const called = await swl([...serve, "--input", "-", "--json"], { cwd: folder(), stdin });
    expect(documentOf(called)).toMatchObject({ status: "completed", output: { paid: "eve" } });
  });

  it("tells what its attempts meet while it serves", async () => {
    const { err } = await swl([...serve, ...named("crash")], { cwd: folder() });
    expect(err).toMatch(/^run-\S+ warn: .*attempt 1 .*the line was cut/m);
    const json = await swl([...serve, ...named("crash"), "--json"], { cwd: folder() });
    expect(json.err).toBe("");
  });

  it("explains a run that waits, leaves it in the store and ends with 7", async () => {
    const cwd = folder();
    const { code, out } = await swl([...serve, ...named("ann", false)], { cwd });
    expect(code).toBe(7);
    const run = out.slice(0, out.indexOf(" "));
    expect(out).toContain(`swl signal ${run} gate --outcome yes`);
    expect(out).toContain(`swl signal ${run} gate --outcome no`);
    expect(JSON.parse((await swl(["status", run, "--json"], { cwd })).out)).toMatchObject({
      status: "waiting",
    });
  });

  it("goes on with the same run under the same key", async () => {
    const { cwd, run } = await left(...named("ann", false), "--key", "k");
    const signal = await swl(["signal", run, "gate", "--outcome", "yes", "--no-wait"], { cwd });
    expect(signal.code).toBe(0);
    const again = await swl([...serve, ...named("ann", false), "--key", "k", "--json"], { cwd });
    expect(documentOf(again)).toMatchObject({ run, status: "completed" });
    const other = await swl([...serve, ...named("bob", false), "--key", "k", "--json"], { cwd });
    expect(other.code).toBe(4);
    expect(documentOf(other)).toMatchObject({ error: { code: "request.conflict", details: { run } } });
    const told = await swl([...serve, ...named("bob", false), "--key", "k"], { cwd });
    expect(told.err).toContain(`run ${run} has it`);
  });

  it("ends with 6 when the run fails", async () => {
    const { cwd, run } = await left(...named("ann", false), "--key", "k");
    await swl(["signal", run, "gate", "--outcome", "no", "--no-wait"], { cwd });
    const again = await swl([...serve, ...named("ann", false), "--key", "k", "--json"], { cwd });
    expect(again.code).toBe(6);
    expect(documentOf(again)).toMatchObject({ status: "failed", error: { code: "workflow.failed" } });
  });

  it("goes on serving while it waits, when it is told to", async () => {
    const cwd = folder();
    const running = start([...serve, ...named("ann", false), "--wait", "20000", "--json"], { cwd });
    await until(async () => (await runsThat("waiting", cwd)).length > 0);
    const run = (await runsThat("waiting", cwd))[0]!;
    expect((await swl(["signal", run, "gate", "--outcome", "yes"], { cwd })).code).toBe(0);
    expect(documentOf(await running.ended)).toMatchObject({ run, status: "completed" });
  });

  it("leaves when it is interrupted; the run goes on later", async () => {
    const cwd = folder();
    const running = start([...serve, ...named("ann", false), "--wait", "20000", "--json"], { cwd });
    await until(async () => (await runsThat("waiting", cwd)).length > 0);
    running.interrupt();
    const called = await running.ended;
    expect(called.code).toBe(130);
    expect(documentOf(called)).toMatchObject({ status: "interrupted" });
  });
});

describe("a run whose effect is in doubt", () => {
  it("stands, is explained, and is resolved by retry", async () => {
    const { cwd, run, code } = await left(...named("crash"), "--key", "k");
    expect(code).toBe(7);
    const why = await swl(["why", run], { cwd });
    expect(why.code).toBe(0);
    expect(why.out).toContain("needs-intervention");
    expect(why.out).toContain("reason: unknown-result");
    expect(why.out).toContain(`swl resolve ${run} --decision retry`);
    const document = documentOf(await swl(["why", run, "--json"], { cwd }));
    expect(document).toMatchObject({
      run,
      status: "needs-intervention",
      blockers: [{ kind: "intervention", node: "pay" }],
    });
    const resolved = await swl(["resolve", run, "--decision", "retry", "--no-wait", "--by", "me"], { cwd });
    expect(resolved.code).toBe(0);
    const again = await swl([...serve, ...named("crash"), "--key", "k", "--json"], { cwd });
    expect(documentOf(again)).toMatchObject({ run, status: "completed" });
  });

  it("is resolved by complete with the operator's output, or by fail", async () => {
    for (const [rest, end] of [
      [
        ["complete", "--outcome", "ok", "--output", '"by hand"'],
        { status: "completed", output: { paid: "by hand" } },
      ],
      [
        ["fail", "--code", "card.lost", "--message", "in cash"],
        { status: "failed", error: { code: "card.lost" } },
      ],
    ] as const) {
      const { cwd, run } = await left(...named("crash"), "--key", "k");
      const resolved = await swl(["resolve", run, "--decision", ...rest, "--no-wait", "--json"], { cwd });
      expect(documentOf(resolved)).toMatchObject({ kind: "accepted", run, repeated: false });
      const again = await swl([...serve, ...named("crash"), "--key", "k", "--json"], { cwd });
      expect(documentOf(again)).toMatchObject({ run, ...end });
    }
  });
});

describe("verbs that change a run", () => {
  it("answer a repeated request with its first receipt", async () => {
    const { cwd, run } = await left(...named("ann", false));
    const command = ["signal", run, "gate", "--outcome", "yes", "--id", "m-1", "--no-wait", "--json"];
    const first = documentOf(await swl(command, { cwd }));
    const second = documentOf(await swl(command, { cwd }));
    expect(first).toMatchObject({ kind: "accepted", requestId: "m-1", repeated: false });
    expect(second).toEqual({ ...first, repeated: true });
    const other = await swl(["signal", run, "gate", "--outcome", "no", "--id", "m-1", "--json"], { cwd });
    expect(other.code).toBe(4);
    expect(documentOf(other)).toMatchObject({ error: { code: "request.conflict" } });
  });

  it("end with 7 when nobody applies the request in time", async () => {
    const { cwd, run } = await left(...named("ann", false));
    const { code, out } = await swl(["cancel", run, "--reason", "changed my mind", "--wait", "50"], { cwd });
    expect(code).toBe(7);
    expect(out).toMatch(/^accepted: .*no host applied it within 50 ms/);
    const status = await swl(["status", run], { cwd });
    expect(status.out).toContain("1 accepted and not yet applied");
  });

  it("end with 4 and write nothing when the request is refused", async () => {
    const { cwd, run } = await left(...named("ann", false));
    const before = documentOf(await swl(["status", run, "--json"], { cwd }));
    const cases = [
      [["signal", run, "gate", "--outcome", "maybe"], "signal.outcome-unrouted"],
      [["resolve", run, "--decision", "retry"], "resolve.not-parked"],
    ] as const;
    for (const [args, refusal] of cases) {
      const refused = await swl([...args, "--json"], { cwd });
      expect(refused.code).toBe(4);
      expect(documentOf(refused)).toMatchObject({ kind: "refused", code: refusal });
    }
    expect(documentOf(await swl(["status", run, "--json"], { cwd }))).toEqual(before);
  });

  it("are too late for a run that has ended", async () => {
    const { cwd, run } = await left(...named("ann"));
    const { code, out } = await swl(["cancel", run], { cwd });
    expect(code).toBe(4);
    expect(out).toMatch(/^refused event\.too-late: /);
  });

  it("name a run that is not there", async () => {
    const { cwd } = await left(...named("ann"));
    const verbs = [
      ["status", "no"],
      ["why", "no"],
      ["cancel", "no"],
      ["signal", "no", "gate"],
      ["resolve", "no", "--decision", "retry"],
      ["render", "--run", "no"],
    ];
    for (const verb of verbs) {
      const { code, err } = await swl(verb, { cwd });
      expect([verb[0], code]).toEqual([verb[0], 3]);
      expect(err).toMatch(/^error run\.not-found: /);
    }
  });
});

describe("swl list", () => {
  it("prints newest first, a line a run, by status and page", async () => {
    const cwd = folder();
    for (const key of ["a", "b", "c"])
      await swl([...serve, ...named(key, key === "b"), "--key", key], { cwd });
    const lines = async (...options: readonly string[]) => {
      const { out } = await swl(["list", "--json", ...options], { cwd });
      return out
        .split("\n")
        .filter(Boolean)
        .map((line) => JSON.parse(line).startKey);
    };
    expect(await lines()).toEqual(["c", "b", "a"]);
    expect(await lines("--status", "waiting")).toEqual(["c", "a"]);
    expect(await lines("--workflow", "other")).toEqual([]);
    const { err } = await swl(["list", "--limit", "2"], { cwd });
    const after = /^more: --after (\S+)$/m.exec(err)?.[1];
    expect(await lines("--limit", "2", "--after", String(after))).toEqual(["a"]);
    expect((await swl(["list", "--status", "failed"], { cwd })).err).toBe("no runs\n");
  });
});

describe("swl render", () => {
  it("draws the way that a run took, from the store alone", async () => {
    const { cwd, run } = await left(...named("ann"));
    const { code } = await swl(["render", "--run", run, "--out", "run.svg"], { cwd });
    expect(code).toBe(0);
    const plain = await swl(["render", flow], { cwd });
    const { out } = await swl(["render", "--run", run], { cwd });
    expect(out).toContain("1 visit");
    expect(plain.out).not.toContain("1 visit");
    const mermaid = await swl(["render", "--run", run, "--format", "mermaid"], { cwd });
    expect(mermaid.out).toContain("1 visit");
    expect(mermaid.out).toContain("==>");
  });
});

describe("swl worker", () => {
  it("serves what others leave behind, and drains when it is interrupted", async () => {
    const { cwd, run } = await left(...named("ann", false));
    const running = worker(cwd, "--concurrency", "pay=1", "--lease", "1000");
    await until(() => running.out().includes('"event":"ready"'));
    const applied = await swl(["signal", run, "gate", "--outcome", "yes", "--json"], { cwd });
    expect(applied.code).toBe(0);
    expect(documentOf(applied)).toMatchObject({ kind: "applied", effect: "moved" });
    await until(async () => documentOf(await swl(["status", run, "--json"], { cwd }))["closed"] === true);
    running.interrupt();
    const { code, out } = await running.ended;
    expect(code).toBe(0);
    const events = out
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line).event);
    expect(events.filter((event) => event !== "log")).toEqual(["ready", "draining", "stopped"]);
  });

  it("waits for another host's lease when it is told to", async () => {
    const cwd = folder();
    const first = worker(cwd);
    await until(() => first.out().includes('"event":"ready"'));
    const second = worker(cwd, "--exclusive", "--wait-for-lease", "10000");
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(second.out()).toBe("");
    first.interrupt();
    expect((await first.ended).code).toBe(0);
    await until(() => second.out().includes('"event":"ready"'));
    second.interrupt();
    expect((await second.ended).code).toBe(0);
  });

  it("leaves at once when it is interrupted while it waits for another host's lease, with none of its own", async () => {
    const cwd = folder();
    const first = worker(cwd);
    await until(() => first.out().includes('"event":"ready"'));
    const second = worker(cwd, "--exclusive", "--wait-for-lease", "3600000");
    await new Promise((resolve) => setTimeout(resolve, 200));
    second.interrupt();
    expect(await second.ended).toEqual({ code: 0, out: '{"event":"stopped"}\n', err: "" });
    first.interrupt();
    expect((await first.ended).code).toBe(0);
    const third = worker(cwd, "--exclusive");
    await until(() => third.out().includes('"event":"ready"'));
    third.interrupt();
    expect((await third.ended).code).toBe(0);
  });

  it.each([["worker"], ["serve", "--listen", ":0"]])(
    "listens before it opens anything: %s",
    async (...command) => {
      const cwd = folder();
      const args = [...command, "--bindings", bindings, "--json"];
      const stopped = { code: 0, out: '{"event":"stopped"}\n', err: "" };
      expect(await swl(args, { cwd, interrupted: 1 })).toEqual(stopped);
      expect(await swl(args, { cwd, interrupted: 2 })).toEqual({ code: 130, out: "", err: "" });
      expect(existsSync(join(cwd, ".swl"))).toBe(false);
    },
  );

  it("has no run where swl run is interrupted before it began one", async () => {
    const cwd = folder();
    const args = [...serve, ...named("ann"), "--json"];
    expect(await swl(args, { cwd, interrupted: 1 })).toEqual({
      code: 130,
      out: '{"status":"interrupted"}\n',
      err: "",
    });
    expect(documentOf(await swl(["list", "--json", "--store", ".swl/store.db"], { cwd }))).toMatchObject({
      error: { code: "cli.store-missing" },
    });
  });

  it("tells what is under way to stop when draining takes too long, and leaves at once when interrupted twice", async () => {
    const cwd = folder();
    const first = start([...serve, ...named("slow"), "--wait", "20000"], { cwd });
    await until(async () => (await runsThat("running", cwd)).length > 0);
    first.interrupt();
    expect((await first.ended).code).toBe(130);
    await swl(["run", flow, "--bindings", bindings, ...named("slow", false), "--key", "k"], { cwd });
    const run = (await runsThat("waiting", cwd))[0]!;
    const running = worker(cwd, "--drain", "60000");
    await until(() => running.out().includes('"event":"ready"'));
    await swl(["signal", run, "gate", "--outcome", "yes"], { cwd });
    running.interrupt();
    running.interrupt();
    const { code, out } = await running.ended;
    expect(code).toBe(130);
    expect(out).not.toContain('"stopped"');
  });
});
