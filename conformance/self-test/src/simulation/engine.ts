/**
 * An engine with a flaw: it fails at one place of one workflow until it has been mended, on every host at once. What the
 * oracles ask has none. Spec: DUR-quarantine.
 */
import { isJsonObject, type Json } from "@swl/base";
import type { ExecutionModel } from "@swl/execution/model";
import type { Flaw } from "./sorts.ts";

export function flawed(real: ExecutionModel, flaw: Flaw, broken: () => boolean): ExecutionModel {
  const marked = new WeakSet<object>();
  const prepare: ExecutionModel["prepare"] = (definition, semantics) => {
    const made = real.prepare(definition, semantics);
    if (made.ok && isJsonObject(definition) && definition["id"] === "flawed")
      marked.add(made.value as object);
    return made;
  };
  const transition: ExecutionModel["transition"] = (prepared, state, event) => {
    const meant = event.type === "result" && event.invocation.endsWith("/a#1");
    if (!meant || !broken() || !marked.has(prepared as object))
      return real.transition(prepared, state, event);
    if (flaw === "throws") throw new TypeError("The engine has a flaw.");
    const message = "The engine has a flaw.";
    return { error: { code: "model.event-impossible", severity: "error", pointer: "", message } };
  };
  const fromJSON: ExecutionModel["fromJSON"] = (given) => {
    if (broken() && standsOnFlaw(given.head)) throw new RangeError("The engine cannot read this state.");
    return real.fromJSON(given);
  };
  const standing = (state: unknown): void => {
    if (broken() && standsOnFlaw(real.toJSON(state).head)) throw new TypeError("The engine has a flaw.");
  };
  const disposition: ExecutionModel["disposition"] = (state) => {
    standing(state);
    return real.disposition(state);
  };
  const view: ExecutionModel["view"] = (prepared, state) => {
    standing(state);
    return real.view(prepared, state);
  };
  const changed: { readonly [flaw in Flaw]: Partial<ExecutionModel> } = {
    throws: { prepare, transition },
    refuses: { prepare, transition },
    unreadable: { fromJSON },
    undisposed: { disposition },
    unseen: { view },
  };
  return Object.assign(Object.create(real) as ExecutionModel, changed[flaw]);
}

const standsOnFlaw = (head: Json): boolean => JSON.stringify(head).includes('"flaw"');
