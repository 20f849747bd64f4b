import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createGate } from "../src/gate.js";
import {
  compareIds,
  createBackoff,
  createDocuments,
  createTurns,
  failureKinds,
  isFailure,
  type Json,
  plainCodec,
  resolveLimits,
  retryOf,
  storeError,
} from "../src/index.js";

const codeOf = async (call: () => unknown) => {
  try {
    return await call();
  } catch (error) {
    return (error as { readonly code?: unknown }).code;
  }
};

describe("documents", () => {
  const { encode, decode } = createDocuments(plainCodec, 1_000_000);
  const decodeEncoded = (document: Json) => {
    const bytes = encode(document);
    return isFailure(bytes) ? bytes : decode(bytes);
  };

  it("come back as the same value [STO-documents]", () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5 }), (value) => {
        // JSON has no negative zero.
        const document = JSON.parse(JSON.stringify(value)) as Json;
        expect(decodeEncoded(document)).toStrictEqual(document);
      }),
      { numRuns: 300 },
    );
  });

  it("have the same bytes whatever the order of their keys [STO-documents]", () => {
    expect(encode({ b: 1, a: [{ d: 2, c: 3 }] })).toEqual(encode({ a: [{ c: 3, d: 2 }], b: 1 }));
  });

  it.each([undefined, Number.NaN, 1n, new Date(0), { a: undefined }, "\ud800", () => 1, new Map()])(
    "that are no JSON are incompatible: %s [STO-item-checks]",
    (document) => {
      expect(encode(document)).toMatchObject({ kind: "incompatible", retry: "never" });
    },
  );

  it("are measured in stored bytes [STO-item-checks]", () => {
    const grow = (bytes: Uint8Array) => Uint8Array.from([...bytes, 0, 0]);
    const small = createDocuments({ name: "grow", encode: grow, decode: (bytes) => bytes }, 6);
    expect(small.encode("xx")).toHaveLength(6);
    expect(small.encode("xxx")).toMatchObject({ kind: "quota" });
  });

  it.each<readonly [string, (bytes: Uint8Array) => unknown]>([
    ["a promise", async (bytes) => bytes],
    ["text", (bytes) => new TextDecoder().decode(bytes)],
    ["a list", (bytes) => [...bytes]],
    ["nothing", () => undefined],
  ])("of which a codec makes %s cannot be stored, nor read [STO-documents]", async (_what, broken) => {
    const wrong = broken as (bytes: Uint8Array) => Uint8Array;
    const codec = { name: "broken", encode: wrong, decode: wrong };
    const { encode: store, decode: read } = createDocuments(codec, 1_000);
    expect(await codeOf(() => store("x"))).toBe("store.unavailable");
    expect(await codeOf(() => read(Uint8Array.of(0x31)))).toBe("store.corrupt");
  });

  it("keep their bytes when a codec works in place, in one buffer [STO-documents]", () => {
    const buffer = new Uint8Array(100);
    const flip = (bytes: Uint8Array) => {
      for (const [index, byte] of bytes.entries()) bytes[index] = byte ^ 1;
      buffer.set(bytes);
      return buffer.subarray(0, bytes.length);
    };
    const { encode: store, decode: read } = createDocuments(
      { name: "flip", encode: flip, decode: flip },
      100,
    );
    const [one, two] = ["one", "two"].map((text) => store(text) as Uint8Array);
    for (const _again of [1, 2]) {
      expect([one, two].map((bytes) => read(bytes as Uint8Array))).toEqual(["one", "two"]);
    }
  });

  it("that do not decode are corrupt [STO-documents]", async () => {
    for (const bytes of [new Uint8Array(0), Uint8Array.of(0xff), Uint8Array.of(0x7b)]) {
      expect(await codeOf(() => decode(bytes))).toBe("store.corrupt");
    }
  });
});

describe("failures", () => {
  it("are thrown with the word of their kind and what can help [STO-failure-kinds]", () => {
    for (const kind of failureKinds) {
      const error = storeError(kind, "m");
      expect([error.code, error.details]).toEqual([`store.${kind}`, { retry: retryOf[kind] }]);
    }
    expect(failureKinds.filter((kind) => retryOf[kind] === "same")).toEqual([
      "unavailable",
      "unknown-commit",
    ]);
  });
});

describe("a back-off", () => {
  it("doubles its delays up to the longest, never below half, and ends with the total", () => {
    const backoff = createBackoff({ first: 4, longest: 16, total: 100, random: () => 0 });
    expect([0, 0, 0, 0].map(() => backoff.next(0))).toEqual([2, 4, 8, 8]);
    expect(backoff.next(95)).toBe(5);
    expect(backoff.next(100)).toBeUndefined();
    expect(createBackoff({ first: 4, random: () => 0.5 }).next(0)).toBe(3);
  });
});

describe("a gate", () => {
  it("waits for calls under way, then refuses further ones [STO-store-close]", async () => {
    const gate = createGate("s");
    const steps: string[] = [];
    let finish = () => {};
    const call = gate.run(async () => {
      await new Promise<void>((resolve) => {
        finish = resolve;
      });
      steps.push("call");
    });
    const closing = gate.close(() => void steps.push("released"));
    expect(await codeOf(() => gate.run(() => 1))).toBe("store.unavailable");
    finish();
    await Promise.all([call, closing, gate.close(() => void steps.push("again"))]);
    expect(steps).toEqual(["call", "released"]);
  });

  it("turns what a call throws into a rejection", async () => {
    const thrown = storeError("quota", "q");
    const gate = createGate("s");
    await expect(
      gate.run(() => {
        throw thrown;
      }),
    ).rejects.toBe(thrown);
  });
});

describe("the order of IDs", () => {
  it("is the order of their UTF-8 bytes [STO-host-queries]", () => {
    const unit = fc.constantFrom("a", "b", "\u00e9", "\uffee", "\u{1f600}", "\u{10ffff}");
    const id = fc.string({ unit, minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(id, id, (a, b) => {
        expect(Math.sign(compareIds(a, b))).toBe(Buffer.compare(Buffer.from(a), Buffer.from(b)));
      }),
      { numRuns: 500 },
    );
  });
});

describe("limits", () => {
  it("are whole numbers from 1", async () => {
    expect(resolveLimits({ itemsPerBatch: 7 })).toMatchObject({ itemsPerBatch: 7, recordsPerItem: 256 });
    for (const documentBytes of [0, 1.5, Number.NaN]) {
      expect(await codeOf(() => resolveLimits({ documentBytes }))).toBe("store.incompatible");
      expect(await codeOf(() => resolveLimits({ itemBytes: documentBytes }))).toBe("store.incompatible");
    }
  });
});

describe("turns", () => {
  it("let nothing begin before what was given earlier has ended, also by failing", async () => {
    const inTurn = createTurns();
    const steps: string[] = [];
    let fail = () => {};
    const first = inTurn(
      () =>
        new Promise((_, reject) => {
          steps.push("first begins");
          fail = () => reject(storeError("quota", "q"));
        }),
    );
    const second = inTurn(async () => steps.push("second"));
    await new Promise((resolve) => setImmediate(resolve));
    expect(steps).toEqual(["first begins"]);
    fail();
    expect(await codeOf(() => first)).toBe("store.quota");
    expect(await second).toBe(2);
  });
});
