/**
 * Spans: one when a run is created, under the caller's; below that one each attempt, when the commit that ended it was
 * accepted, one each request that brought a trace of its own, which it links, when the commit that applied it was, and
 * the run as a whole, when it has ended. Nothing is open meanwhile: a host that dies leaves no span behind
 * that somebody would have to end.
 */
import { contentDigest } from "@swl/base";
import type { AttemptObservation, EndedObservation, RequestObservation, Starting } from "../observation.js";
import { type TraceParts, traceparentOf } from "../trace-context.js";
import type { Attributes, OtelApi, OtelContext, OtelSpanContext, OtelTracer } from "./api.js";

const ERROR = 2;

/** Not ended unless the run is there: a span that is never ended is never exported. */
export function startSpan(
  api: OtelApi,
  tracer: OtelTracer,
  { workflow, traceparent }: { readonly workflow: string; readonly traceparent?: string },
): Starting | undefined {
  const caller = traceparentOf(traceparent);
  const above = caller === undefined ? api.context.active() : remote(api, caller);
  const span = tracer.startSpan(`start ${workflow}`, { attributes: { "swl.workflow": workflow } }, above);
  const { traceId, spanId, traceFlags } = span.spanContext();
  const own = `00-${traceId}-${spanId}-${(traceFlags & 0xff).toString(16).padStart(2, "0")}`;
  if (traceparentOf(own) === undefined) return undefined;
  return {
    traceparent: own,
    committed(run) {
      span.setAttribute("swl.run", run);
      span.end();
    },
  };
}

export function attemptSpan(api: OtelApi, tracer: OtelTracer, observed: AttemptObservation): void {
  const { answer, action, outcome, error, reason } = observed;
  if (answer === "withdrawn") return;
  const attributes: Attributes = {
    "swl.run": observed.run,
    "swl.workflow": observed.workflow,
    "swl.activation": observed.activation,
    "swl.invocation": observed.invocation,
    "swl.action": action,
    "swl.attempt": observed.attempt,
    "swl.effect": observed.effect,
    "swl.answer": answer,
    "swl.begun.known": observed.begunKnown,
    ...(outcome !== undefined && { "swl.outcome": outcome }),
    ...(error !== undefined && { "swl.error.code": error }),
    ...(reason !== undefined && { "swl.unknown.reason": reason }),
  };
  const options = { startTime: new Date(observed.begun), attributes };
  const span = tracer.startSpan(action, options, contextOf(api, observed));
  if (answer !== "completed") span.setStatus({ code: ERROR, message: error ?? reason ?? answer });
  span.end(new Date(observed.ended));
}

/** In the run's trace, with a link to the sender's: both go on, and each leads to the other. */
export function requestSpan(api: OtelApi, tracer: OtelTracer, observed: RequestObservation): void {
  const { type, sender, answer, error } = observed;
  const parts = traceparentOf(sender);
  const attributes: Attributes = {
    "swl.run": observed.run,
    "swl.workflow": observed.workflow,
    "swl.request": observed.request,
    "swl.answer": answer,
    ...(error !== undefined && { "swl.error.code": error }),
  };
  const links = parts === undefined ? [] : [{ context: spanContextOf(parts) }];
  const options = { startTime: new Date(observed.accepted), attributes, links };
  const span = tracer.startSpan(type, options, contextOf(api, observed));
  if (answer === "none") span.setStatus({ code: ERROR, message: error ?? answer });
  span.end(new Date(Math.max(observed.accepted, observed.applied)));
}

export function runSpan(api: OtelApi, tracer: OtelTracer, observed: EndedObservation): void {
  const { run, workflow, status, error } = observed;
  const attributes: Attributes = {
    "swl.run": run,
    "swl.workflow": workflow,
    "swl.status": status,
    ...(error !== undefined && { "swl.error.code": error }),
  };
  const options = { startTime: new Date(observed.created), attributes };
  const span = tracer.startSpan(`run ${workflow}`, options, contextOf(api, observed));
  if (status === "failed") span.setStatus({ code: ERROR, message: error ?? status });
  span.end(new Date(observed.ended));
}

/** A run that keeps no context, as those that no host created, has one made of its name: the same on every host. */
function contextOf(api: OtelApi, { run, traceparent }: { run: string; traceparent?: string }): OtelContext {
  const kept = traceparentOf(traceparent);
  if (kept !== undefined) return remote(api, kept);
  const hash = contentDigest(run).slice("sha256:".length);
  return remote(api, { traceId: hash.slice(0, 32), spanId: hash.slice(32, 48), flags: 1 });
}

function remote(api: OtelApi, parts: TraceParts): OtelContext {
  return api.trace.setSpanContext(api.ROOT_CONTEXT, spanContextOf(parts));
}

function spanContextOf({ traceId, spanId, flags }: TraceParts): OtelSpanContext {
  return { traceId, spanId, traceFlags: flags, isRemote: true };
}
