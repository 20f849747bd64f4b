/** `swl store migrate | check | prune | stats`, on files and on a server. */
import { randomBytes } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { Json } from "@swl/base";
import { defineWorkflow } from "@swl/definition";
import { createControl } from "@swl/durable-state";
import { core } from "@swl/execution";
import { openPostgresStore } from "@swl/store-postgres";
import type { Item } from "@swl/store-provider";
import { openSqliteStore } from "@swl/store-sqlite";
import { describe, expect, it } from "vitest";
import { backToFormat1 } from "../../store-sqlite/test/format-1.js";
import { documentOf, folder, start, swl } from "./support/call.js";

const day = 86_400_000;
const longAgo = Date.now() - 100 * day;
const guide = readFileSync(join(import.meta.dirname, "../../../docs/guide/cli.md"), "utf8");

const least = defineWorkflow({
  id: "least",
  start: "done",
  nodes: { done: { kind: "complete", output: null } },
}) as unknown as Json;

/** A store with an open, a held and some ended runs: `old-N` ended long ago, `new` just now. */
async function filled(old = 2): Promise<string> {
  const file = join(folder(), "runs.db");
  let time = longAgo;
  const store = await openSqliteStore({ file, clock: () => time });
  const item = (stream: string, expect: number, more: Partial<Item> = {}): Item => ({
    ...{ stream, expect, commit: `c${expect}`, stamp: 0, records: [{ kind: "event", document: 1 }] },
    ...more,
  });
  const blobs = [{ digest: "d", document: "shared" }];
  await store.append([item("open", 0), item("held", 0, { hold: "quarantine" }), item("late", 0)]);
  for (let n = 0; n < old; n += 1) await store.append([item(`old-${n}`, 0, { close: true, blobs })]);
  time = Date.now();
  await store.append([item("new", 0, { close: true }), item("late", 1, { close: true })]);
  await store.close();
  return file;
}

async function streamsOf(file: string): Promise<readonly string[]> {
  const store = await openSqliteStore({ file });
  const { items } = await store.list({ limit: 1_000 });
  await store.close();
  return items.map((head) => head.stream).sort();
}

const verbs = ["migrate", "check", "prune", "stats"];

describe("swl store", () => {
  it.each(verbs)("shows examples of %s, and the guide has it", async (verb) => {
    const { code, out } = await swl(["store", verb, "--help"]);
    expect([code, out.includes("--json")]).toEqual([0, true]);
    expect(out).toMatch(new RegExp(`\\nExamples:\\n {2}\\$ swl store ${verb}`));
    expect(guide).toContain(`### swl store ${verb}`);
  });

  it("is no command of its own", async () => {
    const { code, err } = await swl(["store"]);
    expect([code, err.includes("cli.usage")]).toEqual([2, true]);
    expect((await swl(["store", "prun"])).err).toContain("Did you mean prune?");
  });

  it.each([
    [["store", "migrate"]],
    [["store", "check"]],
    [["store", "prune", "--older-than", "1d"]],
    [["store", "stats"]],
  ])("makes no store where there is none: %j", async (args) => {
    const cwd = folder();
    writeFileSync(join(cwd, "empty.db"), "");
    for (const name of ["none.db", ":memory:", "memory", "empty.db"]) {
      const { code, out, err } = await swl([...args, "--store", name], { cwd });
      expect([code, out]).toEqual([3, ""]);
      expect(err).toContain("cli.store-missing");
      expect(err).toContain("swl publish PATH, swl start PATH, swl run, swl worker and swl serve create it");
      if (name !== "empty.db") expect(existsSync(join(cwd, name))).toBe(false);
    }
  });
});

describe("swl store migrate", () => {
  it("says which format the store has now", async () => {
    const file = await filled();
    const { code, out } = await swl(["store", "migrate", "--store", file, "--json"]);
    expect(code).toBe(0);
    expect(JSON.parse(out)).toEqual({ store: file, format: expect.any(Number) });
    expect((await swl(["store", "migrate", "--store", file])).out).toMatch(
      /is of format \d+, which this version/,
    );
  });

  it("brings a store of the first format forward, with all that was in it", async () => {
    const file = await filled();
    const before = await streamsOf(file);
    backToFormat1(file);
    const migrated = await swl(["store", "migrate", "--store", file, "--json"]);
    expect([migrated.code, JSON.parse(migrated.out).format > 1]).toEqual([0, true]);
    expect((await swl(["store", "check", "--store", file])).code).toBe(0);
    expect(await streamsOf(file)).toEqual(before);
  });

  it("leaves a store of a newer version as it is", async () => {
    const file = await filled();
    const database = new DatabaseSync(file);
    database.exec("PRAGMA user_version = 9999");
    database.close();
    const before = readFileSync(file);
    const { code, err } = await swl(["store", "migrate", "--store", file]);
    expect([code, err.includes("store.incompatible")]).toEqual([5, true]);
    expect(readFileSync(file).equals(before)).toBe(true);
  });
});

describe("swl store check", () => {
  it("finds nothing in a sound store", async () => {
    const file = await filled();
    expect(await swl(["store", "check", "--store", file])).toEqual({ code: 0, out: "no faults\n", err: "" });
    const json = await swl(["store", "check", "--store", file, "--json"]);
    expect([json.code, documentOf(json)]).toEqual([0, { faults: [], store: file }]);
  });

  it("says what is wrong with which run, and ends with 5", async () => {
    const file = await filled();
    const database = new DatabaseSync(file);
    database.exec(
      "DELETE FROM log WHERE sid = (SELECT sid FROM streams WHERE stream = 'late') AND position = 1",
    );
    database.close();
    const { code, out } = await swl(["store", "check", "--store", file]);
    expect([code, out.startsWith("late  ")]).toEqual([5, true]);
    const json = await swl(["store", "check", "--store", file, "--json", "--limit", "1"]);
    expect([json.code, documentOf(json)]).toEqual([
      5,
      { faults: [{ stream: "late", message: expect.any(String) }], store: file },
    ]);
  });
});

