/**
 * Makes a difference small: first the events, then the definition, then both once more. Every step is kept only when
 * the definition is still valid and the engines still differ, in whatever way. Bounded by a number of questions.
 */
import { isJsonObject, type Json, type JsonObject, setOwn } from "@swl/base";
import { stampedEvents } from "@swl/conformance";
import { validate } from "@swl/definition";
import type { AcceptedEvent } from "@swl/execution/model";

export interface Example {
  readonly definition: JsonObject;
  readonly events: readonly AcceptedEvent[];
}

/** True when the engines still differ over it. */
export type Differs = (example: Example) => Promise<boolean>;

export async function minimize(example: Example, differs: Differs, maxQuestions = 3_000): Promise<Example> {
  let best = example;
  let left = maxQuestions;
  const better = async (candidate: Example): Promise<boolean> => {
    if (left <= 0) return false;
    left--;
    if (!(await differs(candidate))) return false;
    best = candidate;
    return true;
  };
  for (let before = Number.POSITIVE_INFINITY; sizeOf(best) < before && left > 0; ) {
    before = sizeOf(best);
    await fewerEvents(() => best, better);
    await smallerEvents(() => best, better);
    await smallerDefinition(() => best, better);
  }
  return best;
}

type Current = () => Example;
type Better = (candidate: Example) => Promise<boolean>;

function sizeOf(example: Example): number {
  return JSON.stringify(example).length;
}

/** Takes out halves, quarters, …, single events. */
async function fewerEvents(current: Current, better: Better): Promise<void> {
  for (let size = current().events.length; size >= 1; size = Math.floor(size / 2)) {
    for (let from = current().events.length - size; from >= 0; from -= size) {
      const { definition, events } = current();
      const rest = [...events.slice(0, from), ...events.slice(from + size)];
      if (rest.length > 0) await better({ definition, events: rest });
    }
  }
}

/** Members that an event of the type may lack. */
const optional: { readonly [type: string]: readonly string[] } = {
  unknown: ["message"],
  deadline: ["unclaimed"],
  signal: ["outcome"],
  update: ["outcome"],
  cancel: ["reason"],
  resolve: ["outcome", "output", "error", "fromEvidence", "by"],
};
/** Members that hold any JSON. */
const anything: readonly string[] = ["input", "output", "payload"];

async function smallerEvents(current: Current, better: Better): Promise<void> {
  const plain = stampedEvents(
    current().events.map(({ id: _, position: __, at: ___, ...body }) => body as Json),
  );
  await better({ definition: current().definition, events: plain });
  for (let index = 0; index < current().events.length; index++) {
    const event = () => current().events[index] as unknown as JsonObject;
    const keep = (changed: JsonObject) => {
      const { definition, events } = current();
      const other = events.map((old, at) => (at === index ? (changed as unknown as AcceptedEvent) : old));
      return better({ definition, events: other });
    };
    for (const member of optional[event()["type"] as string] ?? []) {
      if (Object.hasOwn(event(), member)) await keep(changed(event(), [member], undefined) as JsonObject);
    }
    for (const member of anything) {
      const value = event()[member];
      if (typeof value !== "object" || value === null || (await keep({ ...event(), [member]: null })))
        continue;
      await shrinkJson(
        () => event()[member]!,
        (inner) => keep({ ...event(), [member]: inner }),
      );
    }
  }
}

async function smallerDefinition(current: Current, better: Better): Promise<void> {
  for (const id of membersOf(current().definition, "nodes")) {
    for (const instead of membersOf(current().definition, "nodes")) {
      if (instead !== id && (await tryDefinition(withoutNode(current(), id, instead), current, better)))
        break;
    }
  }
  for (const action of membersOf(current().definition, "actions")) {
    const { actions } = current().definition;
    for (const outcome of membersOf((actions as JsonObject)[action]!, "outcomes")) {
      await tryDefinition(withoutOutcome(current(), action, outcome), current, better);
    }
  }
  for (const profile of current().definition["requires"] as readonly string[]) {
    const { definition, events } = current();
    const requires = (definition["requires"] as readonly string[]).filter((one) => one !== profile);
    const { maxBufferedSignals: _, ...others } = definition["limits"] as JsonObject;
    const limits = profile === "buffered-signals" ? others : definition["limits"]!;
    await tryDefinition({ definition: { ...definition, requires, limits }, events }, current, better);
  }
  await shrinkJson(
    () => current().definition,
    (definition) =>
      tryDefinition({ definition: definition as JsonObject, events: current().events }, current, better),
  );
}

