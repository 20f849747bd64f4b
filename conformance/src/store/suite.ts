/**
 * The store suite: the same tests for every store, each named after the rule that it shows. It uses the contract only;
 * the caller passes its test runner. Every test has a store of its own. What does not apply to a store, by what the
 * store says of itself, is skipped with the reason; what it claims and its harness does not offer is a failure.
 * Spec: STO-capabilities.
 */
import { claims } from "./areas/claims.js";
import { crash } from "./areas/crash.js";
import { due } from "./areas/due.js";
import { fences } from "./areas/fences.js";
import { holds } from "./areas/holds.js";
import { items } from "./areas/items.js";
import { leases } from "./areas/leases.js";
import { limits } from "./areas/limits.js";
import { lists } from "./areas/lists.js";
import { migrations } from "./areas/migrations.js";
import { order } from "./areas/order.js";
import { peers } from "./areas/peers.js";
import { pruning } from "./areas/pruning.js";
import { receipts } from "./areas/receipts.js";
import { reopen } from "./areas/reopen.js";
import { streams } from "./areas/streams.js";
import { upkeep } from "./areas/upkeep.js";
import { wakeUps } from "./areas/wake-ups.js";
import { Bench, start, TestCodec } from "./bench.js";
import { strictly } from "./equal.js";
import type {
  Need,
  OpenedStore,
  OpenOptions,
  Runner,
  StoreArea,
  StoreHarness,
  StoreTest,
} from "./harness.js";

const all: readonly StoreArea[] = [
  items,
  receipts,
  order,
  streams,
  holds,
  leases,
  claims,
  fences,
  due,
  lists,
  wakeUps,
  limits,
  pruning,
  upkeep,
  peers,
  reopen,
  crash,
  migrations,
];

/** Small enough that the tests reach them. */
const smallLimits: NonNullable<OpenOptions["limits"]> = {
  documentBytes: 2_000,
  recordsPerItem: 8,
  itemBytes: 10_000,
  itemsPerBatch: 64,
};

/** Titles of the areas, in order. */
export const storeAreas: readonly string[] = all.map(({ title }) => title);

/** All tests, in order. */
export const storeTests: readonly { readonly area: string; readonly name: string }[] = all.flatMap(
  ({ title, tests }) => tests.map(([name]) => ({ area: title, name })),
);

export interface SuiteOptions {
  /** Only these of `storeAreas`. Default: all. */
  readonly areas?: readonly string[];
}

/** Registers one group an area with the runner. Throws a TypeError for an area that there is none of. */
export function storeSuite(runner: Runner, harness: StoreHarness, options: SuiteOptions = {}): void {
  const unknown = options.areas?.find((title) => !storeAreas.includes(title));
  if (unknown !== undefined) {
    throw new TypeError(`The store suite has no area ${unknown}; it has ${storeAreas.join(", ")}.`);
  }
  for (const { title, tests } of all) {
    if (options.areas?.includes(title) === false) continue;
    runner.describe(`${harness.name}: ${title}`, () => {
      for (const test of tests) {
        runner.it(test[0], (context) => runOne(test, harness, runner, context));
      }
    });
  }
}

async function runOne(
  [, run, needs = []]: StoreTest,
  harness: StoreHarness,
  { expect = strictly }: Runner,
  context: unknown,
): Promise<void> {
  const time = { now: start };
  const codec = new TestCodec();
  const given: OpenOptions = {
    clock: () => time.now,
    limits: smallLimits,
    ...(needs.includes("codec") && { codec }),
  };
  const opened = await open(harness, given, needs);
  if (opened === undefined) {
    skip(context, "the harness has no storage of an older format");
    return;
  }
  try {
    const bench = new Bench(opened, time, codec);
    const reason =
      needs.map((need) => lack(need, opened)).find((why) => why !== undefined) ??
      (needs.includes("codec") ? await ignores(bench) : undefined);
    if (reason === undefined) await run(bench, expect);
    else skip(context, reason);
  } finally {
    await opened.dispose();
  }
}

function open(harness: StoreHarness, given: OpenOptions, needs: readonly Need[]) {
  return needs.includes("older") ? harness.openOlder?.(given) : harness.open(given);
}

/** Whether a codec matters to the store is seen from what it does with one. */
async function ignores(bench: Bench): Promise<string | undefined> {
  await bench.put(bench.item("probe of the codec", 0));
  return bench.codec.seen.length === 0 ? "the store uses no codec" : undefined;
}

/** Why the test does not apply; throws where the store claims what the harness does not offer. */
function lack(need: Need, opened: OpenedStore): string | undefined {
  const { durable, multiProcess, wakeUps: reach, clock } = opened.store.info.capabilities;
  switch (need) {
    case "clock":
      return clock === "injected" ? undefined : "the store goes by a clock that the suite cannot move";
    case "wake-ups":
      return reach === "none" ? "the store claims no wake-ups" : undefined;
    case "peer":
      if (opened.openPeer !== undefined) return undefined;
      return unclaimed(multiProcess, "multiProcess", "openPeer");
    case "restart":
      if (!durable) return "the store does not claim to be durable";
      if (opened.reopen !== undefined && opened.crash !== undefined) return undefined;
      return unclaimed(durable, "durable", "reopen and crash");
    case "item-bytes":
      if (opened.store.info.limits.itemBytes !== undefined) return undefined;
      return "the store declares no limit for an item's documents together";
    case "damage":
      return opened.damage === undefined ? "the harness cannot damage what is stored" : undefined;
    case "codec":
    case "older":
      return undefined;
  }
}

function unclaimed(claimed: boolean, capability: string, member: string): string {
  if (!claimed) return `the store does not claim ${capability}`;
  throw new TypeError(`The store claims ${capability}; then the harness owes ${member}.`);
}

function skip(context: unknown, reason: string): void {
  const runner = context as { readonly skip?: (reason: string) => void } | undefined;
  if (typeof runner?.skip !== "function") {
    throw new TypeError(`The test does not apply (${reason}), and the runner gives no way to skip it.`);
  }
  runner.skip(reason);
}
