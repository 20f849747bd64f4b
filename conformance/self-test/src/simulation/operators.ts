/**
 * People who keep things going, several at once and each for himself: they release what was set aside, redrive what
 * failed, and cancel in bulk. They know what the store shows and nothing of one another. Spec: DUR-release, INV-redrive,
 * INV-bulk.
 */
import type { BulkItem, ControlAnswer } from "@swl/invocation-control";
import type { Books, Expected } from "./books.ts";
import type { Plan } from "./plan.ts";
import type { Senders } from "./senders.ts";
import type { Sweep } from "./sorts.ts";
import type { World } from "./world.ts";

export interface OperatorParts {
  readonly world: World;
  readonly books: Books;
  readonly senders: Senders;
  readonly plan: Plan;
  readonly name: string;
}

/** Releases of one run by one operator while the engine is never mended. */
const mostReleases = 2;

export class Operator {
  readonly #parts: OperatorParts;
  readonly #releases = new Map<string, number>();
  #count = 0;
  #looking = false;

  constructor(parts: OperatorParts) {
    this.#parts = parts;
  }

  /** Looks from time to time, for ever. */
  start(): void {
    const { world } = this.#parts;
    world.after(250 + world.random.int(350), () => {
      this.start();
      if (this.#looking) return;
      this.#looking = true;
      void this.#look().finally(() => {
        this.#looking = false;
      });
    });
  }

  sweep(sweep: Sweep, index: number): void {
    const requestId = `${sweep.operation}-all-${index}`;
    this.#parts.senders.task(sweep.at, () => this.#sweep(sweep, requestId));
  }

  async #look(): Promise<void> {
    const { books } = this.#parts;
    for (const run of books.withStatus("quarantined")) await this.#release(run);
    for (const one of books.expected()) {
      const failed = one.workflow === "failing" && books.runs.get(one.run)?.status === "failed";
      if (failed && !books.isRemoved(one.run) && books.after(one.run).length === 0) await this.#redrive(one);
    }
  }

  #name(verb: string): string {
    this.#count += 1;
    return `${verb}-${this.#parts.name}-${this.#count}`;
  }

  /** Too early it is set aside again. What nobody will mend is left, or terminated. */
  async #release(run: string): Promise<void> {
    const { books, senders, plan, world } = this.#parts;
    const times = (this.#releases.get(run) ?? 0) + 1;
    this.#releases.set(run, times);
    if (plan.mended === undefined && times > mostReleases) {
      if (books.leftHeld.has(run)) return;
      books.leftHeld.add(run);
      const requestId = "cancel-terminate";
      if (!world.random.oneIn(2)) return;
      const ended = await senders.request(run, (control) => control.terminate({ run, requestId }));
      if (ended !== undefined) books.answered(ended);
      return;
    }
    const requestId = this.#name("release");
    const answer = await senders.request(run, (control) => control.release({ run, requestId }, { wait: 0 }));
    if (answer !== undefined) books.answered(answer);
    this.#expect(run, answer, ["run.not-held", "event.too-late"]);
  }

  async #redrive(of: Expected): Promise<void> {
    const { books, senders } = this.#parts;
    const requestId = this.#name("redrive");
    const copies = 1 + this.#parts.world.random.int(2);
    const ask = async (): Promise<void> => {
      const answer = await senders.request(of.run, (control) =>
        control.redrive({ run: of.run, requestId }, { wait: 0 }),
      );
      if (answer === undefined || answer.kind === "refused" || answer.kind === "received") {
        this.#expect(of.run, answer, []);
        return;
      }
      books.redrove(of, requestId, answer.run);
    };
    await Promise.all(Array.from({ length: copies }, ask));
  }

  #expect(run: string, answer: ControlAnswer | undefined, allowed: readonly string[]): void {
    if (answer?.kind !== "refused" || allowed.includes(answer.code)) return;
    this.#parts.world.wrong(`operator: ${run} was refused as ${answer.code} (${answer.message})`);
  }

  /** Page by page; every run that was there all the time must be among those canceled. */
  async #sweep({ operation, workflow, limit }: Sweep, requestId: string): Promise<void> {
    const { world, books, senders } = this.#parts;
    const isOpen = ({ run }: Expected): boolean => !books.isClosed(run);
    const open = books.expected().filter((one) => one.workflow === workflow && isOpen(one));
    const seen = new Set<string>();
    for (let after: string | undefined; ; ) {
      const filter = { workflow };
      const page = await senders.asked((control) =>
        control.bulk({
          ...{ operation, filter, requestId, apply: true, limit },
          ...(after !== undefined && { after }),
        }),
      );
      if (page === undefined) {
        await world.sleep(50 + world.random.int(200));
        continue;
      }
      for (const item of page.items) {
        seen.add(item.run);
        this.#took(item, operation, requestId);
      }
      after = page.next;
      if (after === undefined) break;
    }
    if (operation === "redrive") return;
    for (const { run } of open.filter((one) => !seen.has(one.run) && isOpen(one)))
      world.wrong(`bulk: ${run} was there all the time and was overlooked`);
  }

  #took({ run, answer }: BulkItem, operation: Sweep["operation"], requestId: string): void {
    const { books, world } = this.#parts;
    const of = books.expected().find((one) => one.run === run);
    if (answer.kind === "dry-run") world.wrong(`bulk: ${run} was only tried`);
    else if (answer.kind === "refused") {
      if (!["event.too-late", "event.stale", "run.not-found"].includes(answer.code))
        world.wrong(`bulk: ${run} was refused as ${answer.code}`);
    } else if (operation === "cancel") books.answered(answer);
    else if (of !== undefined && answer.kind !== "received") books.redrove(of, requestId, answer.run);
  }
}
