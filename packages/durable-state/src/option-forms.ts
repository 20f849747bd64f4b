/**
 * What the types of options say already, for those who write none: that they are given at all, each of its form, and
 * none under a name that no option has. Ranges are in host-options.ts. Throws `host.option-invalid`.
 */
import { nearest, quoted, SwlError } from "@swl/base";

interface Form {
  /** What is said of a value that is none. */
  readonly not: string;
  readonly fits: (given: unknown) => boolean;
  readonly required?: true;
}

type Forms = { readonly [option: string]: Form };
type Members = { readonly [name: string]: unknown };

const isObject = (given: unknown): given is Members => typeof given === "object" && given !== null;
const isText = (given: unknown): given is string => typeof given === "string";
const isFunction = (given: unknown): boolean => typeof given === "function";
const has = (given: unknown, ...functions: readonly string[]): given is Members =>
  isObject(given) && functions.every((name) => isFunction(given[name]));
const every = (given: unknown, fits: (one: unknown) => boolean): boolean =>
  Array.isArray(given) && given.every(fits);

function isModel(given: unknown): boolean {
  if (!has(given, "prepare", "requirements", "transition", "disposition", "outstanding", "view"))
    return false;
  const { id, semantics } = given;
  const numbered = isObject(semantics) && Number.isInteger(semantics["writes"]);
  return has(given, "toJSON", "fromJSON") && isText(id) && numbered && Array.isArray(semantics["reads"]);
}

function isBinding(given: unknown): boolean {
  if (!isObject(given)) return false;
  const provider = given["provider"] ?? given;
  return has(provider, "has", "invoke") && isText(provider["id"]);
}

const switchForm: Form = { not: "neither true nor false", fits: (given) => typeof given === "boolean" };
const number: Form = { not: "no number", fits: (given) => typeof given === "number" };
const callback: Form = { not: "no function", fits: isFunction };
const table: Form = { not: "no object", fits: (given) => isObject(given) && !Array.isArray(given) };

const shared: Forms = {
  store: {
    not: "no store",
    fits: (given) => has(given, "append") && isObject(given["info"]),
    required: true,
  },
  models: { not: "no list of execution models", fits: (given) => every(given, isModel), required: true },
  clock: { not: "no clock", fits: (given) => has(given, "now", "monotonic", "after") },
  poll: number,
  newId: callback,
};

const hostForms: Forms = {
  ...shared,
  bindings: {
    not: "something that is neither provider nor binding set",
    fits: (given) => every(Array.isArray(given) ? given : [given], isBinding),
    required: true,
  },
  grants: { not: "no list of texts", fits: (given) => every(given, isText) },
  lease: number,
  exclusive: switchForm,
  waitForLease: number,
  signal: {
    not: "no AbortSignal",
    fits: (given) =>
      has(given, "addEventListener", "removeEventListener") && typeof given["aborted"] === "boolean",
  },
  idlePoll: number,
  retention: table,
  concurrency: table,
  grace: number,
  askFor: number,
  adoptEvidence: switchForm,
  random: callback,
  holder: { not: "no text", fits: isText },
  log: callback,
  observe: {
    not: "no observer",
    fits: (given) => has(given, "observed") && (given["starting"] === undefined || has(given, "starting")),
  },
};

const retentionForms: Forms = { closedRuns: { ...number, required: true } };
const concurrencyForms: Forms = { total: number, actions: table, providers: table };
const controlForms: Forms = { ...shared, authorize: callback };

/** Throws `host.option-invalid` naming the first option of `createHost` that is missing, unknown or of another form. */
export function checkHostForms(given: unknown): void {
  const { retention, concurrency } = check(given, "createHost", hostForms);
  if (retention !== undefined) check(retention, "createHost", retentionForms, "retention.");
  if (concurrency !== undefined) check(concurrency, "createHost", concurrencyForms, "concurrency.");
}

/** The same of `createControl`. */
export function checkControlForms(given: unknown): void {
  check(given, "createControl", controlForms);
}

export function invalid(what: string, hint?: string): SwlError {
  return new SwlError("host.option-invalid", `Option ${what}.`, hint === undefined ? {} : { hint });
}

/** Absent and `undefined` are the same. */
function check(given: unknown, whose: string, forms: Forms, path = ""): Members {
  if (!isObject(given)) {
    const required = Object.keys(forms).filter((name) => forms[name]?.required === true);
    throw new SwlError(
      "host.option-invalid",
      `${whose} takes one object of options, at least ${required.join(", ")}.`,
    );
  }
  for (const [name, value] of Object.entries(given)) {
    if (value !== undefined && !Object.hasOwn(forms, name)) throw unknown(name, whose, forms, path);
  }
  for (const [name, { fits, not, required }] of Object.entries(forms)) {
    const value = given[name];
    if (value === undefined && required !== true) continue;
    if (value === undefined) throw invalid(`${path}${name} is missing`);
    if (!fits(value)) throw invalid(`${path}${name} is ${not}`);
  }
  return given;
}

function unknown(name: string, whose: string, forms: Forms, path: string): SwlError {
  const near = nearest(name, Object.keys(forms));
  const hint = near === undefined ? undefined : `did you mean ${path}${near}?`;
  return invalid(`${path}${quoted(name)} is none of ${whose}`, hint);
}
