/**
 * A crash between any two calls, and with calls under way.
 * - what was answered is there; the same call again changes nothing; going on leads where it led without the crash:
 *   STO-durability, STO-commit-repeat
 */
import { canonicalize, type Item, type Store } from "@swl/store-provider";
import { inWords } from "../bench.js";
import type { StoreArea } from "../harness.js";

const hour = 3_600_000;

export const crash: StoreArea = {
  title: "crashing",
  tests: [
    [
      "goes on after a crash between any two calls as if there had been none [STO-durability]",
      async (bench, expect) => {
        const calls = story("0").length;
        const told: unknown[] = [];
        const views: string[] = [];
        for (const call of story("0")) {
          told.push(await call(bench.store));
          views.push(await view(bench.store, "0"));
        }
        let store = bench.store;
        for (let moment = 1; moment <= calls; moment += 1) {
          const name = String(moment);
          const steps = story(name);
          for (const [index, call] of steps.entries()) {
            expect(await call(store)).toEqual(told[index]);
            if (index + 1 !== moment) continue;
            store = await bench.crash();
            expect(await view(store, name)).toEqual(views[index]);
            // The answer may have been lost with the process.
            expect(first(await call(store))).toEqual(first(told[index]));
          }
          expect(await view(store, name)).toEqual(views.at(-1));
        }
        expect(await store.check()).toEqual([]);
      },
      ["restart"],
    ],
    [
      "has every item whole or not at all after a crash with calls under way [STO-durability]",
      async (bench, expect) => {
        const item = (n: number): Item => ({
          stream: `run-${n}`,
          commit: "c",
          expect: 0,
          records: [1, 2, 3].map((document) => ({ kind: "k", document })),
          stamp: 0,
          slots: [{ key: "s", document: n }],
          work: [{ id: `w-${n}`, queue: "q", delay: 0, document: n }],
          receipts: [{ scope: "start", request: `k-${n}`, digest: "d" }],
        });
        const numbers = Array.from({ length: 12 }, (_, n) => n);
        const underWay = numbers.map((n) =>
          bench.store.append([item(n)]).then(
            () => n,
            () => undefined,
          ),
        );
        const answered = await underWay[0];
        const store = await bench.crash();
        if (answered !== undefined) expect((await store.head("run-0"))?.position).toEqual(3);
        for (const n of numbers) {
          const [answer] = await store.append([item(n)]);
          expect(answer && inWords(answer).replace(" again", "")).toEqual("accepted 1-3");
          const state = await store.load(`run-${n}`);
          expect([state?.position, state?.slots.get("s"), state?.work.length]).toEqual([3, n, 1]);
          expect((await store.receipt("start", `k-${n}`))?.stream).toEqual(`run-${n}`);
        }
        expect(await store.check()).toEqual([]);
      },
      ["restart"],
    ],
  ],
};

/** The life of one stream, call by call; each may be made twice. */
function story(name: string): readonly ((store: Store) => Promise<unknown>)[] {
  const stream = `run-${name}`;
  const holder = `holder-${name}`;
  const queue = `queue-${name}`;
  const work = (id: string) => ({ id: `${id}-${name}`, queue, delay: 0, document: id });
  const put = (expected: Item["expect"], more: Partial<Item>) => async (store: Store) => {
    const base = { stream, commit: `c-${expected}-${Object.keys(more)[0]}`, expect: expected, stamp: 0 };
    const [answer] = await store.append([
      { ...base, records: [{ kind: "k", document: base.commit }], ...more },
    ]);
    return answer && inWords(answer);
  };
  const request = (id: string) => ({ receipts: [{ scope: stream, request: id, digest: "d" }] });
  return [
    async (store) => (await store.openHolder(holder, { lease: hour, exclusive: false })).kind,
    put(0, {
      owner: holder,
      work: [work("w1"), work("w2")],
      slots: ["a", "b"].map((key) => ({ key, document: key })),
      dues: [{ key: "d", at: 1 }],
      facets: { [`label-${name}`]: "open" },
      blobs: [{ digest: `blob-${name}`, document: 1 }],
      receipts: [{ scope: "start", request: `start-${name}`, digest: "d" }],
      applies: true,
    }),
    put("next", { ...request("r1") }),
    async (store) => {
      await store.claim(holder, { queues: [{ queue, limit: 2 }] });
      // What a lost answer had given is still held.
      return (await store.held(holder)).map(({ document }) => document);
    },
    put(2, { settled: [`w1-${name}`], slots: [{ key: "a", document: 2 }, { key: "b" }], applies: true }),
    (store) => store.note(stream, "e", 1),
    async (store) => (await store.renewHolder(holder, hour)).kind,
    async (store) => store.unclaim(holder, [`w2-${name}`]),
    put("next", { hold: "quarantine", ...request("r2") }),
    put(4, { lift: "quarantine", fence: true, require: [{ kind: "due-present", key: "d" }], applies: true }),
    put("next", { close: true, ...request("r3") }),
    async (store) => store.closeHolder(holder),
  ];
}

/** What a repeated call may answer otherwise: that it is repeated, and that a note is there. */
function first(answer: unknown): unknown {
  return typeof answer === "string"
    ? answer.replace(" again", "")
    : typeof answer === "boolean"
      ? "noted"
      : answer;
}

async function view(store: Store, name: string): Promise<string> {
  const stream = `run-${name}`;
  const state = await store.load(stream);
  const text = JSON.stringify([
    { ...state, createdAt: 0, slots: [...(state?.slots ?? [])], dues: [...(state?.dues ?? [])] },
    await store.read(stream),
    await store.notes(stream),
    await store.receipt("start", `start-${name}`),
    await store.receipt(stream, "r2"),
    await store.blob(`blob-${name}`),
    await store.held(`holder-${name}`),
    (await store.queues(999)).filter((queue) => queue === `queue-${name}`),
    (await store.list({ facets: { [`label-${name}`]: "open" } })).items.map(({ position }) => position),
  ]);
  const plain = text
    .replaceAll(`-${name}"`, '-n"')
    .replace(/"at":\d+/g, '"at":0')
    .replace(/"createdAt":\d+/g, '"createdAt":0');
  return canonicalize(JSON.parse(plain));
}
