/**
 * What a definition marks as sensitive, and where marked parts go by its mappings: read once a definition. A part that
 * an action takes as sensitive is marked where it comes from, too. Spec: INV-masking.
 */
import { isJsonObject, type Json, type JsonObject, own, pointerSegments } from "@swl/base";

export type Path = readonly (string | number)[];

export interface Marks {
  /** False: the definition marks nothing, and nothing is ever masked. */
  readonly any: boolean;
  /** Parts of the run's input. */
  readonly input: readonly Path[];
  /** Node → outcome (`*`: every one) → parts of what the node gives. */
  readonly results: ReadonlyMap<string, ReadonlyMap<string, readonly Path[]>>;
  /** Action → parts of what it takes. */
  readonly takes: ReadonlyMap<string, readonly Path[]>;
  /** Signal name → the nodes that wait for it. */
  readonly waiters: ReadonlyMap<string, readonly string[]>;
  /** Written into the definition where an action takes a sensitive part. */
  readonly constants: readonly Json[];
  /** Parts of a completed run's output, and of a failed one's details. */
  readonly output: readonly Path[];
  readonly details: readonly Path[];
}

/** Stands for a definition that cannot be read. */
export const allMarked: Marks = {
  any: true,
  input: [[]],
  results: new Map(),
  takes: new Map(),
  waiters: new Map(),
  constants: [],
  output: [[]],
  details: [[]],
};

type Results = Map<string, Map<string, Path[]>>;

interface Reading {
  readonly nodes: JsonObject;
  readonly input: Path[];
  readonly results: Results;
  readonly constants: Json[];
}

/** True when a definition marks anything as sensitive: then nothing that a provider says of its runs belongs in a log. */
export function hasMarks(definition: Json): boolean {
  return marksOf(definition).any;
}

/** Reads any JSON; what is no definition marks nothing. */
export function marksOf(definition: Json): Marks {
  const root = object(definition);
  const reading: Reading = {
    nodes: object(own(root, "nodes")),
    input: pointers(own(object(own(root, "sensitive")), "input")),
    results: new Map(),
    constants: [],
  };
  const actions = object(own(root, "actions"));
  const takes = new Map<string, Path[]>();
  const waiters = new Map<string, string[]>();
  for (const [action, contract] of Object.entries(actions)) {
    const taken = pointers(own(object(own(object(contract), "sensitive")), "input"));
    if (taken.length > 0) takes.set(action, taken);
  }
  for (const [id, given] of Object.entries(reading.nodes)) {
    const node = object(given);
    const action = own(node, "action");
    const signal = own(node, "signal");
    const contract = typeof action === "string" ? object(own(actions, action)) : {};
    const marked =
      typeof action === "string"
        ? own(object(own(contract, "sensitive")), "outputs")
        : own(object(own(node, "sensitive")), "payloads");
    for (const [outcome, parts] of Object.entries(object(marked)))
      for (const part of pointers(parts)) mark(reading.results, id, outcome, part);
    if (typeof signal === "string") waiters.set(signal, [...(waiters.get(signal) ?? []), id]);
    for (const part of (typeof action === "string" && takes.get(action)) || [])
      traceBack(own(node, "input") ?? null, part, id, reading);
  }
  const any =
    reading.input.length > 0 || reading.results.size > 0 || takes.size > 0 || reading.constants.length > 0;
  const { input, results, constants } = reading;
  const goes = (member: (node: JsonObject) => Json | undefined): Path[] =>
    any
      ? Object.entries(reading.nodes).flatMap(([id, node]) => flow(member(object(node)) ?? null, id, reading))
      : [];
  const output = goes((node) => (own(node, "kind") === "complete" ? own(node, "output") : undefined));
  const details = goes((node) => own(object(own(node, "error")), "details"));
  return { any, input, results, takes, waiters, constants, output, details };
}

