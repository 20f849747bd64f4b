/** SQLSTATEs that the store's own functions raise. */

/** What was decided upon is not so any more: load again and decide anew. */
export const changedMeanwhile = "SW001";
/** A writer of another format, or a session in which what is locked and then read would not be what is there. */
export const wrongSession = "SW002";
