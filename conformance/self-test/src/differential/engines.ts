/** Two engines side by side: each says the steps of a trace, and the first difference between them is said in one line. */
import type { Json, JsonObject, Outcome } from "@swl/base";
import { firstDifference, portableStep, sameStep } from "@swl/conformance";
import type { AcceptedEvent, ExecutionModel } from "@swl/execution/model";

/** What a trace is asked of: an execution model in this process, or a subject behind stdio. */
export interface Engine {
  trace(
    definition: JsonObject,
    events: readonly AcceptedEvent[],
  ): Outcome<readonly JsonObject[]> | Promise<Outcome<readonly JsonObject[]>>;
}

/** Definitions are compiled once for each model, as long as they live. */
const compiled = new WeakMap<ExecutionModel, WeakMap<JsonObject, Outcome<unknown>>>();

export function preparedOf(model: ExecutionModel, definition: JsonObject): Outcome<unknown> {
  const known = compiled.get(model) ?? new WeakMap<JsonObject, Outcome<unknown>>();
  compiled.set(model, known);
  const prepared = known.get(definition) ?? model.prepare(definition);
  known.set(definition, prepared);
  return prepared;
}

/** A model as an engine. After an impossible event the state is as it was. */
export function engineOf(model: ExecutionModel): Engine {
  return {
    trace(definition, events) {
      const prepared = preparedOf(model, definition);
      if (!prepared.ok) return prepared;
      let state: unknown;
      const steps = events.map((event): JsonObject => {
        const step = model.transition(prepared.value, state, event);
        if ("error" in step) return { error: step.error as unknown as Json };
        state = step.state;
        const { effect, commands, diagnostics, edges } = step;
        const said = { effect, commands, diagnostics, edges, disposition: model.disposition(state) };
        return { ...said, view: model.view(prepared.value, state) } as unknown as JsonObject;
      });
      return { ok: true, value: steps, findings: [] };
    },
  };
}

/** What the two engines say differently, or `undefined`. An engine that gives no answer differs from one that does. */
export async function differenceBetween(
  [one, other]: readonly [Engine, Engine],
  definition: JsonObject,
  events: readonly AcceptedEvent[],
): Promise<string | undefined> {
  const [expected, actual] = await Promise.all([
    said(one, definition, events),
    said(other, definition, events),
  ]);
  if (typeof expected === "string" || typeof actual === "string") {
    return expected === actual ? undefined : `one says ${brief(expected)}, the other ${brief(actual)}`;
  }
  for (let index = 0; index < events.length; index++) {
    if (sameStep(expected[index]!, actual[index]!)) continue;
    const difference = firstDifference(portable(expected[index]!), portable(actual[index]!));
    if (difference !== undefined) return `event ${index + 1} (${events[index]!.type}): ${difference}`;
  }
  return undefined;
}

/** Through text, as it would be read: what is undefined is not there. */
function portable(step: JsonObject): JsonObject {
  return portableStep(JSON.parse(JSON.stringify(step)) as JsonObject);
}

/** The steps; the codes why there are none; or what was thrown. */
async function said(
  engine: Engine,
  definition: JsonObject,
  events: readonly AcceptedEvent[],
): Promise<readonly JsonObject[] | string> {
  try {
    const trace = await engine.trace(definition, events);
    if (!trace.ok)
      return `refused: ${[...new Set(trace.findings.map(({ code }) => code))].sort().join(", ")}`;
    return trace.value;
  } catch (thrown) {
    return `no answer: ${thrown instanceof Error ? thrown.message.slice(0, 300) : String(thrown)}`;
  }
}

function brief(answer: readonly JsonObject[] | string): string {
  return typeof answer === "string" ? answer : "a trace";
}
