/**
 * A host's observations as spans and metrics of OpenTelemetry. The API object is handed in, so nothing is depended upon
 * and its version is the program's own. All spans of a run are in the trace that the run keeps, whoever makes them and
 * however often hosts were replaced. Spec: DUR-trace-context; names: docs/guide/observability.md.
 */

import type { HostObserver } from "./observation.js";
import type { OtelApi } from "./otel/api.js";
import { instruments } from "./otel/metrics.js";
import { attemptSpan, requestSpan, runSpan, startSpan } from "./otel/spans.js";

export type {
  OtelApi,
  OtelContext,
  OtelCounter,
  OtelHistogram,
  OtelMeter,
  OtelSpan,
  OtelSpanContext,
  OtelTracer,
} from "./otel/api.js";

/**
 * For the host option `observe`. `api`: the namespace of `@opentelemetry/api` 1.3 or newer, or any object of that shape;
 * providers are looked up now, so register them before. Without a registered provider it does nothing.
 */
export function openTelemetry(api: OtelApi): HostObserver {
  const scope = "@swl/durable-state";
  const tracer = api.trace.getTracer(scope);
  const count = instruments(api.metrics.getMeter(scope));
  return {
    observed(observation) {
      count(observation);
      if (observation.kind === "attempt") attemptSpan(api, tracer, observation);
      else if (observation.kind === "request") requestSpan(api, tracer, observation);
      else if (observation.kind === "ended") runSpan(api, tracer, observation);
    },
    starting: (start) => startSpan(api, tracer, start),
  };
}
