/**
 * Runs that messages were sent to a moment ago, as their logs say now: what was appended since is read on and folded,
 * each event once for all senders. So a crowd of messages to one run costs each of them its own record, and not the
 * state of the run and everything that waits. Only for judging what is sent: who serves the run, and what of it is
 * claimed, no log says. Spec: DUR-refused-before-acceptance.
 */
import type { LogRecord, Store } from "@swl/store-provider";
import { eventsOf, stepOf } from "./fold.js";
import type { LoadedRun } from "./loaded-run.js";
import { LogReader } from "./log-reader.js";
import { stateAhead } from "./look.js";
import type { Reading } from "./run-status.js";

/** Runs remembered at once; beyond them those sent to last. */
const MOST = 64;

/** Records that change more than the state: the run is loaded anew. */
const more: ReadonlySet<string> = new Set(["hold", "released", "terminated"]);

export type Seen = { readonly ahead: LoadedRun } | { readonly reading: Reading | undefined };

export class RecentRuns {
  readonly #store: Pick<Store, "read" | "head">;
  readonly #known = new Map<string, RecentRun>();
  readonly #loading = new Map<string, Promise<void>>();

  constructor(store: Pick<Store, "read" | "head">) {
    this.#store = store;
  }

  /** A run that is known, with all that its log says applied; else what `read` says of it. */
  async look(run: string, read: () => Promise<Reading | undefined>): Promise<Seen> {
    for (let waited = false; ; waited = true) {
      const known = this.#known.get(run);
      const ahead = await known?.upToDate();
      if (ahead !== undefined) return { ahead };
      if (this.#known.get(run) === known) this.#known.delete(run);
      const loading = this.#loading.get(run);
      if (loading === undefined || waited) return { reading: await this.#load(run, read) };
      // Others are at it: what they find may be older than what this one knows, and is read on from there.
      await loading.catch(() => undefined);
    }
  }

  forget(run: string): void {
    this.#known.delete(run);
  }

  async #load(run: string, read: () => Promise<Reading | undefined>): Promise<Reading | undefined> {
    const reading = read();
    const loading = reading.then((seen) => {
      if (seen !== undefined && !("problem" in seen)) this.#remember(seen);
    });
    this.#loading.set(run, loading);
    try {
      await loading;
    } finally {
      if (this.#loading.get(run) === loading) this.#loading.delete(run);
    }
    return reading;
  }

  /** One that takes no more, or whose events the model cannot apply, is not remembered. */
  #remember(run: LoadedRun): void {
    this.#known.delete(run.id);
    if (run.closed || run.hold !== undefined) return;
    if (this.#known.size >= MOST) this.#known.delete(this.#known.keys().next().value!);
    try {
      this.#known.set(run.id, new RecentRun(this.#store, run));
    } catch {
      // Judged where it is applied.
    }
  }
}

class RecentRun extends LogReader {
  #run: LoadedRun;
  #changed = false;

  constructor(store: Pick<Store, "read" | "head">, run: LoadedRun) {
    super(store, run.id, run.position);
    this.#run = { ...run, state: stateAhead(run), unapplied: [] };
  }

  /** Undefined: more than its state has changed, or nobody here can say what its state is. */
  async upToDate(): Promise<LoadedRun | undefined> {
    let closed: boolean;
    try {
      await this.readOn();
      const { served, state } = this.#run;
      closed = state !== undefined && served.model.disposition(state).kind === "closed";
    } catch {
      // Whatever it is, a look at the whole run says it.
      return undefined;
    }
    return this.#changed || closed ? undefined : { ...this.#run, position: this.position };
  }

  protected override take(record: LogRecord): void {
    this.#changed ||= more.has(record.kind);
    for (const event of eventsOf([record], this.#run.created)) {
      const step = stepOf(this.#run.served, this.#run.state, event);
      if (step !== undefined) this.#run = { ...this.#run, state: step.state };
    }
  }
}
