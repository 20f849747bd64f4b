import { describe, expect, it } from "vitest";
import { prepareBatch } from "../src/batch.js";
import {
  type AcceptedItem,
  changesOf,
  createDocuments,
  defaultLimits,
  type Item,
  isFailure,
  plainCodec,
} from "../src/index.js";

const documents = createDocuments(plainCodec, 1_000);
const bytes = (value: unknown) => new TextEncoder().encode(JSON.stringify(value));

const item: Item = {
  stream: "run",
  commit: "c",
  expect: 4,
  records: [
    { kind: "event", document: 1 },
    { kind: "event", document: 2 },
  ],
  applies: true,
  slots: [{ key: "new", document: 3 }, { key: "gone" }],
  dues: [
    { key: "set", at: 50 },
    { key: "unset", at: null },
  ],
  work: [{ id: "w", queue: "q", delay: 7, document: 4 }],
  settled: ["old"],
  withdraw: ["w"],
  receipts: [{ scope: "s", request: "r", digest: "d" }],
  facets: { a: "b" },
  blobs: [{ digest: "b1", document: 5 }],
  pins: ["b1", "b2"],
  stamp: 0,
};
const accepted: AcceptedItem = {
  kind: "accepted",
  first: 5,
  last: 6,
  at: 100,
  stream: { position: 6, applied: 6, fence: 0, closed: false, createdAt: 0 },
  fired: ["due"],
};

function changes(rest: Partial<Item> = {}, closed = false) {
  const [prepared] = prepareBatch([{ ...item, ...rest }], documents, defaultLimits);
  if (prepared === undefined || isFailure(prepared)) throw new TypeError("refused");
  return changesOf(prepared, { ...accepted, stream: { ...accepted.stream, closed } });
}

describe("what an accepted item changes", () => {
  it("is every row of it [STO-atomic-item]", () => {
    const record = { kind: "event", commit: "c", at: 100 };
    expect(changes()).toEqual({
      records: [
        { ...record, position: 5, applies: false, document: bytes(1) },
        { ...record, position: 6, applies: true, document: bytes(2) },
      ],
      slots: [
        { key: "new", document: bytes(3) },
        { key: "gone", document: undefined },
      ],
      receipts: [{ scope: "s", request: "r", digest: "d", stream: "run", position: 5, at: 100 }],
      facets: [["a", "b"]],
      blobs: [{ digest: "b1", document: bytes(5) }],
      pins: ["b1", "b2"],
      settled: ["old"],
      work: [{ id: "w", queue: "q", notBefore: 107, document: bytes(4) }],
      withdrawn: ["w"],
      unset: ["due", "unset"],
      dues: [{ key: "set", at: 50 }],
    });
  });

  it("has no work and no dues when it closes the stream [STO-closed-stream]", () => {
    expect(changes({ close: true }, true)).toMatchObject({ work: [], withdrawn: [], unset: [], dues: [] });
  });
});
