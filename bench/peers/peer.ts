/**
 * What every system is asked to do here, with its defaults and a durable record of each step: runs of five steps that do
 * nothing, and runs that wait for a message.
 */

/** Steps of one run. */
export const STEPS = 5;

export interface Peer {
  readonly name: string;
  /** Where its records are: figures are compared within one place. */
  readonly place: "postgres" | "sqlite" | "own server";
  /** Starts one run of five steps and waits for its result. */
  run(): Promise<void>;
  /** Starts a run that waits for a message, and comes back when it waits. */
  wait?(): Promise<Waiting>;
  close(): Promise<void>;
}

export interface Waiting {
  /** Sends the message and waits for the run's result. */
  finish(): Promise<void>;
}

/** What a peer is opened on. */
export interface Place {
  /** Of a PostgreSQL with fsync on. */
  readonly url: string;
  /** An empty folder of its own. */
  readonly folder: string;
}

/** Undefined with a reason: it cannot run here. */
export type OpenPeer = (place: Place) => Promise<Peer | { readonly absent: string }>;

export const pause = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, milliseconds));
