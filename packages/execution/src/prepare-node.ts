/**
 * Compiles one node: routes as a map whose targets exist, mappings compiled, payload checks. Spec: EXE-prepare.
 */
import { isSwlError, type Json, type JsonObject, own, pointerTo } from "@swl/base";
import { compileMapping, type Mapping } from "@swl/definition/mappings";
import { schemaCheck } from "./checks.js";
import type { CompiledAction } from "./prepare-action.js";
import type { Check, PreparedNode } from "./prepared.js";
import type { Reader } from "./structure.js";

export interface Surroundings {
  readonly nodes: JsonObject;
  /** Those that can run here. */
  readonly actions: ReadonlyMap<string, CompiledAction>;
  /** All that the definition has; one that cannot run here has its own findings. */
  readonly declared: ReadonlySet<string>;
}

export function prepareNode(
  reader: Reader,
  id: string,
  node: JsonObject,
  around: Surroundings,
): PreparedNode | undefined {
  const at = pointerTo("/nodes", id);
  switch (own(node, "kind")) {
    case "activity":
      return prepareActivity(reader, id, node, at, around);
    case "await-signal":
      return prepareAwait(reader, id, node, at, around);
    case "complete": {
      const output = mapping(reader, own(node, "output"), `${at}/output`);
      return output && { kind: "complete", id, output };
    }
    case "fail":
      return prepareFail(reader, id, node, at);
    case "await-timer":
      return reader.fault(
        `${at}/kind`,
        "await-timer needs profile timers, which is not built",
        "model.unsupported",
      );
    case "choice":
      return reader.fault(
        `${at}/kind`,
        "choice needs profile expressions-jsonlogic, which is not built",
        "model.unsupported",
      );
    default:
      return reader.fault(`${at}/kind`, "expected a node kind");
  }
}

function prepareActivity(
  reader: Reader,
  id: string,
  node: JsonObject,
  at: string,
  around: Surroundings,
): PreparedNode | undefined {
  const name = reader.string(node, "action", at);
  const routed = routing(reader, node, at, around.nodes);
  const input = mapping(reader, own(node, "input"), `${at}/input`);
  if (name === undefined) return undefined;
  const compiled = around.actions.get(name);
  if (compiled === undefined) {
    if (!around.declared.has(name)) reader.fault(`${at}/action`, `there is no action ${name}`);
    return undefined;
  }
  const parameters = own(node, "parameters") ?? null;
  const problem = compiled.parameters(parameters)[0];
  if (problem !== undefined) reader.fault(`${at}/parameters${problem.pointer}`, problem.message);
  if (routed === undefined || input === undefined) return undefined;
  for (const outcome of compiled.action.outputs.keys()) {
    if (!routed.routes.has(outcome)) reader.fault(`${at}/routes`, `outcome ${outcome} is not routed`);
  }
  return { kind: "activity", id, action: compiled.action, input, parameters, ...routed };
}

function prepareAwait(
  reader: Reader,
  id: string,
  node: JsonObject,
  at: string,
  around: Surroundings,
): PreparedNode | undefined {
  if (own(node, "deadline") !== undefined) {
    reader.fault(
      `${at}/deadline`,
      "a deadline needs profile timers, which is not built",
      "model.unsupported",
    );
  }
  const signal = reader.string(node, "signal", at);
  const routed = routing(reader, node, at, around.nodes);
  const payloads = new Map<string, Check>();
  for (const [outcome, schema] of reader.entries(node, "payloads", at)) {
    if (typeof schema !== "boolean") reader.object(schema, pointerTo(at, "payloads", outcome));
    payloads.set(outcome, schemaCheck(schema));
  }
  if (signal === undefined || routed === undefined) return undefined;
  const outcomes = [...routed.routes.keys()]
    .filter((route) => route !== "failed" && route !== "exhausted")
    .sort();
  return { kind: "await-signal", id, signal, outcomes, payloads, ...routed };
}

function prepareFail(reader: Reader, id: string, node: JsonObject, at: string): PreparedNode | undefined {
  const error = reader.member(node, "error", at);
  if (error === undefined) return undefined;
  const code = reader.string(error, "code", `${at}/error`);
  const message = mapping(reader, own(error, "message"), `${at}/error/message`);
  const details = mapping(reader, own(error, "details") ?? null, `${at}/error/details`);
  if (code === undefined || message === undefined || details === undefined) return undefined;
  return { kind: "fail", id, code, message, details };
}

function routing(reader: Reader, node: JsonObject, at: string, nodes: JsonObject) {
  const routes = new Map<string, string>();
  const place = `${at}/routes`;
  for (const [outcome, target] of reader.entries(node, "routes", at)) {
    if (typeof target !== "string" || own(nodes, target) === undefined) {
      reader.fault(pointerTo(place, outcome), "a route leads to a node that is not there");
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
    const limit = reader.integer(object, outcome, `${at}/loopLimits`, 1, Number.MAX_SAFE_INTEGER);
    if (limit !== undefined) loopLimits.set(outcome, limit);
  }
  return { routes, loopLimits };
}

function mapping(reader: Reader, value: Json | undefined, pointer: string): Mapping | undefined {
  if (value === undefined) return reader.fault(pointer, "expected a mapping");
  try {
    return compileMapping(value);
  } catch (thrown) {
    if (!isSwlError(thrown)) throw thrown;
    return reader.fault(`${pointer}${thrown.pointer ?? ""}`, thrown.message);
  }
}
