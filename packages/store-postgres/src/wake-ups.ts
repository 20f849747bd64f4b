/**
 * Wake-ups between processes by NOTIFY: sent after the commit, in a statement of its own that nobody waits for, many at
 * once. What this process commits its listeners hear without the server. A handle that begins to listen, or does so
 * again, is told what is there by now. Any of it may be lost: hosts look. Spec: STO-wake-ups.
 */
import { createHash, randomUUID } from "node:crypto";
import { createWakeHub, sharedWakeHub, type Wake, type WakeHub } from "@swl/store-provider";
import type { Database } from "./database.js";
import { createListener } from "./listener.js";
import { unappliedStreams } from "./streams.js";
import { claimableQueues } from "./work.js";

export interface WakeUps {
  readonly hub: WakeHub;
  /** Sends what is waiting, and ends the connection. */
  finish(): Promise<void>;
}

export interface WakeUpsOptions {
  readonly database: Database;
  readonly schema: string;
  /** What the handles of this process that share the storage have in common. */
  readonly storage: string;
  /** Address of a server that a session can be had from; absent: nothing is heard of other processes. */
  readonly listenTo?: string;
  readonly clock: () => number | null;
}

/** Bytes; the server takes less than 8,000. */
const longestPayload = 7_900;
/** Milliseconds between two notifications. */
const pace = 5;
/** Of each kind, told to one who begins to listen. */
const present = 100;

const kinds: ReadonlySet<unknown> = new Set(["records", "work", "closed"] satisfies Wake["kind"][]);
const thisProcess = randomUUID();

export function createWakeUps(options: WakeUpsOptions): WakeUps {
  const { database, storage } = options;
  const near = sharedWakeHub(storage);
  const far = createWakeHub();
  const channel = `swl_${createHash("sha256").update(options.schema).digest("hex").slice(0, 16)}`;
  const sender = `${thisProcess} ${createHash("sha256").update(storage).digest("hex").slice(0, 16)}`;
  const notifier = createNotifier(database, channel, sender);
  const listener =
    options.listenTo === undefined
      ? undefined
      : createListener({
          url: options.listenTo,
          channel,
          heard: (payload) => far.tell(readPayload(payload, sender)),
          ready: (missed) => {
            presentWakes(options, missed).then(far.tell, () => {});
          },
        });
  let listening = 0;
  return {
    hub: {
      listen(call) {
        const ends = [near.listen(call), far.listen(call)];
        listening += 1;
        listener?.start();
        return () => {
          if (ends.length === 0) return;
          for (const end of ends.splice(0)) end();
          listening -= 1;
          if (listening === 0) void listener?.stop();
        };
      },
      tell(wakes) {
        near.tell(wakes);
        notifier.send(wakes);
      },
    },
    async finish() {
      await Promise.all([notifier.finish(), listener?.stop()]);
    },
  };
}

/** Gathers what comes while it is sending. */
function createNotifier(database: Database, channel: string, sender: string) {
  let waiting = new Map<string, Wake>();
  let sending: Promise<void> | undefined;
  let hurried = false;

  async function send(): Promise<void> {
    while (waiting.size > 0) {
      const payloads = payloadsOf([...waiting.values()], sender);
      waiting = new Map();
      await database
        .read("SELECT pg_notify($1, p) FROM unnest($2::text[]) AS p", channel, payloads)
        .catch(() => {});
      if (!hurried) await new Promise((resolve) => setTimeout(resolve, pace));
    }
  }

  const start = () => {
    sending ??= send().finally(() => {
      sending = undefined;
    });
    return sending;
  };
  return {
    send(wakes: readonly Wake[]): void {
      for (const wake of wakes) waiting.set(`${wake.kind} ${wake.name}`, wake);
      if (waiting.size > 0) void start();
    },
    async finish(): Promise<void> {
      hurried = true;
      await sending;
      await start();
    },
  };
}

/** As many texts as it takes: none is longer than the server takes. */
export function payloadsOf(wakes: readonly Wake[], sender: string): readonly string[] {
  const payloads: string[] = [];
  const head = `{"from":${JSON.stringify(sender)},"wakes":[`;
  let parts: string[] = [];
  let bytes = 0;
  const flush = () => {
    if (parts.length > 0) payloads.push(`${head}${parts.join(",")}]}`);
    parts = [];
    bytes = head.length + 2;
  };
  flush();
  for (const { kind, name } of wakes) {
    const part = JSON.stringify([kind, name]);
    const size = Buffer.byteLength(part) + 1;
    if (bytes + size > longestPayload) flush();
    parts.push(part);
    bytes += size;
  }
  flush();
  return payloads;
}

/** What somebody else says on the channel, or this handle itself, is nothing. */
export function readPayload(payload: string, ownSender: string): readonly Wake[] {
  let found: { readonly from?: unknown; readonly wakes?: unknown } | null;
  try {
    found = JSON.parse(payload) as typeof found;
  } catch {
    return [];
  }
  if (found?.from === ownSender || !Array.isArray(found?.wakes)) return [];
  return found.wakes.flatMap((entry: unknown) => {
    if (!Array.isArray(entry) || !kinds.has(entry[0]) || typeof entry[1] !== "string") return [];
    return [{ kind: entry[0] as Wake["kind"], name: entry[1] }];
  });
}

/** What may have been told while nobody listened. */
async function presentWakes({ database, clock }: WakeUpsOptions, missed: number): Promise<readonly Wake[]> {
  const now = clock();
  const closed = await database.read(
    `SELECT stream FROM swl.streams WHERE closed AND closed_at >= (SELECT swl.now_by($1)) - $2::bigint
      ORDER BY closed_at DESC LIMIT $3`,
    now,
    Math.ceil(missed) + 1_000,
    present,
  );
  const records = await unappliedStreams(database, present, "");
  const queues = await claimableQueues(database, now, present, "");
  return [
    ...records.map((name) => ({ kind: "records", name }) as const),
    ...queues.map((name) => ({ kind: "work", name }) as const),
    ...closed.map((row) => ({ kind: "closed", name: row["stream"] as string }) as const),
  ];
}
