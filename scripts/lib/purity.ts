/**
 * What a pure room may not say: the world (`node:`), a clock, randomness, waiting, and code made at run time. Works on
 * tokens, so comments and strings may say what they like.
 */
import { builtinModules } from "node:module";
import { importsOf, type Token } from "./tokens.ts";

const reasons: ReadonlyMap<string, string> = new Map([
  ...["Date", "performance", "Temporal", "setTimeout", "setInterval", "setImmediate", "queueMicrotask"].map(
    (name) => [name, "a pure room reads no clock"] as const,
  ),
  ...["crypto"].map((name) => [name, "a pure room makes no random value"] as const),
  ...["await", "async", "Promise", "PromiseLike"].map(
    (name) => [name, "a pure room waits for nothing"] as const,
  ),
  ...["eval", "Function", "WebAssembly"].map(
    (name) => [name, "a pure room makes no code at run time"] as const,
  ),
  ...["process", "Buffer", "globalThis", "fetch", "console"].map(
    (name) => [name, "a pure room does not touch the world"] as const,
  ),
]);

/** `line: what was found: why not`, for everything that a pure file may not say. */
export function impurities(tokens: readonly Token[]): readonly string[] {
  const found: string[] = [];
  for (const { specifier, line } of importsOf(tokens)) {
    if (isBuiltin(specifier))
      found.push(`${line}: imports ${specifier}: a pure room does not touch the world`);
  }
  tokens.forEach((token, at) => {
    if (token.kind !== "word") return;
    const before = tokens[at - 1]?.text;
    if (before === ".") {
      if (token.text === "random" && tokens[at - 2]?.text === "Math") {
        found.push(`${token.line}: Math.random: a pure room makes no random value`);
      }
      if (token.text === "constructor" && tokens[at + 1]?.text === "(") {
        found.push(`${token.line}: .constructor(…): a pure room makes no code at run time`);
      }
      return;
    }
    if (token.text === "Math" && tokens[at + 1]?.text === "[") {
      found.push(`${token.line}: Math[…]: say which function by name`);
    }
    const reason = reasons.get(token.text);
    if (reason !== undefined && !isKey(tokens, at)) found.push(`${token.line}: ${token.text}: ${reason}`);
  });
  return found;
}

export function isBuiltin(specifier: string): boolean {
  return specifier.startsWith("node:") || builtinModules.includes(specifier);
}

/** A member name in a literal or a type (`{ process: …`, `readonly async?: …`) is not the global of that name. */
function isKey(tokens: readonly Token[], at: number): boolean {
  const before = tokens[at - 1]?.text ?? ";";
  const after = tokens[at + 1]?.text === "?" ? tokens[at + 2]?.text : tokens[at + 1]?.text;
  return after === ":" && ["{", ",", ";", "(", "readonly"].includes(before);
}
