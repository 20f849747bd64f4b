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
import { checkDataFlow } from "./data-flow.js";
import {
  checkSchemaDialect,
  readDialects,
  readLimits,
  readMeta,
  readRequires,
  readSensitive,
} from "./document.js";
import { Findings, quote, Spot } from "./findings.js";
import { anyText, idRule, versionRule } from "./grammar.js";
import { buildGraph, checkGraph } from "./graph.js";
import type { ActionContract, Definition, Node } from "./model.js";
import { readNode } from "./node.js";
import { checkParameters } from "./parameters.js";
import { dialects as dialectNames } from "./registry.js";
import { kindOf, Members } from "./shape.js";

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

const members = [
  "swl",
  "id",
  "version",
  "requires",
  "hints",
  "dialects",
  "inputSchema",
  "outputSchema",
  "start",
  "nodes",
  "actions",
  "limits",
  "sensitive",
  "meta",
];

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

/** The release that a value says which is no JSON as a whole. */
function saidRelease(input: unknown): string | undefined {
  const said = isJsonObject(input) ? Object.getOwnPropertyDescriptor(input, "swl")?.value : undefined;
  return typeof said === "string" ? said : undefined;
}

/** `validate` for a value that is JSON already and that nobody else will change. */
export function validateJson(json: Json, options: ValidateOptions): Outcome<Definition> {
  const findings = new Findings(options);
  if (!hasRelease(json, findings)) return findings.outcome<Definition>(undefined);
  const check = new Check(findings);
  const top = Members.read(json, Spot.root, findings, members);
  return findings.outcome(top && readTop(top, check, options));
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

function readTop(top: Members, check: Check, options: ValidateOptions): Definition | undefined {
  const { findings } = check;
  const { spot } = top;
  const id = top.text("id", idRule, true);
  const version = top.text("version", versionRule);
  const requires = readRequires(top, check, options.supported);
  const hints = top.texts("hints", anyText);
  const dialects = readDialects(top, check);
  const inputSchema = check.schema(top.get("inputSchema"), spot.to("inputSchema"));
  const outputSchema = check.schema(top.get("outputSchema"), spot.to("outputSchema"));
  const limits = readLimits(top, check);
  const sensitive = readSensitive(top, check);
  const meta = readMeta(top, check);
  const authored = top.object("nodes", true);
  const start = top.text("start", idRule, true);
  const actions = readActions(top, check);
  const nodes = readNodes(authored, top, actions, check);
  if (start !== undefined && authored && !Object.hasOwn(authored, start)) {
    const hint = findings.suggest(start, authored);
    findings.error("definition.start-unknown", `there is no node ${quote(start)}`, spot.to("start"), hint);
  }
  if (authored && start !== undefined && Object.keys(authored).length > 0) {
    const graph = buildGraph(authored);
    checkGraph(graph, start, spot.to("nodes"), findings);
    checkDataFlow(check, { graph, start, nodes, contracts: actions.contracts, inputSchema });
  }
  checkParameters(nodes, actions.contracts, spot.to("nodes"), findings);
  checkSchemaDialect(top, check, dialects);
  if (dialects?.numbers === "int53") checkIntegers(top.value, check);
  if (findings.failed || id === undefined || start === undefined || !dialects) return undefined;
  return {
    swl: definitionDefaults.swl,
    id,
    ...(version !== undefined && { version }),
    requires,
    ...(hints && { hints }),
    dialects,
    ...(inputSchema !== undefined && { inputSchema }),
    ...(outputSchema !== undefined && { outputSchema }),
    start,
    nodes: nodes as { readonly [id: string]: Node },
    actions: actions.normalized,
    limits,
    ...(sensitive && { sensitive }),
    ...(meta && { meta }),
    ...top.extensions(),
  };
}

interface Actions {
  readonly authored: JsonObject;
  readonly normalized: { readonly [id: string]: ActionContract };
  readonly contracts: ReadonlyMap<string, ActionContract>;
}

function readActions(top: Members, check: Check): Actions {
  const authored = top.object("actions") ?? {};
  const normalized: { [id: string]: ActionContract } = {};
  const contracts = new Map<string, ActionContract>();
  for (const id of Object.keys(authored)) {
    const spot = top.spot.to("actions").to(id);
    checkId(id, spot, check);
    const contract = readContract(authored[id]!, spot, check);
    if (!contract) continue;
    setOwn(normalized, id, contract);
    contracts.set(id, contract);
  }
  return { authored, normalized, contracts };
}

function readNodes(
  authored: JsonObject | undefined,
  top: Members,
  actions: Actions,
  check: Check,
): { [id: string]: Node } {
  const nodes: { [id: string]: Node } = {};
  if (authored === undefined) return nodes;
  const spot = top.spot.to("nodes");
  const ids = Object.keys(authored);
  if (ids.length === 0) check.findings.error("definition.value", "a definition has at least one node", spot);
  const around = { nodes: authored, actions: actions.authored, contracts: actions.contracts };
  for (const id of ids) {
    checkId(id, spot.to(id, id), check);
    const node = readNode(id, authored[id]!, spot.to(id, id), check, around);
    if (node) setOwn(nodes, id, node);
  }
  return nodes;
}

function checkId(id: string, spot: Spot, check: Check): void {
  if (idRule.test(id)) return;
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
