/**
 * The newest runs as they change. One feed for all readers looks at the list and numbers what changed; a reader that
 * comes back within what is kept gets what it missed, any other gets `reset` and the list as it stands.
 * Spec: INV-http-events.
 */
import type { RunSummary } from "@swl/invocation-control";
import { type Call, empty, type Handler, type ServerCore } from "../call.js";
import type { Queries } from "../contracts/requests.js";
import { Pulse } from "./pulse.js";
import { eventText, heartbeatText, streamed, streamHeaders } from "./sse.js";

/** Runs that the feed follows, newest first; changes that are kept for readers that come back. */
const FOLLOWED = 200;
const KEPT = 2_000;

interface Change {
  readonly sequence: number;
  readonly summary: RunSummary;
}

/** Looks only while somebody reads. */
export class ListFeed {
  readonly #core: ServerCore;
  readonly #epoch = globalThis.crypto.randomUUID().slice(0, 8);
  #seen = new Map<string, RunSummary>();
  #changes: Change[] = [];
  #sequence = 0;
  #looking: Promise<void> | undefined;

  constructor(core: ServerCore) {
    this.#core = core;
  }

  /** Where the feed is after a look of its own. */
  async current(): Promise<{ readonly id: string; readonly runs: readonly RunSummary[] }> {
    await this.look();
    return { id: this.idOf(this.#sequence), runs: [...this.#seen.values()] };
  }

  idOf(sequence: number): string {
    return `${this.#epoch}-${sequence}`;
  }

  /** What changed after an ID of this feed; undefined when that is not known any more. */
  after(id: string): readonly Change[] | undefined {
    const [epoch, number] = id.split("-");
    const sequence = Number(number);
    if (epoch !== this.#epoch || !Number.isInteger(sequence) || sequence > this.#sequence) return undefined;
    const oldest = this.#changes[0]?.sequence ?? this.#sequence + 1;
    return sequence + 1 < oldest ? undefined : this.#changes.filter((change) => change.sequence > sequence);
  }

  /** One look for all who ask meanwhile. */
  look(): Promise<void> {
    this.#looking ??= this.#look().finally(() => {
      this.#looking = undefined;
    });
    return this.#looking;
  }

  async #look(): Promise<void> {
    const { items } = await this.#core.control.list({ limit: FOLLOWED });
    const seen = new Map(items.map((summary) => [summary.run, summary]));
    for (const summary of [...items].reverse()) {
      const before = this.#seen.get(summary.run);
      if (before !== undefined && same(before, summary)) continue;
      this.#changes.push({ sequence: ++this.#sequence, summary });
    }
    this.#seen = seen;
    if (this.#changes.length > KEPT) this.#changes = this.#changes.slice(-KEPT);
  }
}

export function listEvents(feed: () => ListFeed): Handler {
  return async (call) => {
    const { control, core, principal, bare } = call;
    // The feed reads with the server's own rights: whether this bearer may list is asked first.
    await control.list({ limit: 1 });
    if (bare) return empty(200, streamHeaders);
    const release = core.streams.take(principal.id);
    return streamed(events(call, feed()), release);
  };
}

async function* events(call: Call, feed: ListFeed): AsyncGenerator<string, void> {
  const { core, headers, gone } = call;
  const { heartbeat, poll } = core.streams.limits;
  const pulse = new Pulse(core.hints, ({ kind }) => kind !== "work", poll, [gone, core.streams.closing]);
  try {
    const current = await feed.current();
    let last = headers.get("last-event-id") ?? "";
    if (feed.after(last) === undefined) {
      yield eventText({ id: current.id, event: "reset", data: { runs: await wantedOf(call, current.runs) } });
      last = current.id;
    } else yield heartbeatText;
    for (let silent = 0; !pulse.over; ) {
      await feed.look();
      const changes = feed.after(last);
      if (changes === undefined) {
        const now = await feed.current();
        yield eventText({ id: now.id, event: "reset", data: { runs: await wantedOf(call, now.runs) } });
        last = now.id;
      }
      for (const { sequence, summary } of changes ?? []) {
        last = feed.idOf(sequence);
        if (!(await wants(call, summary))) continue;
        silent = 0;
        yield eventText({ id: last, event: "run", data: summary });
      }
      if ((changes?.length ?? 1) > 0) pulse.moved();
      if (silent >= heartbeat) {
        silent = 0;
        yield heartbeatText;
      }
      const began = performance.now();
      await pulse.next(heartbeat);
      silent += performance.now() - began;
    }
  } finally {
    pulse.close();
  }
}

async function wantedOf(call: Call, runs: readonly RunSummary[]): Promise<readonly RunSummary[]> {
  const wanted: RunSummary[] = [];
  for (const summary of runs) if (await wants(call, summary)) wanted.push(summary);
  return wanted;
}

/** INV-authorization: a run that this bearer has no right to list is left out. */
async function wants({ query, may }: Call, { run, workflow }: RunSummary): Promise<boolean> {
  const { workflow: only } = query as Queries["listEvents"];
  if (only !== undefined && workflow !== only) return false;
  return may({ operation: "list", run, dryRun: false, reveal: false });
}

function same(one: RunSummary, other: RunSummary): boolean {
  return one.position === other.position && one.status === other.status && one.hold === other.hold;
}
