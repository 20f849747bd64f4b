/**
 * JSON as this house means it: null, booleans, finite numbers, well-formed strings, arrays, and objects whose keys
 * are data. A value of type `Json` is treated as immutable by everyone who receives it.
 */

export type JsonPrimitive = null | boolean | number | string;
export type JsonArray = readonly Json[];
export type JsonObject = { readonly [key: string]: Json };
export type Json = JsonPrimitive | JsonArray | JsonObject;

/** An object that is neither null nor an array. Says nothing about the values in it. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Own-property lookup: `__proto__`, `constructor` and the like are data and never reach a prototype. */
export function own<T>(object: { readonly [key: string]: T }, key: string): T | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

/**
 * Sets a key as plain data. Assignment through `object[key]` would run the `__proto__` setter; this never does.
 */
export function setOwn<T>(object: { [key: string]: T }, key: string, value: T): void {
  if (key === "__proto__") {
    Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true });
  } else {
    object[key] = value;
  }
}
