/**
 * From what an author writes to what validation takes: schemas of a library become JSON Schemas, wherever a schema may
 * stand, and nothing else is touched. Any value may come in; what cannot be looked at is left for validation to refuse.
 * Spec: DEF-normalized.
 */
import { type Diagnostic, pointerTo, setOwn } from "@swl/base";
import { isStandardSchema, type SchemaSide, writtenSchema } from "./standard-schema.js";

/** Where schemas stand: here, in members of these names, or in every member. */
type Site = SchemaSide | { readonly members: { readonly [name: string]: Site } } | { readonly each: Site };

const action: Site = {
  members: {
    inputSchema: "input",
    parametersSchema: "input",
    outcomes: { each: { members: { outputSchema: "output" } } },
  },
};

const workflow: Site = {
  members: {
    inputSchema: "input",
    outputSchema: "output",
    actions: { each: action },
    nodes: { each: { members: { payloads: { each: "input" } } } },
  },
};

/** A copy with JSON Schemas only, as far as it can be said; a schema that cannot be said is `true`, with a finding. */
export function lowered(input: unknown): { readonly value: unknown; readonly findings: Diagnostic[] } {
  const findings: Diagnostic[] = [];
  return { value: lower(input, workflow, "", findings), findings };
}

function lower(value: unknown, site: Site, pointer: string, findings: Diagnostic[]): unknown {
  try {
    if (typeof site !== "string") return lowerMembers(value, site, pointer, findings);
    if (!isStandardSchema(value)) return value;
  } catch {
    // A value that throws when it is looked at is no JSON: validation says so, with its place.
    return value;
  }
  const written = writtenSchema(value, site, pointer);
  if ("schema" in written) return written.schema;
  findings.push(...written.findings);
  return true;
}

function lowerMembers(
  value: unknown,
  site: Exclude<Site, SchemaSide>,
  pointer: string,
  findings: Diagnostic[],
): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  let changed: PropertyDescriptorMap | undefined;
  for (const key of "each" in site ? Object.keys(value) : Object.keys(site.members)) {
    const before: unknown = Object.getOwnPropertyDescriptor(value, key)?.value;
    const inner = "each" in site ? site.each : site.members[key]!;
    const after = lower(before, inner, pointerTo(pointer, key), findings);
    if (after === before) continue;
    changed ??= Object.getOwnPropertyDescriptors(value);
    setOwn(changed, key, { value: after, enumerable: true, configurable: true, writable: true });
  }
  // What is not read here, such as an accessor, stays what it is.
  return changed ? Object.create(Object.getPrototypeOf(value), changed) : value;
}
