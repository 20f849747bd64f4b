/**
 * What the provider of one run is being asked by this host. A question is work in the store until it is answered, so it
 * outlives the host; an answer counts only while its question is still there. Spec: DUR-inspect, DUR-cancel-request.
 */
import type { AskCommand, EventBody, Outstanding } from "@swl/execution/model";
import type { InspectAnswer } from "@swl/invocation-control";
import type { Work } from "@swl/store-provider";
import { askOf } from "./formats.js";
import type { HostCore } from "./host-core.js";
import type { OwnInput } from "./inputs.js";
import type { Told } from "./inquiries.js";
import type { LoadedRun } from "./loaded-run.js";

export class Asks {
  readonly #core: HostCore;
  readonly #live = new Set<string>();

  constructor(core: HostCore) {
    this.#core = core;
  }

  get size(): number {
    return this.#live.size;
  }

  has(id: string): boolean {
    return this.#live.has(id);
  }

  end(id: string): void {
    this.#live.delete(id);
    this.#core.dispatcher.inquiries.stop(id);
  }

  /** What was answered otherwise, or is not asked any more, is not waited for. */
  keepOnly(work: ReadonlyMap<string, Work>): void {
    for (const id of [...this.#live]) if (!work.has(id)) this.end(id);
  }

  /** A question claimed in the store: asked if it is still in force, else given up. */
  beginClaimed(run: LoadedRun, claimed: Work): OwnInput | undefined {
    const { lease, dispatcher } = this.#core;
    const { id } = claimed;
    const row = run.work.get(id);
    const ask = row?.holder === lease.holder ? askOf(row) : undefined;
    if (ask === undefined || this.#live.has(id) || this.#core.isGivingBack(id)) return undefined;
    const outstanding = run.state === undefined ? [] : run.served.model.outstanding(run.state);
    const question = outstanding.find((one) => isOf(one, ask));
    if (question === undefined) return { settles: [id] };
    const provider = dispatcher.providerOf(ask.action);
    const bound = provider?.id === run.created.bindings[ask.action];
    const since = question.kind === "inspect" ? question.at : 0;
    const told = (said: Told): void => this.#core.actor(run.id).told(id, ask, said, since);
    if (bound && provider !== undefined && dispatcher.inquiries.begin(id, provider, run.id, ask, told)) {
      this.#live.add(id);
    } else if (bound) this.#core.giveBack([id], 0);
    else this.#core.leaveToOthers([id]);
    return undefined;
  }

  /** What follows from an answer. Undefined: the provider could not be asked, and the question goes back to the store. */
  answered(id: string, ask: AskCommand, said: Told, since: number): OwnInput | undefined {
    const core = this.#core;
    const { invocation, attempt } = ask;
    if (said.answer.kind === "unavailable") {
      const waited = core.storeClock.estimate() - since;
      if (said.kind === "inspect" && waited >= core.dispatcher.inquiries.askFor) {
        const event = { type: "inspected", invocation, attempt, status: "unknown" } as const;
        return { event, settles: [id], answers: id };
      }
      const pause = core.dispatcher.inquiries.pause(id);
      this.#live.delete(id);
      core.giveBack([id], pause);
      return undefined;
    }
    if (said.kind === "inspect") {
      return { event: inspected(said.answer, invocation, attempt), settles: [id], answers: id };
    }
    const event = { type: "cancel-acknowledged", invocation } as const;
    return { settles: [id], answers: id, ...(said.answer.kind === "acknowledged" && { event }) };
  }
}

function inspected(
  answer: Exclude<InspectAnswer, { readonly kind: "unavailable" }>,
  invocation: string,
  attempt: number,
): EventBody {
  const of = { type: "inspected", invocation, attempt, status: answer.kind } as const;
  switch (answer.kind) {
    case "completed":
      return { ...of, result: { outcome: answer.outcome, output: answer.output } };
    case "failed":
      return { ...of, result: { error: answer.error } };
    default:
      return of;
  }
}

/** The question in force that a command has put. */
export function isOf(one: Outstanding, { kind, invocation, attempt, handle }: AskCommand): boolean {
  return (
    one.kind === kind &&
    one.invocation === invocation &&
    one.attempt === attempt &&
    (one as { readonly handle?: string }).handle === handle
  );
}
