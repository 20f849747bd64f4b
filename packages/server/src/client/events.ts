/** A run's events read from the stream, taken up again after a lost connection, with a pause that grows. */
import { isJsonObject, type Json, readJson, SwlError } from "@swl/base";
import type { RunEvent } from "./client.js";
import { sseEvents } from "./sse-reader.js";
import type { Transport } from "./transport.js";

const LONGEST_PAUSE = 5_000;

export async function* runEvents(
  transport: Transport,
  run: string,
  options: { readonly after?: number; readonly reveal?: boolean; readonly signal?: AbortSignal } = {},
): AsyncGenerator<RunEvent, void> {
  const { signal, reveal } = options;
  let after = options.after ?? 0;
  for (let pause = 100; ; pause = Math.min(LONGEST_PAUSE, pause * 2)) {
    try {
      const query = { after, ...(reveal !== undefined && { reveal }) };
      const response = await transport.send("runEvents", { parameters: { run }, query, signal });
      if (response.status === 204) return;
      if (!response.ok) throw await transport.refusal(response);
      for await (const { event, id, data } of sseEvents(response.body!)) {
        const read = eventOf(event, id, data);
        after = read.position;
        pause = 100;
        yield read;
        if (read.type === "end") return;
      }
    } catch (error) {
      signal?.throwIfAborted();
      if (!passing.has((error as SwlError).code)) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, pause));
  }
}

const passing: ReadonlySet<unknown> = new Set([
  "client.unreachable",
  "server.stopping",
  "server.too-many",
  "store.unavailable",
]);

function eventOf(event: string, id: string, data: string): RunEvent {
  const read = readJson(new TextEncoder().encode(data), { file: "event" });
  const value: Json = read.ok ? read.value.value : null;
  if (!isJsonObject(value))
    throw new SwlError("client.answer-invalid", "An event of the stream is no JSON object.");
  if (event === "end") return { type: "end", position: Number(id), result: value as never };
  return { type: "entry", ...(value as object) } as RunEvent;
}
