/**
 * Reading one value by its schema. What is wrong is noted and left out, so that later rules see what is right and one
 * pass finds everything. `x-…` members are taken out before and put back after. Spec: DEF-members, DEF-findings.
 */
import { type Json, own, setOwn } from "@swl/base";
import * as z from "zod/mini";
import { acceptorOf, undecided } from "./acceptor.js";
import type { Findings, Spot } from "./findings.js";
import { noteIssues, type Path, pathOf, valueAt } from "./issues.js";
import type { Schema } from "./members.js";

/** What was read: all of it when nothing was found, otherwise what is right, with `undefined` for what is not. */
export type Said<T> = T extends unknown ? { readonly [K in keyof T]?: T[K] } : never;

/** The output of the schema, or what is right in the value; `undefined` when nothing is. */
export function parse<Output>(
  schema: Schema<Output>,
  value: Json,
  spot: Spot,
  findings: Findings,
): Said<Output> | undefined {
  const accepted = acceptorOf(schema)(value);
  if (accepted !== undecided) return accepted as Said<Output>;
  const first = z.safeParse(schema, value);
  if (first.success) return first.data as Said<Output>;
  const extensions = first.error.issues.flatMap(extensionsOf);
  const parsed = extensions.length === 0 ? first : z.safeParse(schema, without(value, extensions));
  if (parsed.success) return putBack(parsed.data, value, extensions) as Said<Output>;
  const { issues } = parsed.error;
  noteIssues(issues, value, spot, findings);
  const wrong = issues
    .filter(({ code }) => code !== "unrecognized_keys" && code !== "invalid_key")
    .map(pathOf);
  return wrong.some((path) => path.length === 0) ? undefined : (blanked(value, wrong) as Said<Output>);
}

function extensionsOf(issue: z.core.$ZodIssue): readonly Path[] {
  if (issue.code !== "unrecognized_keys") return [];
  return issue.keys.filter((key) => key.startsWith("x-")).map((key) => [...pathOf(issue), key]);
}

/** The output shares no object with the value: it may still be written to. */
function putBack(output: unknown, value: Json, extensions: readonly Path[]): unknown {
  for (const path of extensions) {
    const holder = valueAt(output as Json, path.slice(0, -1)) as { [key: string]: Json };
    setOwn(holder, String(path.at(-1)), valueAt(value, path)!);
  }
  return output;
}

/** A copy without what stands at the paths, in time linear in the objects that are touched. */
export function without<T>(value: T, paths: readonly Path[]): T {
  return paths.length === 0 ? value : changed(value, paths, (holder, key) => delete holder[key]);
}

/** The same, but names stay: that something is said, and how often, is right also when it is wrong. */
function blanked<T>(value: T, paths: readonly Path[]): T {
  return changed(value, paths, (holder, key) => setOwn<Json | undefined>(holder, key, undefined));
}

type Holder = { [key: string]: Json | undefined };

function changed<T>(value: T, paths: readonly Path[], change: (holder: Holder, key: string) => void): T {
  const copies = new Set<object>();
  const root: Holder = { value: value as Json };
  for (const path of paths) {
    let holder: Holder | undefined = root;
    let key = "value";
    for (const step of path) {
      holder = holder && copied(holder, key, copies);
      key = String(step);
    }
    if (holder && Object.hasOwn(holder, key)) change(holder, key);
  }
  return root["value"] as T;
}

/** The object or list at a key, as a copy that may be changed. */
function copied(holder: Holder, key: string, copies: Set<object>): Holder | undefined {
  const inner = own(holder, key);
  if (typeof inner !== "object" || inner === null) return undefined;
  const copy = copies.has(inner) ? inner : Array.isArray(inner) ? [...inner] : { ...inner };
  copies.add(copy);
  setOwn<Json | undefined>(holder, key, copy);
  return copy as Holder;
}
