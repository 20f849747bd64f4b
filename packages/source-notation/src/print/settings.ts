/**
 * What `settings.json` has to say beside a printed graph: everything that the graph cannot, and of that only what
 * differs from what the compiler and validation write anyway. Their own defaults are asked, so that nothing here can
 * say another one. Spec: DOT-print, DOT-defaults.
 */
import { canonicalize, isJsonObject, type Json, type JsonObject, own, setOwn } from "@swl/base";
import { type Definition, definitionDefaults, validate } from "@swl/definition";
import { defaultContract, nodeDefaults } from "../compile/merge.js";
import { nestedReferences, replaceSchemas, schemaLiteralOf } from "../compile/schema-files.js";
import { isLabel } from "./dot-text.js";

type Draft = { [key: string]: Json };

function same(one: Json | undefined, other: Json | undefined): boolean {
  return one !== undefined && other !== undefined && canonicalize(one) === canonicalize(other);
}

/** A copy without the members that say what the default says. */
function without(object: JsonObject, defaults: JsonObject): JsonObject {
  const kept: Draft = {};
  for (const [key, value] of Object.entries(object)) {
    if (!same(value, own(defaults, key))) setOwn(kept, key, value);
  }
  return kept;
}

function isEmpty(object: JsonObject): boolean {
  return Object.keys(object).length === 0;
}

/** Sets a member unless it is an object without anything in it. */
function setUnlessEmpty(draft: Draft, key: string, value: JsonObject): void {
  if (!isEmpty(value)) setOwn(draft, key, value);
}

/** The smallest workflow with one action of an effect, as validation completes it. */
function completed(effect: Json, requires: readonly string[]): Definition | undefined {
  const outcome = validate({
    ...definitionDefaults,
    requires,
    id: "a",
    start: "a",
    nodes: { a: { kind: "activity", action: "a", routes: { ok: "b" } }, b: { kind: "complete" } },
    actions: { a: { outcomes: { ok: {} }, effect } },
  });
  return outcome.ok ? outcome.value : undefined;
}

class SettingsPrinter {
  readonly #definition: Definition;
  readonly #nodes: JsonObject;
  readonly #contracts = new Map<Json, JsonObject>();

  constructor(definition: Definition) {
    this.#definition = definition;
    this.#nodes = definition.nodes as unknown as JsonObject;
  }

