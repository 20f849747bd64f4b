/**
 * People and programs outside: they start runs, send signals and completions, cancel, and decide what is parked from the
 * ledger. Each asks under one request ID until it has an answer, through whichever host answers or through none.
 */
import { isSwlError, type Json } from "@swl/base";
import type { Host } from "@swl/durable-state";
import type { ControlAnswer, ControlService } from "@swl/invocation-control";
import type { Books } from "./books.ts";
import type { Act, PlannedRun } from "./plan.ts";
import { definitionOf } from "./workflows.ts";
import type { World } from "./world.ts";

export interface SenderParts {
  readonly world: World;
  readonly books: Books;
  /** Those that are open now. */
  readonly hosts: () => readonly Host[];
  /** Of no host. */
  readonly control: ControlService;
}

export type Ask = (control: ControlService, requestId: string) => Promise<ControlAnswer>;

export class Senders {
  readonly #parts: SenderParts;
  /** What is still to be sent or heard of. */
  busy = 0;

  constructor(parts: SenderParts) {
    this.#parts = parts;
  }

  /** Everything that is planned for a run, from its start on. */
  plan(run: PlannedRun, index: number): void {
    const { world } = this.#parts;
    for (let copy = 0; copy < run.copies; copy++) {
      const later = copy === 0 ? 0 : world.random.int(700);
      this.task(run.at + later, () => this.#start(run, index, copy === 0));
    }
  }

  complete(invocation: string): void {
    const { world, books } = this.#parts;
    const operation = books.ledger.operations.get(invocation)!;
    const { run } = operation.call;
    const copies = 1 + world.random.int(3);
    const ends = 100 + world.random.int(1_500);
    this.task(ends, async () => {
      operation.over = true;
      const done = { outcome: "ok", output: `operation ${invocation.split("/")[1] ?? ""}` };
      if (!operation.stopped) books.ledger.done.set(invocation, done);
      const error = { code: "stopped", message: "It was told to stop.", details: null };
      const result = operation.stopped ? { error, retryable: false } : done;
      const ask: Ask = (control, messageId) =>
        control.complete({ run, messageId, invocation, handle: invocation, ...result });
      for (let copy = 1; copy < copies; copy++)
        this.task(world.random.int(900), () => this.#once(run, ask, `done-${invocation}`));
      await this.#untilMoved(run, ask, `done-${invocation}`);
    });
  }

  /** One request until it is answered; whether it moved anything is not its affair. */
  async #once(run: string, ask: Ask, requestId: string): Promise<ControlAnswer | undefined> {
    const answer = await this.#asked(run, (control) => ask(control, requestId));
    if (answer !== undefined) this.#parts.books.answered(answer);
    return answer;
  }

  /** Anew, under a new ID, while it had no effect and the run is open. */
  async #untilMoved(run: string, ask: Ask, name: string): Promise<void> {
    const { world, books } = this.#parts;
    for (let turn = 0; !books.isClosed(run) && !books.leftHeld.has(run); ) {
      const answer = await this.#once(run, ask, turn === 0 ? name : `${name}.${turn}`);
      if (answer?.kind === "finished" || (answer?.kind === "applied" && answer.effect !== "none")) return;
      if (answer?.kind === "applied") turn += 1;
      await world.sleep(100 + world.random.int(300));
    }
  }

