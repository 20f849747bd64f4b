/**
 * Compiles a normalized definition for execution. Takes any JSON and never throws: a damaged or unsupported document
 * becomes findings, all of them. Linear in the definition; done once, shared by every run of it. Spec: EXE-prepare.
 */
import {
  isJsonObject,
  isSwlError,
  type Json,
  type JsonObject,
  type Outcome,
  own,
  pointerTo,
} from "@swl/base";
import { definitionDigest } from "@swl/definition/identity";
import type { Definition } from "@swl/definition/model";
import { forms, most } from "./bounds.js";
import { schemaCheck } from "./checks.js";
import { type CompiledAction, prepareAction } from "./prepare-action.js";
import { prepareNode, type Surroundings } from "./prepare-node.js";
import type { Bound, CorePrepared, PreparedNode } from "./prepared.js";
import { executedProfiles } from "./profiles.js";
import { Reader } from "./structure.js";

/** Signals kept for later where the definition does not say how many. */
const defaultCapacity = 64;

/** The semantics that this release writes, and those it still runs. */
export const semantics = { writes: 1, reads: [1] } as const;

export function prepare(definition: Json, pinned: number = semantics.writes): Outcome<CorePrepared> {
  const reader = new Reader();
  if (!(semantics.reads as readonly number[]).includes(pinned)) {
    const said = typeof pinned === "number" ? `semantics ${pinned}` : "a semantics number that is none";
    const message = `${said} of swl.core is not among those read here: ${semantics.reads.join(", ")}`;
    reader.fault("", message, "model.unsupported");
    return { ok: false, findings: reader.findings };
  }
  let value: CorePrepared | undefined;
  try {
    value = compile(reader, definition);
  } catch (thrown) {
    const why = isSwlError(thrown) ? thrown.message : "it is nested too deeply, or not JSON";
    reader.fault("", `the definition cannot be compiled: ${why}`);
  }
  const failed = value === undefined || reader.findings.length > 0;
  if (failed) return { ok: false, findings: reader.findings };
  return { ok: true, value: value as CorePrepared, findings: [] };
}

function compile(reader: Reader, source: Json): CorePrepared | undefined {
  const definition = reader.object(source, "");
  if (definition === undefined) return undefined;
  if (own(definition, "swl") !== "0.1") {
    return reader.fault("/swl", "this model runs language release 0.1", "model.unsupported");
  }
  const required = requiredProfiles(reader, definition);
  const workflow = reader.name(definition, "id", "", forms.id);
  const start = reader.string(definition, "start", "");
  const nodes = reader.member(definition, "nodes", "");
  const limits = readLimits(reader, definition);
  const actions = compileActions(reader, definition);
  if (nodes === undefined || start === undefined || limits === undefined || workflow === undefined)
    return undefined;
  const declared = new Set(reader.entries(definition, "actions", "").map(([name]) => name));
  const compiled = compileNodes(reader, { nodes, actions, declared });
  if (own(nodes, start) === undefined) reader.fault("/start", `there is no node ${start}`);
  const input = schemaCheck(reader.schema(own(definition, "inputSchema"), "/inputSchema"));
  const output = schemaCheck(reader.schema(own(definition, "outputSchema"), "/outputSchema"));
  if (reader.findings.length > 0) return undefined;
  const digest = definitionDigest(definition as unknown as Definition);
  const requirements = {
    definition: digest,
    workflow,
    profiles: required,
    actions: [...actions.values()].map((action) => action.requirement),
  };
  const signals = new Set<string>();
  for (const node of compiled.values()) if (node.kind === "await-signal") signals.add(node.signal);
  const updates = reader.requires.has("tracked-updates");
  return { requirements, start, nodes: compiled, limits, signals, updates, input, output };
}

function requiredProfiles(reader: Reader, definition: JsonObject): readonly string[] {
  const required = reader.strings(definition, "requires", "");
  if (!required.includes("core")) reader.fault("/requires", "a definition requires profile core");
  required.forEach((profile, index) => {
    reader.requires.add(profile);
    if (executedProfiles.includes(profile)) return;
    const message = `profile ${JSON.stringify(profile)} is not executed here`;
    reader.fault(`/requires/${index}`, message, "definition.profile-unsupported");
  });
  const dialects = reader.member(definition, "dialects", "");
  const expressions = dialects && own(dialects, "expressions");
  if (expressions === "jsonlogic") {
    reader.needs("expressions-jsonlogic", "expression dialect jsonlogic", "/dialects/expressions");
  } else if (dialects !== undefined && expressions !== "minimal") {
    const message = "expression dialects minimal and jsonlogic are executed here";
    reader.fault("/dialects/expressions", message, "model.unsupported");
  }
  if (own(definition, "sensitive") !== undefined) reader.marks(definition, "", "input");
  return required;
}

function readLimits(reader: Reader, definition: JsonObject): CorePrepared["limits"] | undefined {
  const limits = reader.member(definition, "limits", "");
  if (limits === undefined) return undefined;
  const activations = reader.integer(limits, "maxActivations", "/limits", 1, most.activations);
  const internal = reader.integer(limits, "maxInternalTransitions", "/limits", 1, most.internalTransitions);
  const visits =
    own(limits, "maxNodeVisits") === undefined
      ? Number.POSITIVE_INFINITY
      : reader.integer(limits, "maxNodeVisits", "/limits", 1, most.nodeVisits);
  const buffered = bufferCapacity(reader, limits);
  if (activations === undefined || internal === undefined || visits === undefined || buffered === undefined)
    return undefined;
  return {
    activations: bound(activations),
    nodeVisits: bound(visits),
    internalTransitions: bound(internal),
    bufferedSignals: buffered === null ? null : bound(buffered),
  };
}

/** Null: nothing is kept. */
function bufferCapacity(reader: Reader, limits: JsonObject): number | null | undefined {
  const said = own(limits, "maxBufferedSignals") !== undefined;
  if (said) reader.needs("buffered-signals", "maxBufferedSignals", "/limits/maxBufferedSignals");
  if (!reader.requires.has("buffered-signals")) return null;
  return said
    ? reader.integer(limits, "maxBufferedSignals", "/limits", 1, most.bufferedSignals)
    : defaultCapacity;
}

/** Near from 80%. */
function bound(max: number): Bound {
  return { max, near: Math.ceil(max * 0.8) };
}

function compileActions(reader: Reader, definition: JsonObject): ReadonlyMap<string, CompiledAction> {
  const actions = new Map<string, CompiledAction>();
  for (const [name, contract] of reader.entries(definition, "actions", "")) {
    const at = pointerTo("/actions", name);
    if (!forms.id.test(name)) reader.fault(at, "expected an action under an ID");
    const object = reader.object(contract, at);
    const action = object && prepareAction(reader, name, object);
    if (action !== undefined) actions.set(name, action);
  }
  return actions;
}

function compileNodes(reader: Reader, around: Surroundings): ReadonlyMap<string, PreparedNode> {
  const compiled = new Map<string, PreparedNode>();
  for (const [id, node] of Object.entries(around.nodes)) {
    if (!forms.id.test(id) || !isJsonObject(node)) {
      reader.fault(pointerTo("/nodes", id), "expected a node under an ID");
      continue;
    }
    const prepared = prepareNode(reader, id, node, around);
    if (prepared !== undefined) compiled.set(id, prepared);
  }
  return compiled;
}
