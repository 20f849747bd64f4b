import { describe, expect, it } from "vitest";
import { prepareBatch } from "../src/batch.js";
import {
  createDocuments,
  decide,
  defaultLimits,
  type Item,
  isFailure,
  plainCodec,
  type Snapshot,
} from "../src/index.js";
import { itemFault } from "../src/item-checks.js";

const item: Item = {
  stream: "run",
  commit: "c",
  expect: 0,
  records: [{ kind: "event", document: null }],
  stamp: 0,
};

describe("an item", () => {
  it("is well-formed with its smallest members", () => {
    expect(itemFault(item)).toBeUndefined();
  });

  it.each([
    ["null", null],
    ["a number", 7],
    ["no stream", { ...item, stream: undefined }],
    ["a long kind", { ...item, records: [{ kind: "k".repeat(65), document: null }] }],
    ["no kind", { ...item, records: [null] }],
    ["records that are no list", { ...item, records: { length: 1 } }],
    ["an expectation that is no position", { ...item, expect: "last" }],
    ["a huge position", { ...item, expect: 2 ** 53 }],
    ["slots that are no list", { ...item, slots: {} }],
    ["an empty slot entry", { ...item, slots: [null] }],
    ["a due without instant", { ...item, dues: [{ key: "k" }] }],
    ["work without queue", { ...item, work: [{ id: "w", delay: 0, document: null }] }],
    ["pins that are no list", { ...item, pins: "d" }],
    ["the same pin twice", { ...item, pins: ["d", "d"] }],
    [
      "a foreign item with a pin",
      { ...item, expect: "next", receipts: [{ scope: "s", request: "r", digest: "d" }], pins: ["d"] },
    ],
    ["the same work settled twice", { ...item, settled: ["w", "w"] }],
    [
      "the same receipt twice",
      { ...item, receipts: [1, 2].map(() => ({ scope: "s", request: "r", digest: "d" })) },
    ],
    ["facets that are null", { ...item, facets: null }],
    ["a facet that is a number", { ...item, facets: { a: 1 } }],
    ["an empty owner", { ...item, owner: "" }],
    ["an unknown lift", { ...item, lift: "all" }],
    ["conditions that are no list", { ...item, require: {} }],
    ["a foreign item without receipt", { ...item, expect: "next" }],
    ["a foreign item with a blob", { ...item, expect: "next", blobs: [{ digest: "d", document: 1 }] }],
  ])("with %s is not well-formed [STO-item-checks]", (_what, faulty) => {
    expect(itemFault(faulty as Item)).toEqual(expect.any(String));
  });

  it("is refused in its place, whatever the others are [STO-item-checks]", () => {
    const documents = createDocuments(plainCodec, 100);
    const batch = [item, null as unknown as Item, { ...item, stream: "b" }, item];
    const prepared = prepareBatch(batch, documents, defaultLimits);
    expect(prepared.map((entry) => (isFailure(entry) ? entry.kind : entry.item.stream))).toEqual([
      "run",
      "incompatible",
      "b",
      "incompatible",
    ]);
  });

  it("comes in a batch of a bounded size [STO-item-checks]", () => {
    const documents = createDocuments(plainCodec, 100);
    const limits = { ...defaultLimits, itemsPerBatch: 1 };
    expect(() => prepareBatch([item, item], documents, limits)).toThrow(/at most 1/);
    expect(() => prepareBatch({} as never, documents, limits)).toThrow(/list/);
  });
});

describe("a decision", () => {
  const snapshot: Snapshot = {
    stream: { position: 4, applied: 2, fence: 3, owner: "h", closed: false, createdAt: 7 },
    commitAt: () => undefined,
    receipt: () => undefined,
    work: (id) => (id === "mine" ? { stream: "run" } : id === "other" ? { stream: "elsewhere" } : undefined),
    due: (key) => (key === "d" ? 10 : undefined),
    holder: () => 20,
    blob: (digest) => digest === "there",
  };
  const more = (members: Partial<Item>) => decide({ ...item, expect: 4, ...members }, snapshot, 15);

  it("keeps what the item does not say", () => {
    expect(more({})).toEqual({
      kind: "accepted",
      first: 5,
      last: 5,
      at: 15,
      stream: { position: 5, applied: 2, fence: 3, owner: "h", closed: false, createdAt: 7 },
      fired: [],
    });
  });

  it("changes what the item says, and takes the owner of a closed stream", () => {
    expect(more({ applies: true, fence: true, hold: "export", close: true })).toMatchObject({
      stream: { position: 5, applied: 5, fence: 5, hold: "export", closed: true },
    });
    expect(more({ close: true })).not.toHaveProperty("stream.owner");
    expect(more({ require: [{ kind: "due-present", key: "d" }] })).toMatchObject({ fired: ["d"] });
  });

  it("lets an item replace only its own stream's work [STO-claims]", () => {
    const work = (id: string) => ({ settled: [id], work: [{ id, queue: "q", delay: 0, document: null }] });
    expect(more(work("mine"))).toMatchObject({ kind: "accepted" });
    expect(more(work("other"))).toMatchObject({ kind: "refused", failure: { kind: "conflict" } });
  });

  it("looks for what the item pins, after what it requires [STO-pins]", () => {
    const blobs = [{ digest: "own", document: 1 }];
    expect(more({ pins: ["there", "own"], blobs })).toMatchObject({ kind: "accepted" });
    const missing = { kind: "refused", failure: { kind: "not-found", message: "There is no blob gone." } };
    expect(more({ pins: ["there", "gone"] })).toMatchObject(missing);
    const work = [{ id: "mine", queue: "q", delay: 0, document: null }];
    expect(more({ pins: ["gone"], work, owner: "h", stamp: 10_000 })).toMatchObject(missing);
    expect(more({ pins: ["gone"], require: [{ kind: "due-present", key: "none" }] })).toMatchObject({
      failure: { message: "No due entry none whose instant has come." },
    });
  });

  it("takes work of another stream for gone [STO-preconditions]", () => {
    expect(more({ require: [{ kind: "work-unclaimed", work: "other" }] })).toMatchObject({
      failure: { kind: "not-found" },
    });
  });
});
