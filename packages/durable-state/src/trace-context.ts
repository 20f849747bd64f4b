/** W3C trace context, as much of it as a run keeps: who called when it was started. Spec: DUR-trace-context. */
import { SwlError } from "@swl/base";

export interface TraceParts {
  readonly traceId: string;
  readonly spanId: string;
  readonly flags: number;
}

const FORM = /^(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;

/** Undefined when it is no `traceparent` of W3C Trace Context. */
export function traceparentOf(text: unknown): TraceParts | undefined {
  if (typeof text !== "string" || text.length > 256) return undefined;
  const [, traceId, spanId, flags, more] = FORM.exec(text) ?? [];
  if (traceId === undefined || spanId === undefined || flags === undefined) return undefined;
  if (more !== undefined && text.startsWith("00")) return undefined;
  return { traceId, spanId, flags: Number.parseInt(flags, 16) };
}

/** Throws `request.invalid`. */
export function checkTraceparent(text: string | undefined): void {
  if (text === undefined || traceparentOf(text) !== undefined) return;
  throw new SwlError("request.invalid", "traceparent is not a W3C trace context.", {
    hint: "00-<32 hexadecimal digits>-<16 hexadecimal digits>-<2 hexadecimal digits>",
  });
}
