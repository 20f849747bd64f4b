/**
 * The typed builder: a workflow as a TypeScript object in which the compiler already refuses a missing route, an
 * unknown outcome, action or target, and data that does not fit. What comes out is the same normalized definition that
 * a file gives. Spec: DEF-normalized.
 */
import { isJsonObject, type JsonObject, own, quoted, raise } from "@swl/base";
import { definitionDefaults, validate } from "../validate.js";
import type { CheckedNodes } from "./checked-node.js";
import type { ScopeOf, TypesOfAction } from "./context.js";
import { lowered } from "./lower.js";
import type { SchemaInput, TypeOf } from "./standard-schema.js";
import type { TypedDefinition } from "./typed-definition.js";
import type { ActionSet, NodeSet, WorkflowFrame } from "./workflow-input.js";

/** What `defineWorkflow` takes. */
export interface DefineInput<
  Actions extends ActionSet,
  Nodes extends NodeSet,
  Input extends SchemaInput,
  Output extends SchemaInput,
> extends WorkflowFrame {
  /** A JSON Schema, or a schema of a library that yields one. */
  readonly inputSchema?: Input;
  readonly outputSchema?: Output;
  readonly start: NoInfer<keyof Nodes & string>;
  readonly actions?: Actions;
  readonly nodes: CheckedNodes<
    Nodes,
    {
      readonly actions: Actions;
      readonly target: keyof Nodes & string;
      readonly context: ScopeOf<TypeOf<Input, "input">, Actions, Nodes>;
      readonly output: TypeOf<Output, "output">;
    }
  >;
}

/**
 * The normalized definition of a workflow written in TypeScript, with the types that its schemas say. Throws
 * `definition.invalid`, with all findings, for what the types cannot see (an unreachable node, a wrong mapping, a
 * library's schema that cannot be said as JSON Schema).
 */
export function defineWorkflow<
  const Nodes extends NodeSet,
  const Actions extends ActionSet = ActionSet,
  const Input extends SchemaInput = SchemaInput,
  const Output extends SchemaInput = SchemaInput,
>(
  workflow: DefineInput<Actions, Nodes, Input, Output>,
): TypedDefinition<{
  readonly input: TypeOf<Input, "input">;
  readonly output: TypeOf<Output, "output">;
  readonly actions: { readonly [Action in keyof Actions & string]: TypesOfAction<Actions[Action]> };
}> {
  const { value, findings } = lowered(workflow);
  const outcome = validate(withDefaults(value));
  if (outcome.ok && findings.length === 0) return outcome.value;
  raise("definition.invalid", `the workflow${nameOf(value)} is not valid`, [
    ...findings,
    ...outcome.findings,
  ]);
}

/** What is said, over what is not. A value that throws when it is looked at is left for validation to refuse. */
function withDefaults(value: unknown): unknown {
  try {
    if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
    const requires = waits(value) ? ["core", "buffered-signals"] : definitionDefaults.requires;
    const said = Object.getOwnPropertyDescriptors(value) as PropertyDescriptorMap;
    const dialects = said["dialects"]?.value as unknown;
    return Object.create(Object.getPrototypeOf(value), {
      ...Object.getOwnPropertyDescriptors({ ...definitionDefaults, requires }),
      ...said,
      ...(isJsonObject(dialects) && { dialects: { ...said["dialects"], value: withDialects(dialects) } }),
    });
  } catch {
    return value;
  }
}

/** Member by member, as settings are read; `schema: null` declares none. */
function withDialects(said: JsonObject): JsonObject {
  const { schema, ...rest } = { ...definitionDefaults.dialects, ...said } as JsonObject;
  return schema === null || schema === undefined ? rest : { ...rest, schema };
}

/** Where a node waits for a signal, one that comes early is kept for it, unless the author decides otherwise. */
function waits(workflow: object): boolean {
  const nodes: unknown = Object.getOwnPropertyDescriptor(workflow, "nodes")?.value;
  return (
    isJsonObject(nodes) &&
    Object.values(nodes).some((node) => isJsonObject(node) && own(node, "kind") === "await-signal")
  );
}

/** The types promise an object with a name; a caller without types may have neither. */
function nameOf(value: unknown): string {
  try {
    const id: unknown = isJsonObject(value) ? Object.getOwnPropertyDescriptor(value, "id")?.value : undefined;
    return typeof id === "string" ? ` ${quoted(id)}` : "";
  } catch {
    return "";
  }
}
