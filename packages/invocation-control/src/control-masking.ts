/**
 * Takes marked values out of what is shown: in their places, and wherever else the same value turns up, because actions
 * copy what they are given into outputs, messages and handles. Spec: INV-masking.
 */
import { excerpt, isJsonObject, type Json, type JsonObject, quoted, setOwn } from "@swl/base";
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
  #forms: Forms | undefined;

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
    this.#forms = undefined;
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
    this.#forms ??= formsOf(this.#texts);
    return maskCuts(text.replace(this.#forms.whole, masked), this.#forms.written);
  }

  /** The number itself where it is data. */
  number(value: number): Json {
    return this.#numbers.has(value) ? masked : value;
  }
}

interface Forms {
  readonly whole: RegExp;
  /** Longer ones first, so that one within another does not hide half of it. Also as JSON and messages write them. */
  readonly written: readonly string[];
}

function formsOf(texts: ReadonlySet<string>): Forms {
  const forms = new Set([...texts].flatMap(writtenForms));
  const written = [...forms].sort((a, b) => b.length - a.length);
  const parts = written.map((text) => {
    const literal = text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");
    return text.length >= longEnough ? literal : `(?<![\\p{L}\\p{N}])${literal}(?![\\p{L}\\p{N}])`;
  });
  return { whole: new RegExp(parts.join("|"), "gu"), written };
}

function writtenForms(text: string): readonly string[] {
  const seen = [excerpt(text, Number.POSITIVE_INFINITY), quoted(text, Number.POSITIVE_INFINITY).slice(1, -1)];
  return [text, JSON.stringify(text).slice(1, -1), ...seen];
}

/** Messages are cut to their length before they come here: what is left of a marked text before the cut says much of it. */
const cut = "…";

function maskCuts(text: string, written: readonly string[]): string {
  if (!text.includes(cut)) return text;
  const [last = "", ...before] = text.split(cut).reverse();
  return [...before.reverse().map((part) => maskEnd(part, written)), last].join(cut);
}

/** The longest beginning of a marked text that this one ends with, where it is not just a letter or two. */
function maskEnd(text: string, written: readonly string[]): string {
  let longest = 0;
  for (const form of written) {
    const least = Math.max(longest + 1, Math.min(longEnough, Math.ceil(form.length / 2)));
    for (let length = Math.min(form.length - 1, text.length); length >= least; length--) {
      if (text.endsWith(form.slice(0, length))) longest = Math.max(longest, length);
    }
  }
  return longest === 0 ? text : text.slice(0, -longest) + masked;
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
