/**
 * Data flow: what a `$get` refers to must exist, and should have run before the node that reads it. A node that does
 * not exist is an error; the rest is a warning, because a run may still go well. Spec: DEF-data-flow.
 */
import type { Check, Lookup, Reference } from "./check.js";
import { dominators } from "./dominators.js";
import { quote } from "./findings.js";
import type { Graph } from "./graph.js";
import { mappingRoots } from "./mappings.js";
import type { ActionContract, JsonSchema, Node } from "./model.js";
import { excludes } from "./schema-paths.js";

export interface Flow {
  readonly graph: Graph;
  readonly start: string;
  readonly nodes: { readonly [id: string]: Node };
  readonly contracts: ReadonlyMap<string, ActionContract>;
  readonly inputSchema: JsonSchema | undefined;
}

const resultMembers = ["outcome", "output", "visit"];
const fromMembers = ["node", "route", "outcome", "output", "visit"];
const runMembers = ["id", "definition"];

const roots: readonly string[] = mappingRoots;

export function checkDataFlow(check: Check, flow: Flow): void {
  for (const lookup of check.lookups) checkLookup(lookup, check, flow);
  const first = flow.graph.indexOf.get(flow.start);
  const needed = check.references.some((reference) => reference.path[0] === "nodes");
  const dominates = first === undefined || !needed ? undefined : dominators(flow.graph, first);
  for (const reference of check.references) {
    switch (reference.path[0]) {
      case "nodes":
        checkNodePath(reference, check, flow, dominates);
        break;
      case "from":
        checkFromPath(reference, check, flow);
        break;
      case "run":
        checkMember(reference, 1, runMembers, check);
        break;
      default:
        checkSchemas(reference, 1, flow.inputSchema === undefined ? [] : [flow.inputSchema], check);
    }
  }
}

/**
 * A path of a rule that leads nowhere is null, and a rule may ask for that: whether a node has run is a question like
 * any other. Only what is null in every run is noted: a root or a node that does not exist.
 */
function checkLookup({ path, spot }: Lookup, check: Check, flow: Flow): void {
  const [root, id] = path.map(String);
  if (root === undefined) return;
  if (!roots.includes(root)) {
    const message = `there is no ${quote(root)} here; known are ${roots.join(", ")}`;
    check.findings.warning("mapping.data-flow", message, spot, check.findings.suggest(root, roots));
  } else if (root === "nodes" && id !== undefined && !flow.graph.indexOf.has(id)) {
    const hint = check.findings.suggest(id, flow.graph.ids);
    check.findings.warning(
      "mapping.data-flow",
      `there is no node ${quote(id)}: this is always null`,
      spot,
      hint,
    );
  }
}

function checkNodePath(
  reference: Reference,
  check: Check,
  flow: Flow,
  dominates: ((before: number, node: number) => boolean) | undefined,
): void {
  const id = reference.path[1];
  if (id === undefined) return;
  const { spot } = reference;
  const before = typeof id === "string" ? flow.graph.indexOf.get(id) : undefined;
  if (before === undefined) {
    const hint = check.findings.suggest(String(id), flow.graph.ids);
    check.findings.error("mapping.path", `there is no node ${quote(String(id))}`, spot.to(1), hint);
    return;
  }
  if (flow.graph.ends[before]) {
    const message = `${quote(String(id))} ends the workflow: it has no result`;
    check.findings.warning("mapping.data-flow", message, spot.to(1));
    return;
  }
  const at = flow.graph.indexOf.get(reference.node)!;
  if (dominates && !dominates(before, at)) {
    const message = `some path reaches this node before ${quote(String(id))} has a result`;
    const hint = "in such a run the path is missing and the mapping fails";
    check.findings.warning("mapping.data-flow", message, spot.to(1), hint);
  }
  if (!checkMember(reference, 2, resultMembers, check) || reference.path[2] !== "output") return;
  const node = Object.hasOwn(flow.nodes, String(id)) ? flow.nodes[String(id)] : undefined;
  checkSchemas(reference, 3, outputSchemas(node, flow), check);
}

function checkFromPath(reference: Reference, check: Check, flow: Flow): void {
  if (reference.path.length === 1) return;
  if (reference.node === flow.start) {
    const message = `"from" is null when the run starts here`;
    check.findings.warning("mapping.data-flow", message, reference.spot);
  }
  checkMember(reference, 1, fromMembers, check);
}

function checkMember(reference: Reference, index: number, known: readonly string[], check: Check): boolean {
  const segment = reference.path[index];
  if (segment === undefined || known.includes(String(segment))) return true;
  const message = `there is no ${quote(String(segment))} here; known are ${known.join(", ")}`;
  const hint = check.findings.suggest(String(segment), known);
  check.findings.warning("mapping.data-flow", message, reference.spot.to(index), hint);
  return false;
}

/** Every shape that the output of a node can have; empty when one of them is not declared. */
function outputSchemas(node: Node | undefined, flow: Flow): readonly JsonSchema[] {
  if (node?.kind === "await-signal") {
    const outcomes = Object.keys(node.routes).filter(
      (outcome) => outcome !== "exhausted" && outcome !== "failed",
    );
    const schemas = outcomes.map((outcome) =>
      node.payloads && Object.hasOwn(node.payloads, outcome) ? node.payloads[outcome] : undefined,
    );
    return schemas.every((schema) => schema !== undefined) ? schemas : [];
  }
  if (node?.kind === "await-timer" || node?.kind === "choice") return [{ type: "null" }];
  if (node?.kind !== "activity" || Object.hasOwn(node.routes, "failed")) return [];
  const contract = flow.contracts.get(node.action);
  const schemas = Object.values(contract?.outcomes ?? {}).map((outcome) => outcome?.outputSchema);
  return schemas.every((schema) => schema !== undefined) ? schemas : [];
}

/** Warns when every schema of the producer says that nothing can stand at the path. */
function checkSchemas(
  reference: Reference,
  from: number,
  schemas: readonly JsonSchema[],
  check: Check,
): void {
  if (schemas.length === 0 || reference.path.length <= from) return;
  let at = -1;
  for (const schema of schemas) {
    const excluded = excludes(schema, reference.path.slice(from));
    if (excluded === undefined) return;
    at = Math.max(at, excluded);
  }
  const segment = String(reference.path[from + at]);
  const message = `the schema of what is read allows no ${quote(segment)} here`;
  check.findings.warning("mapping.data-flow", message, reference.spot.to(from + at));
}
