/**
 * Reads settings.json and the schema files that it declares, and refuses what may not stand there: anything that the
 * graph says, entries for nodes that the graph lacks, and bindings, which are a host's. Spec: DOT-settings,
 * DOT-schema-files.
 */
import {
  type Diagnostic,
  isJsonObject,
  type Json,
  type JsonDocument,
  type JsonObject,
  own,
  pointerTo,
  readJson,
} from "@swl/base";
import { failure, quote, Suggestions } from "../dot/finding.js";
import type { Graph } from "../dot/graph.js";
import { foldPath, pathProblem } from "./paths.js";
import { nestedReferences, replaceSchemas, schemaFileOf, schemaLiteralOf } from "./schema-files.js";
import type { SourceMap } from "./source-map.js";
import type { Sources } from "./sources.js";
import { displayName } from "./sources.js";

export interface Settings {
  /** Schema files are in place; refused members are gone. */
  readonly value: JsonObject;
  /** False when there are settings that could not be read: what the definition lacks may stand there. */
  readonly readable: boolean;
}

/** The names under which bindings and executables are usually met; a contract and a definition have none of them. */
const BINDING_MEMBERS: readonly string[] = [
  "binding",
  "bindings",
  "provider",
  "implementation",
  "executable",
  "script",
  "command",
  "function",
  "handler",
  "module",
];

/** What settings consist of, beside `$schema` and members of somebody else. */
const MEMBERS: readonly string[] = [
  "version",
  "requires",
  "hints",
  "dialects",
  "inputSchema",
  "outputSchema",
  "limits",
  "sensitive",
  "actions",
  "nodes",
  "meta",
];

/** Why a reference that `nestedReferences` found is refused. */
function nestedRefusal(pointer: string): readonly ["source.schema-file", string] {
  const word = pointer.slice(pointer.lastIndexOf("/") + 1);
  return [
    "source.schema-file",
    word === "$schemaFile"
      ? '"$schemaFile" stands for a whole schema of the settings; inside a schema nothing reads it'
      : `${quote(word)} is not read; the word is "$schemaFile"`,
  ];
}

export function readSettingsJson(source: string | Uint8Array, file: string): ReturnType<typeof readJson> {
  const read = readJson(source, { file });
  if (!read.ok || !isJsonObject(read.value.value)) return read;
  const dialects = own(read.value.value, "dialects");
  const numbers = isJsonObject(dialects) ? own(dialects, "numbers") : undefined;
  return numbers === "int53" ? readJson(source, { file, numbers }) : read;
}

export class SettingsReader {
  readonly findings: Diagnostic[] = [];
  readonly #suggestions = new Suggestions();
  readonly #sources: Sources;
  readonly #map: SourceMap;
  /** Schema files by declared name; undefined for one that could not be read, which has been said. */
  readonly #files = new Map<string, JsonDocument | undefined>();
  readonly #folded = new Map<string, string>();
  #document: JsonDocument | undefined;

  constructor(sources: Sources, map: SourceMap) {
    this.#sources = sources;
    this.#map = map;
    for (const name of [sources.workflow, sources.settings]) {
      if (name !== undefined) this.#folded.set(foldPath(name), name);
    }
  }

  /** `graph` is what the DOT file says, when it could be read whole. */
  read(graph: Graph | undefined): Settings {
    const name = this.#sources.settings;
    const source = name === undefined ? undefined : this.#sources.files.get(name);
    if (name === undefined) return { value: {}, readable: true };
    if (source === undefined) {
      const place = { file: displayName(this.#sources, name), line: 1, column: 1 };
      this.findings.push(failure("source.not-found", `there is no file ${quote(name)}`, place));
      return { value: {}, readable: false };
    }
    const document = readSettingsJson(source, displayName(this.#sources, name));
    if (!document.ok) {
      this.findings.push(...document.findings);
      return { value: {}, readable: false };
    }
    this.#document = document.value;
    this.#map.useSettings(document.value);
    const { value } = document.value;
    if (!isJsonObject(value)) {
      this.#refuse("definition.type", "settings are a JSON object", "");
      return { value: {}, readable: false };
    }
    const checked = this.#checkNodes(this.#checkActions(this.#checkTop(value)), graph);
    const resolved = replaceSchemas(checked, (schema, pointer) => {
      return this.#resolve(schema, pointer);
    });
    return { value: resolved, readable: true };
  }

  #refuse(code: Diagnostic["code"], message: string, pointer: string, hint?: string, node?: string): void {
    const place = this.#document?.placeOf(pointer);
    this.findings.push(failure(code, message, place, { pointer, hint, node }));
  }

  #refuseOverride(member: string, pointer: string, node?: string): void {
    const message = `${quote(member)} is said by the graph; settings cannot say it again`;
    this.#refuse(
      "source.settings-override",
      message,
      pointer,
      "remove it here; change the graph instead",
      node,
    );
  }

  /** A copy without the members that `refuse` takes; it says why. */
  #without(
    object: JsonObject,
    pointer: string,
    refuse: (key: string, pointer: string) => boolean,
  ): JsonObject {
    const kept = Object.entries(object).filter(([key]) => !refuse(key, pointerTo(pointer, key)));
    return Object.fromEntries(kept);
  }