/** Marks where the part of a mapping comes from. */
function traceBack(mapping: Json, part: Path, node: string, reading: Reading): void {
  const source = isJsonObject(mapping) ? own(mapping, "$get") : undefined;
  if (Array.isArray(source)) {
    markSource([...(source as Path), ...part], node, reading);
    return;
  }
  if (isJsonObject(mapping) && Object.hasOwn(mapping, "$literal")) {
    const found = valueAt(mapping["$literal"] ?? null, part);
    if (found !== undefined) reading.constants.push(found);
    return;
  }
  const [head, ...rest] = part;
  if (head !== undefined) {
    const below = childOf(mapping, head);
    if (below !== undefined) traceBack(below, rest, node, reading);
  } else if (typeof mapping === "object" && mapping !== null) {
    for (const below of Object.values(mapping)) traceBack(below, [], node, reading);
  } else {
    reading.constants.push(mapping);
  }
}

function markSource(path: Path, node: string, reading: Reading): void {
  for (const [of, rest] of sources(path, node, reading.nodes)) {
    if (of === undefined) reading.input.push(rest);
    else mark(reading.results, of, "*", rest);
  }
}

/** What a `$get` reads: a part of the input (no node), or of what nodes gave. */
function sources(
  path: Path,
  node: string,
  nodes: JsonObject,
): readonly (readonly [string | undefined, Path])[] {
  const [root, ...rest] = path;
  if (root === "input") return [[undefined, rest]];
  if (root === "nodes") {
    const [of, member, ...part] = rest;
    if (of === undefined) return Object.keys(nodes).map((id) => [id, []] as const);
    return member === undefined || member === "output" ? [[String(of), part]] : [];
  }
  if (root === "from" && (rest[0] === undefined || rest[0] === "output")) {
    const part = rest.slice(1);
    return Object.entries(nodes)
      .filter(([, before]) => Object.values(object(own(object(before), "routes"))).includes(node))
      .map(([id]) => [id, part] as const);
  }
  return [];
}

/** The parts of what a mapping gives that are marked where they come from. */
function flow(mapping: Json, node: string, reading: Reading, at: Path = []): Path[] {
  const source = isJsonObject(mapping) ? own(mapping, "$get") : undefined;
  if (Array.isArray(source)) {
    const found: Path[] = [];
    const below = source[0] === "from" ? (["output"] as const) : [];
    for (const [of, path] of sources(source as Path, node, reading.nodes)) {
      const marked = of === undefined ? reading.input : [...(reading.results.get(of)?.values() ?? [])].flat();
      const inside =
        source.length === 1 ? (of === undefined ? [] : source[0] === "nodes" ? [of, "output"] : below) : [];
      for (const mark of marked) {
        if (startsWith(path, mark)) found.push([...at, ...inside]);
        else if (startsWith(mark, path)) found.push([...at, ...inside, ...mark.slice(path.length)]);
      }
    }
    return found;
  }
  if (typeof mapping !== "object" || mapping === null) return [];
  if (isJsonObject(mapping) && Object.hasOwn(mapping, "$literal")) return [];
  return Object.entries(mapping).flatMap(([key, below]) =>
    flow(below, node, reading, [...at, Array.isArray(mapping) ? Number(key) : key]),
  );
}

function mark(results: Results, node: string, outcome: string, part: Path): void {
  const marked = results.get(node) ?? new Map<string, Path[]>();
  results.set(node, marked);
  marked.set(outcome, [...(marked.get(outcome) ?? []), part]);
}

/** Undefined when nothing stands there. */
export function valueAt(value: Json, path: Path): Json | undefined {
  let found: Json | undefined = value;
  for (const segment of path) {
    if (found === undefined) return undefined;
    found = childOf(found, segment);
  }
  return found;
}

function childOf(value: Json, segment: string | number): Json | undefined {
  if (Array.isArray(value)) return value[Number(segment)];
  return isJsonObject(value) ? own(value, String(segment)) : undefined;
}

function startsWith(path: Path, start: Path): boolean {
  return (
    start.length <= path.length && start.every((segment, index) => String(segment) === String(path[index]))
  );
}

function pointers(given: Json | undefined): Path[] {
  if (!Array.isArray(given)) return [];
  return given.flatMap((pointer) => {
    const segments = typeof pointer === "string" ? pointerSegments(pointer) : undefined;
    return segments === undefined ? [] : [segments];
  });
}

function object(value: Json | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}
