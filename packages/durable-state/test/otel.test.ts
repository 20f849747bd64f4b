/** With the real API and SDK of OpenTelemetry: what is exported, under which trace, across hosts that die. */
import { readFileSync } from "node:fs";
import { isDeepStrictEqual } from "node:util";
import * as api from "@opentelemetry/api";
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from "@opentelemetry/sdk-metrics";
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  type ReadableSpan,
  SimpleSpanProcessor,
} from "@opentelemetry/sdk-trace-base";
import type { Json } from "@swl/base";
import { defineWorkflow } from "@swl/definition";
import type { Provider, ProviderAnswer } from "@swl/invocation-control";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { createControl, type HostOptions } from "../src/index.js";
import { openTelemetry } from "../src/otel.js";
import { completed, core, Lab, mortal, oneStep, until } from "./lab.js";

const spans = new InMemorySpanExporter();
const metrics = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE);
const reader = new PeriodicExportingMetricReader({ exporter: metrics, exportIntervalMillis: 3_600_000 });
const traces = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(spans)] });

beforeAll(() => {
  api.trace.setGlobalTracerProvider(traces);
  api.metrics.setGlobalMeterProvider(new MeterProvider({ readers: [reader] }));
});
afterAll(async () => {
  await reader.shutdown();
  api.trace.disable();
  api.metrics.disable();
});

let lab = new Lab();
afterEach(async () => {
  await lab.end();
  lab = new Lab();
  spans.reset();
});

const traceId = "0af7651916cd43dd8448eb211c80319c";
const traceparent = `00-${traceId}-b7ad6b7169203331-01`;
const observed = (): Pick<HostOptions, "observe"> => ({ observe: openTelemetry(api) });

const ended = async (run: string): Promise<boolean> =>
  until(() => spans.getFinishedSpans().some((span) => isRun(span) && span.attributes["swl.run"] === run));

const isRun = ({ name }: ReadableSpan): boolean => name.startsWith("run ");

/** Waits for what nobody says, and keeps what comes for later. */
const asking = defineWorkflow({
  id: "asking",
  start: "wait",
  requires: ["core", "buffered-signals"],
  nodes: {
    wait: { kind: "await-signal", signal: "never", routes: { received: "next" } },
    next: { kind: "await-signal", signal: "go", routes: { received: "done" } },
    done: { kind: "complete", output: null },
  },
}) as unknown as Json;

/** Waits for a signal, begins again what failed once, and parks at what is unsafe. */
const metered = defineWorkflow({
  id: "metered",
  start: "wait",
  actions: {
    meter: {
      effect: "idempotent",
      outcomes: { ok: {} },
      retry: { maxAttempts: 2, initialDelayMs: 20, backoff: "fixed", maxDelayMs: 20, jitter: "none" },
    },
    risk: { effect: "unsafe", outcomes: { ok: {} } },
  },
  nodes: {
    wait: { kind: "await-signal", signal: "go", routes: { received: "meter" } },
    meter: { kind: "activity", action: "meter", routes: { ok: "risk" } },
    risk: { kind: "activity", action: "risk", routes: { ok: "done" } },
    done: { kind: "complete", output: null },
  },
});

/** `name < parent's name`, in the order of their ends. */
function tree(all: readonly ReadableSpan[]): readonly string[] {
  const names = new Map(all.map((span) => [span.spanContext().spanId, span.name]));
  return all.map((span) => {
    const above = span.parentSpanContext?.spanId ?? "";
    return `${span.name} < ${names.get(above) ?? above}`;
  });
}

