/**
 * Reads on in one run's log, once for all who want to know at the same time what was appended: who asks while a reading
 * is under way has the next one, because that one may have begun before what is asked about was written.
 */
import type { LogRecord, Store } from "@swl/store-provider";

export abstract class LogReader {
  protected readonly store: Pick<Store, "read" | "head">;
  readonly run: string;
  /** Read up to here. */
  position: number;
  #reading: Promise<void> | undefined;
  #next: Promise<void> | undefined;

  constructor(store: Pick<Store, "read" | "head">, run: string, after: number) {
    this.store = store;
    this.run = run;
    this.position = after;
  }

  /** All that was in the log when this was called has been taken, or enough of it. */
  readOn(): Promise<void> {
    if (this.#reading === undefined) return this.#begin();
    const before = this.#reading.catch(() => undefined);
    this.#next ??= before.then(() => {
      this.#next = undefined;
      return this.#reading ?? this.#begin();
    });
    return this.#next;
  }

  protected abstract take(record: LogRecord): void;

  /** No need to read to the end. */
  protected enough(): boolean {
    return false;
  }

  /** At the end of the log: what else is to be known there. */
  protected async ended(): Promise<void> {}

  #begin(): Promise<void> {
    this.#reading = this.#read().finally(() => {
      this.#reading = undefined;
    });
    return this.#reading;
  }

  async #read(): Promise<void> {
    for (;;) {
      const records = await this.store.read(this.run, { after: this.position });
      for (const record of records) {
        this.take(record);
        this.position = record.position;
      }
      if (this.enough()) return;
      if (records.length === 0) return await this.ended();
    }
  }
}