describe("swl store prune", () => {
  it("removes what ended longer ago, and nothing else", async () => {
    const file = await filled();
    const { code, out } = await swl(["store", "prune", "--older-than", "30d", "--store", file]);
    expect(code).toBe(0);
    expect(out).toMatch(/^removed 2 runs that ended before \S+Z: 2 records, 1 shared document\n$/);
    expect(await streamsOf(file)).toEqual(["held", "late", "new", "open"]);
    const again = await swl(["store", "prune", "--older-than", "P30D", "--store", file, "--json"]);
    expect(documentOf(again)).toMatchObject({ runs: 0, records: 0, blobs: 0, dryRun: false });
  });

  it("only counts with --dry-run", async () => {
    const file = await filled();
    const before = await streamsOf(file);
    const dry = ["store", "prune", "--older-than", "P30D", "--store", file, "--dry-run"];
    expect((await swl(dry)).out).toMatch(/^would remove 2 runs that ended before \S+Z\n$/);
    const json = await swl([...dry, "--json"]);
    expect(Object.keys(documentOf(json)).sort()).toEqual(["before", "dryRun", "runs"]);
    expect(await streamsOf(file)).toEqual(before);
    expect(
      (await swl(["store", "prune", "--older-than", "200d", "--dry-run", "--store", file])).out,
    ).toContain("would remove 0 runs");
  });

  it("says on the way how far it is, and can be interrupted", async () => {
    const file = await filled(1_150);
    const args = ["store", "prune", "--older-than", "1d", "--store", file];
    expect((await swl([...args, "--dry-run"])).err).toContain("1000 runs looked at so far");
    const running = start(args);
    running.interrupt();
    const stopped = await running.ended;
    const first = stopped.code === 130 ? 100 : 1_150;
    expect(stopped.out).toContain(`removed ${first} runs`);
    const { code, out, err } = await swl(args);
    expect(code).toBe(0);
    expect(out).toContain(`removed ${1_150 - first} runs`);
    expect(err.includes("1000 runs removed so far")).toBe(first === 100);
    expect(await streamsOf(file)).toEqual(["held", "late", "new", "open"]);
  });

  it.each([["soon"], ["30"], ["P1M"], ["-1d"], [""], ["999999999w"]])(
    "does not take %j for a duration",
    async (text) => {
      const file = await filled();
      const { code, err } = await swl(["store", "prune", `--older-than=${text}`, "--store", file]);
      expect([code, err.includes("cli.usage")]).toEqual([2, true]);
      expect(err).toContain("a duration such as 30d or P30D is expected");
      expect((await swl(["store", "prune", "--store", file])).err).toContain("--older-than");
    },
  );
});

describe("swl store stats", () => {
  it("counts what is there", async () => {
    const file = await filled();
    const { code, out } = await swl(["store", "stats", "--store", file]);
    expect(code).toBe(0);
    expect(out).toContain("1 open, 1 held, 4 ended");
    const json = documentOf(await swl(["store", "stats", "--store", file, "--json"]));
    expect(json).toMatchObject({
      store: file,
      streams: { open: 1, held: 1, closed: 4 },
      published: 0,
      records: 7,
      blobs: 1,
    });
    for (const member of [
      "slots",
      "dues",
      "work",
      "receipts",
      "notes",
      "holders",
      "format",
      "bytes",
      "name",
    ]) {
      expect(json).toHaveProperty(member);
    }
  });

  it("tells published names from runs", async () => {
    const file = await filled();
    const store = await openSqliteStore({ file });
    const control = createControl({ store, models: [core] });
    for (const name of ["one", "two"]) await control.publish({ name, requestId: name, definition: least });
    await control.start({ name: "one" });
    await store.close();
    const { out } = await swl(["store", "stats", "--store", file]);
    expect(out).toContain("2 open, 1 held, 4 ended");
    expect(out).toMatch(/published names +2/);
    const json = documentOf(await swl(["store", "stats", "--store", file, "--json"]));
    expect(json).toMatchObject({ streams: { open: 4 }, published: 2 });
  });
});

const server = process.env["SWL_TEST_DATABASE_URL"];

describe.skipIf(server === undefined)("swl store on a server", () => {
  it("checks, counts and prunes what is there, and makes nothing", async () => {
    const address = new URL(server as string);
    const schema = `swl_cli_${randomBytes(6).toString("hex")}`;
    address.searchParams.set("schema", schema);
    const store = ["--store", address.href, "--json"];
    expect((await swl(["store", "stats", ...store])).code).toBe(3);
    const opened = await openPostgresStore({ url: server as string, schema, clock: () => longAgo });
    const records = [{ kind: "event", document: 1 }];
    await opened.append([{ stream: "run", commit: "c", expect: 0, stamp: 0, records, close: true }]);
    await opened.close();
    expect(documentOf(await swl(["store", "migrate", ...store]))).toMatchObject({
      format: expect.any(Number),
    });
    expect(documentOf(await swl(["store", "stats", ...store]))).toMatchObject({ streams: { closed: 1 } });
    expect(documentOf(await swl(["store", "check", ...store]))).toMatchObject({ faults: [] });
    const pruned = await swl(["store", "prune", "--older-than", "30d", ...store]);
    expect(documentOf(pruned)).toMatchObject({ runs: 1, records: 1 });
  });
});
