/**
 * A run's log as server-sent events: the event ID is the position, so a reader that comes back with `Last-Event-ID` goes
 * on where it was. Ends with the run; a reader that comes back after the end is told to stay away (204).
 * Spec: INV-http-events.
 */
import { isSwlError, SwlError } from "@swl/base";
import type { RunResult } from "@swl/invocation-control";
import { type Call, empty, type Handler } from "../call.js";
import type { Queries } from "../contracts/requests.js";
import { Pulse } from "./pulse.js";
import { eventText, heartbeatText, streamed, streamHeaders } from "./sse.js";

const PAGE = 100;

export const runEvents: Handler = async (call) => {
  const { control, core, parameters, principal, bare } = call;
  const run = parameters["run"]!;
  const after = positionAfter(call);
  // Before the stream begins: what is refused is refused as a problem.
  const first = await control.history(run, { after, limit: 1 });
  if (first.length === 0 && after > 0 && (await ended(call, run)) !== undefined) {
    return empty(204);
  }
  if (bare) return empty(200, streamHeaders);
  const release = core.streams.take(principal.id);
  return streamed(events(call, run, after), release);
};

async function* events(call: Call, run: string, from: number): AsyncGenerator<string, void> {
  const { core, control, query, gone } = call;
  const { streams, hints } = core;
  const { reveal } = query as Queries["runEvents"];
  const { heartbeat, poll } = streams.limits;
  const pulse = new Pulse(hints, ({ kind, name }) => kind !== "work" && name === run, poll, [
    gone,
    streams.closing,
  ]);
  try {
    let after = from;
    let silent = 0;
    // At once, so that the reader knows that the stream is there.
    yield heartbeatText;
    for (let first = true; !pulse.over; first = false) {
      const result = await ended(call, run);
      const options = { after, limit: PAGE, ...(reveal && { reveal }) };
      const entries = await control.history(run, options);
      for (const entry of entries) {
        after = entry.position;
        yield eventText({ id: String(entry.position), event: entry.kind, data: entry });
      }
      if (entries.length > 0) {
        silent = 0;
        pulse.moved();
        continue;
      }
      // Judged closed before the log was read to its end: nothing can follow.
      if (result !== undefined) return yield eventText({ id: String(after), event: "end", data: result });
      if (!first && silent >= heartbeat) {
        silent = 0;
        yield heartbeatText;
      }
      const began = performance.now();
      await pulse.next(heartbeat);
      silent += performance.now() - began;
    }
  } finally {
    pulse.close();
  }
}

async function ended({ control }: Call, run: string): Promise<RunResult | undefined> {
  try {
    return await control.result(run, { timeout: 0 });
  } catch (error) {
    if (isSwlError(error) && error.code === "answer.timeout") return undefined;
    throw error;
  }
}

/** `Last-Event-ID`, which a reader that comes back sends, else `after`. */
function positionAfter({ headers, query }: Call): number {
  const last = headers.get("last-event-id");
  if (last === null || last === "") return (query as Queries["runEvents"]).after ?? 0;
  if (/^(0|[1-9]\d{0,14})$/.test(last)) return Number(last);
  throw new SwlError("request.invalid", "Last-Event-ID must be a position in the run's log.");
}
