/**
 * Engines with one mistake each, as people make them, against the cases: every mistake is caught by a case of the rule
 * that it breaks. What the cases do not notice, they do not test.
 */
import type { JsonObject } from "@swl/base";
import type { AcceptedEvent } from "@swl/execution/model";
import { describe, expect, it } from "vitest";
import {
  blockerOf,
  catches,
  eachAction,
  eachNode,
  failing,
  latestAttempt,
  type Mistake,
  misread,
  misspoken,
  mistaken,
  model,
  traces,
} from "./mistaken-engines.js";

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

describe("an engine with one mistake", () => {
  it("is told from one without by the mistake alone", async () => {
    expect(traces.length).toBeGreaterThan(100);
    expect(await failing({})).toEqual([]);
  });

  catches(mistakes);
});
