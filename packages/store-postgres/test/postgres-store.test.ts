import type { Item, Store } from "@swl/store-provider";
import { describe, expect, it } from "vitest";
import { noServer, openForTest, scratchSchema, sql } from "./scratch.js";

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

describe.skipIf(noServer)("the rows of a long run", () => {
  it("are its records and the newest of each slot: the older ones go in the background", async () => {
    const schema = scratchSchema();
    const store = await openForTest({ schema, connections: 3 });
    const slots = [{ key: "state", document: "x" }];
    await store.append([item("run", 0, { slots })]);
    const before = await sql(`SELECT xmin::text AS version FROM "${schema}".streams`);
    for (let position = 1; position < 600; position += 1) {
      await store.append([item("run", position, { slots })]);
    }
    // A plain visit changes no row of the stream.
    expect(await sql(`SELECT xmin::text AS version FROM "${schema}".streams`)).toEqual(before);
    const kept = await sql(`SELECT count(*)::int AS n FROM "${schema}".slots`);
    expect(kept[0]?.["n"]).toBeLessThan(600);
    await store.close();
    expect(await sql(`SELECT position FROM "${schema}".slots`)).toEqual([{ position: "600" }]);
    expect(await sql(`SELECT count(*)::int AS n FROM "${schema}".log`)).toEqual([{ n: 600 }]);
  });
});
