/**
 * One definition out of a graph and its settings, with every default written out: nothing is filled in silently when
 * the workflow runs. Notes where each part was drawn. Spec: DOT-defaults, DOT-labels.
 */

import { isJsonObject, type Json, type JsonObject, own, pointerTo, setOwn } from "@swl/base";
import { definitionDefaults } from "@swl/definition";
import type { Graph, GraphEdge, GraphNode } from "../dot/graph.js";
import { labelText } from "../dot/token.js";
import type { Settings } from "./settings.js";
import type { Draw } from "./source-map.js";

type Draft = { [key: string]: Json };

export interface Merged {
  readonly definition: JsonObject;
  /** Contracts that the compiler wrote because the settings have none. */
  readonly generated: ReadonlySet<string>;
}

const RUN_INPUT: Json = { $get: ["input"] };
const LAST_OUTPUT: Json = { $get: ["from", "output"] };
const ROUTED_KINDS: readonly string[] = ["activity", "await-signal", "await-timer", "choice"];

export function kindOf(node: GraphNode): string {
  return node.kind?.text ?? "activity";
}

/** True for kinds that edges may leave. */
export function hasRoutes(node: GraphNode): boolean {
  return ROUTED_KINDS.includes(kindOf(node));
}

function members(value: Json | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}

/** The defaults of a node's kind, by member; a member that the settings give replaces its default. */
export function nodeDefaults(id: string, kind: string, isStart: boolean): JsonObject {
  switch (kind) {
    case "activity":
      return { action: id, input: RUN_INPUT };
    case "await-signal":
      return { signal: id };
    case "complete":
      return { output: isStart ? RUN_INPUT : LAST_OUTPUT };
    case "fail":
      return { error: { code: "workflow.failed", message: `fail node ${id} reached` } };
    default:
      return {};
  }
}

function routesOf(edges: Iterable<GraphEdge>): JsonObject {
  const routes: Draft = {};
  for (const edge of edges) setOwn(routes, edge.outcome, edge.to.text);
  return routes;
}

function mergeNode(id: string, node: GraphNode, graph: Graph, entry: JsonObject): JsonObject {
  const defaults = nodeDefaults(id, kindOf(node), graph.start?.text === id);
  const merged: Draft = { kind: kindOf(node) };
  for (const [key, value] of [...Object.entries(defaults), ...Object.entries(entry)])
    setOwn(merged, key, value);
  const error = own(entry, "error");
  if (kindOf(node) === "fail" && isJsonObject(error))
    merged["error"] = { ...members(defaults["error"]), ...error };
  if (hasRoutes(node)) merged["routes"] = routesOf(graph.routes.get(id)?.values() ?? []);
  return merged;
}

/** The contract of an activity that settings say nothing about: outcomes as drawn, and nothing assumed of its effect. */
export function defaultContract(drawn: Iterable<string>): JsonObject {
  const outcomes: Draft = {};
  for (const outcome of drawn) {
    if (outcome !== "failed" && outcome !== "exhausted") setOwn(outcomes, outcome, {});
  }
  return { outcomes: Object.keys(outcomes).length > 0 ? outcomes : { ok: {} }, effect: "unsafe" };
}

function labelsOf(graph: Graph): JsonObject {
  const labels: Draft = {};
  for (const [id, { label }] of graph.nodes) {
    if (label) setOwn(labels, id, labelText(label.text, { node: id, graph: graph.document.name.text }));
  }
  return labels;
}

function mergeMeta(graph: Graph, settings: JsonObject): Json | undefined {
  const given = own(settings, "meta");
  if (given !== undefined && !isJsonObject(given)) return given;
  const { label } = graph;
  const drawn = labelsOf(graph);
  const givenLabels = given && own(given, "labels");
  const labels =
    givenLabels === undefined
      ? drawn
      : isJsonObject(givenLabels)
        ? { ...drawn, ...givenLabels }
        : givenLabels;
  const meta: Draft = {
    ...(label && { title: labelText(label.text, { graph: graph.document.name.text }) }),
    ...given,
    ...((!isJsonObject(labels) || Object.keys(labels).length > 0) && { labels }),
  };
  return given !== undefined || Object.keys(meta).length > 0 ? meta : undefined;
}

/** Declared, never inferred: every default is written out, as the builder does. `"schema": null` declares none. */
function mergeDialects({ value }: Settings): Json {
  const given = own(value, "dialects");
  if (given !== undefined && !isJsonObject(given)) return given;
  const { schema, ...others }: JsonObject = { ...definitionDefaults.dialects, ...given };
  return schema === undefined || schema === null ? others : { schema, ...others };
}

export function merge(graph: Graph, settings: Settings): Merged {
  const given = settings.value;
  const nodes: Draft = {};
  const actions: Draft = { ...members(own(given, "actions")) };
  const generated = new Set<string>();
  for (const [id, node] of graph.nodes) {
    const entry = members(own(members(own(given, "nodes")), id));
    setOwn(nodes, id, mergeNode(id, node, graph, entry));
    if (kindOf(node) === "activity" && !Object.hasOwn(entry, "action") && !Object.hasOwn(actions, id)) {
      setOwn(actions, id, defaultContract(graph.routes.get(id)?.keys() ?? []));
      generated.add(id);
    }
  }
  const meta = mergeMeta(graph, given);
  const definition: Draft = {
    swl: "0.1",
    requires: ["core"],
    ...given,
    id: graph.document.name.text,
    dialects: mergeDialects(settings),
    ...(graph.start && { start: graph.start.text }),
    nodes,
    actions,
    ...(meta !== undefined && { meta }),
  };
  return { definition, generated };
}

/** Tells the place of everything that the graph says. */
export function drawPlaces(graph: Graph, generated: ReadonlySet<string>, take: Draw): void {
  const { document } = graph;
  const draw = (pointer: string, offset: number): void => take(pointer, document.placeAt(offset));
  draw("", document.name.start);
  draw("/id", document.name.start);
  if (graph.start) draw("/start", graph.start.start);
  if (graph.label) draw("/meta/title", graph.label.start);
  for (const [id, node] of graph.nodes) {
    const pointer = pointerTo("/nodes", id);
    draw(pointer, node.id.start);
    draw(`${pointer}/kind`, (node.kind ?? node.id).start);
    draw(`${pointer}/routes`, node.id.start);
    if (node.label) draw(pointerTo("/meta/labels", id), node.label.start);
    if (generated.has(id)) draw(pointerTo("/actions", id), node.id.start);
    for (const [outcome, edge] of graph.routes.get(id) ?? []) {
      draw(pointerTo(pointer, "routes", outcome), (edge.on ?? edge.to).start);
      if (generated.has(id)) draw(pointerTo("/actions", id, "outcomes", outcome), (edge.on ?? edge.to).start);
    }
  }
}
