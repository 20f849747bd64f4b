/**
 * The one error of the house. It is recognised by its brand, never by `instanceof` or its message, because two copies
 * of a package may be loaded side by side. `code` is from the closed list and has a page under docs/errors.
 * Spec: CNF-error-shape.
 */
import type { Code } from "./codes.js";
import { type Diagnostic, formatDiagnostic, type Place } from "./diagnostic.js";
import type { Json } from "./json.js";

const BRAND = Symbol.for("@swl/error");

export interface SwlErrorOptions {
  readonly place?: Place;
  readonly pointer?: string;
  /** Typed by the code; JSON only, never a secret. */
  readonly details?: { readonly [key: string]: Json };
  /** All findings, when the error stands for a failed parse, compile or validate. */
  readonly findings?: readonly Diagnostic[];
  readonly hint?: string;
  readonly cause?: unknown;
}

/** Members that an error does not have are absent, not `undefined`. */
export class SwlError extends Error {
  override readonly name = "SwlError";
  readonly code: Code;
  declare readonly place?: Place;
  declare readonly pointer?: string;
  declare readonly details?: { readonly [key: string]: Json };
  declare readonly findings?: readonly Diagnostic[];
  declare readonly hint?: string;
  /** Where cause and remedy of the code are written. */
  readonly docs: string;

  constructor(code: Code, message: string, options: SwlErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    Object.defineProperty(this, BRAND, { value: true });
    this.code = code;
    this.docs = docsPage(code);
    if (options.place !== undefined) this.place = options.place;
    if (options.pointer !== undefined) this.pointer = options.pointer;
    if (options.details !== undefined) this.details = options.details;
    if (options.findings !== undefined) this.findings = options.findings;
    if (options.hint !== undefined) this.hint = options.hint;
  }

  /** The error as data: what the CLI and a log print. Leaves out stack and cause. */
  toJSON(): { readonly [key: string]: Json } {
    return {
      code: this.code,
      message: this.message,
      ...(this.place && { place: { ...this.place } }),
      ...(this.pointer !== undefined && { pointer: this.pointer }),
      ...(this.details && { details: this.details }),
      ...(this.findings && { findings: this.findings.map((finding) => ({ ...finding })) as unknown as Json }),
      ...(this.hint !== undefined && { hint: this.hint }),
      docs: this.docs,
    };
  }
}

/** True for an SwlError of any loaded copy of this package. Never throws, whatever was thrown. */
export function isSwlError(value: unknown): value is SwlError {
  try {
    return typeof value === "object" && value !== null && (value as { [BRAND]?: unknown })[BRAND] === true;
  } catch {
    // What was thrown may be a proxy that throws itself.
    return false;
  }
}

/** Throws what a failed `Outcome` found, as one error that carries all findings. */
export function raise(code: Code, summary: string, findings: readonly Diagnostic[]): never {
  const first = findings.find((finding) => finding.severity === "error") ?? findings[0];
  const more = findings.length > 1 ? ` (and ${findings.length - 1} more)` : "";
  throw new SwlError(code, first ? `${summary}: ${formatDiagnostic(first)}${more}` : summary, {
    findings,
    ...(first?.place && { place: first.place }),
  });
}

/** The page of a code, relative to the project. */
export function docsPage(code: Code): string {
  return `docs/errors/${code}.md`;
}
