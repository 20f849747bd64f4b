/**
 * Edits a graph and the settings beside it as one: what settings say of a node that is renamed or removed follows, and
 * in both files every other byte stays. Contracts stay with the node whose they are. Spec: DOT-edit.
 */
import {
  type Diagnostic,
  isJsonObject,
  type Json,
  type JsonObject,
  type Outcome,
  own,
  pointerTo,
} from "@swl/base";
import { WORKFLOW_FILE, withDefaults } from "../compile/compile.js";
import { kindOf } from "../compile/merge.js";
import { displayName, type Sources } from "../compile/sources.js";
import { failure, quote } from "../dot/finding.js";
import type { Graph } from "../dot/graph.js";
import { jsonString } from "../print/json-text.js";
import { firstGraph, planned, sourceOf } from "./edit.js";
import { JsonEditor } from "./json-editor.js";
import { mentionsOf } from "./node-mentions.js";
import type { EditOperation } from "./operation.js";

type Settled = Outcome<string | undefined>;

function objectAt(value: Json | undefined, ...path: readonly string[]): JsonObject {
  let at: Json | undefined = value;
  for (const key of path) at = isJsonObject(at) ? own(at, key) : undefined;
  return isJsonObject(at) ? at : {};
}

/** One operation on settings. */
class SettingsEdit {
  readonly #editor: JsonEditor;
  readonly #graph: Graph;
  readonly #index: number;
  readonly #nodes: JsonObject;
  readonly #actions: JsonObject;
  readonly #labels: JsonObject;

  /** `graph` is what there is before the operation. */
  constructor(editor: JsonEditor, graph: Graph, index: number) {
    this.#editor = editor;
    this.#graph = graph;
    this.#index = index;
    this.#nodes = objectAt(editor.value, "nodes");
    this.#actions = objectAt(editor.value, "actions");
    this.#labels = objectAt(editor.value, "meta", "labels");
  }

