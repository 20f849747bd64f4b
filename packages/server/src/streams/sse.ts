/** Server-sent events as text, and an answer that streams them no faster than they are read. */

import type { Reply } from "../call.js";

export const streamHeaders = {
  "content-type": "text/event-stream",
  "cache-control": "no-store",
  "x-accel-buffering": "no",
};

export interface SentEvent {
  readonly id?: string;
  readonly event?: string;
  readonly data: unknown;
}

/** JSON has no line break outside its strings' escapes: one `data` line. */
export function eventText({ id, event, data }: SentEvent): string {
  const lines = [
    ...(id === undefined ? [] : [`id: ${id}`]),
    ...(event === undefined ? [] : [`event: ${event}`]),
    `data: ${JSON.stringify(data)}`,
  ];
  return `${lines.join("\n")}\n\n`;
}

/** A comment: keeps proxies from taking silence for an end. */
export const heartbeatText = ": heartbeat\n\n";

/** Pulls from the source only when the connection takes more: what a slow reader has not taken is not made. */
export function streamed(source: AsyncGenerator<string, void>, ended: () => void): Reply {
  const encoder = new TextEncoder();
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const next = await source.next();
          if (!next.done) return controller.enqueue(encoder.encode(next.value));
          ended();
          controller.close();
        } catch (error) {
          ended();
          controller.error(error);
        }
      },
      async cancel() {
        ended();
        await source.return(undefined);
      },
    },
    { highWaterMark: 1 },
  );
  return { status: 200, headers: streamHeaders, body };
}
