/** Holders and their leases, and the claims they make. A lease runs strictly before its deadline and never comes back. */
import { type ClaimOptions, compareIds, type HolderAnswer, isLive, storeError } from "@swl/store-provider";
import type { Backing, WorkRow } from "./backing.js";

export function openHolder(
  backing: Backing,
  holder: string,
  lease: number,
  exclusive: boolean,
  now: number,
): HolderAnswer {
  if (backing.holders.has(holder)) return renewHolder(backing, holder, lease, now);
  if (exclusive) {
    const active = liveHolder(backing, now);
    if (active !== undefined) return { kind: "active", holder: active[0], until: active[1], now };
    // Whoever lost to this one stays lost, even when the clock is set back.
    for (const other of backing.holders.keys()) backing.holders.set(other, 0);
  }
  backing.holders.set(holder, now + lease);
  return { kind: "held", until: now + lease, now };
}

/** Of the live ones, the one whose lease runs longest. */
function liveHolder(backing: Backing, now: number): readonly [string, number] | undefined {
  return [...backing.holders]
    .filter(([, until]) => isLive(until, now))
    .sort(([a, left], [b, right]) => right - left || compareIds(a, b))[0];
}

export function renewHolder(backing: Backing, holder: string, lease: number, now: number): HolderAnswer {
  if (!isLive(backing.holders.get(holder), now)) {
    closeHolder(backing, holder);
    return { kind: "lease-lost", now };
  }
  backing.holders.set(holder, now + lease);
  return { kind: "held", until: now + lease, now };
}

export function liveHolders(
  backing: Backing,
  limit: number,
  now: number,
): readonly { readonly holder: string; readonly until: number }[] {
  return [...backing.holders]
    .filter(([, until]) => isLive(until, now))
    .sort(([a], [b]) => compareIds(a, b))
    .slice(0, limit)
    .map(([holder, until]) => ({ holder, until }));
}

export function closeHolder(backing: Backing, holder: string): void {
  if (backing.holders.has(holder)) backing.holders.set(holder, 0);
}

export function claim(
  backing: Backing,
  holder: string,
  options: ClaimOptions,
  now: number,
): readonly WorkRow[] {
  if (options.lease === undefined && !isLive(backing.holders.get(holder), now)) {
    throw storeError("lease-lost", `The lease of holder ${holder} has run out.`);
  }
  const claimed: WorkRow[] = [];
  for (const { queue, limit } of options.queues) {
    const found: WorkRow[] = [];
    for (const row of claimableOf(backing, queue, now)) {
      if (found.length >= limit) break;
      found.push(row);
    }
    for (const row of found) {
      const after: WorkRow = {
        ...row,
        holder,
        ...(options.lease !== undefined && { until: now + options.lease }),
      };
      backing.replaceWork(row, after);
      claimed.push(after);
    }
  }
  return claimed;
}

function* claimableOf(backing: Backing, queue: string, now: number): Generator<WorkRow> {
  for (const row of backing.claimable.get(queue)?.from() ?? []) {
    if (row.notBefore > now) return;
    if (row.stream.facts.hold === undefined) yield row;
  }
}

export function claimableQueues(
  backing: Backing,
  limit: number,
  after: string | undefined,
  now: number,
): readonly string[] {
  return [...backing.claimable.names()]
    .filter((queue) => after === undefined || compareIds(queue, after) > 0)
    .filter((queue) => claimableOf(backing, queue, now).next().done !== true)
    .sort(compareIds)
    .slice(0, limit);
}

export function heldBy(backing: Backing, holder: string): readonly WorkRow[] {
  return [...(backing.held.get(holder)?.from() ?? [])];
}

/** Without a delay the work keeps its place in the queue. */
export function unclaim(
  backing: Backing,
  holder: string,
  work: readonly string[],
  delay: number,
  now: number,
): void {
  for (const id of work) {
    const row = backing.workById.get(id);
    if (row?.holder !== holder) continue;
    const { holder: _holder, until: _until, ...rest } = row;
    backing.replaceWork(row, { ...rest, notBefore: delay === 0 ? row.notBefore : now + delay });
  }
}

export function renewWork(
  backing: Backing,
  holder: string,
  work: readonly string[],
  lease: number,
  now: number,
): readonly string[] {
  return work.filter((id) => {
    const row = backing.workById.get(id);
    if (row?.holder !== holder || !isLive(row.until, now)) return false;
    backing.replaceWork(row, { ...row, until: now + lease });
    return true;
  });
}
