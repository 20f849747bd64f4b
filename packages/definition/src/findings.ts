/**
 * Where a check stands and what it found. A spot is a chain of reference tokens that becomes a JSON Pointer only when
 * something is found there, so that checking costs nothing for what is right.
 */
import {
  type Code,
  type Diagnostic,
  type Json,
  nearest,
  type Outcome,
  type Place,
  pointerTo,
  quoted,
} from "@swl/base";

/** A spot in the data that is checked. */
export class Spot {
  readonly #parent: Spot | undefined;
  readonly #segment: string | number;
  readonly node: string | undefined;

  private constructor(parent: Spot | undefined, segment: string | number, node: string | undefined) {
    this.#parent = parent;
    this.#segment = segment;
    this.node = node;
  }

  static readonly root = new Spot(undefined, "", undefined);

  to(segment: string | number, node = this.node): Spot {
    return new Spot(this, segment, node);
  }

  /** Follows a pointer that another check returned. */
  within(segments: readonly (string | number)[]): Spot {
    let spot: Spot = this;
    for (const segment of segments) spot = spot.to(segment);
    return spot;
  }

  pointer(): string {
    const segments: (string | number)[] = [];
    for (let spot: Spot = this; spot.#parent; spot = spot.#parent) segments.push(spot.#segment);
    return pointerTo("", ...segments.reverse());
  }
}

export interface FindingsOptions {
  /** Warnings count as errors. */
  readonly strict?: boolean;
  readonly placeOf?: (pointer: string) => Place | undefined;
}

/** Findings that get a hint with a nearest name; searching one costs more than finding the mistake. */
const maxHints = 100;
/** Findings that are listed; a document that has more is refused all the same. */
export const maxFindings = 10_000;

/** Collects findings with node, place and hint; decides at the end between a value and a refusal. */
export class Findings {
  readonly list: Diagnostic[] = [];
  readonly #options: FindingsOptions;
  #hints = 0;
  /** The keys of the last object that was searched: usually the same one again. */
  #keysOf: object | undefined;
  #keys: readonly string[] = [];
  #errors = 0;

  constructor(options: FindingsOptions) {
    this.#options = options;
  }

  get failed(): boolean {
    return this.#errors > 0;
  }

  error(code: Code, message: string, spot: Spot, hint?: string): void {
    this.#add({ code, severity: "error", message, pointer: spot.pointer() }, spot.node, hint);
  }

  warning(code: Code, message: string, spot: Spot, hint?: string): void {
    const severity = this.#options.strict ? "error" : "warning";
    this.#add({ code, severity, message, pointer: spot.pointer() }, spot.node, hint);
  }

  /** Takes over a finding of another reader, with a place if it has none. */
  adopt(finding: Diagnostic): void {
    this.#add(finding, finding.node, finding.hint);
  }

  /** `did you mean …?`, when a candidate (of a list, or a key of an object) is near. */
  suggest(name: string, candidates: readonly string[] | object): string | undefined {
    if (++this.#hints > maxHints) return undefined;
    if (!Array.isArray(candidates) && this.#keysOf !== candidates) {
      this.#keysOf = candidates;
      this.#keys = Object.keys(candidates);
    }
    const near = nearest(name, Array.isArray(candidates) ? candidates : this.#keys);
    return near === undefined ? undefined : `did you mean ${quoted(near)}?`;
  }

  outcome<T>(value: T | undefined): Outcome<T> {
    if (this.failed || value === undefined) return { ok: false, findings: this.list };
    return { ok: true, value, findings: this.list };
  }

  #add(finding: Diagnostic, node: string | undefined, hint: string | undefined): void {
    if (finding.severity === "error") this.#errors++;
    if (this.list.length >= maxFindings) return;
    const place = finding.place ?? this.#placeOf(finding.pointer);
    this.list.push({ ...finding, ...(place && { place }), ...(node && { node }), ...(hint && { hint }) });
  }

  /** The place of the pointer, or of the nearest value around it that has one. */
  #placeOf(pointer: string): Place | undefined {
    const { placeOf } = this.#options;
    for (let at = pointer; placeOf; at = at.slice(0, at.lastIndexOf("/"))) {
      const place = placeOf(at);
      if (place || at === "") return place;
    }
    return undefined;
  }
}

/** A name as messages show it: quoted, and cut when it is long. */
export function quote(text: string): string {
  return quoted(text);
}

/** A JSON value as a word of a message. */
export function kindOf(value: Json): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "a list";
  if (typeof value === "object") return "an object";
  return typeof value === "string" ? quote(value) : String(value);
}
