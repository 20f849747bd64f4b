/** What `why`, `history` and a worker say, and that every command which `why` offers is accepted. */
import { existsSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, it } from "vitest";
import { bindings, documentOf, flow, folder, start, swl, until } from "./support/call.js";

const waiting = ["--input", '{"name": "ann"}'];

/** A run of the flow, left where it stands. */
async function left(cwd: string, input: readonly string[], path = flow, module = bindings): Promise<string> {
  const called = await swl(["run", path, "--bindings", module, ...input, "--json"], { cwd });
  return String(documentOf(called)["run"]);
}

/** The commands that `why` offers, as arguments, with what has to be filled in filled in. */
function offered(
  out: string,
  values: { readonly [word: string]: string } = {},
): readonly (readonly string[])[] {
  return [...out.matchAll(/^ {4}swl (.*)$/gm)].map(([, line = ""]) =>
    [...line.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, word]) => {
      const text = quoted ?? word ?? "";
      return Object.entries(values).reduce((filled, [name, value]) => filled.replace(name, value), text);
    }),
  );
}

describe("swl why", () => {
  it("offers a signal with what its payload has to have", async () => {
    const cwd = folder();
    const definition = JSON.parse((await swl(["compile", flow])).out);
    definition.nodes.gate.payloads = {
      yes: { type: "object", required: ["by", "sum"], properties: { by: { type: "string" } } },
    };
    writeFileSync(join(cwd, "flow.json"), JSON.stringify(definition));
    const run = await left(cwd, waiting, "flow.json");
    const { out } = await swl(["why", run], { cwd });
    expect(out).toContain(`swl signal ${run} gate --outcome no\n`);
    expect(out).toContain(`swl signal ${run} gate --outcome yes --payload '{"by":STRING,"sum":VALUE}'\n`);
    const asItIs = offered(out).find((args) => args.includes("yes"))!;
    expect((await swl([...asItIs, "--no-wait"], { cwd })).code).toBe(1);
    const filled = offered(out, { STRING: '"ann"', VALUE: "3" }).find((args) => args.includes("yes"))!;
    expect((await swl([...filled, "--no-wait"], { cwd })).code).toBe(0);
  });

  it("leads with what was accepted, and does not ask for the signal again", async () => {
    const cwd = folder();
    const run = await left(cwd, waiting);
    await swl(["signal", run, "gate", "--outcome", "yes", "--no-wait"], { cwd });
    const { out } = await swl(["why", run], { cwd });
    expect(out.indexOf("host.waiting")).toBeLessThan(out.indexOf("signal at gate"));
    expect(offered(out)).toEqual([
      ["worker", "--bindings", "MODULE"],
      ["cancel", run],
    ]);
  });

  it("offers no evidence that would be refused", async () => {
    const cwd = folder();
    symlinkSync(join(import.meta.dirname, "..", "node_modules"), join(cwd, "node_modules"), "junction");
    writeFileSync(
      join(cwd, "m.mjs"),
      `import { inProcess, ok } from "@swl/invocation-control/in-process";
       export default inProcess({
         greet: () => ({ outcome: "direct" }),
         pay: () => ({ outcome: "undeclared" }),
       });`,
    );
    const run = await left(cwd, waiting, flow, "m.mjs");
    const { out } = await swl(["why", run], { cwd });
    expect(out).toContain("reason: contract-violated");
    expect(out).toMatch(/ {2}evidence \d+: result, /);
    expect(out).not.toContain("--from-evidence");
    for (const args of offered(out, { OUTCOME: "ok", JSON: "1", CODE: "x", TEXT: "y" })) {
      const copy = folder();
      const database = new DatabaseSync(join(cwd, ".swl", "store.db"));
      database.exec(`VACUUM INTO '${join(copy, "s.db")}'`);
      database.close();
      const { code } = await swl([...args, "--no-wait", "--store", join(copy, "s.db")], { cwd });
      expect([args, code]).toEqual([args, 0]);
    }
  });
});

