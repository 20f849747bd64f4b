/**
 * What can be changed in a source, as data: operations may come from a file, an editor or another process, so their
 * shape is checked before anything is looked for. Spec: DOT-edit.
 */
import { isJsonObject, type Json, own } from "@swl/base";

/** An element that attributes stand on; a route without `outcome` is that of `ok`. */
export type EditElement =
  | { readonly graph: true }
  | { readonly node: string }
  | { readonly from: string; readonly outcome?: string };

/** Attributes by name; a value is the content of the string, as `DotToken.text` has it. */
export interface EditAttributes {
  readonly [name: string]: string;
}

export type EditOperation =
  /** Everywhere: declarations, edges, `start`. */
  | { readonly op: "rename-node"; readonly node: string; readonly to: string }
  | {
      readonly op: "add-node";
      readonly node: string;
      /** Default `activity`. */
      readonly kind?: string;
      readonly attributes?: EditAttributes;
    }
  /** With the edges that leave it; refused while another node's edge or `start` leads to it. */
  | { readonly op: "remove-node"; readonly node: string }
  | {
      readonly op: "add-route";
      readonly from: string;
      /** Default `ok`. */
      readonly outcome?: string;
      readonly to: string;
      readonly attributes?: EditAttributes;
    }
  | { readonly op: "retarget-route"; readonly from: string; readonly outcome?: string; readonly to: string }
  | { readonly op: "remove-route"; readonly from: string; readonly outcome?: string }
  | { readonly op: "set-attribute"; readonly of: EditElement; readonly name: string; readonly value: string }
  | { readonly op: "remove-attribute"; readonly of: EditElement; readonly name: string };

type Shape = { readonly [member: string]: "text" | "optional text" | "attributes" | "element" };

const SHAPES: { readonly [Op in EditOperation["op"]]: Shape } = {
  "rename-node": { node: "text", to: "text" },
  "add-node": { node: "text", kind: "optional text", attributes: "attributes" },
  "remove-node": { node: "text" },
  "add-route": { from: "text", outcome: "optional text", to: "text", attributes: "attributes" },
  "retarget-route": { from: "text", outcome: "optional text", to: "text" },
  "remove-route": { from: "text", outcome: "optional text" },
  "set-attribute": { of: "element", name: "text", value: "text" },
  "remove-attribute": { of: "element", name: "text" },
};

function isElement(value: Json): boolean {
  if (!isJsonObject(value)) return false;
  const keys = Object.keys(value).sort().join();
  if (keys === "graph") return own(value, "graph") === true;
  return (
    (keys === "node" || keys === "from" || keys === "from,outcome") &&
    Object.values(value).every((text) => typeof text === "string")
  );
}

function fits(value: Json | undefined, kind: Shape[string]): boolean {
  if (value === undefined) return kind === "optional text" || kind === "attributes";
  if (kind === "element") return isElement(value);
  if (kind !== "attributes") return typeof value === "string";
  return isJsonObject(value) && Object.values(value).every((text) => typeof text === "string");
}

/** What is wrong with the shape of an operation, or undefined when nothing is. */
export function shapeProblem(operation: unknown): string | undefined {
  if (!isJsonObject(operation)) return "an operation is an object";
  const op = own(operation, "op");
  const shape = typeof op === "string" ? own(SHAPES, op) : undefined;
  if (shape === undefined) return `"op" is one of ${Object.keys(SHAPES).join(", ")}`;
  for (const [member, kind] of Object.entries(shape)) {
    if (!fits(own(operation, member), kind)) return `${op} needs "${member}" (${kind})`;
  }
  const more = Object.keys(operation).find((member) => member !== "op" && !Object.hasOwn(shape, member));
  return more === undefined ? undefined : `${op} has no member ${JSON.stringify(more.slice(0, 60))}`;
}
