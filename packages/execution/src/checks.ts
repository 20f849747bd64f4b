/**
 * Value checks of a definition: JSON Schemas compiled on first use, and byte limits. Spec: EXE-contract-violation.
 */
import type { Json } from "@swl/base";
import type { JsonSchema } from "@swl/definition/model";
import { compileSchema } from "@swl/definition/schema";
import type { Check, SchemaProblem } from "./prepared.js";

const fine: readonly SchemaProblem[] = [];

/** Where a value is wrong, for the details of an error: the sentences are the validator's and do not belong to the run. */
export function pointersOf(problems: readonly SchemaProblem[]): Json {
  return [...new Set(problems.map((problem) => problem.pointer))].sort().slice(0, 20);
}

/** Every value passes. */
export const anything: Check = () => fine;

export function schemaCheck(schema: Json | undefined): Check {
  if (schema === undefined || schema === true) return anything;
  let compiled: Check | undefined;
  return (value) => {
    if (compiled === undefined) {
      const made = compileSchema(schema as JsonSchema);
      compiled = (subject) => made.check(subject);
    }
    return compiled(value);
  };
}

/** The check, and before it a limit on the size of the value as canonical JSON. */
export function limited(check: Check, maxBytes: number | null): Check {
  if (maxBytes === null) return check;
  return (value) => {
    const bytes = utf8Length(JSON.stringify(value));
    if (bytes <= maxBytes) return check(value);
    return [{ pointer: "", message: `${bytes} bytes of JSON are more than the ${maxBytes} allowed` }];
  };
}

function utf8Length(text: string): number {
  let bytes = text.length;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit < 0x80) continue;
    // Half of a surrogate pair makes two of its four bytes.
    bytes += unit < 0x800 || (unit >= 0xd800 && unit <= 0xdfff) ? 1 : 2;
  }
  return bytes;
}