describe("swl history", () => {
  it("tells a run's log, a line a record", async () => {
    const cwd = folder();
    const run = await left(cwd, waiting);
    await swl(["signal", run, "gate", "--outcome", "no", "--id", "m-1", "--no-wait"], { cwd });
    const { out } = await swl(["history", run], { cwd });
    const rows = out
      .trimEnd()
      .split("\n")
      .map((line) => line.split(/ {2,}/));
    expect(rows.map(([position, time]) => [position, /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(time ?? "")])).toEqual(
      [
        ["POSITION", false],
        ["1", true],
        ["2", true],
        ["3", true],
        ["4", true],
      ],
    );
    expect(rows.map(([, , what, details]) => [what, details])).toEqual([
      ["WHAT", "DETAILS"],
      ["created", undefined],
      ["start", undefined],
      ["result", "greet#1, attempt 1; ok; greet#1 -ok-> gate"],
      ["signal", "gate; no; request m-1"],
    ]);
  });

  it("tells what is not known, who decided and what had no effect", async () => {
    const cwd = folder();
    const run = await left(cwd, ["--input", '{"name": "crash", "direct": true}', "--key", "k"]);
    await swl(["resolve", run, "--decision", "retry", "--by", "ann", "--id", "d-1", "--no-wait"], { cwd });
    await swl(["cancel", run, "--id", "c-1", "--no-wait"], { cwd });
    const again = ["run", flow, "--bindings", bindings, "--input", '{"name": "crash", "direct": true}'];
    await swl([...again, "--key", "k"], { cwd });
    const { out } = await swl(["history", run], { cwd });
    expect(out).toMatch(/ unknown +pay#1, attempt 1; crash \(.*the line was cut\)/);
    expect(out).toMatch(/ resolve +.*retry; by ann; request d-1/);
    expect(out).toMatch(/ cancel +request c-1/);
  });

  it("prints a document a record, without values", async () => {
    const cwd = folder();
    const run = await left(cwd, ["--input", '{"name": "secret-name", "direct": true}']);
    const { out } = await swl(["history", run, "--json"], { cwd });
    expect(out).not.toContain("secret-name");
    const entries = out
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(entries.map(({ position }) => position)).toEqual([1, 2, 3, 4]);
    expect(entries[3]).toMatchObject({
      kind: "event",
      event: { type: "result", outcome: "ok", attempt: 1 },
      edges: [{ node: "pay", route: "ok", target: "done", visit: 1 }],
    });
  });

  it("names a run that is not there", async () => {
    const cwd = folder();
    await left(cwd, waiting);
    const { code, err } = await swl(["history", "no"], { cwd });
    expect(code).toBe(3);
    expect(err).toMatch(/^error run\.not-found: /);
  });
});

describe("swl list --json", () => {
  it("ends with the cursor of the next page", async () => {
    const cwd = folder();
    const runs = [await left(cwd, waiting), await left(cwd, waiting)];
    const lines = async (...more: readonly string[]) =>
      (await swl(["list", "--json", "--limit", "1", ...more], { cwd })).out
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line));
    const [newest, { next }] = await lines();
    expect(newest.run).toBe(runs[1]);
    const rest = await lines("--after", next);
    expect(rest).toHaveLength(1);
    expect(rest[0].run).toBe(runs[0]);
  });
});

describe("a verb that waits", () => {
  it("says that its request is accepted before anybody loses patience", async () => {
    const cwd = folder();
    const run = await left(cwd, waiting);
    const alone = await swl(["cancel", run, "--wait", "200"], { cwd });
    expect(alone.err).toBe(
      "accepted at position 4; no host serves this store now; waiting up to 200 ms for a host to apply it\n",
    );
    expect(alone.code).toBe(7);
    const json = await swl(["cancel", run, "--wait", "200", "--json"], { cwd });
    expect(json.err).toBe("");
  });

  it("does not speak of an invocation that nobody named", async () => {
    const cwd = folder();
    const run = await left(cwd, waiting);
    const resolve = ["resolve", run, "--decision", "retry"];
    expect((await swl(resolve, { cwd })).out).toMatch(/^refused resolve\.not-parked: /);
    await swl(["cancel", run, "--no-wait"], { cwd });
    const { code, out } = await swl(resolve, { cwd });
    expect(code).toBe(4);
    expect(out).toBe(
      "refused event.too-late: resolve is too late: the run is canceled; nothing was written\n",
    );
  });
});

describe("swl worker", () => {
  it("prints a line for each attempt in doubt, each run that parks and each that ends", async () => {
    const cwd = folder();
    const parks = await left(cwd, ["--input", '{"name": "crash"}']);
    const ends = await left(cwd, waiting);
    const worker = start(["worker", "--bindings", bindings], { cwd });
    await until(() => worker.out().includes("serving"));
    await swl(["signal", parks, "gate", "--outcome", "yes"], { cwd });
    await swl(["signal", ends, "gate", "--outcome", "no"], { cwd });
    await until(async () =>
      (await swl(["list", "--status", "needs-intervention"], { cwd })).out.includes(parks),
    );
    worker.interrupt();
    const { err } = await worker.ended;
    expect(err).toMatch(new RegExp(`^${parks} warn.*: .*attempt 1 .*the line was cut`, "m"));
    expect(err).toMatch(new RegExp(`^${parks} warn run\\.parked: `, "m"));
    expect(err).toMatch(new RegExp(`^${ends} info.*: .*failed: workflow\\.failed`, "m"));
  });

  it("stops when its store is deleted", async () => {
    const cwd = folder();
    const worker = start(["worker", "--bindings", bindings], { cwd });
    await until(() => worker.out().includes("serving"));
    for (const end of ["", "-wal", "-shm"]) {
      const file = join(cwd, ".swl", `store.db${end}`);
      if (existsSync(file)) rmSync(file);
    }
    const { code, err } = await worker.ended;
    expect(code).toBe(5);
    expect(err).toMatch(/^error store\.unavailable: .*was deleted or replaced while it was served\n/m);
    expect(existsSync(join(cwd, ".swl", "store.db"))).toBe(false);
  });

  it("that wants to be alone and meets another host is told how to wait for its lease", async () => {
    const cwd = folder();
    const first = start(["worker", "--bindings", bindings], { cwd });
    await until(() => first.out().includes("serving"));
    const { code, err } = await swl(["worker", "--bindings", bindings, "--exclusive"], { cwd });
    expect(code).toBe(4);
    expect(err).toMatch(/\n {2}hint: .*--wait-for-lease 10000/);
    first.interrupt();
    await first.ended;
  });
});
