/**
 * A source folder, given as data, to one validated definition: reads the graph, the settings and the declared schema
 * files, merges them, validates the result, and reports every finding of all files at once, each where its author
 * wrote it. Pure: no disk, no clock. Spec: DOT-compile, DOT-places.
 */
import { type Diagnostic, type Outcome, type Place, pointerTo } from "@swl/base";
import { type Definition, validate } from "@swl/definition";
import { failure, isId, quote } from "../dot/finding.js";
import { type Graph, type PresentationAttribute, readGraph } from "../dot/graph.js";
import { readDot } from "../dot/parse.js";
import type { DotDocument } from "../dot/tree.js";
import { drawPlaces, hasRoutes, kindOf, type Merged, merge } from "./merge.js";
import { SettingsReader } from "./settings.js";
import { SourceMap } from "./source-map.js";
import { displayName, type Sources } from "./sources.js";

export interface CompileOptions {
  /** Warnings count as errors. Default false. */
  readonly strict?: boolean;
}

export interface Compiled {
  /** Normalized and valid; labels stand in `meta` only. */
  readonly definition: Definition;
  /** Where the author wrote what a JSON Pointer into the definition points to, or what it follows from. */
  placeOf(pointer: string): Place | undefined;
  /** The tree of the graph, with comments, for editors. */
  readonly document: DotDocument;
  /** Namespaced presentation attributes: kept, without meaning. */
  readonly presentation: readonly PresentationAttribute[];
}

export const WORKFLOW_FILE = "workflow.dot";
export const SETTINGS_FILE = "settings.json";

/** Codes that follow from something missing: with errors in the graph they would only repeat those. */
const CONSEQUENCES: ReadonlySet<string> = new Set([
  "definition.unreachable",
  "definition.no-terminal",
  "definition.route-missing",
  "definition.route-target",
  "definition.exhausted-route",
  "definition.loop-limit",
]);

/** What is true of every node without edges. */
const STRAY: ReadonlySet<string> = new Set(["definition.route-missing", "definition.no-terminal"]);

/** What the graph says that no definition can: no start, an edge out of a terminal node. */
export function graphProblems(graph: Graph): readonly Diagnostic[] {
  const { document } = graph;
  const findings: Diagnostic[] = [];
  if (graph.start === undefined) {
    const named = document.statements.flatMap((statement) =>
      statement.type === "edge" ? statement.ids.slice(0, 1) : [],
    );
    const first = [...graph.nodes.keys(), ...named.map(({ text }) => text)].find(isId) ?? "first_node";
    const message = `graph ${quote(document.name.text)} does not say where to start`;
    const place = document.placeAt(document.name.start);
    findings.push(
      failure("definition.missing-member", message, place, {
        pointer: "/start",
        hint: `add: start = "${first}";`,
      }),
    );
  }
  for (const [id, node] of graph.nodes) {
    if (hasRoutes(node) || node.kindUnknown) continue;
    for (const edge of graph.routes.get(id)?.values() ?? []) {
      const message = `no edge can leave node ${quote(id)}: a node of kind ${quote(kindOf(node))} ends the run`;
      findings.push(
        failure("definition.route-undeclared", message, document.placeAt(edge.from.start), { node: id }),
      );
    }
  }
  return findings;
}

/** The nodes that edges name and nothing declares, each of which is a finding of its own. */
function undeclared({ document, nodes }: Graph): ReadonlySet<string> {
  const ids = document.statements.flatMap((statement) => (statement.type === "edge" ? statement.ids : []));
  return new Set(ids.map(({ text }) => text).filter((id) => !nodes.has(id)));
}

/** Leaves out what only repeats another finding: consequences of errors in the graph, and what the compiler wrote. */
function worthSaying(
  findings: readonly Diagnostic[],
  graph: Graph,
  merged: Merged,
  broken: boolean,
): Diagnostic[] {
  const unknownKinds = new Set([...graph.nodes].filter(([, node]) => node.kindUnknown).map(([id]) => id));
  const repeated = new Set([...merged.generated].map((id) => pointerTo("/nodes", id, "action")));
  if (graph.document.name.text === "") repeated.add("/id");
  const missing = undeclared(graph);
  if (missing.size > 0 || (broken && graph.nodes.size === 0)) repeated.add("/nodes");
  if (graph.nodes.size === 0) repeated.add("/start");
  if (graph.start?.form === "numeral" || missing.has(graph.start?.text ?? "")) repeated.add("/start");
  // A name that is none may stand for anything: `a → b` is three nodes.
  const unsure =
    broken ||
    findings.some(({ code, pointer }) => code === "definition.id-grammar" && pointer.startsWith("/nodes/"));
  // A stray word is a node to which and from which nothing leads; that it has no routes is no news.
  const stray = new Set(
    findings.flatMap(({ code, node = "" }) =>
      code === "definition.unreachable" && !graph.routes.has(node) ? [node] : [],
    ),
  );
  return findings.filter(({ code, pointer, node }) => {
    if (node !== undefined && stray.has(node) && STRAY.has(code)) return false;
    if (unsure && CONSEQUENCES.has(code)) return false;
    if (node !== undefined && unknownKinds.has(node)) return false;
    if (graph.start === undefined && code === "definition.missing-member" && pointer === "") return false;
    const action = /^\/actions\/([^/]*)/.exec(pointer)?.[1];
    return !repeated.has(pointer) && (action === undefined || !merged.generated.has(action));
  });
}

