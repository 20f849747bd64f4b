/**
 * Engines with one mistake in what they keep, time, update or choose, against the cases.
 */
import { isJsonObject, type Json, type JsonObject, setOwn } from "@swl/base";
import type { ExecutionModel, StateDocument } from "@swl/execution/model";
import { describe } from "vitest";
import { catches, eachNode, type Mistake, misread, misspoken, mistaken, model } from "./mistaken-engines.js";

/** The engine loses its memory before every event, in this way. */
function misremembered(change: (document: StateDocument) => StateDocument): Partial<ExecutionModel> {
  return {
    transition(prepared, state, event) {
      const remembered = state === undefined ? undefined : model.fromJSON(change(model.toJSON(state)));
      return model.transition(prepared, remembered, event);
    },
  };
}

/** The same slots of kept signals, in the opposite order. */
function reversed({ head, slots }: StateDocument): StateDocument {
  const keys = Object.keys(slots).filter((key) => key.startsWith("signal:approval#"));
  const turned: { [key: string]: Json } = { ...slots };
  for (const [index, key] of keys.entries()) setOwn(turned, key, slots[keys[keys.length - 1 - index]!]!);
  return { head, slots: turned };
}

const mistakes: { readonly [name: string]: Mistake } = {
  "keeps no signal": {
    rule: "EXE-buffer",
    engine: misread((definition) => {
      definition["requires"] = (definition["requires"] as string[]).filter(
        (name) => name !== "buffered-signals",
      );
      const { maxBufferedSignals: _, ...limits } = definition["limits"] as JsonObject;
      definition["limits"] = limits;
    }),
  },
  "takes the newest kept signal first": { rule: "EXE-buffer-taken", engine: misremembered(reversed) },
  "takes kept signals whatever their payload": {
    rule: "EXE-buffer-taken",
    engine: eachNode((node) => {
      delete node["payloads"];
    }),
  },
  "keeps one signal more than it may": {
    rule: "EXE-buffer-capacity",
    engine: misread((definition) => {
      const limits = definition["limits"] as JsonObject;
      const most = limits["maxBufferedSignals"];
      if (typeof most === "number") definition["limits"] = { ...limits, maxBufferedSignals: most + 1 };
    }),
  },
  "forgets at the end what nobody took": {
    rule: "EXE-buffer-end",
    engine: {
      view(prepared, state) {
        const view = model.view(prepared, state);
        return view.result === null || view.buffer === undefined ? view : { ...view, buffer: [] };
      },
    },
  },
  "counts a time from the epoch": {
    rule: "EXE-await-deadline",
    engine: misspoken((step) => ({
      ...step,
      commands: step.commands.map((command) =>
        command.kind === "set-deadline" ? { ...command, at: command.at % 86_400_000 } : command,
      ),
    })),
  },
  "leaves deadlines armed behind itself": {
    rule: "EXE-await-deadline",
    engine: misspoken((step) => ({
      ...step,
      commands: step.commands.filter(
        (command) => command.kind !== "clear-deadline" || command.key.startsWith("operation:"),
      ),
    })),
  },
  "gives every visit of a timer the same key": {
    rule: "EXE-timer",
    engine: misspoken((step) => ({
      ...step,
      commands: step.commands.map((command) =>
        "key" in command ? { ...command, key: command.key.replace(/#\d+$/, "#1") } : command,
      ),
    })),
  },
  "fires what is armed, whichever deadline has passed": {
    rule: "EXE-stale-deadline",
    engine: mistaken((event, state) => {
      const armed = model.outstanding(state).find((one) => one.kind === "deadline");
      if (event.type !== "deadline" || armed?.kind !== "deadline") return event;
      return { ...event, kind: armed.deadline, key: armed.key, generation: armed.generation };
    }),
  },
  "does not fire before its own clock says so": {
    rule: "EXE-stale-deadline",
    engine: mistaken((event, state) => {
      const armed = model.outstanding(state).find((one) => one.kind === "deadline");
      const early = event.type === "deadline" && armed?.kind === "deadline" && event.at < armed.at;
      return early ? { ...event, generation: -1 } : event;
    }),
  },
  "waits no time where it cannot tell how long": {
    rule: "EXE-duration",
    engine: eachNode((node) => {
      if (isJsonObject(node["after"])) node["after"] = "PT0S";
      const deadline = node["deadline"];
      if (isJsonObject(deadline) && isJsonObject(deadline["after"]))
        node["deadline"] = { ...deadline, after: "PT0S" };
    }),
  },
  "takes an update for a signal": {
    rule: "EXE-update",
    engine: mistaken((event) =>
      event.type === "update" ? { ...event, type: "signal", messageId: event.requestId } : event,
    ),
  },
  "decides by the last case that holds": {
    rule: "EXE-choice",
    engine: eachNode((node) => {
      const cases = node["cases"];
      if (Array.isArray(cases)) node["cases"] = cases.toReversed();
    }),
  },
  "takes a rule without a value for one that does not hold": {
    rule: "EXE-choice",
    engine: eachNode((node) => {
      const cases = node["cases"];
      if (!Array.isArray(cases)) return;
      node["cases"] = cases.map((item) => {
        const { when } = item as JsonObject;
        return isJsonObject(when) && "+" in when ? { ...(item as JsonObject), when: false } : item;
      });
    }),
  },
};

describe("an engine with one mistake in its routing", () => {
  catches(mistakes);
});
