/**
 * What a provider says of a run that takes no more settlements: kept once beside the log, in each of its words. That
 * nobody knows is no news of a run that is over; that an answer came and could not be stored is. Spec: DUR-late-answer.
 */
import { isSwlError, type Json } from "@swl/base";
import type { EventBody } from "@swl/execution/model";
import type { HostCore } from "./host-core.js";

/** `attempt`: the work ID. Throws what the store says when a retry can help. */
export async function keepLateAnswer(
  core: Pick<HostCore, "store" | "log">,
  run: string,
  attempt: string,
  event: EventBody,
): Promise<void> {
  if (event.type === "unknown" && event.reason !== "ack-lost") return;
  const name = `settlement:${attempt}:${event.type}`;
  try {
    await core.store.note(run, name, { ...event } as unknown as Json);
  } catch (error) {
    if (!isSwlError(error) || error.details?.["retry"] !== "never") throw error;
    // Better that it came than nothing: the answer itself is more than the store holds.
    const message = `A late ${event.type} could not be kept: ${error.message}`;
    core.log({ level: "error", code: error.code, run, message });
    await core.store.note(run, name, { type: event.type, omitted: error.message });
  }
}
