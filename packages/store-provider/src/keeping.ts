/**
 * What it takes to keep a store over the years: removing what is over, counting what is there, finding what is wrong.
 * Spec: STO-prune, STO-check.
 */

export interface PruneOptions {
  /**
   * Closed streams whose last record is older than this instant of the store's clock go, with all that is theirs, the
   * ones closed first at first.
   */
  readonly closedBefore: number;
  /**
   * Streams removed by this call, at most: 1..1,000, default 100. What runs beside it never waits longer than for one
   * portion; a store may end a portion early when the logs are long (`portionRecords`).
   */
  readonly limit?: number;
}

export interface Pruned {
  readonly streams: number;
  readonly records: number;
  /** Blobs that no stream pins any more. */
  readonly blobs: number;
  /** True when another call would find more. */
  readonly more: boolean;
}

/**
 * Counted now; while others write the numbers need not belong to one instant. A closed stream counts as closed, an open
 * one under a hold as held.
 */
export interface StoreStats {
  /** Format of file or schema; absent where there is none. */
  readonly format?: number;
  readonly streams: { readonly open: number; readonly held: number; readonly closed: number };
  readonly records: number;
  /** Newest documents only. */
  readonly slots: number;
  readonly dues: number;
  readonly work: { readonly waiting: number; readonly claimed: number };
  readonly receipts: number;
  readonly notes: number;
  readonly blobs: number;
  /** Holders whose lease runs. */
  readonly holders: number;
  /** Of file or tables with their indexes; absent where the store cannot know. */
  readonly bytes?: number;
}

export interface StoreFault {
  /** Absent: the fault is of the whole store. */
  readonly stream?: string;
  /** One sentence. */
  readonly message: string;
}
