/** As much of the OpenTelemetry API as is used here, by its shape: `@opentelemetry/api` fits without being installed. */

type Attributes = { readonly [key: string]: string | number | boolean };

export interface OtelContext {
  getValue(key: symbol): unknown;
  setValue(key: symbol, value: unknown): OtelContext;
  deleteValue(key: symbol): OtelContext;
}

export interface OtelSpanContext {
  readonly traceId: string;
  readonly spanId: string;
  readonly traceFlags: number;
  readonly isRemote?: boolean;
}

export interface OtelSpan {
  spanContext(): OtelSpanContext;
  setAttribute(key: string, value: string): unknown;
  setStatus(status: { code: number; message?: string }): unknown;
  end(endTime?: Date): void;
}

export interface OtelTracer {
  startSpan(
    name: string,
    options?: {
      startTime?: Date;
      attributes?: { [key: string]: string | number | boolean };
      links?: { context: OtelSpanContext }[];
    },
    context?: OtelContext,
  ): OtelSpan;
}

export interface OtelCounter {
  add(value: number, attributes?: { [key: string]: string }): void;
}

export interface OtelHistogram {
  record(value: number, attributes?: { [key: string]: string }): void;
}

interface Described {
  description?: string;
  unit?: string;
}

export interface OtelMeter {
  createCounter(name: string, options?: Described): OtelCounter;
  createUpDownCounter(name: string, options?: Described): OtelCounter;
  createHistogram(name: string, options?: Described): OtelHistogram;
}

export interface OtelApi {
  readonly ROOT_CONTEXT: OtelContext;
  readonly context: { active(): OtelContext };
  readonly trace: {
    getTracer(name: string): OtelTracer;
    setSpanContext(context: OtelContext, span: OtelSpanContext): OtelContext;
  };
  readonly metrics: { getMeter(name: string): OtelMeter };
}

export type { Attributes };
