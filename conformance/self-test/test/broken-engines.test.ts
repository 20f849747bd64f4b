/**
 * Engines with one mistake each, as people make them, against the cases: every mistake is caught by a case of the rule
 * that it breaks. What the cases do not notice, they do not test.
 */
import { isJsonObject, type Json, type JsonObject } from "@swl/base";
import { type Case, runCases } from "@swl/conformance";
import { bundledCases, readCases } from "@swl/conformance/cases";
import type { AcceptedEvent, ExecutionModel, Transition } from "@swl/execution/model";
import { describe, expect, it } from "vitest";
import { swl } from "../src/subject.js";

const model = swl.model!;
const read = readCases(bundledCases);
const traces = (read.ok ? read.value : []).filter((item) => item.phase === "transition");

type Step = Exclude<Transition<unknown>, { readonly error: unknown }>;
type Loose = { [member: string]: Json };

interface Mistake {
  readonly rule: string;
  readonly engine: Partial<ExecutionModel>;
}

/** The engine reads another definition than it was given. Its digest stays true: that alone must not give it away. */
function misread(change: (definition: Loose) => void): Partial<ExecutionModel> {
  const digests = new WeakMap<object, string>();
  return {
    prepare(definition, semantics) {
      const copy = structuredClone(definition) as Loose;
      change(copy);
      const [meant, got] = [model.prepare(definition, semantics), model.prepare(copy, semantics)];
      if (meant.ok && got.ok) digests.set(got.value as object, model.requirements(meant.value).definition);
      return got;
    },
    view(prepared, state) {
      const view = model.view(prepared, state);
      return { ...view, definition: digests.get(prepared as object) ?? view.definition };
    },
  };
}

function eachAction(change: (action: Loose) => void): Partial<ExecutionModel> {
  return misread((definition) => each(definition["actions"], change));
}

function eachNode(change: (node: Loose) => void): Partial<ExecutionModel> {
  return misread((definition) => each(definition["nodes"], change));
}

function each(members: Json | undefined, change: (member: Loose) => void): void {
  for (const member of Object.values(isJsonObject(members) ? members : {})) change(member as Loose);
}

/** The engine takes an event for another one. */
function mistaken(change: (event: AcceptedEvent, state: unknown) => AcceptedEvent): Partial<ExecutionModel> {
  return {
    transition: (prepared, state, event) =>
      model.transition(prepared, state, state === undefined ? event : change(event, state)),
  };
}

/** The engine says something else than it should. */
function misspoken(change: (step: Step) => Step): Partial<ExecutionModel> {
  return {
    transition(prepared, state, event) {
      const step = model.transition(prepared, state, event);
      return "error" in step ? step : change(step);
    },
  };
}

function latestAttempt(state: unknown): number {
  const invoke = model.outstanding(state).find((one) => one.kind === "invoke");
  return invoke?.attempt ?? 1;
}

function blockerOf(state: unknown) {
  const disposition = model.disposition(state);
  return disposition.kind === "closed" ? undefined : disposition.blockers[0];
}

