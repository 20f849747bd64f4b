/**
 * Where settings mention a node beside its own entry: the paths of mappings, and of rules of a choice. What looks like
 * a path and is read as something else for all one can tell is said to be unsure, never changed on a guess.
 * Spec: DOT-edit.
 */
import { isJsonObject, type Json, type JsonObject, own, pointerSegments, pointerTo } from "@swl/base";
import { compileLogic, logicFindings } from "@swl/definition/logic";

export interface Mention {
  /** The node whose entry it stands in. */
  readonly reader: string;
  /** Pointer to a text, or to the member whose value it is. */
  readonly pointer: string;
  readonly is: "element" | "member";
  /** The text with another name for the node. */
  renamed(to: string): string;
}

export interface Mentions {
  readonly sure: readonly Mention[];
  /** Pointers of what cannot be told. */
  readonly unsure: readonly string[];
}

/** Where an entry holds mappings. */
const MAPPINGS: readonly (readonly string[])[] = [
  ["input"],
  ["output"],
  ["error", "message"],
  ["error", "details"],
  ["after"],
  ["until"],
  ["deadline", "after"],
  ["deadline", "until"],
];

class Finder {
  readonly sure: Mention[] = [];
  readonly unsure: string[] = [];
  readonly #node: string;
  #reader = "";

  constructor(node: string) {
    this.#node = node;
  }

  readEntry(reader: string, entry: JsonObject): void {
    this.#reader = reader;
    const base = pointerTo("/nodes", reader);
    for (const path of MAPPINGS) {
      let value: Json | undefined = entry;
      for (const key of path) value = isJsonObject(value) ? own(value, key) : undefined;
      if (value !== undefined) this.#mapping(value, pointerTo(base, ...path));
    }
    const cases = own(entry, "cases");
    if (!Array.isArray(cases)) return;
    for (const [index, one] of cases.entries()) {
      const when = isJsonObject(one) ? own(one, "when") : undefined;
      if (when !== undefined) this.#rule(when, pointerTo(base, "cases", index, "when"));
    }
  }

  #mapping(value: Json, pointer: string): void {
    if (Array.isArray(value)) {
      for (const [index, item] of value.entries()) this.#mapping(item as Json, pointerTo(pointer, index));
    } else if (isJsonObject(value) && !Object.hasOwn(value, "$literal")) {
      const path = own(value, "$get");
      if (Array.isArray(path)) {
        if (path[0] === "nodes" && path[1] === this.#node)
          this.#note(pointerTo(pointer, "$get", 1), "element");
      } else
        for (const [key, member] of Object.entries(value)) this.#mapping(member, pointerTo(pointer, key));
    }
  }

  #note(pointer: string, is: Mention["is"], rest = "", prefix = ""): void {
    this.sure.push({ reader: this.#reader, pointer, is, renamed: (to) => prefix + to + rest });
  }

  #rule(rule: Json, base: string): void {
    const found = this.sure.length;
    if (logicFindings(rule).length === 0) {
      for (const { path, pointer } of compileLogic(rule).reads) {
        if (path[0] === "nodes" && path[1] === this.#node) this.#read(rule, base, pointer);
      }
    }
    const known = new Set(this.sure.slice(found).map(({ pointer }) => pointer));
    this.#leftOver(rule, base, known);
  }

  #read(rule: Json, base: string, pointer: string): void {
    const segments = pointerSegments(pointer) ?? [];
    let value: Json | undefined = rule;
    for (const key of segments) {
      value = Array.isArray(value) ? value[Number(key)] : isJsonObject(value) ? own(value, key) : undefined;
    }
    if (segments.at(-1) === "val") {
      this.#note(pointerTo(base + pointer, 1), "element");
      return;
    }
    const text = Array.isArray(value) ? value[0] : value;
    if (typeof text !== "string") return;
    const rest = text.slice(`nodes.${this.#node}`.length);
    if (Array.isArray(value)) this.#note(pointerTo(base + pointer, 0), "element", rest, "nodes.");
    else this.#note(base + pointer, "member", rest, "nodes.");
  }

  /** Texts of a rule that may name the node and are none of the reads. */
  #leftOver(value: Json, pointer: string, known: ReadonlySet<string>): void {
    if (known.has(pointer)) return;
    if (typeof value === "string") {
      const path = `nodes.${this.#node}`;
      if (value === path || value.startsWith(`${path}.`)) this.unsure.push(pointer);
    } else if (Array.isArray(value)) {
      for (const [index, item] of value.entries()) {
        const at = pointerTo(pointer, index);
        if (item === this.#node && value[index - 1] === "nodes" && !known.has(at)) this.unsure.push(at);
        this.#leftOver(item as Json, at, known);
      }
    } else if (isJsonObject(value)) {
      for (const [key, member] of Object.entries(value))
        this.#leftOver(member, pointerTo(pointer, key), known);
    }
  }
}

/** Every mention of a node in the entries of settings. */
export function mentionsOf(node: string, entries: JsonObject): Mentions {
  const finder = new Finder(node);
  for (const [reader, entry] of Object.entries(entries)) {
    if (isJsonObject(entry)) finder.readEntry(reader, entry);
  }
  return finder;
}
