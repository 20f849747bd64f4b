/** How the store suite treats stores that cannot everything, harnesses that lack something, and runners of other kinds. */
import {
  failingStoreTests,
  type Runner,
  storeAreas,
  storeResults,
  storeSuite,
  storeTests,
} from "@swl/conformance/store";
import { openMemoryStore } from "@swl/store-memory";
import type { StoreInfo } from "@swl/store-provider";
import { describe, expect, it } from "vitest";

/** One handle, a clock of its own, nothing that survives; and what it may claim all the same. */
function plain(claims: Partial<StoreInfo["capabilities"]> = {}) {
  return {
    name: "plain",
    async open({ limits, codec }: Parameters<Parameters<typeof storeResults>[0]["open"]>[0]) {
      const store = openMemoryStore({ ...(limits && { limits }), ...(codec && { codec }) });
      const capabilities = { ...store.info.capabilities, ...claims };
      return { store: { ...store, info: { ...store.info, capabilities } }, async dispose() {} };
    },
  };
}

/** What a runner is told, run in the order of registration. */
async function registered(runner: Partial<Runner>, areas: readonly string[], context?: unknown) {
  const groups: string[] = [];
  const tests: (readonly [string, (context?: unknown) => Promise<void>])[] = [];
  storeSuite(
    {
      describe(name, body) {
        groups.push(name);
        body();
      },
      it: (name, body) => tests.push([name, body]),
      ...runner,
    },
    plain(),
    { areas },
  );
  const failed: string[] = [];
  for (const [name, body] of tests)
    await body(context).catch((error) => failed.push(`${name}: ${error.message}`));
  return { groups, names: tests.map(([name]) => name), failed };
}

describe("the store suite", () => {
  it("asks a store only what applies to it, and says what it left out and why [CNF-store-suite]", async () => {
    const results = await storeResults(plain());
    expect(results.filter(({ result }) => result === "failed")).toEqual([]);
    const reasons = results.flatMap(({ result, why }) => (result === "skipped" ? [why] : []));
    expect([...new Set(reasons)].sort()).toEqual([
      "the harness cannot damage what is stored",
      "the harness has no storage of an older format",
      "the store does not claim multiProcess",
      "the store does not claim to be durable",
      "the store goes by a clock that the suite cannot move",
    ]);
    expect(results.length - reasons.length).toBeGreaterThan(50);
  });

  it("skips what a store without wake-ups, or without a codec, cannot be asked [CNF-store-suite]", async () => {
    const silent = await storeResults(plain({ wakeUps: "none" }), { areas: ["wake-ups"] });
    expect(silent.map(({ result }) => result)).toEqual(["passed", ...Array(5).fill("skipped")]);
    const open = async () => ({ store: openMemoryStore(), async dispose() {} });
    const bare = await storeResults({ name: "bare", open }, { areas: ["counting and checking"] });
    expect(bare.map(({ why }) => why)).toContain("the store uses no codec");
  });

  it("fails a store that claims what its harness does not offer [CNF-store-suite]", async () => {
    const several = await failingStoreTests(plain({ multiProcess: true }), { areas: ["peers"] });
    expect(several.map(({ why }) => why)).toContain(
      "The store claims multiProcess; then the harness owes openPeer.",
    );
    expect(several).toHaveLength(storeTests.filter(({ area }) => area === "peers").length);
    const durable = await failingStoreTests(plain({ durable: true }), { areas: ["crashing"] });
    expect(durable[0]?.why).toBe("The store claims durable; then the harness owes reopen and crash.");
  });

  it("never lets a test pass that does not apply, whatever the runner can [CNF-store-suite]", async () => {
    const { failed, names } = await registered({}, ["crashing"]);
    expect(failed).toHaveLength(names.length);
    expect(failed[0]).toContain(
      "(the store does not claim to be durable), and the runner gives no way to skip it",
    );
    const reasons: string[] = [];
    const context = { skip: (reason: string) => reasons.push(reason) };
    expect((await registered({}, ["crashing"], context)).failed).toEqual([]);
    expect(reasons).toHaveLength(names.length);
  });

  it("registers one group an area, of the chosen areas only", async () => {
    const { groups, names, failed } = await registered({}, ["receipts and conflicts", "lists and paging"], {
      skip() {},
    });
    expect(groups).toEqual(["plain: receipts and conflicts", "plain: lists and paging"]);
    expect(names).toEqual(
      storeTests.filter(({ area }) => groups.includes(`plain: ${area}`)).map(({ name }) => name),
    );
    expect(failed).toEqual([]);
    expect(() => storeSuite({ describe, it }, plain(), { areas: ["claim"] })).toThrow(
      "The store suite has no area claim; it has items, ",
    );
    expect(new Set(storeTests.map(({ area }) => area))).toEqual(new Set(storeAreas));
  });

  it("names every test once, with the rule that it shows", () => {
    const names = storeTests.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    expect(names.filter((name) => !/ \[STO-[a-z-]+\]$/.test(name))).toEqual([]);
  });
});
