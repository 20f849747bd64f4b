/**
 * Engines with one mistake in what they wait for, ask about or ask to stop, against the cases.
 */
import { isJsonObject, type JsonObject } from "@swl/base";
import type { Command, ExecutionModel } from "@swl/execution/model";
import { describe } from "vitest";
import {
  blockerOf,
  catches,
  eachAction,
  latestAttempt,
  type Mistake,
  misspoken,
  mistaken,
  model,
} from "./mistaken-engines.js";

/** The engine forgets something of the open invocation before every event. */
function forgetful(change: (call: JsonObject) => JsonObject): Partial<ExecutionModel> {
  return {
    transition(prepared, state, event) {
      if (state === undefined) return model.transition(prepared, state, event);
      const { head, slots } = model.toJSON(state) as {
        readonly head: JsonObject;
        readonly slots: JsonObject;
      };
      const { call } = head;
      const changed = isJsonObject(call) ? { ...head, call: change(call) } : head;
      return model.transition(prepared, model.fromJSON({ head: changed, slots }), event);
    },
  };
}

function without(skip: (command: Command) => boolean): Partial<ExecutionModel> {
  return misspoken((step) => ({ ...step, commands: step.commands.filter((command) => !skip(command)) }));
}

const mistakes: { readonly [name: string]: Mistake } = {
  "does not trust the handle it has": {
    rule: "EXE-deferred",
    engine: mistaken((event, state) =>
      event.type === "unknown" && blockerOf(state)?.reason === "accepted"
        ? { ...event, type: "failure", retryable: true, error: { code: "lost", message: "", details: null } }
        : event,
    ),
  },
  "believes a completion of an attempt that failed": {
    rule: "EXE-completion",
    engine: forgetful((call) => {
      const { operation } = call;
      return isJsonObject(operation) ? { ...call, operation: { ...operation, ended: 0 } } : call;
    }),
  },
  "lets a scheduled attempt go on that a completion settled": {
    rule: "EXE-completion",
    engine: misspoken((step) => ({
      ...step,
      commands:
        step.edges.length > 0 ? step.commands.filter(({ kind }) => kind !== "withdraw") : step.commands,
    })),
  },
  "forgets a completion that came too early": {
    rule: "EXE-early-completion",
    engine: forgetful((call) => {
      const evidence = call["evidence"] as readonly JsonObject[];
      return { ...call, evidence: evidence.filter(({ type }) => type !== "completion") };
    }),
  },
  "applies a completion that was kept for another handle": {
    rule: "EXE-early-completion",
    engine: mistaken((event, state) =>
      event.type === "accepted" && blockerOf(state)?.reason === undefined
        ? { ...event, handle: "op-1" }
        : event,
    ),
  },
  "waits again without a new deadline": {
    rule: "EXE-reattach",
    engine: without((command) => command.kind === "set-deadline" && command.generation > 1),
  },
  "loses sight of operations that nobody waits for": {
    rule: "EXE-unsettled",
    engine: {
      view(prepared, state) {
        const { unsettled: _, ...view } = model.view(prepared, state);
        return view;
      },
    },
  },
  "repeats what it should ask about": {
    rule: "EXE-reconcile",
    engine: eachAction((action) => {
      if (action["effect"] === "reconcilable") action["effect"] = "idempotent";
    }),
  },
  "asks only once": {
    rule: "EXE-reconcile",
    engine: without((command) => command.kind === "inspect" && command.delay > 0),
  },
  "takes an operation that still runs for one that is gone": {
    rule: "EXE-inspected",
    engine: mistaken((event) =>
      event.type === "inspected" && event.status === "running" ? { ...event, status: "not-found" } : event,
    ),
  },
  "does not ask to stop": {
    rule: "EXE-cancel-ack",
    engine: without((command) => command.kind === "cancel-invocation"),
  },
  "takes an acknowledgement for the end": {
    rule: "EXE-cancel-ack",
    engine: mistaken((event, state) =>
      event.type === "cancel-acknowledged" && blockerOf(state)?.reason === "canceling"
        ? {
            ...event,
            type: "result",
            attempt: blockerOf(state)?.attempt ?? latestAttempt(state),
            outcome: "ok",
            output: { n: 1 },
          }
        : event,
    ),
  },
  "offers no evidence for adoption": {
    rule: "EXE-evidence-adoption",
    engine: {
      disposition(state) {
        const said = model.disposition(state);
        return said.kind === "parked" ? { kind: "parked", blockers: said.blockers } : said;
      },
    },
  },
  "forgets what it asked": {
    rule: "EXE-outstanding",
    engine: {
      outstanding: (state) => model.outstanding(state).filter(({ kind }) => kind !== "inspect"),
      view(prepared, state) {
        const view = model.view(prepared, state);
        return { ...view, outstanding: view.outstanding.filter(({ kind }) => kind !== "inspect") };
      },
    },
  },
};

describe("an engine with one mistake about operations", () => {
  catches(mistakes);
});
