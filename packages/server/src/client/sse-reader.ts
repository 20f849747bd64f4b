/** Server-sent events out of bytes, however the network cut them. A connection that breaks is `client.unreachable`. */
import { SwlError } from "@swl/base";

export interface ReceivedEvent {
  readonly event: string;
  readonly id: string;
  readonly data: string;
}

/** Characters of one event; more is no event of this server. */
const LONGEST = 64 * 1_048_576;

export async function* sseEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<ReceivedEvent, void> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  try {
    for (let text = ""; ; ) {
      const { done, value } = await next(reader);
      if (done) return;
      text += decoder.decode(value, { stream: true });
      for (let end = text.indexOf("\n\n"); end >= 0; end = text.indexOf("\n\n")) {
        const event = parsed(text.slice(0, end));
        text = text.slice(end + 2);
        if (event !== undefined) yield event;
      }
      if (text.length > LONGEST)
        throw new SwlError("client.answer-invalid", "An event of the stream has no end.");
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

async function next(reader: ReadableStreamDefaultReader<Uint8Array>) {
  try {
    return await reader.read();
  } catch (cause) {
    throw new SwlError("client.unreachable", "The connection of the event stream was lost.", { cause });
  }
}

/** Undefined: nothing but comments. */
function parsed(block: string): ReceivedEvent | undefined {
  let [event, id, data] = ["message", "", undefined as string | undefined];
  for (const line of block.split("\n")) {
    const [, name, value = ""] = /^([^:]*):? ?(.*)$/s.exec(line) ?? [];
    if (name === "event") event = value;
    else if (name === "id") id = value;
    else if (name === "data") data = data === undefined ? value : `${data}\n${value}`;
  }
  return data === undefined ? undefined : { event, id, data };
}
