/**
 * What a definition is, apart from how it was written: the canonical form `swl-c14n/1` is RFC 8785 over the semantic
 * projection of a normalized definition, and its identity a digest of that. Labels, layout, hints, the author's
 * revision and extensions never enter; JSON Schemas enter verbatim. Spec: DEF-identity.
 */
import { canonicalize, isJsonObject, type Json, type JsonObject, SwlError, setOwn, sha256 } from "@swl/base";
import { looking, lookingAtDefinition } from "./looking.js";
import type { ActionContract, Definition, Digest } from "./model.js";

/** The first line of what is hashed: a digest of one thing is never taken for the digest of another. */
const definitionTag = "swl.definition/0.1";
const contractTag = "swl.contract/0.1";

/** The identity of a normalized definition: `sha256:…` over tag, LF and canonical form. */
export function definitionDigest(definition: Definition): Digest {
  return `sha256:${sha256(`${definitionTag}\n${canonicalDefinition(definition)}`)}`;
}

/**
 * The canonical form `swl-c14n/1`. What `validate` cannot have returned is `definition.invalid`, or an error of
 * `canonicalize`.
 */
export function canonicalDefinition(definition: Definition): string {
  const projection = lookingAtDefinition(() => {
    const whole = project(definition as unknown as JsonObject, shapes.definition);
    setOwn(whole, "nodes", projectEach(definition.nodes as unknown as JsonObject, shapes.node));
    setOwn(whole, "actions", projectEach(definition.actions as unknown as JsonObject, shapes.contract));
    return whole;
  });
  return canonicalize(projection);
}

/** The identity of one action contract: what a run pins. The contract's own version is part of it. */
export function contractDigest(contract: ActionContract): Digest {
  const projection = looking("definition.invalid", "this is no contract as `validate` returns it", () =>
    project(contract as unknown as JsonObject, shapes.contract),
  );
  return `sha256:${sha256(`${contractTag}\n${canonicalize(projection)}`)}`;
}

/** What is presentation in an object of fixed members, and which members are such objects, or maps or lists of them. */
interface Shape {
  readonly without?: readonly string[];
  readonly inner?: readonly string[];
  readonly maps?: readonly string[];
  readonly lists?: readonly string[];
}

const shapes = {
  definition: {
    without: ["$schema", "version", "meta", "hints"],
    inner: ["dialects", "limits", "sensitive"],
  },
  node: { inner: ["error", "sensitive", "deadline"], lists: ["cases"] },
  contract: {
    without: ["title", "description"],
    inner: ["retry", "timeouts", "limits", "sensitive"],
    maps: ["outcomes"],
  },
  plain: {},
} as const satisfies { readonly [name: string]: Shape };

function project(object: JsonObject, shape: Shape): { [key: string]: Json } {
  if (!isJsonObject(object)) throw new SwlError("definition.invalid", "an object is expected here");
  const kept: { [key: string]: Json } = {};
  for (const key of Object.keys(object)) {
    if (key.startsWith("x-") || shape.without?.includes(key)) continue;
    const value = object[key]!;
    if (shape.inner?.includes(key)) setOwn(kept, key, project(value as JsonObject, shapes.plain));
    else if (shape.maps?.includes(key)) setOwn(kept, key, projectEach(value as JsonObject, shapes.plain));
    else if (shape.lists?.includes(key)) setOwn(kept, key, projectItems(value as readonly JsonObject[]));
    else setOwn(kept, key, value);
  }
  return kept;
}

function projectItems(list: readonly JsonObject[]): Json {
  return list.map((item) => project(item, shapes.plain));
}

function projectEach(map: JsonObject, shape: Shape): JsonObject {
  if (!isJsonObject(map)) throw new SwlError("definition.invalid", "an object is expected here");
  const kept: { [key: string]: Json } = {};
  for (const id of Object.keys(map)) setOwn(kept, id, project(map[id] as JsonObject, shape));
  return kept;
}