/** A node of arrows and dashes: to DOT they are letters. */
const ARROW_NODE = /^\/nodes\/[\u2010-\u2015\u2190-\u21ff\u27f0-\u27ff\u2900-\u297f]+$/;

/**
 * At the member that names a schema file, unless it is the schema that is wrong; and once, however often a file that is
 * wrong is named.
 */
function placed(findings: readonly Diagnostic[], map: SourceMap): Diagnostic[] {
  const said = new Map<string, Diagnostic>();
  for (const finding of findings) {
    const mount = finding.code === "definition.schema-invalid" ? undefined : map.mountOf(finding.pointer);
    const one = {
      ...(ARROW_NODE.test(finding.pointer) && { hint: 'an edge is written "a -> b"' }),
      ...finding,
      ...(mount && { place: mount }),
    };
    const key = JSON.stringify(one.place ? [one.place, one.code, one.message] : [one.pointer, one.code]);
    if (!said.has(key)) said.set(key, one);
  }
  return [...said.values()];
}

/** By file in order of first appearance, then as one reads. Findings without a place come first. */
export function inReadingOrder(findings: readonly Diagnostic[]): Diagnostic[] {
  const files = [undefined, ...new Set(findings.map((finding) => finding.place?.file))];
  const rank = ({ place }: Diagnostic): number => files.lastIndexOf(place?.file);
  return [...findings].sort(
    (a, b) =>
      rank(a) - rank(b) ||
      (a.place?.line ?? 0) - (b.place?.line ?? 0) ||
      (a.place?.column ?? 0) - (b.place?.column ?? 0),
  );
}

/** With the names that files have when nobody says otherwise. */
export function withDefaults(sources: Sources): Sources & { readonly workflow: string } {
  const workflow = sources.workflow ?? WORKFLOW_FILE;
  const settings = sources.settings ?? (sources.files.has(SETTINGS_FILE) ? SETTINGS_FILE : undefined);
  return { ...sources, workflow, ...(settings !== undefined && { settings }) };
}

/**
 * Compiles a source folder. The findings of a success are warnings; those of a failure are everything that was found
 * in any of the files: `dot.*`, `source.*`, `json.*`, and what validation says (`definition.*`, `mapping.*`).
 */
export function compileSources(input: Sources, options: CompileOptions = {}): Outcome<Compiled> {
  const sources = withDefaults(input);
  const file = displayName(sources, sources.workflow);
  const source = sources.files.get(sources.workflow);
  if (source === undefined) {
    const refused = sources.refused?.get(sources.workflow);
    const message = refused?.message ?? `there is no file ${quote(file)}`;
    return {
      ok: false,
      findings: [failure(refused?.code ?? "source.not-found", message, { file, line: 1, column: 1 })],
    };
  }
  const { document, garbled, unsure, findings: dotFindings } = readDot(source, { file });
  const read = document && readGraph(document, unsure);
  const graph = read?.graph;
  const map = new SourceMap();
  const reader = new SettingsReader(sources, map);
  const settings = reader.read(garbled ? undefined : graph);
  const findings = [
    ...dotFindings,
    ...(read?.findings ?? []),
    ...(garbled || !graph ? [] : graphProblems(graph)),
  ];
  const drawn = findings.length;
  findings.push(...reader.findings);
  if (!document || !graph || garbled || !settings.readable)
    return { ok: false, findings: inReadingOrder(findings) };

  const merged = merge(graph, settings);
  map.useDrawing((draw) => drawPlaces(graph, merged.generated, draw));
  const placeOf = (pointer: string): Place | undefined => map.placeOf(pointer);
  const checked = validate(merged.definition, { strict: options.strict ?? false, placeOf });
  const said = placed(worthSaying(checked.findings, graph, merged, drawn > 0), map);
  findings.push(...said);
  const refused = findings.some((finding) => finding.severity === "error");
  if (!checked.ok && !refused) findings.push(...checked.findings);
  const ordered = inReadingOrder(findings);
  if (!checked.ok || refused) return { ok: false, findings: ordered };
  const { presentation } = graph;
  return {
    ok: true,
    value: { definition: checked.value, placeOf, document, presentation },
    findings: ordered,
  };
}
