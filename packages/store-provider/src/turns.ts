/** One at a time: for what cannot be shared, as one connection that has one transaction. */

/** Runs each piece of work when all given before have ended, however these ended; answers as it does. */
export type Turns = <T>(work: () => Promise<T>) => Promise<T>;

export function createTurns(): Turns {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const mine = last.then(work);
    last = mine.catch(() => {});
    return mine;
  };
}
