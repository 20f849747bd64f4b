/**
 * Who of several hosts takes over what a dead one leaves behind: each the runs that fall to it, at once, so that nobody
 * gets all of them; after a while whatever is left, because whom it fell to may be dead too, or have nothing to serve it
 * with. A hint like all else that a patrol goes by: the log decides who was first. Spec: DUR-takeover.
 */
import type { Store } from "@swl/store-provider";
import type { HostClock } from "./host-types.js";
import type { Lease } from "./lease.js";

/** Hosts that share what is left behind; of more, these do. */
const MOST = 1_000;

export interface SharesOptions {
  readonly store: Pick<Store, "holders">;
  readonly clock: HostClock;
  readonly lease: Pick<Lease, "holder" | "isMine">;
  /** Milliseconds for which a run is left to the host that it falls to. */
  readonly patience: number;
}

export class Shares {
  readonly #options: SharesOptions;
  /** Owners that were found dead, since when: a few, however many runs they had. */
  #dead = new Map<string, number>();
  #seen = new Map<string, number>();
  #hosts: readonly string[] | undefined;

  constructor(options: SharesOptions) {
    this.#options = options;
  }

  /** A look for what dead hosts left behind begins. */
  begin(): void {
    this.#dead = this.#seen;
    this.#seen = new Map();
    this.#hosts = undefined;
  }

  /** True when this host takes the run over now; else another one is to. */
  async isMine(stream: string, owner: string): Promise<boolean> {
    const { store, clock, lease, patience } = this.#options;
    const since = this.#dead.get(owner) ?? this.#seen.get(owner) ?? clock.monotonic();
    this.#seen.set(owner, since);
    if (lease.isMine(owner) || clock.monotonic() - since >= patience) return true;
    this.#hosts ??= (await store.holders(MOST)).map(({ holder }) => holder).sort();
    const hosts = this.#hosts;
    return !hosts.includes(lease.holder) || hosts[placeOf(stream) % hosts.length] === lease.holder;
  }
}

/** The same on every host, and even over names that differ little (FNV-1a). */
function placeOf(name: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < name.length; at++) hash = Math.imul(hash ^ name.charCodeAt(at), 0x01000193);
  // The last bits of a product are those that mix least.
  return (hash ^ (hash >>> 15)) >>> 0;
}
