/**
 * The document in which something outside this process says what became of an operation. Spec: INV-inspect.
 */
import { isJsonObject, type Json } from "@swl/base";
import type { InspectAnswer } from "../provider.js";
import { errorOf } from "./answer-document.js";
import { type ForeignText, readForeign } from "./foreign.js";
import { keepable } from "./text.js";

export type InspectWord = "running" | "completed" | "failed" | "not-found" | "unknown";
export const inspectWords: readonly InspectWord[] = [
  "running",
  "completed",
  "failed",
  "not-found",
  "unknown",
];

/** `{"status": word, "outcome"?, "output"?, "error"?}`; what cannot be read is `unavailable`, and asked again. */
export function readInspection(text: ForeignText): InspectAnswer {
  const read = readForeign(text);
  if (!read.ok) return unavailable(read.why);
  if (!isJsonObject(read.value)) return unavailable("it is no object");
  const { status, outcome, output, error } = read.value;
  return inspectionOf({ status, outcome, output, error });
}

export interface InspectParts {
  readonly status: Json | undefined;
  readonly outcome: Json | undefined;
  readonly output: Json | undefined;
  readonly error: Json | undefined;
}

export function inspectionOf({ status, outcome, output = null, error }: InspectParts): InspectAnswer {
  switch (status) {
    case "running":
    case "not-found":
    case "unknown":
      return { kind: status };
    case "completed": {
      const name = outcome ?? "ok";
      if (typeof name !== "string" || name === "" || name.length > 64) {
        return unavailable("its outcome is no text of 1 to 64 characters");
      }
      return { kind: "completed", outcome: name, output };
    }
    case "failed":
      return { kind: "failed", error: errorOf(error ?? null) ?? plainFailure(error) };
    default:
      return unavailable(`its status is none of ${inspectWords.join(", ")}`);
  }
}

function plainFailure(error: Json | undefined) {
  const said = typeof error === "string" ? `: ${error}` : "";
  return { code: "provider.failed", message: keepable(`the operation failed${said}`), details: null };
}

function unavailable(why: string): InspectAnswer {
  return { kind: "unavailable", message: keepable(`the answer cannot be read: ${why}`) };
}