  #refuse(message: string, pointer: string): Outcome<never> {
    const { document } = this.#graph;
    const place = this.#editor.placeOf(pointer) ?? document.placeAt(document.name.start);
    const finding: Diagnostic = failure("dot.edit-impossible", message, place, {
      pointer: `/${this.#index}`,
    });
    return { ok: false, findings: [finding] };
  }

  remove(node: string): Settled {
    const { sure, unsure } = mentionsOf(node, this.#nodes);
    const read = [
      ...sure.filter(({ reader }) => reader !== node).map(({ pointer }) => pointer),
      ...unsure,
    ].find((pointer) => !pointer.startsWith(`${pointerTo("/nodes", node)}/`));
    if (read !== undefined) return this.#refuse(`settings read what node ${quote(node)} gives`, read);
    if (Object.hasOwn(this.#nodes, node)) this.#editor.remove(pointerTo("/nodes", node));
    if (Object.hasOwn(this.#labels, node)) this.#editor.remove(pointerTo("/meta/labels", node));
    return this.#done();
  }

  rename(node: string, to: string): Settled {
    const { sure, unsure } = mentionsOf(node, this.#nodes);
    const [doubtful] = unsure;
    if (doubtful !== undefined) {
      return this.#refuse(`it cannot be told whether this text names node ${quote(node)}`, doubtful);
    }
    if (Object.hasOwn(this.#labels, to)) {
      return this.#refuse(`settings have a label for ${quote(to)} already`, pointerTo("/meta/labels", to));
    }
    const held = this.#keepContract(node, to);
    if (held !== undefined) return held;
    if (Object.hasOwn(this.#nodes, node)) this.#editor.rewrite(pointerTo("/nodes", node), to);
    if (Object.hasOwn(this.#labels, node)) this.#editor.rewrite(pointerTo("/meta/labels", node), to);
    for (const { pointer, is, renamed } of sure) {
      if (is === "member") this.#editor.rewriteValue(pointer, renamed(to));
      else this.#editor.rewrite(pointer, renamed(to));
    }
    return this.#done();
  }

  /** An activity that has the contract of its own name by default goes on having it: the settings then say so. */
  #keepContract(node: string, to: string): Outcome<never> | undefined {
    const drawn = this.#graph.nodes.get(node);
    const entry = objectAt(this.#nodes, node);
    if (drawn === undefined || kindOf(drawn) !== "activity" || Object.hasOwn(entry, "action"))
      return undefined;
    if (!Object.hasOwn(this.#actions, node)) {
      if (Object.hasOwn(this.#actions, to)) {
        return this.#refuse(`the contract ${quote(to)} is another action's`, pointerTo("/actions", to));
      }
      const user = Object.keys(this.#nodes).find((id) => objectAt(this.#nodes, id)["action"] === node);
      if (user === undefined) return undefined;
      const message = `node ${quote(user)} calls the action that ${quote(node)} has by default`;
      return this.#refuse(message, pointerTo("/nodes", user, "action"));
    }
    const action = jsonString(node);
    if (Object.hasOwn(this.#nodes, node)) this.#editor.insert(pointerTo("/nodes", node), "action", action);
    else if (isJsonObject(objectAt(this.#editor.value)["nodes"])) {
      this.#editor.insert("/nodes", to, `{ "action": ${action} }`);
    } else this.#editor.insert("", "nodes", `{ ${jsonString(to)}: { "action": ${action} } }`);
    return undefined;
  }

  #done(): Settled {
    return { ok: true, value: this.#editor.edited(), findings: [] };
  }
}

function settled(
  settings: string | Uint8Array | undefined,
  file: string,
  operation: EditOperation,
  graph: Graph,
  index: number,
): Outcome<string | Uint8Array | undefined> {
  if (settings === undefined) return { ok: true, value: undefined, findings: [] };
  const read = JsonEditor.read(settings, file);
  if (!read.ok) return read;
  const edit = new SettingsEdit(read.value, graph, index);
  if (operation.op === "rename-node" && operation.node !== operation.to) {
    return edit.rename(operation.node, operation.to);
  }
  if (operation.op === "remove-node") return edit.remove(operation.node);
  return { ok: true, value: settings, findings: [] };
}

/**
 * The sources with the operations done in the graph and in the settings; all of them or none. A node that is renamed
 * keeps its settings, its label and the contract that settings have for it, and mappings and rules go on reading it;
 * what nobody wrote goes on following its name (an action without contract, a signal, the message of a failure). A node
 * that mappings of others read is not removed. Fails as `edit` does, and with `json.*` for settings that are no JSON.
 */
export function editSources(input: Sources, operations: readonly EditOperation[]): Outcome<Sources> {
  const sources = withDefaults(input);
  const { workflow, settings: settingsName } = sources;
  const file = displayName(sources, workflow);
  const text = sources.files.get(workflow);
  if (text === undefined) {
    const message = `there is no file ${quote(file)}`;
    return { ok: false, findings: [failure("source.not-found", message, { file, line: 1, column: 1 })] };
  }
  const first = firstGraph(text, operations, { file });
  if (!first.ok) return first;
  let graph = first.value;
  let settings = settingsName === undefined ? undefined : sources.files.get(settingsName);
  for (const [index, operation] of operations.entries()) {
    const plan = planned(graph, operation, index);
    if (!plan.ok) return plan;
    const beside = settled(
      settings,
      displayName(sources, settingsName ?? WORKFLOW_FILE),
      operation,
      graph,
      index,
    );
    if (!beside.ok) return beside;
    graph = plan.value.graph;
    settings = beside.value;
  }
  const files = new Map(sources.files).set(workflow, sourceOf(graph, text));
  if (settingsName !== undefined && settings !== undefined) files.set(settingsName, settings);
  return { ok: true, value: { ...input, files }, findings: [] };
}
