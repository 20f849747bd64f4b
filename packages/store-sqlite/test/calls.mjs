// One run of everything that can be written to a store, call by call, the same every time; and what anyone can read of
// it afterwards. Used by the process that is killed and by the test that goes on where it was.

export const clock = () => 1_000;

const item = (stream, commit, expect, rest = {}) => ({
  stream,
  commit,
  expect,
  records: [
    { kind: "event", document: { commit, part: 1 } },
    { kind: "event", document: { commit, part: 2 } },
  ],
  slots: [{ key: "state", document: commit }],
  applies: true,
  stamp: 1_000,
  ...rest,
});

const work = (id) => ({ id, queue: "q", delay: 0, document: id });
const receipt = (request) => ({ scope: "s", request, digest: "d" });

export const calls = [
  (store) => store.openHolder("h", { lease: 500, exclusive: true }),
  (store) =>
    store.append([
      item("a", "a1", 0, {
        owner: "h",
        receipts: [receipt("start a")],
        blobs: [{ digest: "b1", document: { blob: 1 } }],
        facets: { workflow: "orders" },
        work: [work("w1"), work("w2")],
        dues: [{ key: "due", at: 900 }],
      }),
      item("b", "b1", 0, { receipts: [receipt("start b")], blobs: [{ digest: "b2", document: 2 }] }),
      item("c", "c1", 0, { work: [work("w3")] }),
    ]),
  (store) =>
    store.append([item("a", "a2", 2, { pins: ["b2"], require: [{ kind: "due-present", key: "due" }] })]),
  (store) =>
    store.append([
      {
        stream: "a",
        commit: "f1",
        expect: "next",
        records: [{ kind: "signal", document: "f" }],
        receipts: [receipt("signal")],
        stamp: 1_000,
      },
    ]),
  (store) => store.claim("h", { queues: [{ queue: "q", limit: 2 }], lease: 100 }),
  (store) => store.renewWork("h", ["w1", "w2"], 200),
  (store) => store.unclaim("h", ["w2"], { delay: 50 }),
  (store) => store.renewHolder("h", 600),
  (store) => store.note("b", "late", { note: true }),
  (store) => store.append([item("a", "a3", 5, { settled: ["w1"], fence: true, hold: "quarantine" })]),
  (store) =>
    store.append([
      item("b", "b2", 2, { close: true }),
      item("c", "c2", 2, { close: true }),
      item("a", "x", 1),
    ]),
  (store) => store.prune({ closedBefore: 1_001, limit: 1 }),
  (store) => store.prune({ closedBefore: 1_001 }),
  (store) => store.closeHolder("h"),
];

/** What a call was answered, or the code of what it threw. */
export async function answerOf(store, call) {
  try {
    return (await call(store)) ?? null;
  } catch (error) {
    return { threw: error.code };
  }
}

/** Everything that can be read, as text. */
export async function dump(store) {
  const streams = {};
  for (const name of ["a", "b", "c"]) {
    const state = await store.load(name);
    streams[name] = state && {
      ...state,
      slots: [...state.slots],
      dues: [...state.dues],
      log: await store.read(name),
      notes: await store.notes(name),
    };
  }
  const receipts = [];
  for (const request of ["start a", "start b", "signal"]) receipts.push(await store.receipt("s", request));
  const { bytes, ...stats } = await store.stats();
  const held = await store.held("h");
  const holders = await store.holders(10);
  const blobs = [await store.blob("b1"), await store.blob("b2")];
  return JSON.stringify({ streams, receipts, blobs, held, holders, stats });
}
