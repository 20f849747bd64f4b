/**
 * Values that a binding takes from the environment. They are read once, when the bindings are read, and are kept where
 * nothing prints them; whatever comes back from a provider is looked through for them before it leaves the provider.
 * Spec: INV-secret-references.
 */
import { type Json, setOwn } from "@swl/base";

/** Where a value comes from, in JSON and in TypeScript alike. */
export interface FromEnvironment {
  /** Name of the variable. */
  readonly env: string;
  /** Text before the value, such as `Bearer `. */
  readonly prefix?: string;
}

export type Environment = { readonly [name: string]: string | undefined };

/** A text of a binding, secret or not; only `reveal` gives it. */
export class BoundText {
  readonly secret: boolean;
  readonly #text: string;

  constructor(text: string, secret: boolean) {
    this.#text = text;
    this.secret = secret;
  }

  reveal(): string {
    return this.#text;
  }

  /** What a log or an inspector gets. */
  toJSON(): string {
    return this.secret ? "[secret]" : this.#text;
  }
}

/** A shorter value could stand in any answer by chance, and cannot be kept out of it. */
export const minSecretLength = 8;

export class Secrets {
  readonly #environment: Environment;
  /** Every form in which a value may come back, with what stands in its place; the longest first. */
  #forms: readonly (readonly [form: string, mark: string])[] = [];

  constructor(environment: Environment) {
    this.#environment = environment;
  }

  /** True when there is something to keep out. */
  get any(): boolean {
    return this.#forms.length > 0;
  }

  /** The value of a variable; undefined when it is not set, or empty. Kept out of every answer from now on. */
  take(name: string): string | undefined {
    const value = Object.hasOwn(this.#environment, name) ? this.#environment[name] : undefined;
    if (value === undefined || value === "") return undefined;
    if (value.length >= minSecretLength) this.#keep(name, value);
    return value;
  }

  /** The same, and one more text that only this call knows. */
  including(name: string, value: string): Secrets {
    const more = new Secrets(this.#environment);
    more.#forms = this.#forms;
    more.#keep(name, value);
    return more;
  }

  #keep(name: string, value: string): void {
    const text = value.replace(/\p{Surrogate}/gu, "\ufffd");
    const encoded = [encodeURIComponent(text), new URLSearchParams([["", text]]).toString().slice(1)];
    const forms = new Set([
      value,
      ...encoded,
      // Hexadecimal digits are written in either case.
      ...encoded.map((form) => form.replace(/%[0-9A-F]{2}/g, (sign) => sign.toLowerCase())),
      JSON.stringify(value).slice(1, -1),
    ]);
    const added = [...forms].map((form) => [form, `[secret ${name}]`] as const);
    this.#forms = [...this.#forms, ...added].sort(([a], [b]) => b.length - a.length);
  }

  scrub(text: string): string {
    let clean = text;
    for (const [form, mark] of this.#forms) if (clean.includes(form)) clean = clean.replaceAll(form, mark);
    return clean;
  }

  /** The same with every text and every name in it scrubbed; the very same value when there is nothing to keep out. */
  scrubbed<T>(value: T): T {
    return this.#forms.length === 0 ? value : (this.#clean(value as Json) as T);
  }

  #clean(value: Json): Json {
    if (typeof value === "string") return this.scrub(value);
    if (typeof value !== "object" || value === null) return value;
    if (Array.isArray(value)) return value.map((item) => this.#clean(item));
    const clean: { [key: string]: Json } = {};
    for (const [key, item] of Object.entries(value)) setOwn(clean, this.scrub(key), this.#clean(item));
    return clean;
  }
}
