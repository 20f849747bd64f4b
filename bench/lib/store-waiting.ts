/**
 * What a host asks of a store in which many runs wait, against the same of a store with 1,000 of them: the call alone is
 * timed, not what makes something there to be found nor what tidies up behind it. And what a waiting run takes there.
 */
import type { Item, Store } from "@swl/store-provider";
import type { Bench, Subject } from "./harness.ts";
import { loadWaiting, waitingRun } from "./store-loads.ts";
import { append, type Timed, timed, took, visit } from "./store-visits.ts";

/**
 * Sends what wakes somebody else and says the milliseconds from the answer to what was sent until somebody on another
 * handle knows of the stream.
 */
export type WakeUp = (stream: string, send: () => Promise<void>) => Promise<number>;

export interface WaitingPlace {
  readonly store: Store;
  readonly wakeUp: WakeUp;
}

const kinds = ["append", "claim", "due", "wake-up"] as const;
type Operations = { readonly [kind in (typeof kinds)[number]]: Timed };

export interface WaitingOptions {
  /** The larger number. */
  readonly many: number;
  readonly calls: number;
  /** Once the runs are there and nothing has been timed. */
  loaded?(): Promise<unknown>;
  close(): Promise<void>;
}

/** Subjects of a bench, the larger store first, and the lines below them. */
export async function besideWaiting(
  large: WaitingPlace,
  small: WaitingPlace,
  { many, calls, loaded, close }: WaitingOptions,
): Promise<{ readonly subjects: Awaited<ReturnType<Bench["open"]>>; notes(): readonly string[] }> {
  await loadWaiting(small.store, 1_000);
  const own = await loadWaiting(large.store, many);
  await loaded?.();
  const beyond = ((await large.store.stats()).bytes! - own) / many;
  const full = await operations(large, many, calls);
  const few = await operations(small, 1_000, calls);
  const [first, second, ...others] = kinds.flatMap((kind) => [full[kind].subject, few[kind].subject]);
  others.push({ ...(others.pop() as Subject), close });
  return {
    subjects: [first!, second!, ...others],
    notes() {
      const ratios = kinds.map((kind) => `${kind} ${(full[kind].p50() / few[kind].p50()).toFixed(2)}`);
      const millis = kinds.map((kind) => `${kind} ${full[kind].p50().toFixed(3)}`);
      return [
        `p50 against 1,000 runs: ${ratios.join(", ")} times (asked: 1.3 each)`,
        `p50 beside ${many.toLocaleString("en")}, in ms: ${millis.join(", ")}`,
        `${Math.round(beyond)} bytes of store a waiting run beyond its own data (asked: 1,024)`,
      ];
    },
  };
}

async function operations({ store, wakeUp }: WaitingPlace, runs: number, calls: number): Promise<Operations> {
  const positions = new Map<string, number>();
  let seed = 1;
  let names = 0;
  const any = () => {
    seed = (seed * 48_271) % 2_147_483_647;
    return waitingRun(seed % runs);
  };
  /** The run's host goes on with it: everything that is in its log by now is applied. */
  const goOn = async (stream: string, more: Partial<Item> = {}) => {
    const position = positions.get(stream) ?? 1;
    await append(store, [visit(stream, position, more)]);
    positions.set(stream, position + 1);
  };
  /** Somebody else sends a run an event. */
  const signal = async (stream: string) => {
    const name = `signal ${names++}`;
    const [record] = visit(stream, 0).records;
    await append(store, [
      {
        stream,
        commit: name,
        expect: "next",
        records: [record!],
        receipts: [{ scope: stream, request: name, digest: name }],
        stamp: 0,
      },
    ]);
    positions.set(stream, (positions.get(stream) ?? 1) + 1);
  };
  const holder = "host";
  await store.openHolder(holder, { lease: 86_400_000, exclusive: false });
  const beside = `${runs.toLocaleString("en")} runs wait`;
  return {
    append: timed(`append, ${beside}`, "append", calls, async () => {
      const stream = any();
      return (await took(() => goOn(stream))).ms;
    }),
    claim: timed(`claim, ${beside}`, "claim", calls, async () => {
      const [stream, id] = [any(), `work ${names++}`];
      await goOn(stream, { work: [{ id, queue: "now", delay: 0, document: null }] });
      const queues = [{ queue: "now", limit: 1 }];
      const { answer, ms } = await took(() => store.claim(holder, { queues }));
      demand(answer[0]?.id, id);
      await goOn(stream, { settled: [id] });
      return ms;
    }),
    due: timed(`due, ${beside}`, "look", calls, async () => {
      const stream = any();
      await goOn(stream, { dues: [{ key: "now", at: 1 }] });
      const { answer, ms } = await took(() => store.due(1));
      demand(answer[0]?.stream, stream);
      await goOn(stream, { dues: [{ key: "now", at: null }] });
      return ms;
    }),
    "wake-up": timed(`wake-up, ${beside}`, "wake-up", calls, async () => {
      const stream = any();
      const ms = await wakeUp(stream, () => signal(stream));
      await goOn(stream);
      return ms;
    }),
  };
}

/** What was to be found is what was found. */
export function demand(found: string | undefined, wanted: string): void {
  if (found !== wanted) throw new Error(`${found ?? "nothing"} was found instead of ${wanted}`);
}
