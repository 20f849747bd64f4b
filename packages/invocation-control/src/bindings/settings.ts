/**
 * Reads the settings of one binding, strictly: every member has a reader, what nobody read is refused, and everything
 * that is wrong is found in one pass, with a pointer. A wrong member reads as its default, so that reading goes on.
 * Spec: INV-bindings-strict.
 */
import {
  type Code,
  type Diagnostic,
  isJsonObject,
  type Json,
  type JsonObject,
  nearest,
  own,
  pointerTo,
  quoted,
} from "@swl/base";
import { BoundText, minSecretLength, type Secrets } from "./secrets.js";

/** A rule for a text: what it must match, and how that is called. */
export interface TextForm {
  readonly expected: string;
  readonly pattern: RegExp;
}

export const variableName: TextForm = {
  expected: "the name of an environment variable",
  pattern: /^[A-Za-z_][A-Za-z0-9_]{0,127}$/,
};

const anyText: TextForm = { expected: "a text that is not empty", pattern: /./s };

export class Settings {
  readonly pointer: string;
  readonly #object: JsonObject;
  readonly #findings: Diagnostic[];
  readonly #secrets: Secrets;
  readonly #read = new Set<string>();

  constructor(value: Json, pointer: string, findings: Diagnostic[], secrets: Secrets) {
    this.pointer = pointer;
    this.#findings = findings;
    this.#secrets = secrets;
    this.#object = isJsonObject(value) ? value : {};
    if (!isJsonObject(value)) this.fault("expected an object");
  }

  has(name: string): boolean {
    return own(this.#object, name) !== undefined;
  }

  /** Notes what is wrong with a member, or with the whole. */
  fault(message: string, name?: string, code: Code = "binding.invalid", hint?: string): undefined {
    const pointer = name === undefined ? this.pointer : pointerTo(this.pointer, name);
    this.#findings.push({ code, severity: "error", message, pointer, ...(hint !== undefined && { hint }) });
    return undefined;
  }

  /** As `fault`, of a part within. */
  faultAt(pointer: string, message: string): void {
    this.#findings.push({ code: "binding.invalid", severity: "error", message, pointer });
  }

  value(name: string): Json | undefined {
    this.#read.add(name);
    return own(this.#object, name);
  }

  text(name: string, form: TextForm = anyText): string | undefined {
    const value = this.value(name);
    if (value === undefined) return undefined;
    if (typeof value === "string" && value !== "" && form.pattern.test(value)) return value;
    return this.fault(`${name}: expected ${form.expected}`, name);
  }

  word<const Words extends readonly string[]>(name: string, words: Words): Words[number] | undefined {
    const value = this.value(name);
    if (value === undefined || words.includes(value as string)) return value as Words[number] | undefined;
    return this.fault(`${name}: expected one of ${words.join(", ")}`, name);
  }

  integer(name: string, least: number, most: number, fallback: number): number {
    const value = this.value(name);
    if (value === undefined) return fallback;
    if (Number.isInteger(value) && (value as number) >= least && (value as number) <= most) {
      return value as number;
    }
    this.fault(`${name}: expected an integer from ${least} to ${most}`, name);
    return fallback;
  }

  flag(name: string, fallback: boolean): boolean {
    const value = this.value(name);
    if (value === undefined || typeof value === "boolean") return value ?? fallback;
    this.fault(`${name}: expected true or false`, name);
    return fallback;
  }

  texts(name: string, form: TextForm = anyText): readonly string[] | undefined {
    const value = this.value(name);
    if (value === undefined) return undefined;
    if (!Array.isArray(value)) return this.fault(`${name}: expected a list`, name);
    return value.filter((item, index): item is string => {
      if (typeof item === "string" && form.pattern.test(item)) return true;
      this.faultAt(pointerTo(this.pointer, name, index), `${name}: expected ${form.expected}`);
      return false;
    });
  }

  /** A text, or `{"env": NAME, "prefix"?}`. */
  bound(name: string): BoundText | undefined {
    const value = this.value(name);
    if (value === undefined) return undefined;
    if (typeof value === "string") return new BoundText(value, false);
    if (!isJsonObject(value)) return this.fault(`${name}: expected a text or {"env": NAME}`, name);
    const reference = new Settings(value, pointerTo(this.pointer, name), this.#findings, this.#secrets);
    const variable = reference.text("env", variableName);
    const prefix = reference.value("prefix") ?? "";
    reference.done();
    if (variable === undefined) return reference.has("env") ? undefined : this.fault("env is missing", name);
    if (typeof prefix !== "string") return reference.fault("prefix: expected a text", "prefix");
    return this.#fromEnvironment(name, variable, prefix);
  }

  #fromEnvironment(name: string, variable: string, prefix: string): BoundText | undefined {
    const secret = this.#secrets.take(variable);
    if (secret === undefined) {
      const message = `the environment variable ${variable} is not set`;
      return this.fault(message, name, "binding.secret-missing");
    }
    if (secret.length < minSecretLength) {
      const message = `the value of ${variable} has fewer than ${minSecretLength} characters: it could not be kept out of answers`;
      return this.fault(message, name, "binding.invalid", "write what is no secret into the binding itself");
    }
    return new BoundText(prefix + secret, true);
  }

  /** Settings within, or undefined where there are none. */
  section(name: string): Settings | undefined {
    const value = this.value(name);
    if (value === undefined) return undefined;
    return new Settings(value, pointerTo(this.pointer, name), this.#findings, this.#secrets);
  }

  /** The names in here, each to be read with the readers above. */
  names(): readonly string[] {
    return Object.keys(this.#object);
  }

  /** Refuses what nobody has read. `x-…` is left alone. */
  done(): void {
    for (const name of this.names()) {
      if (this.#read.has(name) || name.startsWith("x-")) continue;
      const near = nearest(name, this.#read);
      const hint = near === undefined ? `there are ${[...this.#read].join(", ")}` : `did you mean ${near}?`;
      this.fault(`there is no member ${quoted(name)} here`, name, "binding.invalid", hint);
    }
  }
}