function membersOf(holder: Json, member: string): readonly string[] {
  const inner = isJsonObject(holder) ? holder[member] : undefined;
  return isJsonObject(inner) ? Object.keys(inner) : [];
}

/** Normalized again: what cannot be an author's definition is no example. */
async function tryDefinition(
  { definition, events }: Example,
  current: Current,
  better: Better,
): Promise<boolean> {
  const checked = validate(definition);
  if (!checked.ok || events.length === 0) return false;
  const normalized = checked.value as unknown as JsonObject;
  if (JSON.stringify(normalized) === JSON.stringify(current().definition)) return false;
  return better({ definition: normalized, events });
}

/** Without a node, and without what is said of its activations. */
function withoutNode({ definition, events }: Example, id: string, instead: string): Example {
  const nodes: { [id: string]: Json } = {};
  for (const [name, node] of Object.entries(definition["nodes"] as JsonObject)) {
    if (name === id) continue;
    const routes = mapped(node as JsonObject, "routes", (_, target) => (target === id ? instead : target));
    setOwn(nodes, name, { ...(node as JsonObject), ...routes });
  }
  const start = definition["start"] === id ? instead : definition["start"]!;
  const others = events.filter((event) => !JSON.stringify(event).includes(`${id}#`));
  return { definition: { ...definition, nodes, start }, events: others };
}

function withoutOutcome({ definition, events }: Example, action: string, outcome: string): Example {
  const without = (holder: Json, member: string): JsonObject => ({
    ...(holder as JsonObject),
    ...mapped(holder as JsonObject, member, (name, value) => (name === outcome ? undefined : value)),
  });
  const actions = mapped(definition, "actions", (name, contract) =>
    name === action ? without(contract, "outcomes") : contract,
  );
  const nodes = mapped(definition, "nodes", (_, node) =>
    (node as JsonObject)["action"] === action ? without(without(node, "routes"), "loopLimits") : node,
  );
  return { definition: { ...definition, ...actions, ...nodes }, events };
}

/** The member with each of its members changed, or left out; nothing where there is no such member. */
function mapped(
  holder: JsonObject,
  member: string,
  change: (name: string, value: Json) => Json | undefined,
): JsonObject {
  const inner = holder[member];
  if (!isJsonObject(inner)) return {};
  const made: { [name: string]: Json } = {};
  for (const [name, value] of Object.entries(inner)) {
    const next = change(name, value);
    if (next !== undefined) setOwn(made, name, next);
  }
  return { [member]: made };
}

/** Takes out members and items, from the outside in, and puts null or 0 where something else stood. */
async function shrinkJson(current: () => Json, keep: (candidate: Json) => Promise<boolean>): Promise<void> {
  const visit = async (path: readonly (string | number)[]): Promise<void> => {
    const value = at(current(), path);
    if (typeof value !== "object" || value === null) return;
    const keys = Array.isArray(value) ? [...value.keys()].reverse() : Object.keys(value);
    for (const key of keys) {
      const here = [...path, key];
      if (at(current(), here) === undefined) continue;
      if (await keep(changed(current(), here, undefined))) continue;
      const inner = at(current(), here);
      if (typeof inner === "object" && inner !== null && (await keep(changed(current(), here, null))))
        continue;
      await visit(here);
    }
  };
  await visit([]);
}

function at(value: Json | undefined, path: readonly (string | number)[]): Json | undefined {
  let inner = value;
  for (const key of path) {
    if (typeof inner !== "object" || inner === null || !Object.hasOwn(inner, key)) return undefined;
    inner = (inner as { readonly [key: string | number]: Json })[key];
  }
  return inner;
}

/** A copy with another value at the path, or with none. */
function changed(value: Json, [key, ...rest]: readonly (string | number)[], leaf: Json | undefined): Json {
  const inner = (value as { readonly [key: string | number]: Json })[key!]!;
  const next = rest.length === 0 ? leaf : changed(inner, rest, leaf);
  if (Array.isArray(value)) {
    return next === undefined ? value.filter((_, index) => index !== key) : value.with(key as number, next);
  }
  const copy: { [key: string]: Json } = {};
  for (const [name, old] of Object.entries(value as JsonObject)) {
    if (name !== key) setOwn(copy, name, old);
    else if (next !== undefined) setOwn(copy, name, next);
  }
  return copy;
}
