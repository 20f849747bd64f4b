/**
 * How accepted events fared: read from the commits that applied them, each record once for all who wait in this process
 * for answers of one run, however many they are. Remembered only while somebody waits. Spec: INV-answers.
 */
import type { AppliedAnswer } from "@swl/invocation-control";
import type { LogRecord, Store } from "@swl/store-provider";
import { type EventAnswer, readCommit } from "./formats.js";
import { LogReader } from "./log-reader.js";

/** Answers after which a new reading is begun for those who come then. */
const MOST = 10_000;

type Log = Pick<Store, "read" | "head">;

interface Followed {
  /** Since the first of those who wait asked. */
  log: AnswerLog | undefined;
  waiting: number;
}

export class Answers {
  readonly #store: Log;
  readonly #followed = new Map<string, Followed>();

  constructor(store: Log) {
    this.#store = store;
  }

  /** What is read for one is kept for the others until the last one has called the answer. */
  open(run: string): () => void {
    const followed = this.#followed.get(run) ?? { log: undefined, waiting: 0 };
    this.#followed.set(run, followed);
    followed.waiting++;
    return () => {
      followed.waiting--;
      if (followed.waiting === 0 && this.#followed.get(run) === followed) this.#followed.delete(run);
    };
  }

  /** Undefined: nobody has applied it yet. */
  async of(run: string, position: number): Promise<AppliedAnswer | undefined> {
    const followed = this.#followed.get(run);
    let known = followed?.log;
    if (known !== undefined && known.size > MOST) known = undefined;
    const log = known?.covers(position) ? known : new AnswerLog(this.#store, run, position - 1);
    if (followed !== undefined) followed.log = known ?? log;
    return log.answer(position);
  }
}

class AnswerLog extends LogReader {
  /** What stands up to here is not remembered. */
  #from: number;
  #applied = 0;
  #wanted = 0;
  #closed = false;
  readonly #answers = new Map<number, EventAnswer>();

  constructor(store: Log, run: string, after: number) {
    super(store, run, after);
    this.#from = after;
  }

  get size(): number {
    return this.#answers.size;
  }

  covers(position: number): boolean {
    return position > this.#from;
  }

  async answer(position: number): Promise<AppliedAnswer | undefined> {
    if (this.#applied < position && !this.#closed) {
      this.#wanted = Math.max(this.#wanted, position);
      await this.readOn();
    }
    if (this.#applied < position) return this.#closed ? { effect: "closed" } : undefined;
    return this.#answers.get(position) ?? { effect: "moved" };
  }

  protected override take(record: LogRecord): void {
    if (record.applies) this.#applied = record.position;
    for (const answer of readCommit(record)?.answers ?? []) this.#answers.set(answer.position, answer);
  }

  protected override enough(): boolean {
    return this.#applied >= this.#wanted;
  }

  /** It may have been closed by the very commit that applied what is waited for, after the log was read. */
  protected override async ended(): Promise<void> {
    if ((await this.store.head(this.run))?.closed !== true) return;
    for (const record of await this.store.read(this.run, { after: this.position })) {
      this.take(record);
      this.position = record.position;
    }
    this.#closed = true;
  }
}
