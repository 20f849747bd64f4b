import { describe, expect, it } from "vitest";
import { createDocuments, plainCodec, type StreamContents, streamFaults } from "../src/index.js";

const documents = createDocuments(plainCodec, 1_000);
const good = Uint8Array.of(0x31);
const bad = Uint8Array.of(0x7b);
const record = (position: number, applies = true, document = good) => ({ position, applies, document });

/** An imported log that went on for two records. */
const contents: StreamContents = {
  head: {
    stream: "run",
    position: 8,
    applied: 8,
    fence: 7,
    closed: false,
    facets: {},
    createdAt: 0,
  },
  origin: 6,
  records: [record(7), record(8)],
  documents: [["slot state", good]],
  dues: 1,
  work: 1,
  receipts: [{ request: "r", position: 7 }],
  missingBlobs: [],
};
const { head } = contents;

describe("the check of a stream", () => {
  it("finds nothing where everything is as it was written [STO-check]", () => {
    expect([...streamFaults(contents, documents)]).toEqual([]);
    const closed = { ...contents, head: { ...head, closed: true }, dues: 0, work: 0 };
    expect([...streamFaults(closed, documents)]).toEqual([]);
    const waiting = { ...contents, head: { ...head, applied: 7 }, records: [record(7), record(8, false)] };
    expect([...streamFaults(waiting, documents)]).toEqual([]);
  });

  it.each<[string, Partial<StreamContents>, RegExp]>([
    ["a gap", { records: [record(7), record(9)], head: { ...head, position: 9, applied: 9 } }, /Position 8/],
    ["a beginning that is gone", { records: [record(8)] }, /Position 7/],
    ["an end that is gone", { records: [record(7)], head: { ...head, applied: 7 } }, /ends at 7, not at 8/],
    ["an applied record too few", { head: { ...head, applied: 7 } }, /applied up to 8, not up to 7/],
    ["a fence beyond the end", { head: { ...head, fence: 9 } }, /fence is 9/],
    [
      "a record that does not decode",
      { records: [record(7, true, bad), record(8)] },
      /record 7 cannot be read/,
    ],
    ["a slot that does not decode", { documents: [["slot state", bad]] }, /slot state cannot be read/],
    ["a receipt before the origin", { receipts: [{ request: "r", position: 6 }] }, /points at position 6/],
    ["a receipt beyond the end", { receipts: [{ request: "r", position: 9 }] }, /points at position 9/],
    ["a pin without its blob", { missingBlobs: ["d"] }, /blob d is missing/],
    ["a closed stream with dues", { head: { ...head, closed: true }, work: 0 }, /closed and has 1 dues/],
    ["a closed stream with work", { head: { ...head, closed: true }, dues: 0 }, /1 pieces of work/],
    [
      "a closed stream with an owner",
      { head: { ...head, closed: true, owner: "h" }, dues: 0, work: 0 },
      /has an owner, h/,
    ],
  ])("finds %s [STO-check]", (_what, rest, message) => {
    expect([...streamFaults({ ...contents, ...rest }, documents)]).toEqual([
      { stream: "run", message: expect.stringMatching(message) },
    ]);
  });

  it("finds an empty log [STO-check]", () => {
    const empty = { ...contents, records: [], receipts: [] };
    const messages = [...streamFaults(empty, documents)].map((fault) => fault.message);
    expect(messages).toContain("The log is empty.");
  });
});
