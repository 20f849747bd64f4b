/** Holders, leases, claims and what a host looks for, on tables. A lease that ran out is written down as 0, for good. */
import type { StoreCore } from "./assemble.js";
import type { HolderAnswer, Work } from "./contract.js";
import { isLive } from "./decide.js";
import { storeError } from "./failure.js";
import { compareIds } from "./limits.js";
import type { TableCoreOptions } from "./table-core.js";
import type { Tables, TableWork } from "./tables.js";

export function tableHolders({ transact }: TableCoreOptions, read: (row: TableWork) => Work) {
  const look = <T>(work: (tables: Tables, now: number) => T | Promise<T>) =>
    transact("read", async (tables) => work(tables, await tables.now()));
  const change = <T>(work: (tables: Tables, now: number) => Promise<T>) =>
    transact("write", async (tables) => work(tables, await tables.now()));
  return {
    openHolder: (holder, lease, exclusive) =>
      change((tables, now) => openHolder(tables, holder, lease, exclusive, now)),
    renewHolder: (holder, lease) => change((tables, now) => renewHolder(tables, holder, lease, now)),
    closeHolder: (holder) => change((tables) => endLease(tables, holder)),
    holders: (limit) => look(async (tables, now) => (await tables.liveHolders(now)).slice(0, limit)),
    claim: (holder, { queues, lease }) =>
      change(async (tables, now) => {
        if (lease === undefined && !isLive(await tables.lease(holder), now)) {
          throw storeError("lease-lost", `The lease of holder ${holder} has run out.`);
        }
        const claimed: Work[] = [];
        for (const { queue, limit } of queues) {
          for (const { until: _until, ...work } of await tables.claimable(queue, now, limit)) {
            const after = { ...work, holder, ...(lease !== undefined && { until: now + lease }) };
            await tables.setWork(after);
            claimed.push(read(after));
          }
        }
        return claimed;
      }),
    queues: (limit, after = "") => look((tables, now) => tables.queues(now, limit, after)),
    held: (holder) => look(async (tables) => (await tables.heldBy(holder)).map(read)),
    unclaim: (holder, ids, delay) =>
      change(async (tables, now) => {
        for (const id of ids) {
          const work = await tables.work(id);
          if (work?.holder !== holder) continue;
          const { holder: _holder, until: _until, ...free } = work;
          await tables.setWork({ ...free, notBefore: delay === 0 ? work.notBefore : now + delay });
        }
      }),
    renewWork: (holder, ids, lease) =>
      change(async (tables, now) => {
        const renewed: string[] = [];
        for (const id of ids) {
          const work = await tables.work(id);
          if (work?.holder !== holder || !isLive(work.until, now)) continue;
          await tables.setWork({ ...work, until: now + lease });
          renewed.push(id);
        }
        return renewed;
      }),
    unapplied: (limit, after = "") => look((tables) => tables.unapplied(limit, after)),
    orphaned: (limit, after = "") => look((tables, now) => tables.orphaned(now, limit, after)),
    abandoned: (limit, after = "") =>
      look(async (tables, now) => (await tables.abandoned(now, limit, after)).map(read)),
    due: (limit, after) => look((tables, now) => tables.due(now, limit, after)),
  } satisfies Partial<StoreCore>;
}

async function openHolder(
  tables: Tables,
  holder: string,
  lease: number,
  exclusive: boolean,
  now: number,
): Promise<HolderAnswer> {
  if ((await tables.lease(holder)) !== undefined) return renewHolder(tables, holder, lease, now);
  if (exclusive) {
    const live = [...(await tables.liveHolders(now))];
    const [active] = live.sort((a, b) => b.until - a.until || compareIds(a.holder, b.holder));
    if (active !== undefined) return { kind: "active", ...active, now };
    // Whoever lost to this one stays lost, even when the clock is set back.
    for (const other of await tables.liveHolders(0)) await tables.setLease(other.holder, 0);
  }
  await tables.setLease(holder, now + lease);
  return { kind: "held", until: now + lease, now };
}

async function renewHolder(
  tables: Tables,
  holder: string,
  lease: number,
  now: number,
): Promise<HolderAnswer> {
  if (!isLive(await tables.lease(holder), now)) {
    await endLease(tables, holder);
    return { kind: "lease-lost", now };
  }
  await tables.setLease(holder, now + lease);
  return { kind: "held", until: now + lease, now };
}

async function endLease(tables: Tables, holder: string): Promise<void> {
  if ((await tables.lease(holder)) !== undefined) await tables.setLease(holder, 0);
}
