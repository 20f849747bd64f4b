/**
 * What a definition may say at most, and how its names look: the ranges of DEF-ranges once more, because whoever
 * executes a definition was perhaps not who validated it. Beyond them nothing is compiled. Spec: EXE-prepare.
 */

const year = 365 * 24 * 60 * 60 * 1_000;

/** The greatest number of each; the least is 1, of a delay 0. */
export const most = {
  activations: 10_000_000,
  nodeVisits: 10_000_000,
  internalTransitions: 100_000,
  bufferedSignals: 1_000,
  loopLimit: 10_000_000,
  attempts: 1_000,
  /** Milliseconds of a delay or a timeout. */
  time: year,
  /** Of an input or an output, as canonical JSON. */
  bytes: 1024 * 1024 * 1024,
  /** Of one action, and routes of one waiting node. */
  outcomes: 256,
  /** Of one choice. */
  cases: 256,
} as const;

/** Names become parts of keys, of queues and of idempotency keys. */
export const forms = {
  id: /^[A-Za-z_][A-Za-z0-9_-]{0,63}$/,
  outcome: /^[a-z][a-z0-9-]{0,63}$/,
  signal: /^[A-Za-z0-9_.-]{1,64}$/,
  errorCode: /^[a-z0-9][a-z0-9.-]{0,63}$/,
} as const;
