/**
 * Compiles a choice: its rules, each with the outcome that it stands for. Spec: EXE-prepare.
 */
import { isSwlError, type Json, type JsonObject, own } from "@swl/base";
import { compileLogic, type Logic } from "@swl/definition/logic";
import { most } from "./bounds.js";
import { routedOutcome, routing } from "./prepare-routes.js";
import type { PreparedChoice } from "./prepared.js";
import { nodeSlot } from "./slots.js";
import type { Reader } from "./structure.js";

export function prepareChoice(
  reader: Reader,
  id: string,
  node: JsonObject,
  at: string,
  nodes: JsonObject,
): PreparedChoice | undefined {
  reader.needs("expressions-jsonlogic", "a choice node", `${at}/kind`);
  const routed = routing(reader, node, at, nodes);
  const otherwise = routedOutcome(reader, node, "otherwise", at, routed?.routes);
  const cases: { readonly when: Logic; readonly outcome: string }[] = [];
  const listed = own(node, "cases");
  if (!Array.isArray(listed) || listed.length === 0) {
    return reader.fault(`${at}/cases`, "expected a list of cases");
  }
  if (listed.length > most.cases) reader.fault(`${at}/cases`, `expected at most ${most.cases} cases`);
  for (const [index, item] of listed.entries()) {
    const place = `${at}/cases/${index}`;
    const said = reader.object(item, place);
    if (said === undefined) continue;
    const outcome = routedOutcome(reader, said, "outcome", place, routed?.routes);
    const when = logic(reader, own(said, "when"), `${place}/when`);
    if (when !== undefined && outcome !== undefined) cases.push({ when, outcome });
  }
  if (routed === undefined || otherwise === undefined) return undefined;
  return { kind: "choice", id, slot: nodeSlot(id), cases, otherwise, ...routed };
}

function logic(reader: Reader, rule: Json | undefined, pointer: string): Logic | undefined {
  if (rule === undefined) return reader.fault(pointer, "expected a rule");
  try {
    return compileLogic(rule);
  } catch (thrown) {
    if (!isSwlError(thrown)) throw thrown;
    return reader.fault(`${pointer}${thrown.pointer ?? ""}`, thrown.message);
  }
}
