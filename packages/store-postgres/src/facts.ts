/**
 * All that a batch's decisions look up, fetched with one statement, and kept up to date while the batch is decided item
 * by item: what one item changes, the next one sees. Nothing is locked; the commit makes sure that it is still so.
 */
import type {
  AcceptedItem,
  CommitFacts,
  Hold,
  PreparedItem,
  Receipt,
  Snapshot,
  StreamFacts,
} from "@swl/store-provider";
import type { Statements } from "./database.js";

export interface StreamRow {
  readonly sid: number;
  readonly facts: StreamFacts;
}

interface WorkFacts {
  readonly stream: string;
  readonly sid: number;
  readonly holder?: string;
  readonly until?: number;
}

/** The item whose first record is at a position of the log `l`. */
const commitFacts = `json_build_object('commit', l.commit_id, 'first', l.position, 'at', l.at, 'last', coalesce(
    (SELECT min(b.position) FROM swl.log b
      WHERE b.sid = l.sid AND b.position > l.position AND b.commit_id <> l.commit_id),
    (SELECT max(e.position) FROM swl.log e WHERE e.sid = l.sid) + 1) - 1)`;

/** What the row of a stream `s` says, as `StreamRow` wants it. */
export const streamColumns = `'sid', s.sid, 'stream', s.stream, 'origin', s.origin, 'applied', s.applied,
  'fence', s.fence, 'owner', s.owner, 'hold', s.hold, 'closed', s.closed, 'createdAt', s.created_at,
  'position', (SELECT max(m.position) FROM swl.log m WHERE m.sid = s.sid)`;

const load = `SELECT swl.now_by($2) AS now,
  (SELECT json_agg(nextval('swl.stream_numbers')) FROM generate_series(1, ($1::jsonb->>'creations')::int)) AS sids,
  (SELECT json_agg(json_build_object(${streamColumns},
      'ownerUntil', (SELECT h.until FROM swl.holders h WHERE h.holder = s.owner),
      'probe', (SELECT ${commitFacts} FROM swl.log l WHERE l.sid = s.sid AND l.position = i.probe)))
    FROM jsonb_to_recordset($1::jsonb->'streams') AS i (stream text, probe bigint)
    JOIN swl.streams s ON s.stream = i.stream) AS streams,
  (SELECT json_agg(json_build_object('scope', r.scope, 'request', r.request, 'digest', r.digest,
      'stream', s.stream, 'position', r.position, 'at', r.at,
      'commit', (SELECT ${commitFacts} FROM swl.log l WHERE l.sid = r.sid AND l.position = r.position)))
    FROM jsonb_to_recordset($1::jsonb->'receipts') AS i (scope text, request text)
    JOIN swl.receipts r ON r.scope = i.scope AND r.request = i.request
    JOIN swl.streams s ON s.sid = r.sid) AS receipts,
  (SELECT json_agg(json_build_object('id', w.id, 'stream', s.stream, 'sid', w.sid,
      'holder', w.holder, 'until', w.until))
    FROM jsonb_array_elements_text($1::jsonb->'work') AS i (id)
    JOIN swl.work w ON w.id = i.id JOIN swl.streams s ON s.sid = w.sid) AS work,
  (SELECT json_agg(json_build_object('stream', i.stream, 'key', d.key, 'at', d.at))
    FROM jsonb_to_recordset($1::jsonb->'dues') AS i (stream text, key text)
    JOIN swl.streams s ON s.stream = i.stream
    JOIN swl.dues d ON d.sid = s.sid AND d.key = i.key) AS dues,
  (SELECT json_agg(json_build_object('holder', h.holder, 'until', h.until))
    FROM jsonb_array_elements_text($1::jsonb->'holders') AS i (holder)
    JOIN swl.holders h ON h.holder = i.holder) AS holders,
  (SELECT json_agg(b.digest) FROM jsonb_array_elements_text($1::jsonb->'pins') AS i (digest)
    JOIN swl.blobs b ON b.digest = i.digest) AS blobs`;

/** Name of a pair of IDs: no ID contains NUL. */
const pair = (left: string, right: string) => `${left}\0${right}`;

export class Facts {
  readonly now: number;
  readonly streams = new Map<string, StreamRow>();
  readonly #sids: number[];
  readonly #commits = new Map<string, CommitFacts>();
  readonly #receipts = new Map<string, Receipt>();
  readonly work = new Map<string, WorkFacts>();
  readonly #dues = new Map<string, number>();
  readonly #holders = new Map<string, number>();
  readonly #blobs: Set<string>;