  #isBinding(key: string, pointer: string): boolean {
    if (!BINDING_MEMBERS.includes(key)) return false;
    const message = `${quote(key)} binds an implementation, which is a host's to do and no part of a workflow`;
    this.#refuse("source.settings-binding", message, pointer, "bind actions where the host is set up");
    return true;
  }

  #checkTop(settings: JsonObject): JsonObject {
    return this.#without(settings, "", (key, pointer) => {
      if (key === "$schema") return true;
      if (key === "id" || key === "start" || key === "kind" || key === "routes") {
        this.#refuseOverride(key, pointer);
        return true;
      }
      if (this.#isBinding(key, pointer)) return true;
      if (MEMBERS.includes(key) || key.startsWith("x-")) return false;
      const hint = this.#suggestions.hint(key, MEMBERS, `its members are ${MEMBERS.join(", ")}`);
      this.#refuse("definition.unknown-member", `${quote(key)} is no member of settings`, pointer, hint);
      return true;
    });
  }

  #checkActions(settings: JsonObject): JsonObject {
    return this.#mapMembers(settings, "actions", (contract, pointer) =>
      this.#without(contract, pointer, (key, at) => this.#isBinding(key, at)),
    );
  }

  #checkNodes(settings: JsonObject, graph: Graph | undefined): JsonObject {
    return this.#mapMembers(settings, "nodes", (entry, pointer, id) => {
      if (graph && !graph.nodes.has(id)) {
        const hint = this.#suggestions.hint(
          id,
          graph.nodes.keys(),
          "declare the node in the graph, or remove the entry",
        );
        this.#refuse("source.settings-unknown-node", `the graph has no node ${quote(id)}`, pointer, hint);
      }
      return this.#without(entry, pointer, (key, at) => {
        if (key === "kind" || key === "routes") {
          this.#refuseOverride(key, at, id);
          return true;
        }
        return this.#isBinding(key, at);
      });
    });
  }

  /** Replaces each object in the object at `member`; anything else there is refused. */
  #mapMembers(
    settings: JsonObject,
    member: "actions" | "nodes",
    replace: (value: JsonObject, pointer: string, key: string) => JsonObject,
  ): JsonObject {
    const members = own(settings, member);
    if (members === undefined) return settings;
    const copy: [string, Json][] = [];
    if (!isJsonObject(members))
      this.#refuse("definition.type", `${quote(member)} is an object`, `/${member}`);
    else {
      for (const [key, value] of Object.entries(members)) {
        const pointer = pointerTo("", member, key);
        if (isJsonObject(value)) copy.push([key, replace(value, pointer, key)]);
        else this.#refuse("definition.type", `an entry of ${quote(member)} is an object`, pointer);
      }
    }
    return { ...settings, [member]: Object.fromEntries(copy) };
  }

  #resolve(schema: Json, pointer: string): Json {
    const literal = schemaLiteralOf(schema);
    if (literal !== undefined) {
      if (Object.keys(schema as JsonObject).length > 1) {
        this.#refuse("definition.value", '"$schemaLiteral" stands alone: it holds the whole schema', pointer);
      }
      return literal.schema;
    }
    const reference = schemaFileOf(schema);
    if (reference === undefined) {
      for (const nested of nestedReferences(schema)) this.#refuse(...nestedRefusal(nested), pointer + nested);
      return schema;
    }
    const at = pointerTo(pointer, "$schemaFile");
    if (typeof reference.file !== "string") {
      this.#refuse("definition.type", '"$schemaFile" is the name of a file', at);
      return true;
    }
    if (Object.keys(schema as JsonObject).length > 1) {
      this.#refuse("definition.value", '"$schemaFile" stands alone: the file is the whole schema', at);
    }
    const file = this.#load(reference.file, at);
    if (file === undefined) return true;
    this.#map.mount(pointer, file);
    return file.value;
  }

  #load(name: string, pointer: string): JsonDocument | undefined {
    if (this.#files.has(name)) return this.#files.get(name);
    if (name === this.#sources.workflow || name === this.#sources.settings) {
      const message = `${quote(name)} is a source of the workflow and no JSON Schema`;
      this.#refuse("source.schema-file", message, pointer);
      this.#files.set(name, undefined);
      return undefined;
    }
    const problem = pathProblem(name) ?? this.#collision(name);
    const source = problem === undefined ? this.#sources.files.get(name) : undefined;
    let document: JsonDocument | undefined;
    if (problem !== undefined) this.#refuse("source.outside-folder", problem, pointer);
    else if (source === undefined) {
      const refused = this.#sources.refused?.get(name);
      if (refused) this.#refuse(refused.code, refused.message, pointer);
      else this.#refuse("source.not-found", `there is no file ${quote(name)} in the source folder`, pointer);
    } else {
      const read = readJson(source, { file: displayName(this.#sources, name) });
      if (read.ok) {
        document = read.value;
        for (const at of nestedReferences(document.value)) {
          this.findings.push(failure(...nestedRefusal(at), document.placeOf(at), { pointer }));
        }
      } else this.findings.push(...read.findings);
    }
    this.#files.set(name, document);
    return document;
  }

  #collision(name: string): string | undefined {
    const folded = foldPath(name);
    const other = this.#folded.get(folded);
    this.#folded.set(folded, other ?? name);
    return other === undefined || other === name
      ? undefined
      : `${quote(name)} and ${quote(other)} are one file where case or composition of letters does not count`;
  }
}
