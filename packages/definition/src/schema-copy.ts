/**
 * The private copy of a schema that the validator library gets: known keywords only, so that nothing a user wrote
 * reaches it by another name, and every schema in it counts a step as it is evaluated.
 */
import { isJsonObject, type Json, type JsonObject, pointerTo, setOwn } from "@swl/base";
import { forms, type Plain, type Structure } from "./schema-keywords.js";
import { type Pattern, readPattern } from "./schema-pattern.js";
import type { Meter } from "./schema-rules.js";
import { type Choices, choicesOf, staticSteps } from "./schema-weight.js";

export interface SchemaCopy {
  /** The library marks it, so it is never the user's object. */
  readonly root: Json;
  /** Copied schemas with keywords that cost more than one step; the library must not see these before its references are resolved. */
  readonly costly: readonly Costly[];
  /** Every `$ref` with the copied object that holds it. */
  readonly refs: readonly { readonly holder: object; readonly ref: string; readonly pointer: string }[];
}

/** A copied schema, and what in it takes time by the size of the value. */
export interface Costly {
  readonly holder: { [key: string]: Json };
  readonly pattern?: Pattern;
  readonly names?: readonly Pattern[];
  readonly unique?: true;
  /** Values of `enum` or `const` that a list or an object is compared with. */
  readonly choices?: Choices;
  /** How often the characters of a text are counted. */
  readonly counts?: number;
}

/** Copies a schema in which `inspectSchema` finds nothing. Evaluating the copy draws on the meter. */
export function copySchema(schema: Json, meter: Meter): SchemaCopy {
  const copier = new Copier(meter);
  const root = copier.schema(schema);
  return { root, costly: copier.costly, refs: copier.refs };
}

class Copier {
  readonly refs: { holder: object; ref: string; pointer: string }[] = [];
  readonly costly: Costly[] = [];
  readonly #path: (string | number)[] = [];
  readonly #meter: Meter;
  readonly #inherited = new Map<number, object>();

  constructor(meter: Meter) {
    this.#meter = meter;
  }

  /** What copies inherit: the library reads this keyword of an older dialect once for every schema it applies. */
  #paying(steps: number): object {
    const known = this.#inherited.get(steps);
    if (known) return known;
    const get = (): undefined => this.#meter.step(steps);
    const made = Object.create(null, { $recursiveAnchor: { get } }) as object;
    this.#inherited.set(steps, made);
    return made;
  }

  schema(schema: Json): Json {
    if (!isJsonObject(schema)) return schema;
    const copy = Object.create(this.#paying(staticSteps(schema))) as { [key: string]: Json };
    for (const key of Object.keys(schema)) {
      const form = forms.get(key);
      if (form === undefined) continue;
      this.#path.push(key);
      this.#keyword(copy, key, form, schema[key]!);
      this.#path.pop();
    }
    return copy;
  }

  #keyword(holder: { [key: string]: Json }, key: string, form: Structure | Plain, value: Json): void {
    switch (form) {
      case "dialect":
        return;
      case "pattern":
        this.costly.push({ holder, pattern: accepted(value as string) });
        return;
      case "patterns":
        setOwn(holder, key, this.#map(value as JsonObject));
        this.costly.push({ holder, names: Object.keys(value as JsonObject).map(accepted) });
        return;
      case "ref":
        this.refs.push({ holder, ref: value as string, pointer: pointerTo("", ...this.#path) });
        break;
      case "flag":
        if (value === true) this.costly.push({ holder, unique: true });
        break;
      case "enum":
      case "any": {
        const choices = choicesOf(value, form === "enum" ? "enum" : "const");
        if (choices.objects > 0) this.costly.push({ holder, choices });
        setOwn(holder, key, choices.shown);
        return;
      }
      case "count":
        if (key === "minLength" || key === "maxLength") this.costly.push({ holder, counts: 1 });
        break;
    }
    setOwn(holder, key, this.#inner(form, value));
  }

  #inner(form: Structure | Plain, value: Json): Json {
    if (form === "schema") return this.schema(value);
    if (form === "map") return this.#map(value as JsonObject);
    if (form !== "list") return value;
    return (value as readonly Json[]).map((item, index) => this.#inside(index, item));
  }

  #map(value: JsonObject): Json {
    const copy: { [key: string]: Json } = {};
    for (const name of Object.keys(value)) setOwn(copy, name, this.#inside(name, value[name]!));
    return copy;
  }

  #inside(step: string | number, schema: Json): Json {
    this.#path.push(step);
    const copy = this.schema(schema);
    this.#path.pop();
    return copy;
  }
}

function accepted(source: string): Pattern {
  return readPattern(source) as Pattern;
}
