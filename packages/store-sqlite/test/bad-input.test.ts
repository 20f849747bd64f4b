/** What goes wrong outside: each time the answer is classified, nothing is lost, and the store is usable afterwards. */
import { chmod, readFile } from "node:fs/promises";
import { dirname } from "node:path";
import type { Item, Store } from "@swl/store-provider";
import { describe, expect, it, onTestFinished } from "vitest";
import { type Database, loadDriver } from "../src/driver.js";
import { openWith } from "../src/sqlite-store.js";
import { noSomebody, runScript, somebody } from "./child.js";
import { openForTest, temporaryFile } from "./temporary.js";

const item = (expect: number, rest: Partial<Item> = {}): Item => ({
  stream: "run",
  commit: `c${expect}`,
  expect,
  records: [{ kind: "event", document: "x".repeat(10_000) }],
  applies: true,
  stamp: 0,
  ...rest,
});

/** Appends until it is refused as a whole; the number of accepted items, and the code. */
async function fill(store: Store): Promise<readonly [number, unknown]> {
  for (let accepted = 0; ; accepted += 1) {
    try {
      expect(await store.append([item(accepted)])).toMatchObject([{ kind: "accepted" }]);
    } catch (error) {
      return [accepted, (error as { readonly code?: unknown }).code];
    }
  }
}

describe("a full disk", () => {
  it("is unavailable; the same call succeeds when there is room again [STO-failure-kinds]", async () => {
    const honest = await loadDriver();
    let database: Database | undefined;
    const store = await openWith(
      (path, options) => {
        const opened = honest(path, options);
        if (!options.readOnly) database = opened;
        return opened;
      },
      { file: await temporaryFile() },
    );
    onTestFinished(() => store.close());
    database?.all("PRAGMA max_page_count = 100");
    const [accepted, code] = await fill(store);
    expect([accepted > 5, code]).toEqual([true, "store.unavailable"]);
    expect((await store.head("run"))?.position).toBe(accepted);
    expect(await store.check()).toEqual([]);
    database?.all("PRAGMA max_page_count = 100000");
    expect(await store.append([item(accepted)])).toMatchObject([{ kind: "accepted", repeated: false }]);
  });

  it.skipIf(process.platform === "win32")(
    "that the system reports is told as what it is, and what was acknowledged is there [STO-durability]",
    async () => {
      const file = await temporaryFile();
      const { said, complained } = await runScript("filler.mjs", [file], { limits: "ulimit -f 2000" });
      expect(complained).toBe("");
      const { acknowledged, code, position } = JSON.parse(said) as {
        readonly acknowledged: number;
        readonly code: string;
        readonly position: number;
      };
      expect(["store.unavailable", "store.unknown-commit"]).toContain(code);
      expect([acknowledged > 3, position]).toEqual([true, acknowledged]);
      const store = await openForTest({ file });
      expect((await store.head("run"))?.position).toBe(acknowledged);
      expect(await store.check()).toEqual([]);
      expect(await store.append([item(acknowledged)])).toMatchObject([{ kind: "accepted" }]);
    },
  );
});

describe("a file that may not be written", () => {
  it("is unauthorized, left as it is, and a store when it may be written again [STO-version-gate]", async ({
    skip,
  }) => {
    const why = noSomebody();
    skip(why !== undefined, why);
    const file = await temporaryFile();
    const first = await openForTest({ file });
    await first.append([item(0)]);
    await first.close();
    const before = await readFile(file);
    await chmod(file, 0o444);
    await chmod(dirname(file), 0o755);
    expect(await runScript("opener.mjs", [file], somebody)).toMatchObject({
      said: "store.unauthorized\n",
      complained: "",
    });
    expect((await readFile(file)).equals(before)).toBe(true);
    // The folder as well: the log stands beside the file.
    await chmod(file, 0o666);
    await chmod(dirname(file), 0o777);
    expect(await runScript("opener.mjs", [file], somebody)).toMatchObject({
      said: "opened\n",
      complained: "",
    });
    const store = await openForTest({ file });
    expect(await store.append([item(1)])).toMatchObject([{ kind: "accepted", first: 2 }]);
    expect(await store.check()).toEqual([]);
  });
});

describe("a clock that jumps by a day", () => {
  const day = 86_400_000;

  it("brings back no lease and takes no position [STO-leases]", async () => {
    let now = 10 * day;
    const store = await openForTest({ file: await temporaryFile(), clock: () => now });
    await store.openHolder("h", { lease: 1_000, exclusive: true });
    await store.append([item(0, { owner: "h", stamp: now })]);
    now += day;
    expect(await store.renewHolder("h", 1_000)).toMatchObject({ kind: "lease-lost" });
    expect(await store.append([item(1, { stamp: now })])).toMatchObject([{ kind: "accepted", first: 2 }]);
    now -= 2 * day;
    expect(await store.renewHolder("h", 1_000)).toMatchObject({ kind: "lease-lost" });
    expect(await store.orphaned(9)).toEqual([{ stream: "run", owner: "h" }]);
    // Who still has the old time is told of it; what the store's clock says counts.
    expect(await store.append([item(2, { stamp: now + day })])).toMatchObject([
      { kind: "refused", failure: { kind: "clock-ahead", now } },
    ]);
    expect(await store.append([item(2, { stamp: now })])).toMatchObject([{ kind: "accepted", first: 3 }]);
    expect(await store.check()).toEqual([]);
  });
});

describe("two hosts with one name", () => {
  it("are one holder to the store: each piece of work and each position goes to one of them [STO-peers]", async () => {
    const file = await temporaryFile();
    const hosts = [await openForTest({ file }), await openForTest({ file })] as const;
    const work = Array.from({ length: 20 }, (_, n) => ({ id: `w${n}`, queue: "q", delay: 0, document: n }));
    await hosts[0].append([item(0, { work })]);
    for (const host of hosts) {
      expect(await host.openHolder("same", { lease: 60_000, exclusive: true })).toMatchObject({
        kind: "held",
      });
    }
    const claims = await Promise.all(
      hosts.map((host) => host.claim("same", { queues: [{ queue: "q", limit: 15 }] })),
    );
    const ids = claims.flat().map(({ id }) => id);
    expect(ids.sort()).toEqual(work.map(({ id }) => id).sort());
    const answers = await Promise.all(
      hosts.map((host, n) => host.append([item(1, { commit: `host ${n}`, owner: "same" })])),
    );
    expect(
      answers
        .flat()
        .map(({ kind }) => kind)
        .sort(),
    ).toEqual(["accepted", "refused"]);
  });
});
