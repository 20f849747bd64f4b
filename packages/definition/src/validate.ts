/**
 * Validation: a value either becomes a normalized definition, with every default written out, or comes back with
 * every reason why not, in one pass. Linear in the size of the definition. Spec: docs/spec/definition.md.
 */
import {
  isJsonObject,
  type Json,
  type JsonObject,
  type Outcome,
  own,
  type Place,
  setOwn,
  toJson,
} from "@swl/base";
import { Check } from "./check.js";
import { readContract } from "./contract.js";
import { checkDataFlow, type Flow } from "./data-flow.js";
import {
  checkBuffer,
  checkDialects,
  checkExpressionDialect,
  checkRequires,
  checkSchemaDialect,
} from "./document.js";
import { Findings, kindOf, quote, Spot } from "./findings.js";
import { idRule, isId } from "./grammar.js";
import { buildGraph, checkGraph } from "./graph.js";
import type { ActionContract, Definition, Dialects, Limits, Node } from "./model.js";
import { readNode } from "./node.js";
import { checkParameters } from "./parameters.js";
import { parse, type Said } from "./parse.js";
import { dialects as dialectNames } from "./registry.js";
import { frame } from "./schemas.js";

export interface ValidateOptions {
  /** Warnings count as errors. */
  readonly strict?: boolean;
  /** Where a JSON Pointer stands in the source, for the places of findings. */
  readonly placeOf?: (pointer: string) => Place | undefined;
  /** Profiles that the caller supports, of those that are built; default all of these. */
  readonly supported?: readonly string[];
}

/** What a compiler writes into a definition whose author said nothing. Declared in the definition, never inferred. */
export const definitionDefaults = {
  swl: "0.1",
  requires: ["core"],
  dialects: { schema: dialectNames.schema, numbers: "binary64", expressions: "minimal" },
} as const;

/**
 * The normalized definition, or every finding. The input may be any JavaScript value; what is no JSON is refused with
 * its pointer. The result shares nothing with the input. Never throws.
 */
export function validate(input: unknown, options: ValidateOptions = {}): Outcome<Definition> {
  const json = toJson(input);
  if (json.ok) return validateJson(json.value, options);
  const findings = new Findings(options);
  const release = saidRelease(input);
  if (release !== undefined && release !== definitionDefaults.swl) hasRelease({ swl: release }, findings);
  else for (const finding of json.findings) findings.adopt(finding);
  return findings.outcome<Definition>(undefined);
}

/** The release that a value says which is no JSON as a whole: it may throw when it is looked at. */
function saidRelease(input: unknown): string | undefined {
  try {
    const said = isJsonObject(input) ? Object.getOwnPropertyDescriptor(input, "swl")?.value : undefined;
    return typeof said === "string" ? said : undefined;
  } catch {
    return undefined;
  }
}

/** `validate` for a value that is JSON already and that nobody else will change. */
export function validateJson(json: Json, options: ValidateOptions): Outcome<Definition> {
  const findings = new Findings(options);
  if (!hasRelease(json, findings)) return findings.outcome<Definition>(undefined);
  return findings.outcome(readTop(json, new Check(findings), options));
}

/** Another release may mean something else by every other word: nothing else is looked at. */
function hasRelease(json: Json, findings: Findings): boolean {
  if (!isJsonObject(json)) {
    findings.error("definition.type", `a definition is an object, found ${kindOf(json)}`, Spot.root);
    return false;
  }
  const release = own(json, "swl");
  if (release === definitionDefaults.swl) return true;
  const found = release === undefined ? "none is said" : `found ${kindOf(release)}`;
  const spot = release === undefined ? Spot.root : Spot.root.to("swl");
  findings.error("definition.release", `only the language release "0.1" is read, ${found}`, spot);
  return false;
}

type Frame = Said<
  Omit<Definition, "nodes" | "actions"> & { readonly nodes: JsonObject; readonly actions: JsonObject }
>;

function readTop(json: Json, check: Check, options: ValidateOptions): Definition | undefined {
  const { findings } = check;
  const top: Frame | undefined = parse(frame, json, Spot.root, findings);
  if (!top) return undefined;
  checkDeclarations(top, check, options);
  const inputSchema = check.schema(top, "inputSchema", Spot.root.to("inputSchema"))
    ? top.inputSchema
    : undefined;
  check.schema(top, "outputSchema", Spot.root.to("outputSchema"));
  const actions = readActions(top.actions ?? {}, check);
  const { nodes, used } = readNodes(top.nodes, actions, check);
  if (Object.keys(nodes).length > 0) checkUsed(actions.authored, top.nodes ?? {}, used, check);
  checkStructure(top, { nodes, contracts: actions.contracts, inputSchema }, check);
  checkParameters(nodes, actions.contracts, Spot.root.to("nodes"), findings);
  const dialects: Partial<Dialects> = top.dialects ?? {};
  if (dialects.numbers !== undefined && dialects.expressions !== undefined) {
    checkSchemaDialect(dialects, Spot.root.to("dialects"), check);
    checkExpressionDialect(dialects, Spot.root.to("dialects"), check);
    if (dialects.numbers === "int53") checkIntegers(json, check);
  }
  if (findings.failed) return undefined;
  // Complete, since nothing was found.
  const whole = top as unknown as Definition;
  const requires = [...whole.requires].sort();
  return { ...whole, requires, limits: limitsOf(whole), nodes, actions: actions.normalized };
}

