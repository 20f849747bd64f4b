/**
 * JSON as people like to read it: two spaces a level, and on one line what fits there. Characters that steer instead of
 * being seen are written as their escapes. Deterministic; keys stay in the order that they have.
 */
import { isJsonObject, type Json } from "@swl/base";

const WIDTH = 100;

const steering = /[\u007f-\u009f\u061c\u200b\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g;

/** A text as a JSON string without anything that cannot be seen. */
export function jsonString(text: string): string {
  return JSON.stringify(text).replace(
    steering,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/** The value on one line, or undefined when it is longer than `room`. */
function inline(value: Json, room: number): string | undefined {
  if (room < 1) return undefined;
  let text: string;
  if (typeof value === "string") text = jsonString(value);
  else if (Array.isArray(value)) {
    text = "[";
    for (const item of value as readonly Json[]) {
      const inner = inline(item, room - text.length);
      if (inner === undefined) return undefined;
      text += text === "[" ? inner : `, ${inner}`;
    }
    text += "]";
  } else if (isJsonObject(value)) {
    text = "{";
    for (const [key, member] of Object.entries(value)) {
      const name = `${text === "{" ? " " : ", "}${jsonString(key)}: `;
      const inner = inline(member, room - text.length - name.length);
      if (inner === undefined) return undefined;
      text += name + inner;
    }
    text += text === "{" ? "}" : " }";
  } else text = JSON.stringify(value);
  return text.length <= room ? text : undefined;
}

function block(value: Json, indent: string, before: number, after: number): string {
  const line = inline(value, WIDTH - indent.length - before - after);
  if (line !== undefined || typeof value !== "object" || value === null) {
    return line ?? (typeof value === "string" ? jsonString(value) : JSON.stringify(value));
  }
  const deeper = `${indent}  `;
  if (Array.isArray(value)) {
    const items = (value as readonly Json[]).map((item) => `${deeper}${block(item, deeper, 0, 1)}`);
    return `[\n${items.join(",\n")}\n${indent}]`;
  }
  const members = Object.entries(value).map(([key, member]) => {
    const name = `${jsonString(key)}: `;
    return `${deeper}${name}${block(member, deeper, name.length, 1)}`;
  });
  return `{\n${members.join(",\n")}\n${indent}}`;
}

/** The text of a file, with a line feed at its end. The outermost object is spread out whatever fits. */
export function jsonText(value: Json): string {
  if (!isJsonObject(value) || Object.keys(value).length === 0) return `${block(value, "", 0, 0)}\n`;
  const members = Object.entries(value).map(
    ([key, member]) => `  ${jsonString(key)}: ${block(member, "  ", jsonString(key).length + 2, 1)}`,
  );
  return `{\n${members.join(",\n")}\n}\n`;
}
