/**
 * Compiles one node: routes as a map whose targets exist, mappings compiled, payload checks. Spec: EXE-prepare.
 */
import { type JsonObject, own, pointerTo } from "@swl/base";
import { forms } from "./bounds.js";
import type { CompiledAction } from "./prepare-action.js";
import { prepareChoice } from "./prepare-choice.js";
import { mapping, routing } from "./prepare-routes.js";
import { prepareAwait, prepareTimer } from "./prepare-waiter.js";
import type { PreparedNode } from "./prepared.js";
import { nodeSlot } from "./slots.js";
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
      return prepareAwait(reader, id, node, at, around.nodes);
    case "complete": {
      const output = mapping(reader, own(node, "output"), `${at}/output`);
      return output && { kind: "complete", id, slot: nodeSlot(id), output };
    }
    case "fail":
      return prepareFail(reader, id, node, at);
    case "await-timer":
      return prepareTimer(reader, id, node, at, around.nodes);
    case "choice":
      return prepareChoice(reader, id, node, at, around.nodes);
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
  return { kind: "activity", id, slot: nodeSlot(id), action: compiled.action, input, parameters, ...routed };
}

function prepareFail(reader: Reader, id: string, node: JsonObject, at: string): PreparedNode | undefined {
  const error = reader.member(node, "error", at);
  if (error === undefined) return undefined;
  const code = reader.name(error, "code", `${at}/error`, forms.errorCode);
  const message = mapping(reader, own(error, "message"), `${at}/error/message`);
  const details = mapping(reader, own(error, "details") ?? null, `${at}/error/details`);
  if (code === undefined || message === undefined || details === undefined) return undefined;
  return { kind: "fail", id, slot: nodeSlot(id), code, message, details };
}
