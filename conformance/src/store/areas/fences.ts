/**
 * A lease expires, its holder sends a heartbeat and settles what it began, another one takes over: in every order. Each
 * test is one of the six orders of the first three, with the takeover tried before, between and after them.
 * - a heartbeat is taken strictly before the deadline, never at it or after it: STO-leases
 * - of settlement and takeover at one position the first wins; a lease that ran out alone does not refuse a settlement:
 *   STO-preconditions
 * - a takeover while the lease runs is refused, and so is a settlement after a takeover: STO-owner, STO-preconditions
 */
import type { Item } from "@swl/store-provider";
import { type Bench, queues } from "../bench.js";
import type { Expect, StoreArea, StoreTest } from "../harness.js";

type Step = "expire" | "heartbeat" | "settle";

const orders: readonly (readonly Step[])[] = [
  ["expire", "heartbeat", "settle"],
  ["expire", "settle", "heartbeat"],
  ["heartbeat", "expire", "settle"],
  ["heartbeat", "settle", "expire"],
  ["settle", "expire", "heartbeat"],
  ["settle", "heartbeat", "expire"],
];

const lease = 100;

export const fences: StoreArea = {
  title: "fences",
  tests: orders.map((steps): StoreTest => {
    const rule = steps[0] === "expire" ? "STO-leases" : "STO-preconditions";
    const name = `decides ${steps.join(", ")} rightly wherever a takeover comes between [${rule}]`;
    return [name, (bench, expect) => play(bench, expect, steps), ["clock"]];
  }),
};

/** One stream under a holder's lease and one whose work has its own, for every place of the takeover. */
async function play(bench: Bench, expect: Expect, steps: readonly Step[]): Promise<void> {
  await bench.holder("next", 3_600_000);
  const scenes: Scene[] = [];
  for (let place = 0; place <= steps.length; place += 1) {
    for (const own of [false, true]) scenes.push(await setScene(bench, place, own));
  }
  for (let place = 0; place <= steps.length; place += 1) {
    const step = steps[place];
    for (const scene of scenes.filter((one) => one.place === place)) await takeOver(bench, expect, scene);
    if (step === "expire") bench.time.now += lease;
    for (const scene of scenes) {
      if (step === "expire") scene.expired = true;
      if (step === "heartbeat") await beat(bench, expect, scene);
      if (step === "settle") await settle(bench, expect, scene);
    }
  }
}

interface Scene {
  readonly name: string;
  readonly holder: string;
  readonly work: string;
  readonly place: number;
  /** The claim has a lease of its own, as a worker's far away. */
  readonly own: boolean;
  expired: boolean;
  /** What the stream took first at position 2. */
  winner?: "settlement" | "takeover";
}

async function setScene(bench: Bench, place: number, own: boolean): Promise<Scene> {
  const name = `${own ? "own" : "held"}-${place}`;
  const scene = { name, holder: `holder-${name}`, work: `work-${name}`, place, own, expired: false };
  if (!own) await bench.holder(scene.holder, lease);
  const work = [{ id: scene.work, queue: scene.name, delay: 0, document: null }];
  await bench.put(bench.item(name, 0, { applies: true, work, ...(!own && { owner: scene.holder }) }));
  await bench.store.claim(scene.holder, {
    queues: [{ queue: scene.name, limit: 1 }],
    ...(own && { lease }),
  });
  return scene;
}

async function beat({ store }: Bench, expect: Expect, { holder, work, own, expired, winner }: Scene) {
  if (own) {
    // Work that is settled or taken away is nobody's.
    const renewed = expired || winner !== undefined ? [] : [work];
    expect(await store.renewWork(holder, [work], lease)).toEqual(renewed);
  } else {
    expect((await store.renewHolder(holder, lease)).kind).toEqual(expired ? "lease-lost" : "held");
  }
}

async function settle(bench: Bench, expect: Expect, scene: Scene): Promise<void> {
  const { name, work, holder } = scene;
  const at = (position: number) =>
    bench.item(name, position, {
      applies: true,
      settled: [work],
      require: [{ kind: "work-held", work, holder }],
    });
  const late = scene.winner === "takeover";
  expect(await bench.put(at(1))).toEqual(late ? "refused stale" : "accepted 2-2");
  if (late) expect(await bench.put(at(2))).toEqual("refused lease-lost");
  scene.winner ??= "settlement";
}

async function takeOver(bench: Bench, expect: Expect, scene: Scene): Promise<void> {
  const { name, work, holder, own, expired } = scene;
  const orphan = own ? [] : [{ kind: "owner-expired", owner: holder } as const];
  const more: Partial<Item> = { owner: "next", fence: true, require: orphan };
  const at = (position: number) =>
    bench.item(name, position, {
      ...more,
      settled: [work],
      require: [...orphan, { kind: "work-expired", work, holder }],
    });
  if (scene.winner === "settlement") {
    expect(await bench.put(at(1))).toEqual("refused stale");
    expect(await bench.put(at(2))).toEqual("refused claimed");
    // The stream itself may be taken over: its owner is gone.
    if (expired && !own) expect(await bench.put(bench.item(name, 2, more))).toEqual("accepted 3-3");
    return;
  }
  expect(await bench.put(at(1))).toEqual(expired ? "accepted 2-2" : "refused claimed");
  if (!expired) return;
  scene.winner = "takeover";
  const state = await bench.store.load(name);
  expect([state?.owner, state?.fence, state?.work.length]).toEqual(["next", 2, 0]);
  expect(await bench.store.claim("next", { queues })).toEqual([]);
}
