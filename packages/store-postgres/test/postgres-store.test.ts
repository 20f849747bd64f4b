import type { Item, Store } from "@swl/store-provider";
import { describe, expect, it } from "vitest";
import { noServer, openForTest, scratchSchema, sql, url } from "./scratch.js";

const item = (stream: string, expect: number, more: Partial<Item> = {}): Item => ({
  stream,
  commit: `c${expect}`,
  expect,
  records: [{ kind: "event", document: { expect } }],
  applies: true,
  stamp: 0,
  ...more,
});

async function peers(count: number): Promise<readonly Store[]> {
  const schema = scratchSchema();
  return Promise.all(Array.from({ length: count }, () => openForTest({ schema, connections: 2 })));
}

describe.skipIf(noServer)("many writers at once", () => {
  it("on one stream leave no gap, and each request is there once [STO-foreign-items]", async () => {
    const stores = await peers(3);
    await stores[0]?.append([item("run", 0)]);
    const requests = Array.from({ length: 12 }, (_, n) => `r${n}`);
    // Every store sends every request: two of three must be told the first one's receipt.
    const answers = await Promise.all(
      stores.flatMap((store) =>
        requests.map(async (request) => {
          const receipts = [{ scope: "run", request, digest: "d" }];
          const foreign = { ...item("run", 0, { receipts, commit: `${request} ${Math.random()}` }) };
          const { applies: _applies, ...rest } = foreign;
          return (await store.append([{ ...rest, expect: "next" }]))[0]?.kind;
        }),
      ),
    );
    expect(answers.filter((kind) => kind === "accepted")).toHaveLength(requests.length);
    expect(answers.filter((kind) => kind === "receipt")).toHaveLength(2 * requests.length);
    const log = (await stores[0]?.read("run")) ?? [];
    expect(log.map((record) => record.position)).toEqual([...requests, ""].map((_, index) => index + 1));
  });

  it("make a stream once, and have one winner at each position [STO-append-position]", async () => {
    const stores = await peers(4);
    for (let position = 0; position < 6; position += 1) {
      const answers = await Promise.all(
        stores.map(async (store, n) => {
          const plain = item("run", position, { commit: `${position} by ${n}` });
          return (await store.append([plain, item(`other-${n}`, position)])).map(({ kind }) => kind);
        }),
      );
      expect(answers.filter(([kind]) => kind === "accepted")).toHaveLength(1);
      expect(answers.map(([, kind]) => kind)).toEqual(stores.map(() => "accepted"));
    }
  });

  it("claim each piece of work once, and never one that is settled meanwhile [STO-claims]", async () => {
    const stores = await peers(3);
    const ids = Array.from({ length: 30 }, (_, n) => `w${n}`);
    const work = ids.map((id) => ({ id, queue: "q", delay: 0, document: id }));
    await stores[0]?.append([item("run", 0, { work })]);
    const claims = stores.map((store, n) =>
      store.claim(`worker-${n}`, { queues: [{ queue: "q", limit: 20 }], lease: 60_000 }),
    );
    const [settling, ...claimed] = await Promise.all([
      stores[0]?.append([item("run", 1, { settled: ids.slice(0, 5) })]),
      ...claims,
    ]);
    expect(settling?.[0]?.kind).toBe("accepted");
    const won = claimed.flat().map(({ id }) => id);
    expect(new Set(won).size).toBe(won.length);
    const left = (await stores[0]?.load("run"))?.work ?? [];
    expect(left.map(({ id }) => id)).toEqual(ids.slice(5));
  });

  it("open one exclusive holder [STO-leases]", async () => {
    const stores = await peers(4);
    const answers = await Promise.all(
      stores.map((store, n) => store.openHolder(`h${n}`, { lease: 60_000, exclusive: true })),
    );
    expect(answers.map(({ kind }) => kind).sort()).toEqual(["active", "active", "active", "held"]);
  });

  it("cannot both take over and renew a lease [STO-leases]", async () => {
    const [one, other] = await peers(2);
    for (let round = 0; round < 5; round += 1) {
      const [holder, heir, stream] = [`h${round}`, `heir${round}`, `run${round}`];
      await other?.openHolder(heir, { lease: 60_000, exclusive: false });
      const held = await one?.openHolder(holder, { lease: 60, exclusive: false });
      await one?.append([item(stream, 0, { owner: holder })]);
      const until = held?.kind === "held" ? held.until : 0;
      while (((await one?.now()) ?? 0) < until - 4) await new Promise((resolve) => setTimeout(resolve, 1));
      const [renewed, taken] = await Promise.all([
        one?.renewHolder(holder, 60_000),
        other?.append([
          item(stream, 1, { owner: heir, require: [{ kind: "owner-expired", owner: holder }] }),
        ]),
      ]);
      const both = renewed?.kind === "held" && taken?.[0]?.kind === "accepted";
      expect(both).toBe(false);
    }
  });
});

