/**
 * Takes marked values out of what is shown: in their places, and wherever else the same value turns up, because actions
 * copy what they are given into outputs, messages and handles. Spec: INV-masking.
 */
import { isJsonObject, type Json, type JsonObject, setOwn } from "@swl/base";
import { type Marks, type Path, valueAt } from "./control-marks.js";

/** What stands where a marked value stood. */
export const masked = "[masked]";

/** A text that holds a marked one of at least so many UTF-16 units has it masked wherever it stands; a shorter one as a word. */
const longEnough = 4;

/** Members that hosts and definitions name, never data. */
const names: ReadonlySet<string> = new Set(
  (
    "run workflow definition node target route activation invocation action kind type status phase effect decision " +
    "requestId id key startKey hold before after operation options"
  ).split(" "),
);

/** Members that hold data: every string, number and member name below is looked at. */
const data: ReadonlySet<string> = new Set(["output", "details", "input", "payload", "parameters"]);

/** The marked values of one run. */
export class Secrets {
  readonly #texts = new Set<string>();
  readonly #numbers = new Set<number>();
  #pattern: RegExp | undefined;

  /** Everything within a marked part. Booleans, `null` and empty texts say nothing by themselves. */
  add(value: Json | undefined): void {
    if (typeof value === "string" && value.trim() !== "") {
      this.#texts.add(value);
    } else if (typeof value === "number") {
      this.#numbers.add(value);
      this.#texts.add(String(value));
    } else if (typeof value === "object" && value !== null) {
      for (const below of Object.values(value)) this.add(below);
      return;
    }
    this.#pattern = undefined;
  }

  /** The same values, to which others can be added that only the copy knows. */
  copy(): Secrets {
    const copy = new Secrets();
    for (const text of this.#texts) copy.#texts.add(text);
    for (const number of this.#numbers) copy.#numbers.add(number);
    return copy;
  }

  get none(): boolean {
    return this.#texts.size === 0;
  }

  text(text: string): string {
    if (this.none) return text;
    this.#pattern ??= patternOf(this.#texts);
    return text.replace(this.#pattern, masked);
  }

  /** The number itself where it is data. */
  number(value: number): Json {
    return this.#numbers.has(value) ? masked : value;
  }
}

/** Longer ones first, so that one within another does not hide half of it. Also as they stand in a JSON text. */
function patternOf(texts: ReadonlySet<string>): RegExp {
  const written = new Set([...texts].flatMap((text) => [text, JSON.stringify(text).slice(1, -1)]));
  const parts = [...written]
    .sort((a, b) => b.length - a.length)
    .map((text) => {
      const quoted = text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");
      return text.length >= longEnough ? quoted : `(?<![\\p{L}\\p{N}])${quoted}(?![\\p{L}\\p{N}])`;
    });
  return new RegExp(parts.join("|"), "gu");
}

/** A control answer, a view, an explanation: the same shape with the marked values masked. */
export function maskView<T>(view: T, marks: Marks, secrets: Secrets): T {
  if (!marks.any) return view;
  return maskMembers(view as Json, marks, secrets) as T;
}

function maskMembers(value: Json, marks: Marks, secrets: Secrets): Json {
  if (typeof value === "string") return secrets.text(value);
  if (Array.isArray(value)) return value.map((item) => maskMembers(item, marks, secrets));
  if (!isJsonObject(value)) return value;
  const shown: { [member: string]: Json } = {};
  for (const [member, below] of Object.entries(value)) {
    // A member that is absent may be written as undefined by whoever made the view.
    if (below === undefined) continue;
    if (data.has(member))
      setOwn(shown, member, maskData(hidden(below, placesOf(member, value, marks)), secrets));
    else if (names.has(member) && typeof below !== "object") setOwn(shown, member, below);
    else setOwn(shown, member, maskMembers(below, marks, secrets));
  }
  return shown;
}

/** Where marked parts stand in a member of a view. */
function placesOf(member: string, of: JsonObject, marks: Marks): readonly Path[] {
  if (member === "output") return marks.output;
  if (member === "details") return marks.details;
  if (member !== "input") return [];
  const action = of["action"];
  return typeof action === "string" ? (marks.takes.get(action) ?? []) : marks.input;
}

/** The value with the parts masked, whatever stands there. */
function hidden(value: Json, places: readonly Path[]): Json {
  return places.reduce((shown, place) => hideAt(shown, place), value);
}

function hideAt(value: Json, [segment, ...rest]: Path): Json {
  if (segment === undefined) return value === null ? null : masked;
  if (valueAt(value, [segment]) === undefined) return value;
  if (Array.isArray(value))
    return value.map((item, index) => (index === Number(segment) ? hideAt(item, rest) : item));
  const shown: { [member: string]: Json } = {};
  for (const [member, below] of Object.entries(value as JsonObject))
    setOwn(shown, member, member === String(segment) ? hideAt(below, rest) : below);
  return shown;
}

function maskData(value: Json, secrets: Secrets): Json {
  if (typeof value === "string") return secrets.text(value);
  if (typeof value === "number") return secrets.number(value);
  if (Array.isArray(value)) return value.map((item) => maskData(item, secrets));
  if (!isJsonObject(value)) return value;
  const shown: { [member: string]: Json } = {};
  for (const [member, below] of Object.entries(value))
    setOwn(shown, secrets.text(member), maskData(below, secrets));
  return shown;
}
