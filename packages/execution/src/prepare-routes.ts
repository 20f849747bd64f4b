/**
 * What nodes of several kinds have: routes whose targets exist, outcomes that are routed, mappings. Spec: EXE-prepare.
 */
import { isSwlError, type Json, type JsonObject, own, pointerTo, quoted } from "@swl/base";
import { compileMapping, type Mapping } from "@swl/definition/mappings";
import { forms, most } from "./bounds.js";
import type { Reader } from "./structure.js";

export function routing(reader: Reader, node: JsonObject, at: string, nodes: JsonObject) {
  const routes = new Map<string, string>();
  const place = `${at}/routes`;
  for (const [outcome, target] of reader.entries(node, "routes", at)) {
    if (typeof target !== "string" || own(nodes, target) === undefined) {
      reader.fault(pointerTo(place, outcome), "a route leads to a node that is not there");
    } else if (!forms.outcome.test(outcome)) {
      reader.fault(pointerTo(place, outcome), "expected the name of an outcome");
    } else routes.set(outcome, target);
  }
  if (routes.size === 0) return reader.fault(place, "expected at least one route");
  const limits = own(node, "loopLimits");
  if (limits !== undefined && !routes.has("exhausted"))
    reader.fault(place, "loopLimits need the route exhausted");
  if (limits === undefined) return { routes, loopLimits: null };
  const loopLimits = new Map<string, number>();
  const object = reader.object(limits, `${at}/loopLimits`) ?? {};
  for (const outcome of Object.keys(object)) {
    const limit = reader.integer(object, outcome, `${at}/loopLimits`, 1, most.loopLimit);
    if (limit !== undefined) loopLimits.set(outcome, limit);
  }
  return { routes, loopLimits };
}

/** An outcome that has a route. */
export function routedOutcome(
  reader: Reader,
  object: JsonObject,
  key: string,
  at: string,
  routes: ReadonlyMap<string, string> | undefined,
): string | undefined {
  const outcome = reader.string(object, key, at);
  if (outcome === undefined || routes === undefined || routes.has(outcome)) return outcome;
  return reader.fault(pointerTo(at, key), `outcome ${quoted(outcome)} is not routed`);
}

export function mapping(reader: Reader, value: Json | undefined, pointer: string): Mapping | undefined {
  if (value === undefined) return reader.fault(pointer, "expected a mapping");
  try {
    return compileMapping(value);
  } catch (thrown) {
    if (!isSwlError(thrown)) throw thrown;
    return reader.fault(`${pointer}${thrown.pointer ?? ""}`, thrown.message);
  }
}
