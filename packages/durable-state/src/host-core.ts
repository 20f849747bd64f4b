/**
 * What the parts of one host share. An interface, so that each part sees only what it needs and can be read alone.
 */
import type { SwlError } from "@swl/base";
import type { Disposition } from "@swl/execution/model";
import type { Store, Work } from "@swl/store-provider";
import type { StoreClock } from "./clock.js";
import type { Committer } from "./committer.js";
import type { Definitions } from "./definitions.js";
import type { Dispatcher } from "./dispatcher.js";
import type { HostClock, HostLogEntry } from "./host-types.js";
import type { Lease } from "./lease.js";
import type { LoadedRun } from "./loaded-run.js";
import type { Observing } from "./observing.js";
import type { RunActor } from "./run-actor.js";

export interface HostCore {
  readonly store: Store;
  readonly clock: HostClock;
  readonly storeClock: StoreClock;
  readonly lease: Lease;
  readonly committer: Committer;
  readonly definitions: Definitions;
  readonly dispatcher: Dispatcher;
  readonly adoptEvidence: boolean;
  readonly stopped: boolean;
  readonly log: (entry: HostLogEntry) => void;
  /** Undefined: nobody wants to know, and nothing is worked out. */
  readonly observing: Observing | undefined;
  /** Unique strings for commits and events of this host. */
  readonly newId: () => string;
  actor(run: string): RunActor;
  /** The actor has nothing under way: it can be made again from the store. */
  rest(actor: RunActor): void;
  /** A commit of this run was accepted. */
  committed(run: string, disposition: Disposition): void;
  seenClosed(run: LoadedRun): void;
  /** This host lacks what the run needs; others may have it. It is not looked at again for a while. */
  unserved(run: string, need: SwlError): void;
  isUnserved(run: string): boolean;
  /** The run with its actions bound here, if nobody has bound them yet. Throws `binding.…`. */
  bound(run: LoadedRun): LoadedRun;
  served(run: string): void;
  /** Another host, whose lease runs, has an attempt of this run under way: what comes next is that one's. */
  leave(run: string): void;
  /** Not served here, or left to the host that has it. */
  isPassedOver(run: string): boolean;
  /** Milliseconds, by chance up to so many: hosts that want the same do not try again in step. */
  jitter(most: number): number;
  /** Work may be claimable now. */
  lookForWork(): void;
  /** Something of this host's own commits falls due after so many milliseconds. */
  dueIn(milliseconds: number): void;
  /** Claimed work that this host does not begin, claimable again after `delay` milliseconds. */
  giveBack(work: readonly string[], delay: number): void;
  /** The same for what this host cannot serve: claimable by others soon, and later each time it comes back. */
  leaveToOthers(work: readonly string[]): void;
  /** Under way in this host's memory. */
  isLive(work: Work): boolean;
  /** Claimed in the store, and neither begun nor given back yet. */
  isClaimed(work: Work): boolean;
  /** The store may count it as claimed by this host or not: nothing begins on it. */
  isGivingBack(work: string): boolean;
}