const mistakes: { readonly [name: string]: Mistake } = {
  "counts retries where attempts are meant": {
    rule: "EXE-attempts",
    engine: eachAction((action) => {
      const retry = action["retry"] as JsonObject;
      action["retry"] = { ...retry, maxAttempts: (retry["maxAttempts"] as number) + 1 };
    }),
  },
  "retries at once": {
    rule: "EXE-retry-delay",
    engine: misspoken((step) => ({
      ...step,
      commands: step.commands.map((command) =>
        command.kind === "invoke" ? { ...command, delay: 0 } : command,
      ),
    })),
  },
  "makes a new key for every attempt": {
    rule: "EXE-attempts",
    engine: misspoken((step) => ({
      ...step,
      commands: step.commands.map((command) =>
        command.kind === "invoke"
          ? { ...command, idempotencyKey: `${command.idempotencyKey}/${command.attempt}` }
          : command,
      ),
    })),
  },
  "takes an unknown result for a failure": {
    rule: "EXE-unknown",
    engine: mistaken((event) =>
      event.type === "unknown"
        ? {
            ...event,
            type: "failure",
            retryable: true,
            error: { code: "lost", message: "lost", details: null },
          }
        : event,
    ),
  },
  "loops once too often": {
    rule: "EXE-loop-limit",
    engine: eachNode((node) => {
      const limits = Object.entries((node["loopLimits"] ?? {}) as { readonly [outcome: string]: number });
      if (limits.length > 0)
        node["loopLimits"] = Object.fromEntries(limits.map(([outcome, n]) => [outcome, n + 1]));
    }),
  },
  "has no limits": {
    rule: "EXE-limits",
    engine: misread((definition) => {
      definition["limits"] = { maxActivations: 100_000, maxInternalTransitions: 1_000 };
    }),
  },
  "believes every output": {
    rule: "EXE-contract-violation",
    engine: eachAction((action) => {
      const outcomes = Object.keys(action["outcomes"] as JsonObject);
      action["outcomes"] = Object.fromEntries(outcomes.map((outcome) => [outcome, {}]));
    }),
  },
  "does not see the failed route": {
    rule: "EXE-failed-route",
    engine: eachNode((node) => {
      if (node["kind"] !== "activity") return;
      const { failed: _, ...routes } = node["routes"] as JsonObject;
      if (Object.keys(routes).length > 0) node["routes"] = routes;
    }),
  },
  "takes the word of an older attempt": {
    rule: "EXE-evidence",
    engine: mistaken((event, state) =>
      event.type === "result" ? { ...event, attempt: latestAttempt(state) } : event,
    ),
  },
  "does not hear a cancel": {
    rule: "EXE-cancel",
    engine: mistaken((event) =>
      event.type === "cancel"
        ? { ...event, type: "signal", messageId: event.requestId, name: "nobody", payload: null }
        : event,
    ),
  },
  "takes any signal for the one it waits for": {
    rule: "EXE-signal",
    engine: mistaken((event, state) => {
      const wanted = event.type === "signal" ? blockerOf(state)?.signal : undefined;
      return wanted === undefined ? event : ({ ...event, name: wanted.name } as AcceptedEvent);
    }),
  },
  "chooses an outcome for the sender": {
    rule: "EXE-signal-outcome",
    engine: mistaken((event, state) => {
      const wanted = event.type === "signal" ? blockerOf(state)?.signal : undefined;
      if (wanted === undefined || event.type !== "signal" || event.outcome !== undefined) return event;
      return { ...event, outcome: wanted.outcomes[0]! };
    }),
  },
  "takes any payload": {
    rule: "EXE-signal-refused",
    engine: eachNode((node) => {
      delete node["payloads"];
    }),
  },
  "resolves whatever is parked": {
    rule: "EXE-resolve",
    engine: mistaken((event, state) => {
      const parked = event.type === "resolve" ? blockerOf(state)?.invocation : undefined;
      return parked === undefined ? event : ({ ...event, invocation: parked } as AcceptedEvent);
    }),
  },
  "does not say what it waits for": {
    rule: "EXE-disposition",
    engine: {
      disposition(state) {
        const said = model.disposition(state);
        return said.kind === "closed" ? said : { ...said, blockers: [] };
      },
    },
  },
  "forgets in the view what is outstanding": {
    rule: "EXE-view",
    engine: { view: (prepared, state) => ({ ...model.view(prepared, state), outstanding: [] }) },
  },
};

async function failing(engine: Partial<ExecutionModel>): Promise<readonly Case[]> {
  const subject = { ...swl, name: "mistaken", model: { ...model, ...engine } };
  const results = await runCases(traces, subject);
  return traces.filter((_, index) => results[index]?.against === true);
}

describe("an engine with one mistake", () => {
  it("is told from one without by the mistake alone", async () => {
    expect(traces.length).toBeGreaterThan(100);
    expect(await failing({})).toEqual([]);
  });

  for (const [name, { rule, engine }] of Object.entries(mistakes)) {
    it(`is caught when it ${name} [${rule}]`, async () => {
      const caught = await failing(engine);
      expect(caught.flatMap((item) => item.rules)).toContain(rule);
    });
  }
});