/** Signals that a run keeps where nothing else is said. */
const defaultBufferedSignals = 64;

function limitsOf({ requires, limits }: Definition): Limits {
  if (!requires.includes("buffered-signals")) return limits;
  return { ...limits, maxBufferedSignals: limits.maxBufferedSignals ?? defaultBufferedSignals };
}

function checkDeclarations(top: Frame, check: Check, options: ValidateOptions): void {
  if (top.requires) checkRequires(top.requires, Spot.root.to("requires"), check, options.supported);
  if (top.dialects) checkDialects(top.dialects, Spot.root.to("dialects"), check);
  if (top.limits) checkBuffer(top.limits, Spot.root.to("limits"), check);
}

/** What nodes say together: where a run starts, goes and ends, and what it reads on the way. */
function checkStructure(top: Frame, read: Omit<Flow, "graph" | "start">, check: Check): void {
  const { start, nodes } = top;
  if (start === undefined || !nodes) return;
  if (!Object.hasOwn(nodes, start)) {
    const hint = check.findings.suggest(start, nodes);
    const message = `there is no node ${quote(start)}`;
    check.findings.error("definition.start-unknown", message, Spot.root.to("start"), hint);
  }
  if (Object.keys(nodes).length === 0) return;
  const graph = buildGraph(nodes);
  checkGraph(graph, start, Spot.root.to("nodes"), check.findings);
  checkDataFlow(check, { graph, start, ...read });
}

interface Actions {
  readonly authored: JsonObject;
  readonly normalized: { readonly [id: string]: ActionContract };
  readonly contracts: ReadonlyMap<string, ActionContract>;
}

function readActions(authored: JsonObject, check: Check): Actions {
  const normalized: { [id: string]: ActionContract } = {};
  const contracts = new Map<string, ActionContract>();
  for (const id of Object.keys(authored)) {
    const spot = Spot.root.to("actions").to(id);
    checkId(id, spot, check);
    const contract = readContract(authored[id]!, spot, check);
    if (!contract) continue;
    setOwn(normalized, id, contract);
    contracts.set(id, contract);
  }
  return { authored, normalized, contracts };
}

interface Nodes {
  readonly nodes: { readonly [id: string]: Node };
  /** Actions that some node names, whatever else is said of it. */
  readonly used: ReadonlySet<string>;
}

function readNodes(authored: JsonObject | undefined, actions: Actions, check: Check): Nodes {
  const nodes: { [id: string]: Node } = {};
  const used = new Set<string>();
  if (!authored) return { nodes, used };
  const top = Spot.root.to("nodes");
  const ids = Object.keys(authored);
  if (ids.length === 0) check.findings.error("definition.value", "a definition has at least one node", top);
  const around = { nodes: authored, actions: actions.authored, contracts: actions.contracts };
  for (const id of ids) {
    const spot = top.to(id, id);
    checkId(id, spot, check);
    const value = authored[id]!;
    const action = isJsonObject(value) ? own(value, "action") : undefined;
    if (typeof action === "string") used.add(action);
    const node = readNode(id, value, { spot, check, around });
    if (node) setOwn(nodes, id, node);
  }
  return { nodes, used };
}

/**
 * A contract that no node uses is most likely meant for one that then has another. Where a node names an action that
 * is not there, that is the finding.
 */
function checkUsed(actions: JsonObject, nodes: JsonObject, used: ReadonlySet<string>, check: Check): void {
  if ([...used].some((id) => !Object.hasOwn(actions, id))) return;
  const unused = Object.keys(actions).filter((id) => !used.has(id));
  if (unused.length === 0) return;
  const near = [...Object.keys(nodes), ...used];
  for (const id of unused) {
    const hint = check.findings.suggest(id, near);
    const message = `no node uses the action ${quote(id)}`;
    check.findings.warning("definition.action-unused", message, Spot.root.to("actions").to(id), hint);
  }
}

function checkId(id: string, spot: Spot, check: Check): void {
  if (isId(id)) return;
  check.findings.error("definition.id-grammar", `${quote(id)} is not ${idRule.expected}`, spot);
}

/** In the domain `int53` every number of the definition is an integer that a double holds exactly. */
function checkIntegers(json: Json, check: Check): void {
  const open: { readonly value: Json; readonly spot: Spot }[] = [{ value: json, spot: Spot.root }];
  for (let next = open.pop(); next; next = open.pop()) {
    const { value, spot } = next;
    if (typeof value === "number" && !Number.isSafeInteger(value)) {
      const message = `${value} is not an integer within ±(2^53 − 1), and the declared numbers are int53`;
      check.findings.error("json.number-range", message, spot);
    } else if (typeof value === "object" && value !== null) {
      for (const [key, inner] of Object.entries(value))
        open.push({ value: inner as Json, spot: spot.to(key) });
    }
  }
}