describe("spans of a run", () => {
  it("are in its caller's trace, also those of the host that took it over [DUR-trace-context]", async () => {
    const life = mortal(lab.store());
    const dying = { store: life.store, lease: 300, ...observed() };
    const first = await lab.host(() => new Promise(() => undefined), dying);
    const { id } = await first.start(oneStep("idempotent", { delay: 10 }), { traceparent });
    await until(() => lab.calls.length === 1);
    life.kill();
    await lab.host(() => completed("again"), observed());
    expect(await ended(id)).toBe(true);
    const all = spans.getFinishedSpans();
    expect(tree(all)).toEqual([
      "start one < b7ad6b7169203331",
      "work < start one",
      "work < start one",
      "run one < start one",
    ]);
    expect(new Set(all.map((span) => span.spanContext().traceId))).toEqual(new Set([traceId]));
    expect(all.map(({ attributes }) => attributes["swl.run"])).toEqual([id, id, id, id]);
    // What actions call continues it, whoever began the attempt.
    const kept = `00-${traceId}-${all[0]?.spanContext().spanId}-01`;
    expect(lab.calls.map((call) => call.traceparent)).toEqual([kept, kept]);
    expect(all.slice(1, 3).map(({ attributes }) => attributes["swl.answer"])).toEqual([
      "unknown",
      "completed",
    ]);
    expect(all.map(({ status }) => status.code)).toEqual([0, 2, 0, 0]);
  });

  it("would be in many traces if each host made its own [DUR-trace-context]", async () => {
    // The broken subject: an observer that keeps no context of the run.
    const forgetting = (): Pick<HostOptions, "observe"> => {
      const { observed: tell } = openTelemetry(api);
      const other = () => api.trace.getTracer("own").startSpan("own").spanContext();
      return {
        observe: {
          observed(one) {
            if (!("run" in one)) return tell(one);
            const { traceId: own, spanId } = other();
            tell({ ...one, traceparent: `00-${own}-${spanId}-01` });
          },
        },
      };
    };
    const host = await lab.host(() => completed(), forgetting());
    const { id } = await host.start(oneStep("unsafe"), { traceparent });
    expect(await ended(id)).toBe(true);
    const all = spans.getFinishedSpans();
    expect(new Set(all.map((span) => span.spanContext().traceId))).not.toEqual(new Set([traceId]));
  });

  it("of a start that became none are not exported; of the same start key there is one [DUR-observed-once]", async () => {
    const host = await lab.host(() => completed(), observed());
    const given = { startKey: "k", input: 1 };
    const starts = [1, 2, 3].map(() => host.start(oneStep("unsafe"), given));
    const [{ id }] = await Promise.all(starts as [(typeof starts)[0]]);
    await expect(host.start(oneStep("unsafe"), { startKey: "k", input: 2 })).rejects.toMatchObject({
      code: "request.conflict",
    });
    expect(await ended(id)).toBe(true);
    const all = spans.getFinishedSpans();
    expect(all.map(({ name }) => name).sort()).toEqual(["run one", "start one", "work"]);
    expect(new Set(all.map((span) => span.spanContext().traceId)).size).toBe(1);
  });

  it("that no host created are in a trace made of its name", async () => {
    const control = createControl({ store: lab.store(), models: [core] });
    await control.publish({ name: "one", requestId: "r", definition: oneStep("unsafe") as never });
    const { run } = await control.start({ name: "one", input: null, startKey: "k" });
    await lab.host(() => completed(), observed());
    expect(await ended(run)).toBe(true);
    const all = spans.getFinishedSpans();
    expect(all.map(({ name }) => name)).toEqual(["work", "run one"]);
    expect(new Set(all.map((span) => span.spanContext().traceId)).size).toBe(1);
  });

  it("are in the trace of whoever created the run for hosts to come [DUR-trace-context]", async () => {
    const control = createControl({ store: lab.store(), models: [core] });
    const traceparent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
    const start = { definition: oneStep("unsafe"), startKey: "k" };
    const created = await control.start({ ...start, traceparent });
    // Another trace is no other content.
    expect(await control.start(start)).toMatchObject({ repeated: true });
    await expect(control.start({ ...start, startKey: "l", traceparent: "none" })).rejects.toMatchObject({
      code: "request.invalid",
    });
    await lab.host(() => completed(), observed());
    expect(await ended(created.run)).toBe(true);
    const all = spans.getFinishedSpans();
    expect(all.map(({ name }) => name)).toEqual(["work", "run one"]);
    expect(all.map((span) => span.parentSpanContext?.spanId)).toEqual(Array(2).fill("b7ad6b7169203331"));
    expect(new Set(all.map((span) => span.spanContext().traceId))).toEqual(
      new Set(["0af7651916cd43dd8448eb211c80319c"]),
    );
  });

  it("of requests link their senders', in the run's trace, once, and say what became of them [DUR-trace-context]", async () => {
    const control = createControl({ store: lab.store(), models: [core] });
    const sender = (n: number) => `00-${String(n).repeat(32)}-${String(n).repeat(16)}-01`;
    const { run } = await control.start({ definition: asking, traceparent });
    const answer = { run, messageId: "m", name: "go", payload: "canary-4711" };
    await control.signal({ ...answer, traceparent: sender(1) }, { wait: 0 });
    // The same request, whatever its trace.
    expect(await control.signal({ ...answer, traceparent: sender(2) }, { wait: 0 })).toMatchObject({
      repeated: true,
    });
    await control.signal({ ...answer, messageId: "plain" }, { wait: 0 });
    const none = control.signal({ ...answer, messageId: "n", traceparent: "none" }, { wait: 0 });
    await expect(none).rejects.toMatchObject({ code: "request.invalid" });
    await lab.host(() => completed(), observed());
    await lab.host(() => completed(), observed());
    await until(async () => (await control.status(run)).unapplied === 0);
    await control.cancel({ run, requestId: "c", traceparent: sender(3) });
    expect(await ended(run)).toBe(true);
    const all = spans.getFinishedSpans().filter(({ name }) => !isRun({ name } as ReadableSpan));
    expect(
      all.map(({ name, attributes, links }) => [
        name,
        attributes["swl.request"],
        attributes["swl.answer"],
        links.map(({ context }) => `00-${context.traceId}-${context.spanId}-01`),
      ]),
    ).toEqual([
      ["signal", "m", "buffered", [sender(1)]],
      ["cancel", "c", "moved", [sender(3)]],
    ]);
    expect(all.map((span) => span.spanContext().traceId)).toEqual([traceId, traceId]);
    expect(all.map((span) => span.parentSpanContext?.spanId)).toEqual(Array(2).fill("b7ad6b7169203331"));
    expect(JSON.stringify(all.map(({ attributes }) => attributes))).not.toContain("canary");
    const events = (await control.verify(run)).differing;
    expect(events).toEqual([]);
  });

  it("say nothing of values, nor of error codes where values are marked", async () => {
    const canary = "canary-4711";
    const host = await lab.host(
      () => ({ kind: "failed", retryable: false, error: { code: canary, message: canary, details: canary } }),
      observed(),
    );
    const marked = { ...oneStep("unsafe"), sensitive: { input: ["/card"] } };
    const { id } = await host.start(marked as never, { input: { card: canary } as never });
    expect(await ended(id)).toBe(true);
    for (const { name, attributes, status, events } of spans.getFinishedSpans())
      expect(JSON.stringify({ name, attributes, status, events })).not.toContain(canary);
  });
});