  async resolve(run: string, ask: Ask, name: string): Promise<void> {
    this.busy += 1;
    for (let copy = this.#parts.world.random.int(2); copy > 0; copy--)
      this.task(this.#parts.world.random.int(900), () => this.#once(run, ask, name));
    await this.#once(run, ask, name);
    this.busy -= 1;
  }

  /** One request, through whichever answers, until somebody knows what became of it. Undefined: the run is gone. */
  async request(run: string, ask: Ask): Promise<ControlAnswer | undefined> {
    const { world, books } = this.#parts;
    this.busy += 1;
    try {
      for (;;) {
        const answer = await this.asked((control) => ask(control, ""), run);
        if (answer !== undefined && answer.kind !== "received") return answer;
        if (books.isRemoved(run)) return undefined;
        await world.sleep(50 + world.random.int(200));
      }
    } finally {
      this.busy -= 1;
    }
  }

  /** Once, of a host or of none. Undefined: nobody answered. `run`: the one that it is about. */
  asked<T>(ask: (control: ControlService) => Promise<T>, run = ""): Promise<T | undefined> {
    const { world, control } = this.#parts;
    const hosts = this.#parts.hosts();
    const through = hosts.length === 0 || world.random.oneIn(3) ? control : world.random.pick(hosts).control;
    return this.#patiently(ask(through), run);
  }

  async #start({ workflow, unserved, acts }: PlannedRun, index: number, acting: boolean): Promise<void> {
    const { world, books, control } = this.#parts;
    const startKey = `key-${index}`;
    const given = { input: index, startKey };
    let run: string | undefined;
    while (run === undefined) {
      const hosts = this.#parts.hosts();
      const host = unserved || hosts.length === 0 ? undefined : world.random.pick(hosts);
      const definition: Json = definitionOf(workflow);
      const asked =
        host === undefined
          ? control.start({ definition, ...given }, { wait: 0 }).then((answer) => startedBy(answer))
          : host.start<unknown>(definition, given).then(({ id }) => id);
      run = await this.#patiently(asked);
      if (run === undefined) await world.sleep(50 + world.random.int(250));
    }
    const replaces = books.started(index, workflow, run);
    if (acting || replaces) for (const act of acts) this.#act(run, act);
  }

  #act(run: string, { kind, name, at, copies }: Act): void {
    const { world } = this.#parts;
    const asks: { readonly [K in Act["kind"]]: Ask } = {
      signal: (control, messageId) =>
        control.signal({ run, messageId, name: "go", payload: name }, wait(world)),
      update: (control, requestId) =>
        control.update({ run, requestId, name: "go", payload: name }, wait(world)),
      cancel: (control, requestId) => control.cancel({ run, requestId }, wait(world)),
      terminate: (control, requestId) => control.terminate({ run, requestId }),
    };
    const moves = kind === "signal" || kind === "update";
    this.task(at, () =>
      moves ? this.#untilMoved(run, asks[kind], name) : this.#once(run, asks[kind], name),
    );
    for (let copy = 1; copy < copies; copy++)
      this.task(at + world.random.int(1_000), () => this.#once(run, asks[kind], name));
  }

  /** Until somebody answered; undefined: the run is gone. */
  async #asked(
    run: string,
    ask: (control: ControlService) => Promise<ControlAnswer>,
  ): Promise<ControlAnswer | undefined> {
    const { world, books } = this.#parts;
    for (;;) {
      const answer = await this.asked(ask, run);
      if (answer !== undefined && answer.kind !== "received") {
        if (answer.kind !== "accepted") return answer;
        books.answered(answer);
      }
      // What is set aside for ever keeps it for ever.
      if (books.isRemoved(run) || books.leftHeld.has(run)) return undefined;
      if (books.isClosed(run) && answer !== undefined) return answer;
      await world.sleep(50 + world.random.int(200));
    }
  }

  /** Undefined when nobody answered in time, or the store could not be asked. Any other error is one too many. */
  async #patiently<T>(asked: Promise<T>, run = ""): Promise<T | undefined> {
    const { world, books } = this.#parts;
    const error = (thrown: unknown): undefined => {
      const code = isSwlError(thrown) ? thrown.code : String(thrown);
      if (code === "run.not-found" && books.isRemoved(run)) return undefined;
      // What one host lacks another one has.
      if (!["store.unavailable", "store.unknown-commit", "host.stopped", "binding.missing"].includes(code))
        world.wrong(`answer: a request that should be taken was answered with ${code}`);
      return undefined;
    };
    return Promise.race([asked.catch(error), world.sleep(2_500).then(() => undefined)]);
  }

  /** Something to be done some time: nothing is over before it is. */
  task(after: number, work: () => Promise<unknown>): void {
    this.busy += 1;
    this.#parts.world.after(after, () => {
      void work().then(
        () => {
          this.busy -= 1;
        },
        (error: unknown) => this.#parts.world.wrong(`the simulation itself: ${String(error)}`),
      );
    });
  }
}

const wait = (world: World): { readonly wait: number } => ({ wait: world.random.oneIn(4) ? 400 : 0 });

function startedBy(answer: ControlAnswer): string | undefined {
  return answer.kind === "accepted" || answer.kind === "applied" || answer.kind === "finished"
    ? answer.run
    : undefined;
}