describe.skipIf(noServer)("values at their limits", () => {
  it("come back as they were: the longest names in every place, the largest document [STO-ids]", async () => {
    const store = await openForTest({ schema: scratchSchema(), limits: { documentBytes: 2 ** 21 } });
    // Three bytes each; nothing that is easily compressed.
    const long = (seed: number) =>
      Array.from({ length: 256 }, (_, n) =>
        String.fromCharCode(0x4e00 + ((n * 7919 + seed * 104_729) % 20_000)),
      ).join("");
    const [stream, commit, scope, request, digest, key, label, value, queue, id, event] = Array.from(
      { length: 11 },
      (_, n) => long(n),
    ) as [string, string, string, string, string, string, string, string, string, string, string];
    await store.openHolder(long(20), { lease: 60_000, exclusive: false });
    const big = "x".repeat(store.info.limits.documentBytes - 2);
    const [answer] = await store.append([
      {
        stream,
        commit,
        expect: 0,
        origin: 1e15,
        records: [{ kind: "k".repeat(64), document: big }],
        stamp: 0,
        owner: long(20),
        slots: [{ key, document: "\u0000 and \\ and '" }],
        dues: [{ key, at: Number.MAX_SAFE_INTEGER }],
        work: [{ id, queue, delay: 1e15, document: null }],
        receipts: [{ scope, request, digest }],
        facets: { [label]: value },
        blobs: [{ digest, document: null }],
      },
    ]);
    expect(answer).toMatchObject({ kind: "accepted", first: 1e15 + 1 });
    expect(await store.note(stream, event, null)).toBe(true);
    const state = await store.load(stream);
    expect(state?.first.document === big).toBe(true);
    expect([
      state?.slots.get(key),
      state?.dues.get(key),
      state?.work[0]?.queue,
      state?.facets[label],
    ]).toEqual(["\u0000 and \\ and '", Number.MAX_SAFE_INTEGER, queue, value]);
    expect(await store.receipt(scope, request)).toMatchObject({ digest, position: 1e15 + 1 });
    expect((await store.list({ facets: { [label]: value } })).items).toHaveLength(1);
  });
});

describe.skipIf(noServer)("slots", () => {
  const both = (at: number) => [
    { key: "state", document: at },
    at % 2 === 0 ? { key: "odd" } : { key: "odd", document: `${at}` },
  ];

  it("are in the rows of the log, and folded behind a run that goes on: no visit changes a row", async () => {
    const schema = scratchSchema();
    const store = await openForTest({ schema, connections: 3 });
    await store.append([item("run", 0, { slots: both(0) })]);
    const version = () => sql(`SELECT xmin::text AS version FROM "${schema}".streams`);
    const before = await version();
    const counted = async () => {
      const [row] = await sql(`SELECT (SELECT folded FROM "${schema}".streams) AS folded,
        (SELECT count(*) FROM "${schema}".slots) AS slots, (SELECT count(*) FROM "${schema}".log) AS log`);
      return [Number(row?.["folded"]), Number(row?.["slots"]), Number(row?.["log"])];
    };
    for (let at = 1; at < 60; at += 1) await store.append([item("run", at, { slots: both(at) })]);
    expect(await version()).toEqual(before);
    expect(await counted()).toEqual([0, 0, 60]);
    for (let at = 60; at < 300; at += 1) {
      await store.append([item("run", at, { slots: both(at) })]);
      expect((await store.load("run"))?.slots).toEqual(
        new Map<string, unknown>([["state", at], ...(at % 2 === 0 ? [] : ([["odd", `${at}`]] as const))]),
      );
    }
    await store.close();
    const [folded, slots, log] = await counted();
    expect(folded).toBeGreaterThan(60);
    expect([slots, log]).toEqual([2, 300].map((n, index) => (index === 0 ? (folded! % 2 === 0 ? 2 : 1) : n)));
  });

  it("of which one is large are folded at once; a fold that was missed is made up for by who loads", async () => {
    const schema = scratchSchema();
    const store = await openForTest({ schema });
    const large = "x".repeat(20_000);
    await store.append([item("large", 0, { slots: [{ key: "k", document: large }] })]);
    const folded = async (stream: string) => {
      const [row] = await sql(`SELECT folded FROM "${schema}".streams WHERE stream = $1`, [stream]);
      return Number(row?.["folded"]);
    };
    await expect.poll(() => folded("large")).toBe(1);
    for (let at = 0; at < 200; at += 1) await store.append([item("run", at, { slots: both(at) })]);
    await sql(`UPDATE "${schema}".streams SET folded = 0`);
    await sql(`DELETE FROM "${schema}".slots`);
    const before = await store.stats();
    expect((await store.load("run"))?.slots).toEqual(
      new Map<string, unknown>([
        ["state", 199],
        ["odd", "199"],
      ]),
    );
    await expect.poll(() => folded("run")).toBe(200);
    expect((await store.load("run"))?.slots).toEqual(
      new Map<string, unknown>([
        ["state", 199],
        ["odd", "199"],
      ]),
    );
    expect({ ...(await store.stats()), bytes: 0 }).toEqual({ ...before, bytes: 0 });
    expect(await store.check()).toEqual([]);
  });

  it("are folded by several at once and beside visits without any of them being lost", async () => {
    const schema = scratchSchema();
    const stores = await Promise.all([1, 2, 3].map(() => openForTest({ schema, connections: 2 })));
    const [one, ...others] = stores as [Store, ...Store[]];
    let ended = false;
    const folds = others.map(async (store) => {
      while (!ended) {
        await sql(`UPDATE "${schema}".streams SET folded = folded`);
        await store.load("run");
      }
    });
    for (let at = 0; at < 400; at += 1) {
      const slots = [
        { key: `k${at % 7}`, document: at },
        ...(at % 5 === 0 ? [{ key: `k${(at + 3) % 7}` }] : []),
      ];
      await one.append([item("run", at, { slots })]);
    }
    ended = true;
    await Promise.all(folds);
    const expected = new Map<string, number>();
    for (let at = 0; at < 400; at += 1) {
      expected.set(`k${at % 7}`, at);
      if (at % 5 === 0) expected.delete(`k${(at + 3) % 7}`);
    }
    expect((await one.load("run"))?.slots).toEqual(expected);
    expect(await one.check()).toEqual([]);
  });

  it("that do not fit what their record says of them are damage, told by load and by check [STO-check]", async () => {
    const schema = scratchSchema();
    const store = await openForTest({ schema });
    await store.append([item("run", 0, { slots: both(1) })]);
    await sql(`UPDATE "${schema}".log SET document = document || 'x'::bytea`);
    await expect(store.load("run")).rejects.toMatchObject({ code: "store.corrupt" });
    expect((await store.check()).length).toBeGreaterThan(0);
    await sql(
      `UPDATE "${schema}".log SET document = substring(document FOR size), slots = NULL, size = NULL`,
    );
    expect((await store.load("run"))?.slots).toEqual(new Map());
    await sql(`INSERT INTO "${schema}".slots SELECT sid, 9, 'k', '1' FROM "${schema}".streams`);
    expect(await store.check()).toMatchObject([{ stream: "run" }]);
  });
});

