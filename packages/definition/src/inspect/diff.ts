/**
 * The difference of two definitions in meaning. What is compared is what identity is made of (`swl-c14n/1`), so there
 * is no change exactly where the digests are equal: labels, layout, hints, revision, extensions, order and defaults
 * written or left out never show. Spec: DEF-identity.
 */
import { canonicalize, isJsonObject, type Json, type JsonObject, own, pointerTo } from "@swl/base";
import { canonicalDefinition, definitionDigest } from "../identity.js";
import { lookingAtDefinition } from "../looking.js";
import type { Definition, Digest, Id } from "../model.js";
import { type ChangeSubject, definitionRule, type Rule } from "./diff-rules.js";
import { inRunning, type Said, shownChange } from "./diff-words.js";

export type { ChangeSubject } from "./diff-rules.js";

export type ChangeKind = `${ChangeSubject}-${"added" | "removed" | "changed"}`;

/** One change of meaning. */
export interface Change {
  readonly kind: ChangeKind;
  /** JSON Pointer into the definition after the change; for what was removed, into the one before. */
  readonly pointer: string;
  /** The node that changed. */
  readonly node?: Id;
  /** The action contract that changed. */
  readonly action?: Id;
  /** With `action`: the nodes that call it in the definition before. */
  readonly nodes?: readonly Id[];
  /** Absent when it was added. */
  readonly before?: Json;
  /** Absent when it was removed. */
  readonly after?: Json;
  /** One sentence: what changed. */
  readonly message: string;
  /**
   * One or two sentences: what a running execution sees. It keeps the definition that it pinned (DUR-pinning), so this
   * says what still holds for it.
   */
  readonly running: string;
}

export interface Comparison {
  readonly identity: "same" | "different";
  readonly before: Digest;
  readonly after: Digest;
  readonly changes: readonly Change[];
}

/** Both identities, and every change. */
export function compare(before: Definition, after: Definition): Comparison {
  const digests = { before: definitionDigest(before), after: definitionDigest(after) };
  const identity = digests.before === digests.after ? "same" : "different";
  return { identity, ...digests, changes: diff(before, after) };
}

/**
 * Every change of meaning from one normalized definition to another: first those of the workflow, then by node, then
 * by action, each in the order of the canonical form. Empty exactly when the identities are the same. A renamed node
 * is one that was removed and one that was added. Throws as `canonicalDefinition` does.
 */
export function diff(before: Definition, after: Definition): Change[] {
  return lookingAtDefinition(() => {
    const walk = new Walk(before);
    walk.compare(definitionRule, [], projected(before), projected(after));
    return walk.changes;
  });
}

function projected(definition: Definition): Json {
  return JSON.parse(canonicalDefinition(definition)) as Json;
}

class Walk {
  readonly changes: Change[] = [];
  readonly #callers: ReadonlyMap<Id, readonly Id[]>;

  constructor(before: Definition) {
    this.#callers = callersOf(before);
  }

  compare(rule: Rule, path: readonly string[], before: Json | undefined, after: Json | undefined): void {
    if (same(before, after)) return;
    const parts = partsOf(rule, before, after);
    if (parts === undefined) {
      this.#add(rule, path, before, after);
      return;
    }
    const count = this.changes.length;
    for (const key of parts.keys) {
      const inner = parts.ruleOf(key);
      this.compare(inner, [...path, key], member(before, key), member(after, key));
    }
    // Said on one side only, and empty there.
    if (this.changes.length === count) this.#add(rule, path, before, after);
  }

  #add(rule: Rule, path: readonly string[], before: Json | undefined, after: Json | undefined): void {
    const how = before === undefined ? "added" : after === undefined ? "removed" : "changed";
    const node = path[0] === "nodes" ? path[1] : undefined;
    const action = path[0] === "actions" ? path[1] : undefined;
    const nodes = action === undefined ? undefined : (this.#callers.get(action) ?? []);
    const said: Said = { subject: rule.subject, how, path, before, after, nodes: nodes ?? [] };
    this.changes.push({
      kind: `${rule.subject}-${how}`,
      pointer: pointerTo("", ...path),
      ...(node !== undefined && { node }),
      ...(action !== undefined && { action, nodes: nodes! }),
      ...(before !== undefined && { before }),
      ...(after !== undefined && { after }),
      message: shownChange(said),
      running: inRunning(said),
    });
  }
}

interface Parts {
  readonly keys: readonly string[];
  readonly ruleOf: (key: string) => Rule;
}

/** What is compared apart from each other; `undefined` when the value is one thing. */
function partsOf(rule: Rule, before: Json | undefined, after: Json | undefined): Parts | undefined {
  if (!isObjectOrNone(before) || !isObjectOrNone(after)) return undefined;
  if (rule.whole && (before === undefined || after === undefined)) return undefined;
  if (rule.tag !== undefined && !same(member(before, rule.tag), member(after, rule.tag))) return undefined;
  const { each, members } = rule;
  if (each === undefined && members === undefined) return undefined;
  const keys = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])].sort();
  const last = rule.last ?? [];
  const ordered = [...keys.filter((key) => !last.includes(key)), ...last.filter((key) => keys.includes(key))];
  return { keys: ordered, ruleOf: (key) => own(members ?? {}, key) ?? each ?? { subject: rule.subject } };
}

function isObjectOrNone(value: Json | undefined): value is JsonObject | undefined {
  return value === undefined || isJsonObject(value);
}

function member(value: Json | undefined, key: string): Json | undefined {
  return value === undefined ? undefined : own(value as JsonObject, key);
}

function same(before: Json | undefined, after: Json | undefined): boolean {
  if (before === undefined || after === undefined) return before === after;
  return before === after || canonicalize(before) === canonicalize(after);
}

function callersOf(definition: Definition): ReadonlyMap<Id, readonly Id[]> {
  const callers = new Map<Id, Id[]>();
  for (const id of Object.keys(definition.nodes).sort()) {
    const node = definition.nodes[id]!;
    if (node.kind !== "activity") continue;
    const nodes = callers.get(node.action);
    if (nodes) nodes.push(id);
    else callers.set(node.action, [id]);
  }
  return callers;
}