  print(order: readonly string[]): JsonObject {
    const {
      swl: _,
      $schema: _schema,
      id: _id,
      start: _start,
      ...definition
    } = this.#definition as unknown as JsonObject;
    const settings: Draft = {};
    for (const [key, value] of Object.entries(definition)) {
      if (key === "requires" && same(value, definitionDefaults.requires)) continue;
      if (key === "actions") setUnlessEmpty(settings, key, this.#actions(value as JsonObject, order));
      else if (key === "nodes") setUnlessEmpty(settings, key, this.#entries(order));
      else if (key === "limits") {
        const bounding = ["core", "buffered-signals"].filter((name) =>
          this.#definition.requires.includes(name),
        );
        const written = completed("unsafe", bounding)?.limits as unknown as JsonObject | undefined;
        setUnlessEmpty(settings, key, without(value as JsonObject, written ?? {}));
      } else if (key === "dialects") setUnlessEmpty(settings, key, dialects(value as JsonObject));
      else if (key === "meta") setMeta(settings, value as JsonObject, this.#nodes);
      else setOwn(settings, key, value);
    }
    return replaceSchemas(inOrder(settings), (schema) =>
      schemaLiteralOf(schema) !== undefined || nestedReferences(schema).length > 0
        ? { $schemaLiteral: schema }
        : schema,
    );
  }

  #entries(order: readonly string[]): JsonObject {
    const entries: Draft = {};
    for (const id of order) {
      const { kind, routes: _, ...said } = own(this.#nodes, id) as { [key: string]: Json };
      const defaults = nodeDefaults(id, kind as string, this.#definition.start === id);
      const entry: Draft = { ...without(said, { parameters: null, ...defaults }) };
      const error = own(entry, "error");
      if (kind === "fail" && isJsonObject(error))
        entry["error"] = without(error, own(defaults, "error") as JsonObject);
      setUnlessEmpty(entries, id, entry);
    }
    return entries;
  }

  /** What validation writes into a contract that says outcomes and effect only. */
  #contractDefaults(effect: Json): JsonObject {
    const known = this.#contracts.get(effect);
    if (known !== undefined) return known;
    const contract = completed(effect, this.#definition.requires)?.actions["a"] as unknown as JsonObject;
    const { outcomes: _, effect: _effect, ...defaults } = contract ?? {};
    this.#contracts.set(effect, defaults);
    return defaults;
  }

  #actions(actions: JsonObject, order: readonly string[]): JsonObject {
    const used = order.map((id) => own(own(this.#nodes, id) as JsonObject, "action"));
    const names = new Set([
      ...used.filter((name) => typeof name === "string"),
      ...Object.keys(actions).sort(),
    ]);
    const contracts: Draft = {};
    for (const name of names) {
      const contract = own(actions, name);
      if (!isJsonObject(contract) || this.#isWritten(name, contract)) continue;
      setOwn(contracts, name, this.#contract(contract));
    }
    return contracts;
  }

  /** True when the compiler writes this contract for the activity of the same name. */
  #isWritten(name: string, contract: JsonObject): boolean {
    const node = own(this.#nodes, name);
    if (!isJsonObject(node) || own(node, "action") !== name || own(node, "kind") !== "activity") return false;
    const drawn = defaultContract(Object.keys(own(node, "routes") as JsonObject));
    return same(contract, { ...this.#contractDefaults(own(drawn, "effect") ?? null), ...drawn });
  }

  #contract(contract: JsonObject): JsonObject {
    const defaults = this.#contractDefaults(own(contract, "effect") ?? null);
    const kept: Draft = { ...without(contract, defaults) };
    const retry = own(kept, "retry");
    const written = own(defaults, "retry");
    if (isJsonObject(retry) && isJsonObject(written)) kept["retry"] = without(retry, written);
    return kept;
  }
}

/** Without the defaults; a definition that declares no dialect of schemas says so. */
function dialects(said: JsonObject): JsonObject {
  const kept = without(said, definitionDefaults.dialects);
  return Object.hasOwn(said, "schema") ? kept : { schema: null, ...kept };
}

/** What of `meta` the graph does not draw. */
function setMeta(settings: Draft, meta: JsonObject, nodes: JsonObject): void {
  const { title, labels, ...others } = meta;
  const kept: Draft = { ...others };
  if (typeof title === "string" && !isLabel(title)) kept["title"] = title;
  const rest: Draft = {};
  for (const [id, label] of Object.entries((labels ?? {}) as { [id: string]: string })) {
    if (!Object.hasOwn(nodes, id) || !isLabel(label)) setOwn(rest, id, label);
  }
  const isDrawn = isJsonObject(labels) && !isEmpty(labels);
  if (isJsonObject(labels) && (!isDrawn || !isEmpty(rest))) kept["labels"] = rest;
  if (isEmpty(meta) || !isEmpty(kept)) settings["meta"] = kept;
}

const MEMBERS = ["version", "requires", "hints", "dialects", "inputSchema", "outputSchema"];
const LAST_MEMBERS = ["limits", "sensitive", "actions", "nodes", "meta"];

/** The members in the order in which the guide explains them; those of somebody else are between. */
function inOrder(settings: JsonObject): JsonObject {
  const others = Object.keys(settings).filter((key) => ![...MEMBERS, ...LAST_MEMBERS].includes(key));
  const ordered: Draft = {};
  for (const key of [...MEMBERS, ...others, ...LAST_MEMBERS]) {
    const value = own(settings, key);
    if (value !== undefined) setOwn(ordered, key, value);
  }
  return ordered;
}

/** The settings beside the printed graph; an object without members when there is nothing to say. */
export function settingsOf(definition: Definition, order: readonly string[]): JsonObject {
  return new SettingsPrinter(definition).print(order);
}