describe.skipIf(noServer)("pruning", () => {
  it("waits for what pins a blob at that moment, and keeps the blob [STO-pins]", async () => {
    const schema = scratchSchema();
    const store = await openForTest({ schema });
    const blobs = [{ digest: "b", document: "blob" }];
    await store.append([item("old", 0, { blobs, close: true })]);
    const { default: pg } = await import("pg");
    const other = new pg.Client({ connectionString: url() });
    await other.connect();
    // A commit that pins the blob and is not over.
    await other.query("BEGIN");
    await other.query(`INSERT INTO "${schema}".pins (sid, digest) VALUES (0, 'b')`);
    const pruning = store.prune({ closedBefore: Number.MAX_SAFE_INTEGER });
    await new Promise((resolve) => setTimeout(resolve, 100));
    await other.query("COMMIT");
    await other.end();
    expect(await pruning).toEqual({ streams: 1, records: 1, blobs: 0, more: false });
    expect(await store.blob("b")).toBe("blob");
  });

  it("and writers that bring and pin the same blobs never meet in a broken one [STO-pins]", async () => {
    const stores = await peers(3);
    const digests = ["x", "y"];
    let ended = false;
    const pruning = (async () => {
      while (!ended) await stores[2]?.prune({ closedBefore: Number.MAX_SAFE_INTEGER });
    })();
    const refused = new Set<string>();
    await Promise.all(
      stores.slice(0, 2).map(async (store, n) => {
        for (let run = 0; run < 30; run += 1) {
          const [brought, pinned] = run % 2 === 0 ? digests : [...digests].reverse();
          const answers = await store.append([
            item(`${n}-${run}-a`, 0, { blobs: [{ digest: brought as string, document: run }], close: true }),
            item(`${n}-${run}-b`, 0, { pins: [pinned as string], close: run % 3 !== 0 }),
          ]);
          expect(answers[0]?.kind).toBe("accepted");
          if (answers[1]?.kind === "refused") refused.add(answers[1].failure.kind);
        }
      }),
    );
    ended = true;
    await pruning;
    expect([...refused].filter((kind) => kind !== "not-found")).toEqual([]);
    expect(await stores[0]?.check()).toEqual([]);
  });

  it("frees space that is soon fit for use: vacuum does not wait for a fifth of a table", async () => {
    const schema = scratchSchema();
    await openForTest({ schema });
    const rows = await sql(
      `SELECT c.relname AS name FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
        WHERE n.nspname = $1 AND 'autovacuum_vacuum_scale_factor=0.02' = ANY (c.reloptions) ORDER BY 1`,
      [schema],
    );
    expect(rows.map(({ name }) => name)).toEqual(
      ["streams", "log", "slots", "facets", "dues", "work", "receipts", "notes", "pins"].sort(),
    );
  });
});