  /** @param row what `load` gave */
  constructor(row: Readonly<Record<string, unknown>>) {
    this.now = row["now"] as number;
    this.#sids = [...listOf<number>(row["sids"])];
    this.#blobs = new Set(listOf<string>(row["blobs"]));
    for (const found of listOf<StreamJson & { ownerUntil: number | null; probe: CommitFacts | null }>(
      row["streams"],
    )) {
      this.streams.set(found.stream, { sid: found.sid, facts: factsOf(found) });
      this.#addCommit(found.stream, found.probe);
      if (found.owner !== null && found.ownerUntil !== null) {
        this.#holders.set(found.owner, found.ownerUntil);
      }
    }
    for (const { commit, ...receipt } of listOf<Receipt & { commit: CommitFacts | null }>(row["receipts"])) {
      this.#receipts.set(pair(receipt.scope, receipt.request), receipt);
      this.#addCommit(receipt.stream, commit);
    }
    for (const { id, stream, sid, holder, until } of listOf<WorkJson>(row["work"])) {
      this.work.set(id, {
        stream,
        sid,
        ...(holder !== null && { holder }),
        ...(until !== null && { until }),
      });
    }
    for (const { stream, key, at } of listOf<{ stream: string; key: string; at: number }>(row["dues"])) {
      this.#dues.set(pair(stream, key), at);
    }
    for (const { holder, until } of listOf<{ holder: string; until: number }>(row["holders"])) {
      this.#holders.set(holder, until);
    }
  }

  #addCommit(stream: string, found: CommitFacts | null): void {
    if (found !== null) this.#commits.set(pair(stream, String(found.first)), found);
  }

  snapshot(stream: string): Snapshot {
    return {
      stream: this.streams.get(stream)?.facts,
      commitAt: (position) => this.#commits.get(pair(stream, String(position))),
      receipt: (scope, request) => this.#receipts.get(pair(scope, request)),
      work: (id) => this.work.get(id),
      due: (key) => this.#dues.get(pair(stream, key)),
      holder: (holder) => this.#holders.get(holder),
      blob: (digest) => this.#blobs.has(digest),
    };
  }

  /** What later items of the batch must know of an accepted one. Its stream's number. */
  accept({ item }: PreparedItem, { first, at, stream: facts }: AcceptedItem): number {
    const sid = this.streams.get(item.stream)?.sid ?? (this.#sids.shift() as number);
    this.streams.set(item.stream, { sid, facts });
    for (const { scope, request, digest } of item.receipts ?? []) {
      const receipt = { scope, request, digest, stream: item.stream, position: first, at };
      this.#receipts.set(pair(scope, request), receipt);
    }
    for (const { digest } of item.blobs ?? []) this.#blobs.add(digest);
    for (const id of item.settled ?? []) {
      if (this.work.get(id)?.stream === item.stream) this.work.delete(id);
    }
    for (const { id } of item.work ?? []) this.work.set(id, { stream: item.stream, sid });
    if (facts.closed) {
      for (const [id, { stream }] of this.work) if (stream === item.stream) this.work.delete(id);
    }
    return sid;
  }
}

interface StreamJson {
  readonly sid: number;
  readonly stream: string;
  readonly position: number;
  readonly applied: number | null;
  readonly fence: number;
  readonly owner: string | null;
  readonly hold: Hold | null;
  readonly closed: boolean;
  readonly createdAt: number;
}

interface WorkJson {
  readonly id: string;
  readonly stream: string;
  readonly sid: number;
  readonly holder: string | null;
  readonly until: number | null;
}

function listOf<T>(value: unknown): readonly T[] {
  return (value ?? []) as readonly T[];
}

/** From what `streamColumns` gives. */
export function factsOf(row: StreamJson): StreamFacts {
  return {
    position: row.position,
    applied: row.applied ?? row.position,
    fence: row.fence,
    ...(row.owner !== null && { owner: row.owner }),
    ...(row.hold !== null && { hold: row.hold }),
    closed: row.closed,
    createdAt: row.createdAt,
  };
}

export async function loadFacts(
  call: Statements,
  items: readonly PreparedItem[],
  clock: number | null,
): Promise<Facts> {
  const [row] = await call.read(load, JSON.stringify(questions(items)), clock);
  return new Facts(row ?? {});
}

function questions(items: readonly PreparedItem[]) {
  const work = new Set<string>();
  const holders = new Set<string>();
  const receipts = new Map<string, { readonly scope: string; readonly request: string }>();
  const dues: { readonly stream: string; readonly key: string }[] = [];
  for (const { item } of items) {
    for (const { scope, request } of item.receipts ?? []) {
      receipts.set(pair(scope, request), { scope, request });
    }
    for (const { id } of item.work ?? []) work.add(id);
    for (const condition of item.require ?? []) {
      if ("work" in condition) work.add(condition.work);
      if ("holder" in condition) holders.add(condition.holder);
      if ("owner" in condition) holders.add(condition.owner);
      if ("key" in condition) dues.push({ stream: item.stream, key: condition.key });
    }
    if (typeof item.owner === "string") holders.add(item.owner);
  }
  return {
    creations: items.filter(({ item }) => item.expect === 0).length,
    streams: items.map(({ item }) => ({ stream: item.stream, probe: probeOf(item) })),
    receipts: [...receipts.values()],
    work: [...work],
    dues,
    holders: [...holders],
    pins: [...new Set(items.flatMap(({ item }) => item.pins ?? []))],
  };
}

/** Where a host's item would stand if it had been accepted before. */
function probeOf({ expect, origin }: PreparedItem["item"]): number | null {
  if (expect === "next") return null;
  return (expect === 0 ? (origin ?? 0) : expect) + 1;
}