describe("a trace context", () => {
  it.each([
    "",
    "00-00000000000000000000000000000000-b7ad6b7169203331-01",
    "00-0af7651916cd43dd8448eb211c80319c-0000000000000000-01",
    "ff-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
    "00-0AF7651916CD43DD8448EB211C80319C-b7ad6b7169203331-01",
    "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01-more",
  ])("that is none is refused before anything is written: %s [DUR-trace-context]", async (text) => {
    const host = await lab.host(() => completed());
    const start = host.start(oneStep("unsafe"), { traceparent: text });
    await expect(start).rejects.toMatchObject({ code: "request.invalid" });
    expect((await lab.store().list()).items).toEqual([]);
  });
});

describe("metrics", () => {
  it("count what was committed, without a series a run", async () => {
    const host = await lab.host(() => completed(), observed());
    const runs = await Promise.all([1, 2, 3].map(() => host.start(oneStep("unsafe"))));
    for (const { id } of runs) expect(await ended(id)).toBe(true);
    await reader.forceFlush();
    const all = metrics
      .getMetrics()
      .at(-1)!
      .scopeMetrics.flatMap((scope) => scope.metrics);
    const names = all.map(({ descriptor }) => descriptor.name);
    for (const name of ["swl.commits", "swl.visits", "swl.attempts", "swl.runs.ended", "swl.batch.items"])
      expect(names).toContain(name);
    const attempts = all.find(({ descriptor }) => descriptor.name === "swl.attempts")!.dataPoints;
    expect(attempts.map(({ attributes }) => attributes)).toContainEqual({
      workflow: "one",
      action: "work",
      answer: "completed",
    });
    const text = JSON.stringify(all.map(({ dataPoints }) => dataPoints.map(({ attributes }) => attributes)));
    for (const { id } of runs) expect(text).not.toContain(id);
  });

  it("are the ten that the guide names, each of what it says", async () => {
    const answers = (action: string, attempt: number): ProviderAnswer => {
      if (attempt > 1) return completed();
      if (action === "risk") throw new Error("gone");
      return { kind: "failed", retryable: true, error: { code: "busy", message: "later", details: null } };
    };
    const provider: Provider = {
      id: "meters",
      has: () => true,
      invoke: async ({ action, attempt }) => answers(action, attempt),
    };
    const host = await lab.host(() => completed(), { ...observed(), bindings: provider });
    const { id: run } = await host.start(metered);
    await until(async () => (await host.control.why(run)).status === "waiting");
    await host.control.signal({ run, messageId: "m", name: "go" }, { wait: 60_000 });
    // A retry that was claimed, and then an unsafe attempt of which nobody knows.
    await until(async () => (await host.control.why(run)).status === "needs-intervention");
    const decision = { run, requestId: "r", invocation: `${run}/risk#1`, decision: "retry" } as const;
    await host.control.resolve(decision);
    expect(await ended(run)).toBe(true);
    await host.close();
    await reader.forceFlush();
    const all = metrics
      .getMetrics()
      .at(-1)!
      .scopeMetrics.flatMap((scope) => scope.metrics);
    const guide = readFileSync(new URL("../../../docs/guide/observability.md", import.meta.url), "utf8");
    const named = [...guide.matchAll(/^\| `(swl\.[a-z._]+)` \|/gm)].map(([, name]) => name);
    expect(all.map(({ descriptor }) => descriptor.name).sort()).toEqual(named.sort());
    expect(named).toHaveLength(10);
    const points = (name: string, attributes: object) =>
      all
        .find(({ descriptor }) => descriptor.name === name)!
        .dataPoints.filter((point) => isDeepStrictEqual({ ...point.attributes }, attributes))
        .map(({ value }) => (typeof value === "number" ? value : value.count));
    const workflow = "metered";
    const attempts = (action: string, answer: string) => points("swl.attempts", { workflow, action, answer });
    expect(attempts("meter", "failed")).toEqual([1]);
    expect(attempts("meter", "completed")).toEqual([1]);
    expect(attempts("risk", "unknown")).toEqual([1]);
    expect(points("swl.claim.lag", { action: "meter" })).toEqual([1]);
    // The signal and the decision.
    expect(points("swl.wakeup.latency", { workflow })).toEqual([2]);
    expect(points("swl.runs.parked", { workflow, effect: "unsafe" })).toEqual([1]);
    expect(points("swl.runs.ended", { workflow, status: "completed" })).toEqual([1]);
    expect(points("swl.visits", { workflow })).toEqual([3]);
    expect(points("swl.commits", { workflow })[0]).toBeGreaterThanOrEqual(4);
    for (const action of ["meter", "risk"]) expect(points("swl.attempts.under_way", { action })).toEqual([0]);
    for (const name of ["swl.batch.items", "swl.batch.duration"])
      expect(points(name, {})[0]).toBeGreaterThanOrEqual(4);
  });
});
