/**
 * Interrupts (SIGINT, SIGTERM) of a command that serves. It listens before it opens anything, so that none is lost and
 * nothing is killed half open: the first asks it to stop, the second to leave at once.
 */
import type { Io } from "../io.js";

export interface Interrupts {
  /** Aborted by the first. */
  readonly asked: AbortSignal;
  /** Aborted by the second. */
  readonly insisted: AbortSignal;
  /** From now on they are somebody else's. */
  end(): void;
}

export function listenForInterrupts(io: Io): Interrupts {
  const [asked, insisted] = [new AbortController(), new AbortController()];
  const end = io.onInterrupt(() => {
    if (!asked.signal.aborted) {
      asked.abort();
      return;
    }
    // A third one finds nobody who listens.
    end();
    insisted.abort();
  });
  return { asked: asked.signal, insisted: insisted.signal, end };
}

/**
 * What `work` comes to, or undefined when the signal is aborted first; what it comes to after that goes to `late`.
 */
export async function unlessAborted<T>(
  signal: AbortSignal,
  work: Promise<T>,
  late: (value: T) => unknown = () => undefined,
): Promise<T | undefined> {
  let stop = (): void => undefined;
  const aborted = new Promise<undefined>((resolve) => {
    stop = whenAborted(signal, () => {
      // Nobody waits for it any more, and nobody is there to tell of its failure.
      work.then(late).catch(() => undefined);
      resolve(undefined);
    });
  });
  try {
    return await Promise.race([aborted, work]);
  } finally {
    stop();
  }
}

/** At once when it is aborted already. Returns the function that calls it off. */
export function whenAborted(signal: AbortSignal, act: () => void): () => void {
  if (signal.aborted) act();
  else signal.addEventListener("abort", act, { once: true });
  return () => signal.removeEventListener("abort", act);
}
