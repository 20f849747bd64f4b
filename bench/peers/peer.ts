/**
 * What every system is asked to do here, with its defaults and a durable record of each step: runs of five steps that do
 * nothing, and runs that wait for a message.
 */

/** Steps of one run. */
export const STEPS = 5;

export interface Peer {
  /** Starts one run of five steps and waits for its result. */
  run(): Promise<void>;
  /**
   * Starts a run that waits for a message, asks for its result, and comes back when the run waits, by the word of the
   * system itself.
   */
  wait?(): Promise<Waiting>;
  /** Does `work` once more, unmeasured, through a store that counts. */
  counted?(work: (peer: Peer) => Promise<void>): Promise<Counts>;
  close(): Promise<void>;
}

export interface Waiting {
  /** Sends the message and waits for the result that was asked for. */
  finish(): Promise<void>;
}

export interface Counts {
  readonly commits: number;
  /** What the commits held: one for each start and each visit. */
  readonly items: number;
  /** Of documents, as they are stored. */
  readonly bytes: number;
}

/** What a peer is opened on. */
export interface Place {
  /** An empty database of its own, of a PostgreSQL with fsync on. */
  readonly url: string;
  /** An empty folder of its own. */
  readonly folder: string;
}

/** `absent` says why it cannot run here. */
export type OpenPeer = (place: Place) => Promise<Peer | { readonly absent: string }>;

export const pause = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, milliseconds));
