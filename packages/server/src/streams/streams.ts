/** How many event streams are open, in all and for each bearer; and the end of all of them. Spec: INV-http-events. */
import { SwlError } from "@swl/base";

export interface StreamLimits {
  /** Default 1,000. */
  readonly total: number;
  /** Of one bearer, default 100. */
  readonly each: number;
  /** Milliseconds between two heartbeats, default 15,000. */
  readonly heartbeat: number;
  /** Milliseconds between two looks for what nobody hinted at, at most; default 1,000. */
  readonly poll: number;
}

export class Streams {
  readonly limits: StreamLimits;
  readonly closing: AbortSignal;
  readonly #close = new AbortController();
  readonly #open = new Map<string, number>();
  #total = 0;

  constructor(limits: StreamLimits) {
    this.limits = limits;
    this.closing = this.#close.signal;
  }

  get open(): number {
    return this.#total;
  }

  /** The answer gives the place back; twice is once. Throws `server.too-many`. */
  take(bearer: string): () => void {
    const own = this.#open.get(bearer) ?? 0;
    if (this.#total >= this.limits.total || own >= this.limits.each) {
      throw new SwlError("server.too-many", "Too many event streams are open.");
    }
    this.#open.set(bearer, own + 1);
    this.#total++;
    let open = true;
    return () => {
      if (!open) return;
      open = false;
      this.#total--;
      const left = (this.#open.get(bearer) ?? 1) - 1;
      if (left === 0) this.#open.delete(bearer);
      else this.#open.set(bearer, left);
    };
  }

  close(): void {
    this.#close.abort();
  }
}
