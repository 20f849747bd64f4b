/** Somebody who decides parked runs, and knows what really happened: the ledger. */
import type { ControlService, Explanation, ResolveRequest } from "@swl/invocation-control";
import type { Books } from "./books.ts";
import type { Senders } from "./senders.ts";
import type { World } from "./world.ts";

type Decided = Omit<ResolveRequest, "requestId">;

export class Resolver {
  readonly #world: World;
  readonly #books: Books;
  readonly #control: ControlService;
  readonly #senders: Senders;
  readonly #name: string;
  #count = 0;
  #looking = false;

  /** `name`: of whoever decides, among several. */
  constructor(world: World, books: Books, control: ControlService, senders: Senders, name = "decide") {
    this.#name = name;
    this.#world = world;
    this.#books = books;
    this.#control = control;
    this.#senders = senders;
  }

  /** Looks from time to time, for ever. */
  start(): void {
    this.#world.after(300 + this.#world.random.int(300), () => {
      this.start();
      if (this.#looking || this.#books.withStatus("needs-intervention").length === 0) return;
      this.#looking = true;
      void this.#look().finally(() => {
        this.#looking = false;
      });
    });
  }

  async #look(): Promise<void> {
    for (const run of this.#books.withStatus("needs-intervention")) {
      const why = await this.#control.why(run).catch(() => undefined);
      for (const decision of why === undefined ? [] : this.#decisions(run, why)) {
        this.#count += 1;
        const name = `${this.#name}-${this.#count}`;
        const ask = (control: ControlService, requestId: string) =>
          control.resolve({ ...decision, requestId }, { wait: 400 });
        await this.#senders.resolve(run, ask, name);
      }
    }
  }

  #decisions(run: string, why: Explanation): readonly Decided[] {
    const { ledger } = this.#books;
    return why.blockers.flatMap((blocker): readonly Decided[] => {
      if (blocker.kind !== "intervention" || blocker.invocation === undefined) return [];
      const { invocation, attempt = 0, action = "" } = blocker;
      this.#books.decided.set(`${invocation}:${attempt}`, action);
      const done = ledger.done.get(invocation);
      if (done !== undefined) return [{ run, invocation, decision: "complete", ...done }];
      // What is under way somewhere will have an end, and what goes on by itself says so.
      const operation = ledger.operations.get(invocation);
      if (ledger.isUnderWay(invocation) || operation?.over === false) return [];
      // What was not done and is not wanted any more has failed.
      if (operation === undefined && !this.#books.isCanceled(run))
        return [{ run, invocation, decision: "retry" }];
      const error = { code: "not-done", message: "It was not done.", details: null };
      return [{ run, invocation, decision: "fail", error }];
    });
  }
}
